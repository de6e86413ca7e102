"""A transcript as a file to keep or to pass on: JSON Lines with every event, or Markdown to read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, cast

from actions.catalog.views import SessionView, TranscriptEvent
from actions.sessions.events import Kind
from actions.sessions.items import Item, fold

_TICKS = re.compile(r"`{3,}")


def as_json_lines(session: SessionView, events: Sequence[TranscriptEvent]) -> str:
    """One line for the session, then one an event as it is stored. Nothing is left out."""
    head = {"session": session.model_dump(mode="json")}
    lines = [json.dumps(head, ensure_ascii=False)]
    lines += [json.dumps(event.model_dump(mode="json"), ensure_ascii=False) for event in events]
    return "\n".join(lines) + "\n"


def as_markdown(session: SessionView, events: Sequence[TranscriptEvent]) -> str:
    """The conversation: messages as they are, thoughts folded, each tool call with its input, output and answer."""
    head = f"# {session.title or session.id}\n\n{session.provider_name or session.provider} in `{session.workspace}`, "
    head += f"{_time(session.created)}\n"
    return "\n".join([head, *_sections(fold(events))])


def _sections(items: Sequence[Item]) -> Iterator[str]:
    permissions = {str(item.data.get("tool_call_id")): item for item in items if item.kind == Kind.PERMISSION}
    for item in items:
        data = item.data
        match item.kind:
            case Kind.USER:
                yield f"## You, {_time(item.at)}\n\n{data.get('text', '')}\n"
            case Kind.AGENT:
                yield f"{data.get('text', '')}\n"
            case Kind.THOUGHT:
                yield f"<details><summary>Thought</summary>\n\n{data.get('text', '')}\n\n</details>\n"
            case Kind.TOOL_CALL:
                yield _call(item, permissions.get(item.id))
            case Kind.PLAN:
                entries = cast("list[dict[str, Any]]", data.get("entries") or [])
                marks = {"completed": "x", "in_progress": "-"}
                rows = (f"- [{marks.get(str(e.get('status')), ' ')}] {e.get('content', '')}" for e in entries)
                yield "\n".join(rows) + "\n"
            case Kind.QUESTION:
                yield _question(data)
            case Kind.PERMISSION if data.get("plan"):
                yield f"**Plan to look at** ({_said(data)})\n\n{data['plan']}\n"
            case Kind.ERROR:
                yield f"> **Error:** {data.get('message', '')}\n"
            case Kind.NOTICE:
                yield f"> {data.get('text', '')}\n"
            case Kind.TURN_END if data.get("stop_reason") != "end_turn":
                yield f"*The turn ended: {str(data.get('stop_reason', '')).replace('_', ' ')}.*\n"
            case _:
                pass


def _question(data: dict[str, Any]) -> str:
    answer = cast("dict[str, Any]", data.get("answer") or {})
    content = cast("dict[str, Any]", answer.get("content") or {})
    titles = {str(f.get("path")): str(f.get("title")) for f in cast("list[dict[str, Any]]", data.get("fields") or [])}
    rows = [f"**Question** ({_said(data)})\n\n{data.get('message', '')}\n"]
    for name, value in content.items():
        said = ", ".join(map(str, cast("list[Any]", value))) if isinstance(value, list) else str(value)
        rows.append(f"- {titles.get(name, name)}: {said}")
    return "\n".join(rows) + "\n"


def _said(data: dict[str, Any]) -> str:
    answer = cast("dict[str, Any]", data.get("answer") or {})
    by = f" by {answer['by']}" if answer.get("by") else ""
    return f"{answer.get('name') or answer.get('outcome') or 'not answered'}{by}"


def _call(item: Item, permission: Item | None) -> str:
    data = item.data
    rows = [f"**{data.get('title') or 'Tool call'}** ({data.get('kind', 'other')}, {data.get('status', 'unknown')})\n"]
    if permission is not None:
        answer = cast("dict[str, Any]", permission.data.get("answer") or {})
        said = answer.get("name") or answer.get("outcome") or "not answered"
        by = f" by {answer['by']}" if answer.get("by") else ""
        rows.append(f"Permission: {said}{by}.\n")
    if data.get("input"):
        rows.append(_fenced(json.dumps(data["input"], ensure_ascii=False, indent=2), "json"))
    for part in cast("list[dict[str, Any]]", data.get("content") or []):
        if part.get("type") == "diff":
            rows.append(
                f"`{part.get('path', '')}` is now:\n\n" + _fenced(str(part.get("newText") or part.get("new", "")))
            )
        elif text := _text(part):
            rows.append(_fenced(text))
    return "\n".join(rows)


def _text(part: dict[str, Any]) -> str:
    inner = part.get("content")
    if isinstance(inner, dict):
        return str(cast("dict[str, Any]", inner).get("text", ""))
    return str(part.get("text", ""))


def _fenced(text: str, language: str = "") -> str:
    longest = max((len(run) for run in _TICKS.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}\n"


def _time(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
