"""An approval request: its life, and its row.

    open -> approved -> executing -> executed | failed | outcome_unknown
         -> rejected | cancelled | expired
            approved  -> stale | failed       (what it rested on, or the action itself, is gone)

Every step is one guarded UPDATE: it happens from the named state or not at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, assert_never

from sqlalchemy import ColumnElement, Connection, RowMapping, insert, select, update

from actions.catalog.context import Caller, CallerKind
from actions.catalog.spec import Surface
from actions.errors import ErrorCode
from actions.execution.request import Completed, Failed, Outcome, Pending, Rejected
from actions.storage.ids import now_ms
from actions.storage.schema import approvals


class Status(StrEnum):
    OPEN = "open"
    APPROVED = "approved"
    EXECUTING = "executing"
    EXECUTED = "executed"
    FAILED = "failed"
    REJECTED = "rejected"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    STALE = "stale"
    OUTCOME_UNKNOWN = "outcome_unknown"

    @property
    def settled(self) -> bool:
        """Nothing more will happen to it."""
        return self not in (Status.OPEN, Status.APPROVED, Status.EXECUTING)


class Scope(StrEnum):
    """How far an approval reaches."""

    ONCE = "once"
    SESSION = "session"
    ALWAYS = "always"


@dataclass(frozen=True)
class Approval:
    """One row. ``input`` is canonical JSON text: what was shown is byte for byte what runs. Times are UTC milliseconds.

    ``decision``: ``{by, surface, caller, at, scope, feedback, rule_id}``. ``execution``: ``{at, ok, ms}`` with
    ``result``, or with ``code``, ``message`` and ``details``.
    """

    id: str
    status: Status
    action_id: str
    spec_hash: str
    input: str
    summary: str
    fields: Sequence[Mapping[str, str]]
    surface: Surface
    caller: Caller
    origin: Mapping[str, Any]
    staleness: Mapping[str, Any]
    session_id: str | None
    root_session_id: str | None
    created_at: int
    updated_at: int
    deferred_until: int | None = None
    expires_at: int | None = None
    decision: Mapping[str, Any] | None = None
    execution: Mapping[str, Any] | None = None
    idempotency_key: str | None = None
    version: int = 1

    @property
    def workspace(self) -> str | None:
        return self.origin.get("workspace")

    @property
    def language(self) -> str:
        return self.origin.get("language", "en")

    @property
    def live_only(self) -> bool:
        """It carries a secret that is not stored, so that it can run only while its caller waits."""
        return bool(self.origin.get("live_only"))

    @property
    def decidable(self) -> bool:
        """Approve is offered: everything that matters could be shown."""
        return not self.origin.get("unshown")


def add(connection: Connection, approval: Approval) -> None:
    """Store a new request."""
    values = {f.name: getattr(approval, f.name) for f in fields(approval)}
    values["caller"] = stored_caller(approval.caller)
    values["fields"] = [dict(row) for row in approval.fields]
    connection.execute(insert(approvals).values(**values))


def get(connection: Connection, approval_id: str) -> Approval | None:
    """One request by its full id."""
    row = connection.execute(select(approvals).where(approvals.c.id == approval_id)).mappings().first()
    return None if row is None else _approval(row)


def find(
    connection: Connection,
    *conditions: ColumnElement[bool],
    limit: int | None = None,
    newest_first: bool = False,
) -> list[Approval]:
    """Requests that fit all conditions, the oldest first unless asked otherwise."""
    order = approvals.c.created_at.desc() if newest_first else approvals.c.created_at
    query = select(approvals).where(*conditions).order_by(order, approvals.c.id).limit(limit)
    return [_approval(row) for row in connection.execute(query).mappings()]


def move(
    connection: Connection, approval_id: str, *, since: Iterable[Status], to: Status | None = None, **values: Any
) -> bool:
    """One step: from one of ``since`` to ``to`` (None: stay) with new values. False when it was in another state."""
    if to is not None:
        values["status"] = to.value
    done = connection.execute(
        update(approvals)
        .where(approvals.c.id == approval_id, approvals.c.status.in_([status.value for status in since]))
        .values(updated_at=now_ms(), version=approvals.c.version + 1, **values)
    )
    return done.rowcount == 1


def root_of(caller: Caller) -> str | None:
    """The root session that a caller acts for, if any."""
    return caller.chain[0] if caller.chain else caller.session_id


def recorded(approval: Approval) -> Outcome:
    """What the row says became of the request; ``pending`` while nothing is settled."""
    execution = approval.execution or {}
    match approval.status:
        case Status.OPEN | Status.APPROVED | Status.EXECUTING:
            return Pending(approval.id, approval.action_id, approval.summary)
        case Status.EXECUTED:
            return Completed(execution.get("result") or {})
        case Status.REJECTED:
            return Rejected((approval.decision or {}).get("feedback") or "")
        case Status.CANCELLED:
            return Failed(ErrorCode.CANCELLED, "The request was withdrawn before anyone decided it.")
        case Status.EXPIRED:
            return Failed(ErrorCode.EXPIRED, "Nobody decided the request before its time was over. Ask again.")
        case Status.FAILED | Status.STALE | Status.OUTCOME_UNKNOWN:
            code = ErrorCode(execution.get("code", ErrorCode.FAILED.value))
            return Failed(code, execution.get("message", "It failed."), execution.get("details") or {})
        case _:
            assert_never(approval.status)


def execution_record(outcome: Completed | Failed, ms: int) -> dict[str, Any]:
    """What the row keeps of a run; :func:`recorded` reads it back."""
    record: dict[str, Any] = {"at": now_ms(), "ok": isinstance(outcome, Completed), "ms": ms}
    if isinstance(outcome, Completed):
        return record | {"result": dict(outcome.data)}
    return record | {"code": outcome.code.value, "message": outcome.message, "details": dict(outcome.details)}


def stored_caller(caller: Caller) -> dict[str, Any]:
    """A caller as JSON; :func:`read_caller` reads it back."""
    return {
        "kind": caller.kind.value,
        "session_id": caller.session_id,
        "chain": list(caller.chain),
        "present": caller.present,
        "pid": caller.pid,
        "label": caller.label,
    }


def read_caller(data: Mapping[str, Any]) -> Caller:
    known = {kind.value for kind in CallerKind}
    return Caller(
        kind=CallerKind(data["kind"]) if data.get("kind") in known else CallerKind.UNKNOWN,
        session_id=data.get("session_id"),
        chain=tuple(data.get("chain") or ()),
        present=bool(data.get("present")),
        pid=data.get("pid"),
        label=data.get("label") or "",
    )


def _approval(row: RowMapping) -> Approval:
    values: dict[str, Any] = dict(row)
    surfaces = {s.value for s in Surface}
    values["status"] = Status(row["status"])
    values["surface"] = Surface(row["surface"]) if row["surface"] in surfaces else Surface.SESSION_AGENT
    values["caller"] = read_caller(row["caller"])
    values["origin"] = row["origin"] or {}
    values["staleness"] = row["staleness"] or {}
    return Approval(**values)
