"""What looks like a secret: by the name under which it stands, or by its own shape. Shared by all who must hide it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, cast

HIDDEN = "•••"
_NAME = re.compile(
    r"TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|APIKEY|API_KEY|AUTH(?!ORITY|_SOCK)|[_-]KEY$", re.IGNORECASE
)
SHAPES = (
    re.compile(
        r"\b(?:sk-[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}"
        r"|xox[abprs]-[A-Za-z0-9-]{10,}|AKIA[0-9A-Z]{16}|AIza[A-Za-z0-9_-]{30,}|ctx7sk-[A-Za-z0-9-]{16,})"
    ),
    re.compile(r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"),
)
"""Tokens that tell themselves by how they begin."""
_REFERENCE = re.compile(r"\$\{[^{}]*\}|\$[A-Za-z_]\w*")
_SCHEME = re.compile(r"(?i)\b(?:bearer|basic|token)\s+")


def looks_secret(name: str) -> bool:
    """Whether a variable or header of this name usually holds a secret."""
    return _NAME.search(name) is not None


def token_in(text: str) -> bool:
    """Whether a text holds something that has the shape of a token."""
    return any(shape.search(text) for shape in SHAPES)


def is_secret(name: str, value: str) -> bool:
    """Whether a value under this name is a secret in plain text: a reference to one, or a flag, is none."""
    left = _SCHEME.sub("", _REFERENCE.sub("", value)).strip()
    if not left or left.lower() in ("true", "false", "0", "1", "none", "null", "on", "off", "yes", "no"):
        return False
    return token_in(left) or (looks_secret(name) and len(left) >= 4)


def veiled_values(values: Mapping[str, str]) -> dict[str, str]:
    """Variables or headers as they may be shown."""
    return {name: HIDDEN if is_secret(name, value) else value for name, value in values.items()}


def veiled_args(args: Iterable[str]) -> list[str]:
    """An argv as it may be shown: tokens, and what follows an option that names one, as dots."""
    shown: list[str] = []
    option = ""
    for arg in args:
        head, equals, tail = arg.partition("=")
        if token_in(arg) or (equals and head.startswith("-") and is_secret(head, tail)):
            shown.append(f"{head}={HIDDEN}" if equals and not token_in(head) else HIDDEN)
        elif option and not arg.startswith("-") and is_secret(option, arg):
            shown.append(HIDDEN)
        else:
            shown.append(arg)
        option = arg if arg.startswith("-") and not equals else ""
    return shown


def veiled_url(url: str) -> str:
    """A URL as it may be shown: parts of its query that look secret, and tokens anywhere, as dots."""
    head, mark, query = url.partition("?")
    parts = [part.partition("=") for part in query.split("&")]
    shown = "&".join(f"{name}={HIDDEN}" if is_secret(name, value) else f"{name}{e}{value}" for name, e, value in parts)
    for shape in SHAPES:
        head, shown = shape.sub(HIDDEN, head), shape.sub(HIDDEN, shown)
    return f"{head}{mark}{shown}"


def veiled(value: Any) -> Any:
    """An entry, or changes of one, as they may be shown: the values in it that look secret as dots."""
    if not isinstance(value, dict):
        return value
    shown: dict[str, Any] = {}
    for name, inner in cast("dict[str, Any]", value).items():
        if isinstance(inner, dict):
            shown[name] = veiled(inner)
        elif isinstance(inner, list) and all(isinstance(item, str) for item in cast("list[Any]", inner)):
            shown[name] = veiled_args(cast("list[str]", inner))
        else:
            shown[name] = _veiled_text(name, inner) if isinstance(inner, str) else inner
    return shown


def _veiled_text(name: str, text: str) -> str:
    return HIDDEN if is_secret(name, text) else veiled_url(text) if "://" in text else text
