"""The transcript: an append-only log of events in SQLite. The screen, search, export and resume read it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, func, insert, literal, select, update

from actions.catalog.views import TranscriptEvent
from actions.sessions.events import FINISHED, Draft, Kind, coalesce
from actions.storage.database import Database
from actions.storage.ids import now_ms
from actions.storage.schema import sessions, transcript_events

_STRETCH = 3
"""How many times the wanted events a page may be longer by, to begin with a turn."""


@dataclass(frozen=True, slots=True)
class LeftOpen:
    """A turn without an end, and the ids of its tool calls without one."""

    turn: int
    calls: Sequence[str]


class TranscriptLog:
    """Appends and reads the events of every session. A session's events have one writer: its actor."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def append(self, session_id: str, drafts: Sequence[Draft], *, turn: int) -> list[TranscriptEvent]:
        """Store ``drafts`` in one transaction and give them as they were stored, with their numbers.

        The session's time of last activity moves with it.
        """
        joined = coalesce(list(drafts))
        if not joined:
            return []
        return await self._database.write(lambda db: append_events(db, session_id, joined, turn=turn))

    async def read(
        self, session_id: str, *, after: int | None = None, limit: int = 500, kinds: Sequence[str] = ()
    ) -> list[TranscriptEvent]:
        """At most ``limit`` events with a number above ``after``, oldest first."""
        query = select(transcript_events).where(transcript_events.c.session_id == session_id)
        if after is not None:
            query = query.where(transcript_events.c.seq > after)
        if kinds:
            query = query.where(transcript_events.c.kind.in_(list(kinds)))
        query = query.order_by(transcript_events.c.seq).limit(limit)
        return await self._database.read(lambda db: _events(db, query))

    async def newest(
        self, session_id: str, *, before: int | None = None, limit: int = 500, kinds: Sequence[str] = ()
    ) -> list[TranscriptEvent]:
        """The newest ``limit`` events with a number below ``before``, oldest first.

        Where the turn that the first of them is in began not much earlier, from that beginning on: then what belongs
        together comes together.
        """
        table = transcript_events
        query = select(table).where(table.c.session_id == session_id)
        if before is not None:
            query = query.where(table.c.seq < before)
        if kinds:
            query = query.where(table.c.kind.in_(list(kinds)))
        query = query.order_by(table.c.seq.desc())

        def work(db: Connection) -> list[TranscriptEvent]:
            events = _events(db, query.limit(limit))
            if not kinds and events and events[-1].kind != Kind.TURN_START:
                first = events[-1].seq
                begun = query.where(table.c.kind == Kind.TURN_START.value, table.c.seq < first).limit(1)
                start = next((event.seq for event in _events(db, begun)), first)
                if first - start <= _STRETCH * limit:
                    events += _events(db, query.where(table.c.seq < first, table.c.seq >= start))
            return events[::-1]

        return await self._database.read(work)

    async def copy(self, session_id: str, to: str, drafts: Sequence[Draft]) -> None:
        """Begin the transcript of ``to`` with the finished turns of a session, and ``drafts`` after them."""
        table = transcript_events
        end = select(func.max(table.c.seq)).where(table.c.session_id == session_id, table.c.kind == Kind.TURN_END.value)
        columns = [c for c in table.c if c.name != "session_id"]

        def work(db: Connection) -> None:
            rows = select(literal(to), *columns).where(
                table.c.session_id == session_id, table.c.seq <= end.scalar_subquery()
            )
            db.execute(insert(table).from_select(["session_id", *(c.name for c in columns)], rows))
            turn = db.execute(select(func.max(table.c.turn)).where(table.c.session_id == to)).scalar() or 0
            append_events(db, to, drafts, turn=turn)

        await self._database.write(work)

    async def left_open(self, session_id: str) -> LeftOpen | None:
        """The newest turn, where nothing says that it ended."""
        table = transcript_events
        begun = (
            select(func.max(table.c.seq))
            .where(table.c.session_id == session_id, table.c.kind == Kind.TURN_START.value)
            .scalar_subquery()
        )
        kinds = [kind.value for kind in (Kind.TURN_START, Kind.TOOL_CALL, Kind.TURN_END)]
        query = select(table).where(table.c.session_id == session_id, table.c.seq >= begun, table.c.kind.in_(kinds))

        def work(db: Connection) -> LeftOpen | None:
            events = _events(db, query.order_by(table.c.seq))
            if not events or any(event.kind == Kind.TURN_END for event in events):
                return None
            calls = {event.item_id: event.data["status"] for event in events if event.data.get("status")}
            return LeftOpen(events[0].turn, tuple(i for i, status in calls.items() if i and status not in FINISHED))

        return await self._database.read(work)

    async def last_turn(self, session_id: str) -> int:
        """The number of the newest turn, 0 where there was none."""
        query = select(func.max(transcript_events.c.turn)).where(transcript_events.c.session_id == session_id)
        return await self._database.read(lambda db: db.execute(query).scalar() or 0)


def _events(db: Connection, query: Select[Any]) -> list[TranscriptEvent]:
    return [
        TranscriptEvent(
            seq=row.seq, kind=row.kind, item_id=row.item_id, turn=row.turn or 0, at=row.created_at, data=row.payload
        )
        for row in db.execute(query)
    ]


def append_events(db: Connection, session_id: str, drafts: Sequence[Draft], *, turn: int) -> list[TranscriptEvent]:
    """The statement of :meth:`TranscriptLog.append`, for writers that store more in the same transaction."""
    newest = db.execute(
        select(func.max(transcript_events.c.seq)).where(transcript_events.c.session_id == session_id)
    ).scalar()
    at = now_ms()
    events = [
        TranscriptEvent(
            seq=(newest or 0) + number, kind=draft.kind.value, item_id=draft.item_id, turn=turn, at=at, data=draft.data
        )
        for number, draft in enumerate(drafts, start=1)
    ]
    db.execute(
        insert(transcript_events),
        [
            {
                "session_id": session_id,
                "seq": event.seq,
                "kind": event.kind,
                "item_id": event.item_id,
                "turn": event.turn,
                "payload": event.data,
                "created_at": event.at,
            }
            for event in events
        ],
    )
    db.execute(update(sessions).where(sessions.c.id == session_id).values(last_activity_at=at))
    return events
