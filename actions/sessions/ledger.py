"""The ledger of processes: every agent we started has a row, so that none outlives us unseen."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, insert, select, update

from actions.sessions import groups
from actions.sessions.process import Identity
from actions.storage.database import Database
from actions.storage.ids import Prefix, new_id, now_ms
from actions.storage.schema import processes

# The start time of a process is reckoned from the time of boot, which moves a little when the clock is set.
_CLOCK_SLACK_MS = 2000


@dataclass(frozen=True, slots=True)
class Reconciled:
    """What start-up found: sessions whose agent was still running and was ended, and those whose agent was gone."""

    ended: Sequence[str]
    gone: Sequence[str]


@dataclass(frozen=True, slots=True)
class _Open:
    row_id: str
    pid: int
    start_ms: int
    group: int
    session_id: str


class ProcessLedger:
    """Rows of the ``processes`` table."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._running: dict[int, tuple[str, str]] = {}

    def session_of(self, pids: Sequence[int]) -> str | None:
        """The session of the first of these processes that is a running agent; None where none is."""
        return next((self._running[pid][1] for pid in pids if pid in self._running), None)

    async def opened(self, identity: Identity, *, session_id: str, argv: Sequence[str], purpose: str) -> str:
        """Note a process that was just started; gives the row's id."""
        row_id = new_id(Prefix.PROCESS)
        self._running[identity.pid] = (row_id, session_id)
        await self._database.write(
            lambda db: db.execute(
                insert(processes).values(
                    id=row_id,
                    pid=identity.pid,
                    start_time=round(identity.start_time * 1000),
                    pgid=identity.group,
                    session_id=session_id,
                    argv=list(argv),
                    purpose=purpose,
                    started_at=now_ms(),
                )
            )
        )
        return row_id

    async def closed(self, row_id: str, reason: str) -> None:
        """Note that a process and all it started have ended."""
        self._running = {pid: entry for pid, entry in self._running.items() if entry[0] != row_id}
        await self._database.write(lambda db: _close(db, row_id, reason))

    async def reconcile(self, *, term_wait: float = groups.TERM_WAIT) -> Reconciled:
        """End what an earlier host left running, all of it at once, and close every open row.

        Call once, before the first start: one that waited for each in turn would be long.
        """
        rows = await self._database.read(_open_rows)
        left = await asyncio.to_thread(_what_is_left, rows)
        survivors = await groups.end_all(list(left.values()), term_wait=term_wait)
        survived = {row_id for row_id, pids in zip(left, survivors, strict=True) if pids}
        ended: list[str] = []
        gone: list[str] = []
        for row in rows:
            if row.row_id in left:
                reason = "orphan_survived" if row.row_id in survived else "orphan_ended"
                ended.append(row.session_id)
            else:
                reason = "gone"
                gone.append(row.session_id)
            await self.closed(row.row_id, reason)
        return Reconciled(tuple(ended), tuple(gone))


def _open_rows(db: Connection) -> list[_Open]:
    rows = db.execute(select(processes).where(processes.c.ended_at.is_(None))).mappings()
    return [
        _Open(row["id"], row["pid"], row["start_time"], row["pgid"] or row["pid"], row["session_id"] or "")
        for row in rows
    ]


def _close(db: Connection, row_id: str, reason: str) -> None:
    db.execute(update(processes).where(processes.c.id == row_id).values(ended_at=now_ms(), end_reason=reason))


def _what_is_left(rows: Sequence[_Open]) -> dict[str, groups.Belongings]:
    """What is surely ours to end, by row: the group that an agent leads, and whatever carries its session's mark."""
    carriers = groups.marked({row.session_id for row in rows if row.session_id}) if rows else {}
    found: dict[str, groups.Belongings] = {}
    for row in rows:
        left = carriers.get(row.session_id, [])
        started = groups.start_time(row.pid)
        if started is not None:  # the number is in use: by the agent, or by somebody else since
            ours = abs(started * 1000 - row.start_ms) <= _CLOCK_SLACK_MS
        else:
            ours = bool(set(groups.members(row.group)) & set(left))
        if ours or left:
            found[row.row_id] = groups.Belongings(row.group if ours else None, row.session_id or None)
    return found
