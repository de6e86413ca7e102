"""What agents ask of a person, as stored: permissions, questions, plans to look at. Each is answered once.

Source: ACP 1, ``session/request_permission`` and ``elicitation/create``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection, RowMapping, insert, select, update

from actions.catalog.context import Caller, CallerKind
from actions.catalog.spec import Surface
from actions.catalog.views import TranscriptEvent
from actions.errors import Ambiguous, ErrorCode, NotFound, SaysoError
from actions.execution import audit, grants
from actions.execution.approval import Scope
from actions.execution.grants import Grant
from actions.execution.request import Completed
from actions.sessions.events import Draft, Kind
from actions.sessions.permissions import field_rows
from actions.sessions.transcript import append_events
from actions.storage.database import Database
from actions.storage.ids import now_ms
from actions.storage.schema import user_requests

RequestKind = Literal["permission", "question", "exit_plan"]
PERMISSION: RequestKind = "permission"
QUESTION: RequestKind = "question"
EXIT_PLAN: RequestKind = "exit_plan"

OPEN = "open"
ANSWERED = "answered"
CANCELLED = "cancelled"

_NAMES = {PERMISSION: "permission request", QUESTION: "question", EXIT_PLAN: "plan"}
_WHY_WITHDRAWN = {
    "user": "the turn was cancelled",
    "turn_end": "the agent ended its turn without waiting for it",
    "session_end": "the agent ended",
    "host_restart": "the host was started again, and its agent with it",
    "agent": "the agent took it back",
}


@dataclass(frozen=True, slots=True)
class UserRequest:
    """A stored request. ``options`` are ``{id, name, kind}`` in the agent's order and words.

    ``asked`` is what a permission has no room for: ``{message, schema}`` of a question, ``{plan}`` of a plan.
    """

    id: str
    session_id: str
    root_session_id: str
    summary: str
    options: Sequence[dict[str, str]]
    state: str = OPEN
    tool_call: dict[str, Any] | None = None
    answer: dict[str, Any] | None = None
    kind: RequestKind = PERMISSION
    asked: dict[str, Any] | None = None


class UserRequests:
    """Rows of ``user_requests``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def open(self, request: UserRequest, drafts: Sequence[Draft], *, turn: int) -> list[TranscriptEvent]:
        """Store a request and its events in one transaction."""

        def work(db: Connection) -> list[TranscriptEvent]:
            _insert(db, request)
            return append_events(db, request.session_id, drafts, turn=turn)

        return await self._database.write(work)

    async def answered_by_rule(
        self, request: UserRequest, drafts: Sequence[Draft], grant: Grant, answer: dict[str, Any], *, turn: int
    ) -> list[TranscriptEvent]:
        """Store a request with the answer that a rule gave, its events and the note of it, in one transaction."""

        def work(db: Connection) -> list[TranscriptEvent]:
            _insert(db, request, answer)
            _note(db, request, grant)
            closing = Draft(_answer_kind(request), answer, request.id)
            return append_events(db, request.session_id, [*drafts, closing], turn=turn)

        return await self._database.write(work)

    async def close(
        self,
        request: UserRequest,
        answer: dict[str, Any],
        *,
        turn: int,
        rule: tuple[Grant, Mapping[str, Any]] | None = None,
        by_rule: Grant | None = None,
    ) -> list[TranscriptEvent] | None:
        """Store the answer and its event; None when the request was closed already.

        ``rule`` is a rule that the answer makes, with who made it; ``by_rule`` the one that gave the answer.
        """
        state = CANCELLED if answer["outcome"] == "cancelled" else ANSWERED

        def work(db: Connection) -> list[TranscriptEvent] | None:
            done = db.execute(
                update(user_requests)
                .where(user_requests.c.id == request.id, user_requests.c.state == OPEN)
                .values(state=state, answer=answer, decided_at=now_ms())
            )
            if done.rowcount != 1:
                return None
            if rule is not None:
                grants.add(db, *rule)
            if by_rule is not None:
                _note(db, request, by_rule)
            return append_events(db, request.session_id, [Draft(_answer_kind(request), answer, request.id)], turn=turn)

        return await self._database.write(work)

    async def covering(self, session_id: str, call: Mapping[str, Any], options: Sequence[Any]) -> Grant | None:
        """The rule in force that answers a permission request of a session."""

        def work(db: Connection) -> Grant | None:
            wanted = grants.wanted(db, session_id, call, options)
            return None if wanted is None else grants.covering(db, wanted)

        return await self._database.read(work)

    async def grant(self, request: UserRequest, scope: Scope) -> Grant | None:
        """The rule that allowing a permission request with ``scope`` would make; None where none can be made."""

        def work(db: Connection) -> Grant | None:
            wanted = grants.wanted(db, request.session_id, request.tool_call or {}, request.options)
            return None if wanted is None else grants.grant_for(wanted, scope)

        return await self._database.read(work)

    async def released(self, grant: Grant, *, but: str) -> list[str]:
        """Ids of the other open requests that a rule answers."""
        found = await self._database.read(lambda db: grants.released(db, grant, but=but))
        return [request_id for request_id, _ in found]

    async def waiting(
        self, session_id: str | None = None, kinds: Sequence[RequestKind] = (PERMISSION, QUESTION, EXIT_PLAN)
    ) -> list[UserRequest]:
        """Open requests, oldest first; of a session and of its child runs where one is given."""
        query = select(user_requests).where(user_requests.c.kind.in_(kinds), user_requests.c.state == OPEN)
        if session_id is not None:
            query = query.where(
                (user_requests.c.session_id == session_id) | (user_requests.c.root_session_id == session_id)
            )
        query = query.order_by(user_requests.c.created_at, user_requests.c.id)
        return await self._database.read(lambda db: [_request(row) for row in db.execute(query).mappings()])

    async def get(self, request_id: str) -> UserRequest:
        """One request. Raises NotFound."""
        query = select(user_requests).where(user_requests.c.id == request_id)
        row = await self._database.read(lambda db: db.execute(query).mappings().first())
        if row is None:
            raise NotFound(
                f"There is no request {request_id!r}; its session may have been deleted. `sayso inbox list` shows "
                "what waits.",
                details={"request_id": request_id},
            )
        return _request(row)

    async def select_one(
        self, session_id: str | None, request_id: str | None, kinds: Sequence[RequestKind]
    ) -> UserRequest:
        """The request that is meant. Raises NotFound, or Ambiguous when several wait and none was named."""
        if request_id is not None:
            return await self.get(request_id)
        waiting = await self.waiting(session_id, kinds)
        if not waiting:
            what = " or ".join(_NAMES[kind] for kind in kinds)
            raise NotFound(f"No {what} waits here.", details={"session_id": session_id})
        if len(waiting) > 1:
            raise Ambiguous(
                f"Several wait: name one {_NAMES[kinds[0]]} by its request_id.",
                [{"id": request.id, "label": request.summary} for request in waiting],
            )
        return waiting[0]


def already_closed(request: UserRequest) -> SaysoError:
    """The error for an answer that comes too late: what was decided stands."""
    answer = request.answer or {}
    by = str(answer.get("by") or "")
    name = _NAMES[request.kind]
    if request.state == ANSWERED:
        text = f"This {name} was answered already{f' ({by})' if by else ''}; that stands."
    else:
        why = _WHY_WITHDRAWN.get(by, "the agent no longer waits for it")
        text = f"This {name} was withdrawn already: {why}. Send the session a message to go on."
    return SaysoError(
        text,
        code=ErrorCode.STALE,
        details={"request_id": request.id, "state": request.state, "answer": request.answer},
    )


def _insert(db: Connection, request: UserRequest, answer: dict[str, Any] | None = None) -> None:
    now = now_ms()
    db.execute(
        insert(user_requests).values(
            id=request.id,
            kind=request.kind,
            session_id=request.session_id,
            root_session_id=request.root_session_id,
            summary=request.summary,
            fields=[] if request.kind != PERMISSION else field_rows(request.tool_call or {}),
            options=list(request.options),
            tool_call=request.tool_call,
            asked=request.asked,
            state=OPEN if answer is None else ANSWERED,
            answer=answer,
            created_at=now,
            decided_at=None if answer is None else now,
        )
    )


def _note(db: Connection, request: UserRequest, grant: Grant) -> None:
    caller = Caller(CallerKind.SESSION, request.session_id, (request.root_session_id,))
    outcome = Completed({"request_id": request.id})
    audit.write_entry(db, audit.Entry(grants.ACTION, Surface.SESSION_AGENT, caller, outcome, ms=0, rule_id=grant.id))


def _answer_kind(request: UserRequest) -> Kind:
    return Kind.QUESTION_ANSWER if request.kind == QUESTION else Kind.PERMISSION_ANSWER


def _request(row: RowMapping) -> UserRequest:
    return UserRequest(
        id=row["id"],
        session_id=row["session_id"] or "",
        root_session_id=row["root_session_id"] or row["session_id"] or "",
        summary=row["summary"],
        options=tuple(row["options"] or ()),
        state=row["state"],
        tool_call=row["tool_call"],
        answer=row["answer"],
        kind=row["kind"],
        asked=row["asked"],
    )
