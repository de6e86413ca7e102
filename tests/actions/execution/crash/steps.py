"""Counting every point at which a process can be interrupted, and ending it there with SIGKILL.

A point is: before and after every step of every task (so, each await that suspends), and in the database's thread
before and after every statement, begin, commit and rollback. With ``lines``, also every line of the code under test.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Coroutine, Generator, Sequence
from itertools import count
from types import FrameType
from typing import Any

from sqlalchemy import Engine, event


class Steps:
    """The count. From :meth:`begin` on, the process dies at point ``kill_at`` (0: never).

    ``lines``: each line of the files whose path holds one of these is a point too, in the thread of the event loop.
    """

    def __init__(self, kill_at: int, lines: Sequence[str] = ()) -> None:
        self._kill_at = kill_at
        self._lines = lines
        self._counting = False
        self._numbers = count(1)  # no lock: a finaliser may be traced in the middle of this

    def begin(self) -> None:
        self._counting = True
        if self._lines:
            sys.settrace(self._trace)

    def reached(self) -> None:
        """One point; possibly the last thing this process does."""
        if not self._counting:
            return
        if next(self._numbers) == self._kill_at:
            os.kill(os.getpid(), signal.SIGKILL)

    def watch_tasks(self, loop: asyncio.AbstractEventLoop) -> None:
        loop.set_task_factory(lambda loop, coro, **options: asyncio.Task(_Counted(coro, self), loop=loop, **options))

    def watch_database(self) -> None:
        for name in ("begin", "commit", "rollback", "before_cursor_execute", "after_cursor_execute"):
            event.listen(Engine, name, lambda *_: self.reached())

    def _trace(self, frame: FrameType, what: str, _: Any) -> Any:
        if not any(part in frame.f_code.co_filename for part in self._lines):
            return None
        if what in ("line", "return"):
            self.reached()
        return self._trace


class _Counted(Coroutine[Any, Any, Any]):
    """A coroutine that counts each of its steps."""

    def __init__(self, inner: Any, steps: Steps) -> None:
        self._inner = inner
        self._steps = steps

    def send(self, value: Any) -> Any:
        self._steps.reached()
        try:
            return self._inner.send(value)
        finally:
            self._steps.reached()

    def throw(self, *error: Any) -> Any:
        self._steps.reached()
        return self._inner.throw(*error)

    def close(self) -> None:
        self._inner.close()

    def __await__(self) -> Generator[Any, Any, Any]:
        raise TypeError("only a task runs this")
