"""A backend that knows which of its calls a person waits for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Signal

from desktop.app.backend import Backend, ConnectionChange, HostEvent, Outcome, Status

OVERLOOKED_MS = 300
"""What is done by then needs no word."""
CANCELLED = "cancelled"
_READ = (".list", ".get", ".detect", ".preview")
_ASKED = ("action.", "inbox.", "settings.", "approval.")
"""How ids end, and begin, whose callers show by themselves that they read or that somebody decides."""
_ENDS = frozenset(
    {
        "session.export",
        "session.search",
        "providers.check",
        "mcp.servers.import",
        "mcp.servers.test",
        "mcp.servers.retry",
        "review.start",
        "subagents.plan.start",
        "subagents.delegate.start",
        "execution.run.wait",
        "session.wait",
    }
)
"""Actions that end with their call, and leave nothing half done."""


@dataclass(frozen=True)
class Call:
    """One call under way; ``title`` is "" until it is known."""

    number: int
    action_id: str
    title: str
    ends: bool


class Calls(QObject):
    """The calls that take long, in the order in which they began."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._shown: dict[int, Call] = {}
        self._tasks: dict[int, asyncio.Task[Outcome]] = {}
        self._count = 0

    def shown(self) -> list[Call]:
        return list(self._shown.values())

    def cancel(self, number: int) -> None:
        """End a call, where it may be ended; harmless when it is over."""
        task, call = self._tasks.get(number), self._shown.get(number)
        if task is not None and call is not None and call.ends:
            task.cancel()

    def begin(self, task: asyncio.Task[Outcome]) -> int:
        self._count += 1
        self._tasks[self._count] = task
        return self._count

    def show(self, call: Call) -> None:
        if call.number in self._tasks:
            self._shown[call.number] = call
            self.changed.emit()

    def end(self, number: int) -> None:
        self._tasks.pop(number, None)
        if self._shown.pop(number, None) is not None:
            self.changed.emit()


class WatchedBackend:
    """Implements :class:`~desktop.app.backend.Backend` over another one. A call of somebody's that takes longer than
    300 ms is in ``calls`` until it is over; one that is cancelled there is a failed outcome ``cancelled`` without a
    message: whoever asked knows.
    """

    def __init__(self, inner: Backend, calls: Calls) -> None:
        self._inner = inner
        self._calls = calls
        self._titles: dict[str, str] = {}

    async def execute(
        self,
        action_id: str,
        input: Mapping[str, Any] | None = None,
        *,
        patience_s: float | None = None,
        attached: bool = False,
    ) -> Outcome:
        if patience_s is not None or action_id.startswith(_ASKED) or action_id.endswith(_READ):
            return await self._inner.execute(action_id, input, patience_s=patience_s, attached=attached)
        ends = action_id in _ENDS
        task = asyncio.ensure_future(
            self._inner.execute(action_id, input, patience_s=patience_s, attached=attached or ends)
        )
        number = self._calls.begin(task)
        try:
            async with asyncio.timeout(OVERLOOKED_MS / 1000):
                return await asyncio.shield(task)
        except TimeoutError:
            self._calls.show(Call(number, action_id, self._titles.get(action_id, ""), ends))
            return await self._through(task, number, action_id, ends=ends)
        finally:
            self._calls.end(number)
            if not task.done():  # whoever asked has gone
                task.cancel()

    async def _through(self, task: asyncio.Task[Outcome], number: int, action_id: str, *, ends: bool) -> Outcome:
        naming = asyncio.ensure_future(self._name(action_id))
        try:
            if action_id not in self._titles:
                await asyncio.wait({task, naming}, return_when=asyncio.FIRST_COMPLETED)
                self._calls.show(Call(number, action_id, self._titles.get(action_id, ""), ends))
            await asyncio.wait({task})
            return Outcome(Status.FAILED, code=CANCELLED) if task.cancelled() else task.result()
        finally:
            naming.cancel()

    async def _name(self, action_id: str) -> None:
        told = await self._inner.execute("action.spec.get", {"id": action_id})
        if told.ok:
            self._titles[action_id] = str(told.data.get("title") or "")

    async def showing(self, session_id: str | None, *, focused: bool) -> None:
        await self._inner.showing(session_id, focused=focused)

    def subscribe(self, listener: Callable[[HostEvent], None]) -> AbstractContextManager[None]:
        return self._inner.subscribe(listener)

    def subscribe_connection(self, listener: Callable[[ConnectionChange], None]) -> AbstractContextManager[None]:
        return self._inner.subscribe_connection(listener)
