"""What a screen reader says unasked of the session in front: it waits for an answer, or its turn is over."""

from __future__ import annotations

from collections.abc import Mapping

from actions.catalog.views import TranscriptEvent


def announcement(event: TranscriptEvent, words: Mapping[str, str]) -> str | None:
    """What to say of ``event``, with the page's ``words``; None for what is read when the user comes to it."""
    match event.kind:
        case "permission":
            return words["permission"].format(event.data.get("title") or "")
        case "question":
            return words["question"].format(event.data.get("message") or event.data.get("title") or "")
        case "turn_end":
            stopped = event.data.get("stop_reason") in ("cancelled", "interrupted")
            return words["stopped"] if stopped else words["ended"]
        case _:
            return None
