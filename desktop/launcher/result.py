"""What an action that reads has found, as text and tables that a person reads. Pure Python."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from actions.catalog.fields import text_of
from actions.catalog.form import humanise
from actions.catalog.text import as_text

_MOST_ROWS = 100
_MOST_COLUMNS = 6
_LONG = 160
_TIMES = ("created", "updated", "last_activity", "at", "started", "ended", "decided_at", "expires_at")
_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~!-])")


@dataclass(frozen=True)
class Words:
    """What the window says around what was found, in its language."""

    language: str
    yes: str
    no: str
    none: str
    nothing: str
    more: str
    """With ``{0}`` for how many are left out."""


def readable(data: Any, words: Words) -> str:
    """Markdown of an action's output: its single values as a list, its lists of things as tables."""
    return "\n\n".join(_blocks(data, words, 0)) or words.nothing


def _blocks(data: Any, words: Words, depth: int) -> list[str]:
    if isinstance(data, Mapping):
        return _mapping(data, words, depth)
    if isinstance(data, list):
        return [_listed(data, words)]
    return [_cell(data, words)] if data not in (None, "") else []


def _mapping(data: Mapping[str, Any], words: Words, depth: int) -> list[str]:
    lines: list[str] = []
    below: list[str] = []
    for name, value in data.items():
        if value is None or value == "" or value == {}:
            continue
        title = _title(name, words)
        if _texts_only(value):
            below += [f"**{title}**", *(_code(entry["text"]) for entry in value)]
        elif isinstance(value, list) and value and all(isinstance(entry, Mapping) for entry in value):
            below += [f"**{title}** ({len(value)})", _table(value, words)]
        elif isinstance(value, Mapping):
            inner = _mapping(value, words, depth + 1)
            below += [f"**{title}**", *inner] if inner else []
        elif isinstance(value, str) and ("\n" in value.strip() or len(value) > 4 * _LONG):
            below += [f"**{title}**", _code(value)]
        else:
            lines.append(f"- **{title}:** {_value(name, value, words) if value != [] else words.none}")
    return ["\n".join(lines), *below] if lines else below


def _texts_only(value: Any) -> bool:
    """Blocks of text, as a tool of a server answers with."""
    blocks = value if isinstance(value, list) else []
    return bool(blocks) and all(isinstance(one, Mapping) and one.get("type") == "text" for one in blocks)


def _listed(values: Sequence[Any], words: Words) -> str:
    if not values:
        return words.nothing
    if all(isinstance(value, Mapping) for value in values):
        return _table(values, words)
    shown = [f"- {_cell(value, words)}" for value in values[:_MOST_ROWS]]
    return "\n".join([*shown, *_rest(len(values), words)])


def _table(rows: Sequence[Mapping[str, Any]], words: Words) -> str:
    columns = _columns(rows)
    if not columns:
        return words.nothing
    lines = ["| " + " | ".join(_title(name, words) for name in columns) + " |", "|" + " --- |" * len(columns)]
    for entry in rows[:_MOST_ROWS]:
        cells = (_value(name, entry.get(name), words) if entry.get(name) is not None else "" for name in columns)
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join([*lines, *("\n" + line for line in _rest(len(rows), words))])


def _columns(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The columns that say something and fit a cell, in the order of the output; those that tell rows apart first."""
    names = list(dict.fromkeys(name for entry in rows for name in entry))
    telling = [name for name in names if any(_says(entry.get(name)) for entry in rows)]
    flat = [name for name in telling if not any(isinstance(entry.get(name), Mapping) for entry in rows)]
    named = [name for name in ("title", "name", "label", "summary") if name in flat]
    differing = [name for name in flat if len({json.dumps(entry.get(name), default=str) for entry in rows}) > 1]
    wanted = list(dict.fromkeys([*named, *differing, *flat]))
    if named and len(wanted) > _MOST_COLUMNS:  # a long id tells a person nothing beside a name
        wanted = [name for name in wanted if not name.endswith("_id")]
    return wanted[:_MOST_COLUMNS]


def _says(value: Any) -> bool:
    return value not in (None, "", [], {})


def _value(name: str, value: Any, words: Words) -> str:
    if name in _TIMES and isinstance(value, int | float) and not isinstance(value, bool) and value > 10**11:
        return datetime.fromtimestamp(value / 1000).astimezone().strftime("%Y-%m-%d %H:%M")
    return _cell(value, words)


def _cell(value: Any, words: Words) -> str:
    if isinstance(value, bool):
        return words.yes if value else words.no
    if isinstance(value, list):
        text = ", ".join(_plain(entry) for entry in value)
    else:
        text = _plain(value)
    text = " ".join(text.split())
    return _SPECIAL.sub(r"\\\1", text if len(text) <= _LONG else text[: _LONG - 1] + "…")


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _code(text: str) -> str:
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", text)), default=0))
    return f"{fence}\n{text.strip(chr(10))}\n{fence}"


def _rest(count: int, words: Words) -> list[str]:
    return [f"*{words.more.format(count - _MOST_ROWS)}*"] if count > _MOST_ROWS else []


def _title(name: str, words: Words) -> str:
    return as_text(text_of(name).title or humanise(str(name))).in_language(words.language)
