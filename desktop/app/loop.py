"""The asyncio loop on Qt's: ready callbacks in one queue, delayed ones in one heap, cancelled ones gone at once.

qasync 0.28 gives each callback a Qt timer and keeps a cancelled one until it would have fired; a timeout around each
message then piles up timers by the thousand. Here one zero-interval timer drains what is ready and one single-shot
timer waits for the earliest delay. Child processes, sockets and signals are qasync's.
"""

from __future__ import annotations

import asyncio
import heapq
import sys
import time
from collections import deque
from collections.abc import Callable
from contextvars import Context
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimerEvent
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

_SLICE = 0.005  # seconds of callbacks before Qt gets a turn: input and drawing never wait longer
_SWEEP = 64  # cancelled timers that are let be before the heap is swept


class _Clock(QObject):
    """Runs handles when they are due, in the order in which they became due."""

    def __init__(self, now: Callable[[], float]) -> None:
        super().__init__()
        self._now = now
        self._ready: deque[asyncio.Handle] = deque()
        self._later: list[tuple[float, int, asyncio.TimerHandle]] = []
        self._count = 0
        self._cancelled = 0
        self._ready_timer = 0
        self._later_timer = 0
        self._running = False

    def start(self) -> None:
        """The loop runs: handles may."""
        self._running = True
        self._wait()
        if self._ready:
            self._ready_timer = self.startTimer(0)

    def pause(self) -> None:
        """The loop stands still. Whoever turns Qt's loop meanwhile must not run handles: no loop is the running one."""
        self._running = False
        self._kill_timers()

    def soon(self, handle: asyncio.Handle) -> None:
        self._ready.append(handle)
        if self._running and not self._ready_timer:
            self._ready_timer = self.startTimer(0)

    def at(self, handle: asyncio.TimerHandle) -> None:
        self._count += 1
        heapq.heappush(self._later, (handle.when(), self._count, handle))
        if self._later[0][2] is handle:
            self._wait()

    def cancelled(self) -> None:
        """One of the delayed handles was cancelled."""
        self._cancelled += 1
        if self._cancelled > _SWEEP and self._cancelled * 2 > len(self._later):
            self._later = [entry for entry in self._later if not entry[2].cancelled()]
            heapq.heapify(self._later)
            self._cancelled = 0
            self._wait()

    def delayed(self) -> int:
        """Delayed handles that are still kept."""
        return len(self._later)

    def clear(self) -> None:
        self.pause()
        self._ready.clear()
        self._later.clear()

    def _kill_timers(self) -> None:
        for timer in (self._ready_timer, self._later_timer):
            if timer:
                self.killTimer(timer)
        self._ready_timer = self._later_timer = 0

    def timerEvent(self, event: QTimerEvent) -> None:
        if event.timerId() == self._later_timer:
            self._wake()
        elif event.timerId() == self._ready_timer:
            self._drain()

    def _wake(self) -> None:
        now = self._now() + 0.0005  # Qt counts milliseconds; do not wait again for the rest of one
        while self._later and self._later[0][0] <= now:
            handle = heapq.heappop(self._later)[2]
            if handle.cancelled():
                self._cancelled = max(0, self._cancelled - 1)
            else:
                handle._scheduled = False  # as asyncio does; cancelling it now concerns nobody
                self.soon(handle)
        self._wait()

    def _drain(self) -> None:
        end = time.perf_counter() + _SLICE
        for _ in range(len(self._ready)):
            if not self._ready:  # a nested loop took them
                break
            handle = self._ready.popleft()
            if not handle.cancelled():
                handle._run()  # the only way to run a handle
            if time.perf_counter() > end:
                break
        if not self._ready and self._ready_timer:
            self.killTimer(self._ready_timer)
            self._ready_timer = 0

    def _wait(self) -> None:
        if self._later_timer:
            self.killTimer(self._later_timer)
            self._later_timer = 0
        if self._later and self._running:
            delay = max(0, round((self._later[0][0] - self._now()) * 1000))
            self._later_timer = self.startTimer(delay, Qt.TimerType.PreciseTimer)


class AppLoop(QEventLoop):
    """``asyncio.Runner(loop_factory=lambda: AppLoop(app))``."""

    def __init__(self, app: QApplication) -> None:
        self._clock = _Clock(time.monotonic)
        self._hooks_before: Any = None
        super().__init__(app)

    def call_soon(self, callback: Callable[..., Any], *args: Any, context: Context | None = None) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self, context)
        self._clock.soon(handle)
        return handle

    def call_at(
        self, when: float, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        handle._scheduled = True  # else cancel() does not tell the loop
        self._clock.at(handle)
        return handle

    def call_later(
        self, delay: float, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        return self.call_at(self.time() + max(0.0, delay), callback, *args, context=context)

    def call_soon_threadsafe(self, callback: Callable[..., Any], *args: Any, context: Context | None = None) -> None:
        if context is None:
            super().call_soon_threadsafe(callback, *args)
        else:
            super().call_soon_threadsafe(context.run, callback, *args)

    def delayed(self) -> int:
        """Timers that are kept; cancelled ones are let go in sweeps."""
        return self._clock.delayed()

    def close(self) -> None:
        self._clock.clear()
        super().close()

    def _before_run_forever(self) -> None:
        super()._before_run_forever()
        # asyncio's own loops do this; qasync's does not, and a generator that is dropped then ends in no loop at all.
        self._hooks_before = sys.get_asyncgen_hooks()
        loop: Any = self  # the hooks are asyncio's BaseEventLoop's
        sys.set_asyncgen_hooks(firstiter=loop._asyncgen_firstiter_hook, finalizer=loop._asyncgen_finalizer_hook)
        self._clock.start()

    def _after_run_forever(self) -> None:
        self._clock.pause()
        if self._hooks_before is not None:
            sys.set_asyncgen_hooks(*self._hooks_before)
            self._hooks_before = None
        super()._after_run_forever()

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        self._clock.cancelled()
