"""The transcript as a reader sees it: events folded into items. Pure, shared by window, command and export."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from actions.catalog.views import TranscriptEvent
from actions.sessions.events import Kind

_APPENDED = (Kind.AGENT, Kind.THOUGHT)
_ANSWERS = {Kind.PERMISSION_ANSWER.value: Kind.PERMISSION.value, Kind.QUESTION_ANSWER.value: Kind.QUESTION.value}
_MERGED = (Kind.TOOL_CALL, Kind.PERMISSION, Kind.QUESTION, *_ANSWERS, Kind.PLAN, Kind.USAGE, Kind.COMMANDS)


@dataclass(frozen=True, slots=True)
class Item:
    """One thing in a transcript. ``seq`` is its first event's, ``last_seq`` that of the last one that changed it."""

    id: str
    kind: str
    turn: int
    at: int
    seq: int
    last_seq: int
    data: dict[str, Any] = field(default_factory=dict[str, Any])


def fold(events: Iterable[TranscriptEvent], items: Iterable[Item] = ()) -> list[Item]:
    """Fold ``events`` (oldest first) onto ``items``, in the order in which each item first appeared.

    An event that was folded before is passed over, so that overlapping pages are harmless. An answer is merged into
    what it answers.
    """
    order: dict[tuple[str, str], Item] = {(item.kind, item.id): item for item in items}
    seen = max((item.last_seq for item in order.values()), default=-1)
    for event in events:
        if event.seq <= seen:
            continue
        kind = _ANSWERS.get(event.kind, event.kind)
        key = (kind, event.item_id or f"#{event.seq}")
        known = order.get(key)
        if known is None:
            order[key] = Item(key[1], kind, event.turn, event.at, event.seq, event.seq, _answered(event))
        else:
            order[key] = replace(known, last_seq=event.seq, data=_merged(known.data, event))
    return list(order.values())


def last_message(items: Iterable[Item], turn: int) -> str:
    """The text of the last thing the agent said in ``turn``: its final answer."""
    said = [item for item in items if item.kind == Kind.AGENT and item.turn == turn]
    return str(said[-1].data.get("text", "")) if said else ""


def _merged(data: dict[str, Any], event: TranscriptEvent) -> dict[str, Any]:
    if event.kind in _APPENDED:
        return {**data, "text": str(data.get("text", "")) + str(event.data.get("text", ""))}
    if event.kind in _MERGED:
        return {**data, **_answered(event)}
    return dict(event.data)


def _answered(event: TranscriptEvent) -> dict[str, Any]:
    return {"answer": dict(event.data)} if event.kind in _ANSWERS else dict(event.data)
