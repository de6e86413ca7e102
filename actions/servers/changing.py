"""What was asked of a definition or a binding, made into what stands in a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from actions.catalog.secrecy import HIDDEN
from actions.errors import InvalidInput
from actions.servers.files.bindings import PATCHED, REPLACED, overridden
from actions.servers.files.entry import BadEntry, read_entry

_BLOCK = ("title", "connect_timeout_s", "call_timeout_s", "delivery")
"""Fields that only we know: they stand in our own block."""


def entry_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """The standard entry of a new definition."""
    entry = {name: given[name] for name in ("command", "args", "cwd", "env") if given.get(name)}
    if given.get("url"):
        entry = {"type": given.get("transport") or _kind_of(given["url"]), "url": given["url"]}
        if given.get("headers"):
            entry["headers"] = given["headers"]
    return entry


def block_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """Our own block of a new definition; empty where all is as usual."""
    return {name: given[name] for name in _BLOCK if given.get(name) is not None}


def changed(
    entry: Mapping[str, Any], block: Mapping[str, Any], changes: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Entry and block with ``changes``. Raises InvalidInput for a field that there is not, and for dots as a value."""
    patch: dict[str, Any] = {}
    own = dict(block)
    for name, value in changes.items():
        if name in _BLOCK:
            if value is None:
                own.pop(name, None)
            else:
                own[name] = value
        elif name in PATCHED:
            patch[name] = _patch(name, value)
        elif name == "transport":
            patch["type"] = value
        elif name in REPLACED:
            _refuse_dots(name, value)
            patch[name] = value
        else:
            known = ", ".join((*REPLACED[:4], *PATCHED, "transport", *_BLOCK))
            raise wrong(f"changes.{name}", f"There is no field {name} to change. There are: {known}.")
    return overridden(entry, patch), own


def checked_overrides(entry: Mapping[str, Any], name: str, overrides: Mapping[str, Any]) -> dict[str, Any]:
    """The overrides of a binding, which must make a server of ``entry``. Raises InvalidInput."""
    kept: dict[str, Any] = {}
    for field, value in overrides.items():
        if field not in (*REPLACED, *PATCHED, "delivery"):
            known = ", ".join((*REPLACED[:4], *PATCHED))
            raise wrong(f"overrides.{field}", f"{field} cannot be overridden. What can: {known}.")
        if field in PATCHED:
            value = _patch(field, value)
        else:
            _refuse_dots(field, value)
        kept[field] = value
    check(name, overridden(entry, kept), "overrides")
    return kept


def check(name: str, entry: Mapping[str, Any], field: str) -> None:
    """Raise InvalidInput when this makes no server."""
    try:
        read_entry(name, entry)
    except BadEntry as error:
        raise wrong(field, f"{name}: {error}.") from error


def wrong(field: str, message: str) -> InvalidInput:
    """An InvalidInput that names its one field."""
    return InvalidInput(message, [{"field": field, "message": message}])


def _patch(name: str, value: object) -> dict[str, Any]:
    """Names with new values; one that is dots was shown so, and stays as it is."""
    if not isinstance(value, dict):
        raise wrong(name, f"{name} must be an object: each name with its value, or null to take it out.")
    return {key: text for key, text in cast("dict[str, Any]", value).items() if text != HIDDEN}


def _refuse_dots(name: str, value: object) -> None:
    texts = cast("list[object]", value) if isinstance(value, list) else [value]
    if any(isinstance(text, str) and HIDDEN in text for text in texts):
        raise wrong(name, f"{name} holds {HIDDEN}, which stands for a value that was not shown. Write the value.")


def _kind_of(url: str) -> str:
    return "sse" if url.split("?", maxsplit=1)[0].rstrip("/").endswith("/sse") else "http"
