"""The stored half of a session: its row in the database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from sqlalchemy import Connection, RowMapping, insert, select, update

from actions.catalog.views import SessionState
from actions.errors import NotFound
from actions.storage.database import Database
from actions.storage.ids import now_ms
from actions.storage.schema import sessions, transcript_events, workspaces

LIVE_STATES = (SessionState.STARTING, SessionState.IDLE, SessionState.WORKING, SessionState.WAITING)


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """One row of ``sessions`` with its workspace's path. Times are UTC milliseconds."""

    id: str
    provider: str
    workspace_id: str
    workspace: str
    title: str
    state: SessionState
    created: int
    updated: int
    last_activity: int
    kind: Literal["user", "run"] = "user"
    mode: str | None = None
    model: str | None = None
    modes: Sequence[dict[str, Any]] = ()
    parent_session_id: str | None = None
    root_session_id: str | None = None
    run_id: str | None = None
    agent_session_id: str | None = None
    archived: bool = False
    pinned: bool = False
    unread: bool = False
    end_reason: dict[str, Any] | None = None
    detail: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def root(self) -> str:
        """The session at which this one's requests surface."""
        return self.root_session_id or self.id


@dataclass(frozen=True, slots=True)
class ListFilter:
    """Which sessions a list shows, newest activity first; ``before`` is the ``(last_activity, id)`` to go on from."""

    limit: int = 50
    before: tuple[int, str] | None = None
    active_only: bool = False
    archived_only: bool = False
    resumable_only: bool = False
    workspace_id: str | None = None
    include_runs: bool = False


class SessionRecords:
    """Reads and writes session rows."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def insert(self, record: SessionRecord) -> None:
        """Store a new session."""
        values = {
            "id": record.id,
            "provider": record.provider,
            "workspace_id": record.workspace_id,
            "title": record.title,
            "state": record.state.value,
            "mode": record.mode,
            "model": record.model,
            "parent_session_id": record.parent_session_id,
            "root_session_id": record.root_session_id,
            "run_id": record.run_id,
            "kind": record.kind,
            "created_at": record.created,
            "updated_at": record.updated,
            "last_activity_at": record.last_activity,
            "detail": record.detail,
        }
        await self._database.write(lambda db: db.execute(insert(sessions).values(**values)))

    async def change(self, session_id: str, **values: Any) -> SessionRecord:
        """Change columns of one row and give the row as it then is. Raises NotFound."""

        def work(db: Connection) -> SessionRecord:
            db.execute(update(sessions).where(sessions.c.id == session_id).values(updated_at=now_ms(), **values))
            return _get(db, session_id)

        return await self._database.write(work)

    async def get(self, session_id: str) -> SessionRecord:
        """One session. Raises NotFound."""
        return await self._database.read(lambda db: _get(db, session_id))

    async def find(self, wanted: ListFilter) -> list[SessionRecord]:
        """Sessions by activity."""
        return await self._database.read(lambda db: _list(db, wanted))

    async def live(self) -> list[SessionRecord]:
        """Sessions whose stored state says that an agent runs."""
        query = _SELECT.where(sessions.c.state.in_([state.value for state in LIVE_STATES]))
        return await self._database.read(lambda db: [_record(row) for row in db.execute(query).mappings()])

    async def descendants(self, session_id: str) -> list[SessionRecord]:
        """The sessions of runs that a session is the root of."""
        query = _SELECT.where(sessions.c.root_session_id == session_id)
        return await self._database.read(lambda db: [_record(row) for row in db.execute(query).mappings()])

    async def previews(self, session_ids: Sequence[str]) -> dict[str, str]:
        """What was said last in each session, at most 200 characters."""
        return await self._database.read(lambda db: {i: text for i in session_ids if (text := _last_words(db, i))})


def _last_words(db: Connection, session_id: str) -> str:
    said = select(transcript_events.c.item_id).where(
        transcript_events.c.session_id == session_id, transcript_events.c.kind.in_(["agent", "user"])
    )
    item_id = db.execute(said.order_by(transcript_events.c.seq.desc()).limit(1)).scalar()
    pieces = (
        select(transcript_events.c.payload)
        .where(transcript_events.c.session_id == session_id, transcript_events.c.item_id == item_id)
        .order_by(transcript_events.c.seq)
        .limit(20)
    )
    return " ".join("".join(str(row.payload.get("text", "")) for row in db.execute(pieces)).split())[:200]


_SELECT = select(sessions, workspaces.c.path.label("workspace_path")).join(
    workspaces, workspaces.c.id == sessions.c.workspace_id, isouter=True
)


def _get(db: Connection, session_id: str) -> SessionRecord:
    row = db.execute(_SELECT.where(sessions.c.id == session_id)).mappings().first()
    if row is None:
        raise NotFound(
            f"There is no session {session_id!r}. `sayso session list` shows them.", details={"session_id": session_id}
        )
    return _record(row)


def _list(db: Connection, wanted: ListFilter) -> list[SessionRecord]:
    query = _SELECT.order_by(sessions.c.last_activity_at.desc(), sessions.c.id.desc()).limit(wanted.limit)
    query = query.where(
        sessions.c.archived_at.is_not(None) if wanted.archived_only else sessions.c.archived_at.is_(None)
    )
    if not wanted.include_runs:
        query = query.where(sessions.c.kind == "user")
    if wanted.active_only:
        query = query.where(sessions.c.state.in_([state.value for state in LIVE_STATES]))
    if wanted.resumable_only:
        query = query.where(
            sessions.c.state.not_in([state.value for state in LIVE_STATES]), sessions.c.agent_session_id.is_not(None)
        )
    if wanted.workspace_id is not None:
        query = query.where(sessions.c.workspace_id == wanted.workspace_id)
    if wanted.before is not None:
        moment, session_id = wanted.before
        query = query.where(
            (sessions.c.last_activity_at < moment)
            | ((sessions.c.last_activity_at == moment) & (sessions.c.id < session_id))
        )
    return [_record(row) for row in db.execute(query).mappings()]


def _record(row: RowMapping) -> SessionRecord:
    return SessionRecord(
        id=row["id"],
        provider=row["provider"],
        workspace_id=row["workspace_id"] or "",
        workspace=row["workspace_path"] or "",
        title=row["title"],
        state=SessionState(row["state"]),
        created=row["created_at"],
        updated=row["updated_at"],
        last_activity=row["last_activity_at"],
        kind=cast("Literal['user', 'run']", row["kind"]),
        mode=row["mode"],
        model=row["model"],
        modes=tuple(row["modes"] or ()),
        parent_session_id=row["parent_session_id"],
        root_session_id=row["root_session_id"],
        run_id=row["run_id"],
        agent_session_id=row["agent_session_id"],
        archived=row["archived_at"] is not None,
        pinned=bool(row["pinned"]),
        unread=bool(row["unread"]),
        end_reason=row["end_reason"],
        detail=dict(row["detail"] or {}),
    )
