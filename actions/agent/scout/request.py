"""What a prompt wants, how it ended, and how it is stopped."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, cast

from actions.agent.scout.cancel import Cancel
from actions.agent.scout.plan import Plan

if TYPE_CHECKING:
    from actions.agent.scout.review.findings import Review

StopReason = Literal["end_turn", "refusal", "cancelled"]
"""The stop reasons of ACP 1 that the scout uses."""

_SAVE = re.compile(
    r"(?:please\s+)?(?:write|save)\s+(?:(?:the|this|that)\s+)?(?:last\s+)?plan\s+(?:to|in|into|as)\s+(\S.*)", re.I
)


@dataclass(frozen=True)
class Request:
    """A prompt as the scout understands it.

    ``run`` is the managed run that a host asks for, ``save_to`` where the last plan is to be written.
    """

    text: str
    run: str | None = None
    save_to: str | None = None

    @classmethod
    def read(cls, text: str, meta: object) -> Request:
        """``meta`` is the value of ``_meta.sayso``: ``{"run", "instructions", "save_plan"}``, each optional."""
        raw = cast("dict[str, Any]", meta) if isinstance(meta, dict) else {}
        fields = {key: value for key, value in raw.items() if isinstance(value, str) and value.strip()}
        saving = _SAVE.fullmatch(text.strip())
        said = saving.group(1).strip().removesuffix(".").strip("`\"'") if saving else None
        return cls(fields.get("instructions", text), fields.get("run"), fields.get("save_plan") or said)


@dataclass(frozen=True)
class Ended:
    """How a turn ended; ``answer`` is its whole text, ``plan`` and ``review`` the structured result of such a run."""

    reason: StopReason
    answer: str = ""
    plan: Plan | None = None
    review: Review | None = None

    @property
    def data(self) -> dict[str, Any] | None:
        """The structured result as JSON values."""
        found = self.plan or self.review
        return found.model_dump(mode="json") if found is not None else None


@dataclass(frozen=True)
class Stop:
    """Stops a turn: the thread by its token, whoever awaits in the loop by the event. Call it in the loop."""

    work: Cancel = field(default_factory=Cancel)
    told: asyncio.Event = field(default_factory=asyncio.Event)

    def __call__(self) -> None:
        self.work.set()
        self.told.set()
