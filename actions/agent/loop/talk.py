"""What goes into a turn and what comes out of it. Knows neither the model's library nor the wire."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from actions.agent.toolset.results import MediaPart, TextPart


@dataclass(frozen=True, slots=True)
class ResourcePart:
    """A file or another resource that came with a prompt: its address, and its text where the client sent it."""

    uri: str
    text: str | None = None


PromptPart = TextPart | MediaPart | ResourcePart

EndReason = Literal["end_turn", "cancelled", "refusal", "max_tokens", "max_turn_requests"]
"""The stop reasons of ACP 1, "Prompt Turn"."""


@dataclass(frozen=True, slots=True)
class TurnEnd:
    """How a turn ended.

    ``detail`` says more where there is more: ``tool_call_repeat``, ``rejected``, ``step_limit``. ``text`` is the answer
    of the last request. ``data`` is the structured result of a command, JSON values only.
    """

    reason: EndReason
    detail: str = ""
    text: str = ""
    data: dict[str, Any] = field(default_factory=dict[str, Any])


def words_of(parts: Sequence[PromptPart]) -> str:
    """The words of a prompt; media are left out, resources are named."""
    said = [part.text if isinstance(part, TextPart) else part.uri for part in parts if not isinstance(part, MediaPart)]
    return "\n".join(said).strip()
