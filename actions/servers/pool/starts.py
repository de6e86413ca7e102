"""How many servers start at a time: thirty programs at once would make each of them late."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

AT_ONCE = 4
SECONDS = 2.0


class Starts:
    """Lets ``at_once`` processes start at a time, in the order in which they came.

    A start counts until its process has answered, and no longer than ``seconds``: one that hangs is in nobody's way.
    """

    def __init__(self, at_once: int = AT_ONCE, seconds: float = SECONDS) -> None:
        self._free = asyncio.Semaphore(at_once)
        self._seconds = seconds

    @asynccontextmanager
    async def turn(self) -> AsyncGenerator[Callable[[], None]]:
        """Wait for a turn; gives what is to be called when the process has answered."""
        await self._free.acquire()
        taken = True

        def over() -> None:
            nonlocal taken
            if taken:
                taken = False
                self._free.release()

        timer = asyncio.get_running_loop().call_later(self._seconds, over)
        try:
            yield over
        finally:
            timer.cancel()
            over()
