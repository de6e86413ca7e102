"""Answers for people: tables for lists, lines for single things, short and aligned."""

from __future__ import annotations

import json
import shutil
from typing import Any, TypeGuard, cast

from actions.cli.printable import printable, when
from actions.cli.request_text import request_lines
from actions.cli.summaries import findings_lines, run_lines, scope_line, session_lines, turn_lines
from actions.cli.width import fit, pad, width

_COLUMNS: dict[str, tuple[str, ...]] = {
    "sessions": ("id", "title", "provider", "state", "workspace", "last_activity"),
    "runs": ("id", "kind", "provider", "state", "instructions", "created"),
    "rows": ("id", "kind", "title", "summary", "asked_by", "created"),
    "requests": ("id", "status", "title", "summary", "asked_by", "created"),
    "workspaces": ("id", "path", "trusted", "exists"),
    "providers": ("id", "name", "installed", "delivery", "version", "reason"),
    "results": ("provider", "ok", "run_id", "error"),
    "options": ("value", "label", "description", "reason"),
    "rules": ("id", "action", "scope", "surface", "covers"),
    "servers": ("name", "transport", "scope", "enabled", "reason", "command", "url", "problem"),
    "presets": ("id", "title", "description"),
    "checks": ("name", "ok", "detail", "fix"),
}
_TIMES = frozenset({"created", "updated", "started", "ended", "last_activity", "at", "deferred_until"})
_STATES = {
    "working": "33", "running": "33", "queued": "33", "starting": "33", "waiting": "35", "open": "35",
    "succeeded": "32", "idle": "32", "yes": "32", "failed": "31", "no": "31", "interrupted": "31",
}  # fmt: skip
_NARROWEST = 8


def rendered(kind: str, data: Any, *, language: str = "en", colours: bool = False) -> str:
    """Text without a final newline; an empty list says so."""
    if not isinstance(data, dict):
        return str(data)
    data = cast("dict[str, Any]", data)
    if kind == "action_summaries":
        return _table(data["actions"], ("id", "title", "effect"), colours)
    if kind == "action_definition":
        return _definition(data, colours)
    if kind == "effective_policy":
        return _policy(data, colours)
    if kind == "inbox_row":
        choices = [f"  {option['id']}: {printable(option['name'])}" for option in data["options"]]
        return "\n".join([f"{data['id']}  {data['state']}", *request_lines(data), *(["", *choices] if choices else [])])
    if kind == "session":
        return "\n".join(session_lines(data))
    if kind == "turn_end":
        return "\n".join(turn_lines(data))
    if kind == "run":
        return "\n".join(run_lines(data))
    if kind == "review_findings":
        return "\n".join(findings_lines(data))
    for name, columns in _COLUMNS.items():
        if "id" not in data and isinstance(data.get(name), list):
            nothing = "没有。" if language.startswith("zh") else "None."
            shown = _table(data[name], columns, colours) if data[name] else nothing
            found: list[Any] = data.get("problems") or []
            problems = [p if isinstance(p, str) else str(cast("dict[str, Any]", p).get("message")) for p in found]
            scopes = [
                row["scope"] for row in data[name] if name == "results" and row.get("scope") and not row.get("run")
            ]
            about = [f"change: {scope_line(scopes[0])}"] if scopes else []
            runs = [line for row in data[name] if row.get("run") for line in ("", *run_lines(row["run"]))]
            return "\n".join([shown, *about, *(f"problem: {printable(text)}" for text in problems), *runs])
    return _lines(data)


def _table(rows: list[dict[str, Any]], columns: tuple[str, ...], colours: bool) -> str:
    used = [c for c in columns if any(row.get(c) not in (None, "", []) for row in rows)]
    cells = [[_cell(column, row.get(column)) for column in used] for row in rows]
    head = [column.replace("_", " ").upper() for column in used]
    widths = _widths([head, *cells])
    lines = ["  ".join(pad(fit(h, w), w) for h, w in zip(head, widths, strict=True)).rstrip()]
    for row in cells:
        parts = [_coloured(pad(fit(cell, w), w), cell, colours) for cell, w in zip(row, widths, strict=True)]
        lines.append("  ".join(parts).rstrip())
    return "\n".join(lines)


def _widths(rows: list[list[str]]) -> list[int]:
    """The width of each column, the widest ones cut until a line fits the terminal; an id is never cut."""
    widths = [max(width(row[i]) for row in rows) for i in range(len(rows[0]))]
    room = max(60, shutil.get_terminal_size((160, 40)).columns)
    while sum(widths) + 2 * (len(widths) - 1) > room:
        widest = max(range(1, len(widths)), key=lambda i: widths[i], default=0)
        if widest == 0 or widths[widest] <= _NARROWEST:
            break
        widths[widest] -= 1
    return widths


def _cell(name: str, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name in _TIMES and isinstance(value, int):
        return when(value)
    if name == "error" and isinstance(value, dict):
        value = cast("dict[str, Any]", value).get("message", "")
    if isinstance(value, list) and all(isinstance(item, str) for item in cast("list[Any]", value)):
        value = ", ".join(cast("list[str]", value))
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return " ".join(printable(text).split())


def _coloured(padded: str, cell: str, colours: bool) -> str:
    code = _STATES.get(cell)
    return f"\x1b[{code}m{padded}\x1b[0m" if colours and code else padded


def _definition(data: dict[str, Any], colours: bool) -> str:
    """What someone who wants to run an action needs; the schemas are in the JSON."""
    head = {name: data.get(name) for name in ("id", "title", "description", "effect", "surfaces", "implemented")}
    rows = [{**field, "choices": [option["value"] for option in field["options"]]} for field in data["form"]]
    fields = _table(rows, ("path", "type", "required", "choices", "source", "title"), colours) if rows else ""
    return "\n".join([_lines(head), *(["", fields] if fields else [])])


def _policy(data: dict[str, Any], colours: bool) -> str:
    rows = [
        {
            "id": action["id"],
            "surface": surface,
            "available": state["available"],
            "asks": state["asks"],
            "exposure": state["exposure"],
            "why": state["reason"] if not state["available"] else state["asks_reason"],
        }
        for action in data["actions"]
        for surface, state in action["surfaces"].items()
    ]
    return _table(rows, ("id", "surface", "available", "asks", "exposure", "why"), colours)


def _lines(data: dict[str, Any], indent: str = "") -> str:
    shown = {name: value for name, value in data.items() if value not in (None, "", [], {})}
    column = max((len(name) for name in shown), default=0) + 2
    lines: list[str] = []
    for name, value in shown.items():
        label = pad(name.replace("_", " "), column)
        if isinstance(value, dict):
            lines += [f"{indent}{label.rstrip()}:", _lines(cast("dict[str, Any]", value), indent + "  ")]
        elif _is_list_of_objects(value):
            lines.append(f"{indent}{label.rstrip()}:")
            lines += [
                f"{indent}  - {', '.join(_cell(k, v) for k, v in item.items() if v not in (None, ''))}"
                for item in value
            ]
        elif isinstance(value, str) and "\n" in value:
            lines += [f"{indent}{label.rstrip()}:", *(f"{indent}  {printable(line)}" for line in value.splitlines())]
        else:
            text = ", ".join(map(str, cast("list[Any]", value))) if isinstance(value, list) else _cell(name, value)
            lines.append(f"{indent}{label}{text}")
    return "\n".join(lines)


def _is_list_of_objects(value: Any) -> TypeGuard[list[dict[str, Any]]]:
    return isinstance(value, list) and isinstance(cast("list[Any]", value)[0], dict)
