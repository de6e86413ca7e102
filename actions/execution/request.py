"""What goes in at the door, and what comes out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from actions.catalog.context import Caller, Progress
from actions.catalog.spec import Surface
from actions.errors import ErrorCode, SaysoError


@dataclass(frozen=True)
class Request:
    """One call of an action.

    Args:
        action_id: the id of the action.
        input: the input as given, not validated yet.
        surface: where the call came from, as the host established it.
        caller: who calls, as the host established it.
        idempotency_key: the caller's name for this very call; the same key and input give the recorded outcome.
        workspace: the directory that the caller works in.
        language: of titles and questions, e.g. ``en``, ``zh_CN``.
        patience_s: seconds to wait for a person's decision before answering ``pending``; None takes the action's own.
        read_back: the approval request that was read aloud, its action named, and affirmed just before this call.
        heard: what a voice command was understood from, for provenance: text, confidence, answer.
        origin: what led to the call, for provenance: message, tool call, tool name.
        progress: hears how far the call is, where it says so.
        attached: the call ends with its caller, where nobody else can join it by a key.
    """

    action_id: str
    input: Mapping[str, Any]
    surface: Surface
    caller: Caller
    idempotency_key: str | None = None
    workspace: str | None = None
    language: str = "en"
    patience_s: float | None = None
    read_back: str | None = None
    heard: Mapping[str, Any] | None = None
    origin: Mapping[str, Any] = field(default_factory=dict[str, Any])
    progress: Progress | None = field(default=None, compare=False)
    attached: bool = False


@dataclass(frozen=True)
class Completed:
    """The action ran; ``data`` is its output model as JSON values."""

    data: Mapping[str, Any]

    def as_json(self) -> dict[str, Any]:
        return {"outcome": "completed", "data": dict(self.data)}


@dataclass(frozen=True)
class Pending:
    """A person is asked; the request waits in the inbox under ``approval_id``."""

    approval_id: str
    action: str
    summary: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            "outcome": "pending",
            "approval_id": self.approval_id,
            "action": self.action,
            "summary": self.summary,
        }


@dataclass(frozen=True)
class Rejected:
    """A person said no, with what they want said to the caller."""

    feedback: str = ""

    def as_json(self) -> dict[str, Any]:
        return {"outcome": "rejected", "feedback": self.feedback}


@dataclass(frozen=True)
class Failed:
    """The action did not run, or ran and failed; the code says which."""

    code: ErrorCode
    message: str
    details: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @classmethod
    def of(cls, error: SaysoError) -> Failed:
        return cls(error.code, error.message, error.details)

    def as_json(self) -> dict[str, Any]:
        return {"outcome": "failed", "code": self.code.value, "message": self.message, "details": dict(self.details)}


Outcome = Completed | Pending | Rejected | Failed


def outcome_from_json(data: Mapping[str, Any]) -> Outcome:
    """Read back what ``as_json`` wrote. Raises KeyError or ValueError for anything else."""
    match data["outcome"]:
        case "completed":
            return Completed(data["data"])
        case "pending":
            return Pending(data["approval_id"], data["action"], data.get("summary", ""))
        case "rejected":
            return Rejected(data.get("feedback", ""))
        case "failed":
            return Failed(ErrorCode(data["code"]), data["message"], data.get("details", {}))
        case other:
            raise ValueError(f"no outcome is called {other!r}")
