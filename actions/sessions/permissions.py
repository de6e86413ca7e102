"""Permission requests of agents: stored, answered once, by the agent's own option ids.

Source: ACP 1, ``session/request_permission``.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy import Connection, RowMapping, insert, select, update

from actions.catalog.views import TranscriptEvent
from actions.errors import Ambiguous, ErrorCode, InvalidInput, NotFound, SaysoError
from actions.sessions.events import Draft, Kind
from actions.sessions.transcript import append_events
from actions.storage.database import Database
from actions.storage.ids import now_ms
from actions.storage.schema import user_requests

OPEN = "open"
ANSWERED = "answered"
CANCELLED = "cancelled"

_VALUE_LIMIT = 2000


@dataclass(frozen=True, slots=True)
class PermissionRequest:
    """A stored request. ``options`` are ``{id, name, kind}`` in the agent's order and words."""

    id: str
    session_id: str
    root_session_id: str
    summary: str
    options: Sequence[dict[str, str]]
    state: str = OPEN
    tool_call: dict[str, Any] | None = None
    answer: dict[str, Any] | None = None


class PermissionRequests:
    """Rows of ``user_requests`` whose kind is ``permission``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def open(self, request: PermissionRequest, drafts: Sequence[Draft], *, turn: int) -> list[TranscriptEvent]:
        """Store a request and its events in one transaction."""

        def work(db: Connection) -> list[TranscriptEvent]:
            db.execute(
                insert(user_requests).values(
                    id=request.id,
                    kind="permission",
                    session_id=request.session_id,
                    root_session_id=request.root_session_id,
                    summary=request.summary,
                    fields=field_rows(request.tool_call or {}),
                    options=list(request.options),
                    tool_call=request.tool_call,
                    state=OPEN,
                    created_at=now_ms(),
                )
            )
            return append_events(db, request.session_id, drafts, turn=turn)

        return await self._database.write(work)

    async def close(
        self, request: PermissionRequest, answer: dict[str, Any], *, turn: int
    ) -> list[TranscriptEvent] | None:
        """Store the answer and its event; None when the request was closed already."""
        state = ANSWERED if answer["outcome"] == "selected" else CANCELLED

        def work(db: Connection) -> list[TranscriptEvent] | None:
            done = db.execute(
                update(user_requests)
                .where(user_requests.c.id == request.id, user_requests.c.state == OPEN)
                .values(state=state, answer=answer, decided_at=now_ms())
            )
            if done.rowcount != 1:
                return None
            return append_events(db, request.session_id, [Draft(Kind.PERMISSION_ANSWER, answer, request.id)], turn=turn)

        return await self._database.write(work)

    async def waiting(self, session_id: str | None = None) -> list[PermissionRequest]:
        """Open requests, oldest first; of a session and of its child runs where one is given."""
        query = select(user_requests).where(user_requests.c.kind == "permission", user_requests.c.state == OPEN)
        if session_id is not None:
            query = query.where(
                (user_requests.c.session_id == session_id) | (user_requests.c.root_session_id == session_id)
            )
        query = query.order_by(user_requests.c.created_at, user_requests.c.id)
        return await self._database.read(lambda db: [_request(row) for row in db.execute(query).mappings()])

    async def get(self, request_id: str) -> PermissionRequest:
        """One request. Raises NotFound."""
        query = select(user_requests).where(user_requests.c.id == request_id, user_requests.c.kind == "permission")
        row = await self._database.read(lambda db: db.execute(query).mappings().first())
        if row is None:
            raise NotFound(
                f"There is no permission request {request_id!r}. `sayso inbox list` shows what waits.",
                details={"request_id": request_id},
            )
        return _request(row)

    async def select_one(self, session_id: str | None, request_id: str | None) -> PermissionRequest:
        """The request that is meant. Raises NotFound, or Ambiguous when several wait and none was named."""
        if request_id is not None:
            return await self.get(request_id)
        waiting = await self.waiting(session_id)
        if not waiting:
            raise NotFound("Nothing waits for a permission here.", details={"session_id": session_id})
        if len(waiting) > 1:
            raise Ambiguous(
                "Several permission requests wait: name one by its request_id.",
                [{"id": request.id, "label": request.summary} for request in waiting],
            )
        return waiting[0]


def already_closed(request: PermissionRequest) -> SaysoError:
    """The error for a second answer: the first one stands."""
    state = "answered" if request.state == ANSWERED else "withdrawn"
    return SaysoError(
        f"This permission request was {state} already.",
        code=ErrorCode.STALE,
        details={"request_id": request.id, "state": request.state, "answer": request.answer},
    )


def choose(request: PermissionRequest, decision: str, option_id: str | None) -> dict[str, str] | None:
    """The agent's option that stands for a decision; None means the outcome ``cancelled``.

    ``option_id`` names it exactly. Without, ``allow`` is the one option of kind allow_once and ``deny`` the one of kind
    reject_once (or, with none of these, nothing is chosen and the call is cancelled). Never by position: where several
    would do, Ambiguous lists them. Raises InvalidInput for an unknown option or decision.
    """
    if option_id is not None:
        for option in request.options:
            if option["id"] == option_id:
                return option
        known = ", ".join(option["id"] for option in request.options)
        raise InvalidInput(
            f"The agent offers no option {option_id!r}; it offers {known}.",
            [{"field": "option_id", "message": f"one of {known}"}],
        )
    if decision not in ("allow", "deny"):
        raise InvalidInput("A permission is allowed or denied.", [{"field": "decision", "message": "allow or deny"}])
    kinds = ("allow_once",) if decision == "allow" else ("reject_once", "reject_always")
    for kind in kinds:
        fitting = [option for option in request.options if option["kind"] == kind]
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            raise _several(fitting)
    if decision == "deny":
        return None
    raise _several([option for option in request.options if option["kind"].startswith("allow")])


def options_of(options: Sequence[dict[str, Any]]) -> list[dict[str, str]]:
    """The options as stored: id, name and kind, in the agent's order."""
    return [
        {"id": str(o["optionId"]), "name": str(o.get("name") or o["optionId"]), "kind": str(o.get("kind") or "")}
        for o in options
        if o.get("optionId") is not None
    ]


def summary_of(call: dict[str, Any]) -> str:
    """One line that says what is asked, from the tool call as folded so far."""
    given: Any = call.get("input")
    values = cast("dict[str, Any]", given) if isinstance(given, dict) else {}
    command = values.get("command") or values.get("cmd")
    if isinstance(command, list):
        command = " ".join(str(part) for part in cast("list[Any]", command))
    title = str(call.get("title") or "").strip()
    text = title or str(command or values.get("tool") or call.get("kind") or "A tool call")
    if isinstance(command, str) and command and command not in text:
        text = f"{text}: {command}"
    line = " ".join(text.split())
    return line if len(line) <= 300 else line[:299] + "…"


def field_rows(call: dict[str, Any]) -> list[dict[str, str]]:
    """What the call would do, one row an argument: ``{path, title, value}``."""
    given: Any = call.get("input")
    rows: list[dict[str, str]] = []
    if isinstance(given, dict):
        for key, value in cast("dict[str, Any]", given).items():
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            rows.append({"path": str(key), "title": str(key), "value": text[:_VALUE_LIMIT]})
    places = [str(place.get("path", "")) for place in cast("list[dict[str, Any]]", call.get("locations") or [])]
    if places and not any(row["value"] in places for row in rows):
        rows.append({"path": "locations", "title": "Files", "value": "\n".join(places)[:_VALUE_LIMIT]})
    for part in cast("list[dict[str, Any]]", call.get("content") or []):
        if part.get("type") == "diff":
            text = str(part.get("newText") or "")
            rows.append({"path": "content", "title": f"New text of {part.get('path')}", "value": text[:_VALUE_LIMIT]})
    return rows


def _several(options: Sequence[dict[str, str]]) -> Ambiguous:
    return Ambiguous(
        "The agent offers several options for that: choose one by its option_id.",
        [{"id": option["id"], "label": option["name"]} for option in options],
    )


def _request(row: RowMapping) -> PermissionRequest:
    return PermissionRequest(
        id=row["id"],
        session_id=row["session_id"] or "",
        root_session_id=row["root_session_id"] or row["session_id"] or "",
        summary=row["summary"],
        options=tuple(row["options"] or ()),
        state=row["state"],
        tool_call=row["tool_call"],
        answer=row["answer"],
    )
