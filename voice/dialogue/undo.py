"""What takes back what was done last, where an action has an opposite."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_BEFORE: Mapping[str, tuple[str, str]] = {
    "session.title.set": ("title", "title"),
    "session.mode.set": ("mode_id", "mode"),
    "session.model.set": ("model_id", "model"),
}
"""Actions that replace a value of a session: the field of their input, and of the session as it is shown."""
_OPPOSITE = {"session.archive": "session.unarchive", "session.unarchive": "session.archive"}


@dataclass(frozen=True)
class Undo:
    """An action that takes another one back."""

    action: str
    input: Mapping[str, Any]


def needs_before(action: str) -> bool:
    """Whether the session has to be looked at first, for what it was."""
    return action in _BEFORE


def undo_of(action: str, input: Mapping[str, Any], before: Mapping[str, Any]) -> Undo | None:
    """What takes ``action`` back; ``before`` is the session as it was. None where nothing does."""
    if (opposite := _OPPOSITE.get(action)) is not None:
        return Undo(opposite, input)
    if action == "session.pin" and isinstance(input.get("pinned", True), bool):
        return Undo(action, {**input, "pinned": not input.get("pinned", True)})
    if (place := _BEFORE.get(action)) is not None and before.get(place[1]) is not None:
        return Undo(action, {**input, place[0]: before[place[1]]})
    return None
