"""One session's events on their way to the reader: stored first, shown then, in one order."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence

from actions.catalog.views import TranscriptEvent
from actions.errors import ErrorCode, SaysoError
from actions.sessions.events import Draft
from actions.sessions.transcript import TranscriptLog

_RETRY_SECONDS = 1.0

_log = logging.getLogger(__name__)


class EventWriter:
    """Stores through a lock and publishes what was stored. ``published`` must not block."""

    def __init__(
        self, session_id: str, log: TranscriptLog, published: Callable[[str, Sequence[TranscriptEvent]], None]
    ) -> None:
        self._session_id = session_id
        self._transcript = log
        self._published = published
        self._lock = asyncio.Lock()
        self._stuck: SaysoError | None = None

    async def append(self, drafts: Sequence[Draft], *, turn: int) -> None:
        """Store and show ``drafts``."""
        if drafts:
            await self.through(lambda: self._transcript.append(self._session_id, drafts, turn=turn))

    async def through(
        self, write: Callable[[], Awaitable[list[TranscriptEvent] | None]], *, patient: bool = True
    ) -> list[TranscriptEvent] | None:
        """Run a write that stores events, then show them; None is a write that found nothing to do.

        A full disk must not lose what an agent said: the write is tried again until there is room, nothing after it
        goes first, and the brake of the intake holds the agent meanwhile. A person is not ``patient``: the failure is
        raised at once, and nothing was stored. Raises ``host_unavailable`` once the database is closed.
        """
        if not patient and (stuck := self._stuck) is not None:
            raise SaysoError(stuck.message, code=stuck.code, details=stuck.details)
        async with self._lock:
            while True:
                try:
                    events = await write()
                    break
                except SaysoError as failure:
                    if not patient or failure.code is ErrorCode.HOST_UNAVAILABLE:
                        self._stuck = None
                        raise
                    self._stuck = failure
                    _log.warning("session %s waits for storage: %s", self._session_id, failure)
                    await asyncio.sleep(_RETRY_SECONDS)
            self._stuck = None
            if events:
                self._published(self._session_id, events)
            return events
