"""A transcript as text for a person: what was said, what was done; the life of one item folded into one paragraph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from actions.cli.printable import printable

_SPEAKERS = {"user": "you", "agent": "agent", "thought": "thinks"}


def paragraphs(events: Iterable[dict[str, Any]]) -> Iterator[str]:
    """One text a message, tool call or notice, in the order in which they came. Pieces of a message are joined."""
    speaker: tuple[str, str | None] | None = None
    said: list[str] = []
    titles: dict[str, str] = {}
    for event in events:
        kind, data = str(event["kind"]), event["data"]
        if kind in _SPEAKERS:
            if speaker != (kind, event["item_id"]):
                yield from _message(speaker, said)
                speaker, said = (kind, event["item_id"]), []
            said.append(str(data.get("text", "")))
            continue
        if text := _other(kind, data, str(event["item_id"]), titles):
            yield from _message(speaker, said)
            speaker, said = None, []
            yield printable(text)
    yield from _message(speaker, said)


def _message(speaker: tuple[str, str | None] | None, said: list[str]) -> Iterator[str]:
    if speaker is not None and said:
        yield printable(f"{_SPEAKERS[speaker[0]]}: {''.join(said).strip()}")


def _other(kind: str, data: dict[str, Any], item: str, titles: dict[str, str]) -> str:
    """The text of an event that is no message; empty for what only changes what was shown before."""
    match kind:
        case "tool_call":
            if title := data.get("title"):
                titles[item] = str(title)
            if (status := data.get("status")) in ("completed", "failed", "cancelled", "unfinished"):
                return f"tool: {titles.get(item, item)} ({status})"
            return ""
        case "permission":
            return f"asks: {data.get('title', '')}"
        case "permission_answer":
            return f"answered: {data.get('name') or data.get('outcome')} (by {data.get('by')})"
        case "mode":
            return f"mode: {data.get('mode_name') or data.get('mode')}"
        case "notice":
            return f"note: {data.get('text', '')}"
        case "error":
            return f"error: {data.get('message', '')}"
        case "turn_end" if data.get("stop_reason") not in (None, "end_turn"):
            return f"turn ended: {data['stop_reason']}"
        case _:
            return ""
