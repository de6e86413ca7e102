"""What is asked for and what was decided."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from actions.agent.toolset.asking import Ask
from actions.agent.toolset.call import ToolCall
from actions.catalog.spec import Effect

SourceKind = Literal["turn", "background"]
DecidedBy = Literal["yolo", "afk", "rule", "manual"]


@dataclass(frozen=True, slots=True)
class Source:
    """Who asks: the foreground turn or a background agent. ``agent_id`` and ``agent_type`` name a subagent."""

    kind: SourceKind
    id: str
    agent_id: str | None = None
    agent_type: str | None = None


class Choice(StrEnum):
    """A person's answer. An answer that is none of these is a rejection."""

    ONCE = "once"
    SESSION = "session"
    ALWAYS = "always"
    REJECT = "reject"
    LATER = "later"


@dataclass(frozen=True, slots=True)
class Answer:
    """``feedback`` goes to the model with a rejection."""

    choice: Choice
    feedback: str = ""


@dataclass(frozen=True, slots=True)
class Wanted:
    """One call that may need an approval: everything that the decision rests on."""

    call: ToolCall
    tool: str
    effect: Effect
    ask: Ask
    source: Source


@dataclass(frozen=True, slots=True)
class Decision:
    """``decided_by`` is the recorded mode; ``rule`` the id of the rule that decided."""

    approved: bool
    decided_by: DecidedBy
    feedback: str = ""
    rule: str | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """A question that waits for a person. ``releases`` says in words what "session" and "always" would also free."""

    id: str
    wanted: Wanted
    releases: tuple[str, ...] = field(default=())


class ApprovalCancelled(Exception):
    """The request was taken back before anybody answered."""


class WaitTimeout(TimeoutError):
    """A waiter's own limit passed. The request is still open, and others still get its answer."""
