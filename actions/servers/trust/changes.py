"""The difference between what was agreed to and what is there now, field by field, in words that hide nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, cast

from actions.servers.pool.hidden import visible

_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class Change:
    """One field: its path, and what it was and is; None where it was not, or is not any more."""

    field: str
    before: str | None
    after: str | None

    def as_json(self) -> dict[str, Any]:
        """For views."""
        return asdict(self)


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[Change, ...]:
    """Every field that differs, by its path."""
    return tuple(_walk("", before, after, 0))


def _walk(path: str, before: Any, after: Any, depth: int) -> Iterator[Change]:
    if before == after:
        return
    if isinstance(before, Mapping) and isinstance(after, Mapping) and depth < _DEEPEST:
        old, new = cast("Mapping[str, Any]", before), cast("Mapping[str, Any]", after)
        for key in (*old, *(key for key in new if key not in old)):
            yield from _walk(f"{path}.{key}" if path else str(key), old.get(key), new.get(key), depth + 1)
        return
    yield Change(visible(path), _said(before), _said(after))


def _said(value: Any) -> str | None:
    if value is None:
        return None
    return visible(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True))
