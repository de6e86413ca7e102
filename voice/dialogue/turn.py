"""One spoken turn: what is understood runs, is read back, or is asked about.

Reading and navigating run at once when they are sure. What writes is asked at the door, read back, and decided by a
yes; what decides a request is read back here first, since the door asks no second time. Without a yes nothing is
settled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal, cast

from actions.catalog.registry import Catalog
from actions.errors import ErrorCode, SaysoError
from voice.dialogue.answers import told
from voice.dialogue.host import Envelope, VoiceHost, error_of
from voice.intent.model import Intent

Answer = Literal["yes", "no"] | None
_DECIDE = "approval.request.decide"


class TurnState(StrEnum):
    """How a turn ended."""

    NOTHING = "nothing"
    """Nothing was heard, or nothing that means an action."""
    ASKING = "asking"
    """A value is missing, or a yes is needed; nothing ran."""
    PENDING = "pending"
    """An approval request waits in the inbox."""
    COMPLETED = "completed"
    REJECTED = "rejected"
    FAILED = "failed"


@dataclass(frozen=True)
class TurnResult:
    """``message`` is the sentence for the person; ``data`` what a completed action gave; ``error`` why it failed."""

    state: TurnState
    message: str
    data: Any = None
    approval_id: str | None = None
    error: SaysoError | None = None

    def as_json(self) -> dict[str, Any]:
        """``{"state", "message", "data", "approval_id", "error"}``."""
        return {
            "state": self.state.value,
            "message": self.message,
            "data": self.data,
            "approval_id": self.approval_id,
            "error": self.error.as_json() if self.error else None,
        }


class Turn:
    """Carries intents out. ``new_key`` gives the call id of an utterance: one utterance, one call."""

    def __init__(self, catalog: Catalog, host: VoiceHost, new_key: Callable[[], str]) -> None:
        self._catalog = catalog
        self._host = host
        self._new_key = new_key
        self._heard: Mapping[str, Any] = {}

    async def carry_out(self, intent: Intent, answer: Answer = None, *, age_s: float = 0.0) -> TurnResult:
        """What comes of an intent, with the answer to its read-back, which is ``age_s`` seconds old. Raises SaysoError:
        the host is out of reach.
        """
        self._heard = {"text": intent.heard, "confidence": intent.confidence, "answer": answer}
        spec = self._catalog.get(intent.action) if intent.action else None
        if spec is None or intent.action is None:
            heard = f"Not understood: “{intent.heard}”." if intent.heard else "No speech heard."
            return TurnResult(TurnState.NOTHING, heard)
        if intent.missing:
            return TurnResult(TurnState.ASKING, intent.readback)
        asks_here = spec.decides or intent.tier != "sure"
        if asks_here and answer != "yes" and not (spec.effect.reads_only and intent.tier == "sure"):
            if answer == "no":
                return TurnResult(TurnState.REJECTED, f"{spec.title.en}: not done.")
            return TurnResult(TurnState.ASKING, intent.readback)
        decided = _decided(intent) if spec.decides else None
        envelope = await self._host.execute(
            intent.action,
            intent.input,
            read_back=decided,
            read_back_age_s=age_s,
            heard=self._heard,
            key=None if spec.effect.reads_only else self._new_key(),
            repeatable=spec.effect.reads_only,
        )
        return await self._outcome(intent, envelope, answer)

    async def _outcome(self, intent: Intent, envelope: Envelope, answer: Answer) -> TurnResult:
        if not envelope.get("ok"):
            return _failed(error_of(envelope))
        data = cast(Mapping[str, Any], envelope.get("data") or {})
        if envelope.get("outcome") != "pending":
            if data.get("outcome") and intent.action == _DECIDE:
                return _inner(data)
            return TurnResult(TurnState.COMPLETED, told(str(intent.action), data, self._host.language), data)
        approval = str(data.get("approval_id"))
        if answer is None:
            # The request's own summary says what was filled in at the door: the session, the defaults.
            asked = f"{summary}. Yes or no?" if (summary := data.get("summary")) else intent.readback
            return TurnResult(TurnState.PENDING, asked, approval_id=approval)
        return await self.settle(approval, answer)

    async def settle(self, approval: str, answer: Literal["yes", "no"], *, age_s: float = 0.0) -> TurnResult:
        """Decide the request of a turn that is pending, after its read-back was answered. Raises as carry_out."""
        decision = "approve" if answer == "yes" else "reject"
        decided = await self._host.execute(
            _DECIDE,
            {"approval_id": approval, "decision": decision},
            read_back=approval,
            read_back_age_s=age_s,
            heard={**self._heard, "answer": answer},
            key=self._new_key(),
        )
        if not decided.get("ok"):
            # The request stays in the inbox: refused is the deciding, not the action.
            return _failed(error_of(decided), approval)
        if answer == "no":
            return TurnResult(TurnState.REJECTED, "Not done.", approval_id=approval)
        return _inner(cast(Mapping[str, Any], decided.get("data") or {}), approval)


def _decided(intent: Intent) -> str | None:
    """The request that a deciding action names, for the proof that it was read back."""
    for name in ("approval_id", "request_id"):
        if isinstance(value := intent.input.get(name), str):
            return value
    return None


def _completed(data: Any, approval: str | None = None) -> TurnResult:
    return TurnResult(TurnState.COMPLETED, "Done.", data, approval)


def _failed(error: SaysoError, approval: str | None = None) -> TurnResult:
    refused = error.code in (ErrorCode.REJECTED, ErrorCode.ACTION_DISABLED, ErrorCode.UNSUPPORTED_SURFACE)
    state = TurnState.REJECTED if refused else TurnState.FAILED
    return TurnResult(state, error.message, approval_id=approval, error=error)


def _inner(view: Mapping[str, Any], approval: str | None = None) -> TurnResult:
    """The outcome inside the outcome of a decision."""
    match view.get("outcome"):
        case "completed":
            return _completed(view.get("result"), approval)
        case "rejected":
            return TurnResult(TurnState.REJECTED, "It was rejected.", approval_id=approval)
        case "pending":
            return TurnResult(TurnState.PENDING, "It waits in the inbox.", approval_id=approval)
        case _:
            return _failed(error_of(view), approval)
