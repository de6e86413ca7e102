"""What is different between two states of a file of servers, for a person and for a program; no secret in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from actions.catalog.secrecy import veiled, veiled_args


def difference(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[dict[str, Any]]:
    """``[{path, was, is}]`` with a row for each value that differs; None where there is none. Secrets are dots."""
    rows: list[dict[str, Any]] = []
    _compare([], dict(before), dict(now), rows)
    return rows


def in_words(rows: Sequence[Mapping[str, Any]]) -> str:
    """The paths that differ, on one line."""
    paths = [row["path"].removeprefix("mcpServers.").removeprefix("sayso.") for row in rows]
    shown = ", ".join(paths[:5]) or "comments or spaces only"
    return shown if len(paths) <= 5 else f"{shown} and {len(paths) - 5} more"


def _compare(path: list[str], was: Any, now: Any, rows: list[dict[str, Any]]) -> None:
    if isinstance(was, dict) and isinstance(now, dict):
        old, new = cast("dict[str, Any]", was), cast("dict[str, Any]", now)
        for key in [*old, *(key for key in new if key not in old)]:
            _compare([*path, key], old.get(key), new.get(key), rows)
    elif was != now:
        rows.append({"path": ".".join(path), "was": _shown(path[-1], was), "is": _shown(path[-1], now)})


def _shown(name: str, value: Any) -> Any:
    if isinstance(value, list) and all(isinstance(item, str) for item in cast("list[Any]", value)):
        return veiled_args(cast("list[str]", value))
    return veiled({name: value})[name]
