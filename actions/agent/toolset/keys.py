"""When two calls are the same call: the key is the tool's name and the canonical text of its arguments.

Canonical means parsed, keys sorted at every depth, compact. What JSON itself cannot tell apart is equal (key order,
white space outside strings, escapes, the last of duplicate keys, ``1e2`` and ``100.0``); what a tool could is different
(1 and 1.0, list order, NFC and NFD, null and missing). Arguments that are no JSON, and those of an unknown tool, count
by their raw text.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any, cast

from pydantic_core import PydanticSerializationError, from_json, to_json

LONG_STRING = 1024
"""Longer strings stand in a key as their SHA-256: a key is kept for a whole turn, ten megabytes are not."""
LONG_KEY = 2048
STAND_IN = "\0sha256:"
_PLAIN = frozenset({int, float, bool, type(None)})


CallKey = tuple[str, str]
"""The tool's name and the canonical text, or the digest of that when it is long."""


def digest(key: CallKey) -> str:
    """The first eight hex digits of the key's SHA-256: enough to recognise it, not to read it."""
    return _sha256("\n".join(key))[:8]


def parse(name: str, raw: str) -> tuple[CallKey, Any, str | None]:
    """The key of a known tool's call, its arguments, and why they are no JSON (then they count by their raw text).
    Never raises.
    """
    try:
        value = from_json(raw)
    except (ValueError, TypeError):
        value, problem = read(raw)
        if problem is not None:
            return raw_key(name, raw), None, problem
    try:
        text = _text(_ordered(value))
    except RecursionError:
        return raw_key(name, raw), None, "nested too deeply"
    return (name, text if len(text) <= LONG_KEY else _stand_in(text)), value, None


def read(raw: str) -> tuple[Any, str | None]:
    """The arguments, or what is wrong with them; never raises. Empty text is an empty object; raw newlines in strings
    and lone surrogates are taken.
    """
    if not raw or raw.isspace():
        return {}, None
    try:
        return json.loads(raw, strict=False), None
    except RecursionError:
        return None, "nested too deeply"
    except ValueError as error:
        return None, str(error)


def raw_key(name: str, raw: str) -> CallKey:
    """The key of a call whose arguments were not read."""
    return name, raw if len(raw) <= LONG_KEY else _stand_in(raw)


def canonical(value: Any) -> str:
    """The whole canonical text of parsed arguments, for a reader. Raises RecursionError when nested too deeply."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _ordered(value: Any) -> Any:
    kind = cast("type[Any]", type(value))
    if kind is dict:
        ordered: dict[str, Any] = {}
        for name in sorted(value) if len(value) > 1 else value:
            member = value[name]
            ordered[name] = member if type(member) in _PLAIN else _ordered(member)
        return ordered
    if kind is list:
        return [_ordered(item) for item in value]
    return _stand_in(value) if kind is str and len(value) > LONG_STRING else value


def _text(ordered: Any) -> str:
    try:
        return to_json(ordered, inf_nan_mode="constants").decode()
    except (PydanticSerializationError, ValueError):  # a lone surrogate has no UTF-8
        return json.dumps(ordered, separators=(",", ":"))


def _stand_in(text: str) -> str:
    return f"{STAND_IN}{_sha256(text)}"


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
