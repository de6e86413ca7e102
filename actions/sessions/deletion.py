"""Deleting a session: what was said, what was asked, what was logged. The audit keeps that it was."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import Connection, delete, update

from actions.sessions.index import TranscriptIndex
from actions.storage.database import Database
from actions.storage.schema import runs, sessions, transcript_events, user_requests


class Deletion:
    """Takes sessions out of the home whose agents have ended."""

    def __init__(self, database: Database, index: TranscriptIndex, logs: Path) -> None:
        self._database = database
        self._index = index
        self._logs = logs

    async def delete(self, session_ids: Sequence[str]) -> None:
        """Delete all of them or, when the database refuses, none. Runs keep their results without a session."""
        wanted = list(session_ids)

        def work(db: Connection) -> None:
            for session_id in wanted:
                self._index.forget(db, session_id)
            db.execute(delete(user_requests).where(user_requests.c.session_id.in_(wanted)))
            db.execute(delete(transcript_events).where(transcript_events.c.session_id.in_(wanted)))
            db.execute(update(runs).where(runs.c.session_id.in_(wanted)).values(session_id=None))
            db.execute(delete(sessions).where(sessions.c.id.in_(wanted)))

        await self._database.write(work)
        await asyncio.to_thread(self._delete_logs, wanted)

    def _delete_logs(self, session_ids: Sequence[str]) -> None:
        for session_id in session_ids:
            for file in self._logs.glob(f"{session_id}.*"):
                file.unlink(missing_ok=True)
