"""When two calls are the same call: the key is the tool's name and the canonical text of its arguments.

Canonical means parsed, keys sorted at every depth, compact. What JSON itself cannot tell apart is equal (key order,
white space outside strings, escapes, the last of duplicate keys, ``1e2`` and ``100.0``); what a tool could is different
(1 and 1.0, list order, NFC and NFD, null and missing). Arguments that are no JSON, and those of an unknown tool, count
by their raw text.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any, NamedTuple, cast

from pydantic_core import PydanticSerializationError, from_json, to_json

LONG_STRING = 1024
"""Longer strings stand in a key as their SHA-256: a key is kept for a whole turn, ten megabytes are not."""
LONG_KEY = 2048


class CallKey(NamedTuple):
    """``text`` is the canonical text, or its digest when that is long."""

    name: str
    text: str

    def digest(self) -> str:
        """The first eight hex digits of the key's SHA-256: enough to recognise it, not to read it."""
        return _sha256(f"{self.name}\n{self.text}")[:8]


class Parsed(NamedTuple):
    """A call's key and what its arguments say. ``problem``: why they are no JSON; then they count by their raw text."""

    key: CallKey
    arguments: Any
    problem: str | None = None


def parse(name: str, raw: str) -> Parsed:
    """Read the arguments of a call of a known tool. Never raises; empty text is an empty object."""
    try:
        value = from_json(raw)
    except (ValueError, TypeError):
        if not raw or raw.isspace():
            value: Any = {}
        else:
            try:
                value = json.loads(raw, strict=False)  # takes raw newlines in strings and lone surrogates
            except RecursionError:
                return Parsed(raw_key(name, raw), None, "nested too deeply")
            except ValueError as error:
                return Parsed(raw_key(name, raw), None, str(error))
    try:
        text = _text(_ordered(value))
    except RecursionError:
        return Parsed(raw_key(name, raw), None, "nested too deeply")
    return Parsed(CallKey(name, text if len(text) <= LONG_KEY else _stand_in(text)), value)


def raw_key(name: str, raw: str) -> CallKey:
    """The key of a call whose arguments were not read."""
    return CallKey(name, raw if len(raw) <= LONG_KEY else _stand_in(raw))


def canonical(value: Any) -> str:
    """The whole canonical text of parsed arguments, for a reader. Raises RecursionError when nested too deeply."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _ordered(value: Any) -> Any:
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        return {key: _ordered(members[key]) for key in sorted(members)}
    if isinstance(value, list):
        return [_ordered(item) for item in cast("list[Any]", value)]
    if isinstance(value, str) and len(value) > LONG_STRING:
        return _stand_in(value)
    return value


def _text(ordered: Any) -> str:
    try:
        return to_json(ordered, inf_nan_mode="constants").decode()
    except (PydanticSerializationError, ValueError):  # a lone surrogate has no UTF-8
        return json.dumps(ordered, separators=(",", ":"))


def _stand_in(text: str) -> str:
    return f"\0sha256:{_sha256(text)}"


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
