"""What waits to be stored: one ordered line of entries, taken in batches of 25 ms: a person sees it within 60."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Generic, TypeVar

BATCH_SECONDS = 0.025
HIGH_WATER = 4096

_T = TypeVar("_T")


class Intake(Generic[_T]):
    """Entries go in synchronously and come out in batches, in order. An urgent entry ends the wait at once."""

    def __init__(self) -> None:
        self._entries: list[_T] = []
        self._filled = asyncio.Event()
        self._urgent = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()

    def put(self, entry: _T, *, urgent: bool = False) -> None:
        """Add one entry. Never blocks; see :meth:`room` for the brake."""
        self._entries.append(entry)
        self._filled.set()
        if urgent:
            self._urgent.set()
        if len(self._entries) >= HIGH_WATER:
            self._room.clear()
            self._urgent.set()

    async def batch(self) -> list[_T]:
        """The next entries: at least one, all that arrived within 25 ms of it."""
        await self._filled.wait()
        if not self._urgent.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._urgent.wait(), BATCH_SECONDS)
        entries, self._entries = self._entries, []
        self._filled.clear()
        self._urgent.clear()
        self._room.set()
        return entries

    async def room(self) -> None:
        """Wait until fewer than 4096 entries wait: the reader of a flood stops reading, and the agent is slowed."""
        await self._room.wait()
