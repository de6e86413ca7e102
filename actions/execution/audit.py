"""The audit: who did what, where, and how it ended. Inputs are kept as hashes only."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, insert

from actions.catalog.context import Caller
from actions.catalog.spec import Surface
from actions.execution.approval import stored_caller
from actions.execution.request import Completed, Failed, Outcome, Pending, Rejected
from actions.storage.ids import Prefix, new_id, now_ms
from actions.storage.schema import audit


@dataclass(frozen=True)
class Entry:
    """One row before it is written."""

    action_id: str
    surface: Surface
    caller: Caller
    outcome: Outcome
    ms: int
    input_hash: str | None = None
    approval_id: str | None = None
    rule_id: str | None = None


def write_entry(connection: Connection, entry: Entry) -> None:
    """Store one row in the caller's transaction."""
    word, code, approval_id = _told(entry.outcome)
    connection.execute(
        insert(audit).values(
            id=new_id(Prefix.AUDIT),
            at=now_ms(),
            action_id=entry.action_id,
            surface=entry.surface.value,
            caller=stored_caller(entry.caller) | ({"rule": entry.rule_id} if entry.rule_id else {}),
            input_hash=entry.input_hash,
            outcome=word,
            code=code,
            approval_id=entry.approval_id or approval_id,
            session_id=entry.caller.session_id,
            ms=entry.ms,
        )
    )


def _told(outcome: Outcome) -> tuple[str, str | None, str | None]:
    match outcome:
        case Completed():
            return "completed", None, None
        case Pending(approval_id):
            return "pending", None, approval_id
        case Rejected():
            return "rejected", None, None
        case Failed(code):
            return "failed", code.value, None
