"""Secrets of definitions: out of what was given, into the store, and out of the store when nothing names them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from typing import Any, cast

from actions.catalog.secrecy import is_secret
from actions.servers.pool.definition import SecretRef
from actions.servers.values import text_of
from actions.storage.secrets import Secret, SecretStore

_SCHEME = re.compile(r"(?i)((?:bearer|basic|token)\s+)(\S.*)\Z", re.DOTALL)
_ODD = re.compile(r"[^A-Za-z0-9_.@-]")
_OURS = re.compile(r"\$\{secret:(mcp\.[^{}]+)\}")


def owner_of(server: str, place: str | None = None) -> str:
    """What a server's secrets are kept under; ``place`` tells a workspace's or a binding's from the device's."""
    mark = "" if place is None else f"@{hashlib.sha256(place.encode()).hexdigest()[:8]}"
    return f"mcp.{_ODD.sub('_', server)}{mark}"


class Keeper:
    """Moves secrets. Its methods may block (a keyring may ask to be unlocked): call them in a thread."""

    def __init__(self, store: Callable[[], SecretStore]) -> None:
        self._store = store

    def kept(self, owner: str, entry: Mapping[str, Any], moved: list[str]) -> dict[str, Any]:
        """``entry`` with a reference for each secret in ``env`` and ``headers``; ``moved`` gets their names.

        Raises SaysoError when the store cannot be written.
        """
        changed = dict(entry)
        for part in ("env", "headers"):
            values = changed.get(part)
            if isinstance(values, dict):
                changed[part] = {
                    name: self._one(owner, name, value, moved) if isinstance(value, str) else value
                    for name, value in cast("dict[str, Any]", values).items()
                }
        return changed

    def forget(self, before: str, after: str) -> None:
        """Delete the secrets that the text of a file named ``before`` an edit, and does not ``after`` it."""
        for name in set(_OURS.findall(before)) - set(_OURS.findall(after)):
            self._store().delete(name)

    def keep(self, name: str, value: str) -> str:
        """Store a secret under a name; the reference to it. Raises SaysoError when the store cannot be written."""
        key = ".".join(_ODD.sub("_", part) for part in name.split("."))
        self._store().set(key, Secret(value))
        return text_of(SecretRef(key))

    def get(self, name: str) -> Secret | None:
        """The secret of this name. Raises SaysoError when the store cannot be read."""
        return self._store().get(name)

    def _one(self, owner: str, name: str, value: str, moved: list[str]) -> str:
        if not is_secret(name, value) or "${" in value:
            return value
        scheme = _SCHEME.match(value)
        before, secret = scheme.groups() if scheme is not None else ("", value)
        key = f"{owner}.{_ODD.sub('_', name)}"
        self._store().set(key, Secret(secret))
        moved.append(key)
        return text_of(SecretRef(key, before))
