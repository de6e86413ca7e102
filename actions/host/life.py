"""How long a host lives: until it is told to stop, or until nobody has needed it for a while."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable

_log = logging.getLogger(__name__)


class Life:
    """Knows when the host was last needed. ``busy`` says whether something is at work or a client is connected."""

    def __init__(self, busy: Callable[[], bool], idle_seconds: Callable[[], float | None]) -> None:
        self._busy = busy
        self._idle_seconds = idle_seconds
        self._last = time.monotonic()
        self._stop = asyncio.Event()
        self._started = time.monotonic()

    def touch(self) -> None:
        """A client called."""
        self._last = time.monotonic()

    def stop(self, why: str) -> None:
        """End the host; ``why`` goes to the log."""
        if not self._stop.is_set():
            _log.info("the host stops: %s", why)
            self._stop.set()

    @property
    def uptime_ms(self) -> int:
        return round((time.monotonic() - self._started) * 1000)

    async def ended(self) -> None:
        """Wait for the end: a stop, or idle for as long as the settings say (None means for ever)."""
        while not self._stop.is_set():
            limit = self._idle_seconds()
            if self._busy():
                self.touch()
            quiet = time.monotonic() - self._last
            if limit is not None and quiet >= limit:
                self.stop(f"nobody has needed it for {quiet:.0f} s")
                return
            pause = 1.0 if limit is None else max(0.05, min(1.0, limit - quiet))
            try:
                async with asyncio.timeout(pause):
                    await self._stop.wait()
            except TimeoutError:
                continue
