"""Owned tasks: every task has an owner that cancels and awaits it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, TypeVar

_T = TypeVar("_T")
_log = logging.getLogger(__name__)


class TaskOwner:
    """Starts named tasks, reports their errors to the log with the owner's name, and ends them all on close."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closed = False

    def start(self, coro: Coroutine[Any, Any, _T], *, name: str) -> asyncio.Task[_T]:
        """Run ``coro`` as a task of this owner. Raises RuntimeError after :meth:`close`."""
        if self._closed:
            coro.close()
            raise RuntimeError(f"{self._name} is closed; it starts no task {name!r}")
        task = asyncio.get_running_loop().create_task(coro, name=f"{self._name}.{name}")
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def __len__(self) -> int:
        return len(self._tasks)

    async def close(self) -> None:
        """Cancel and await every task. Closing twice is harmless; a task that closes its own owner is left to end."""
        self._closed = True
        tasks = [task for task in self._tasks if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("task %s failed", task.get_name(), exc_info=error)
