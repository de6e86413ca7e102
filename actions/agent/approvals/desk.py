"""Open requests and those who wait for them."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from actions.agent.approvals.decision import ApprovalCancelled, Decision, Request, WaitTimeout, Wanted
from actions.errors import NotFound

_log = logging.getLogger(__name__)
_REMEMBERED = 256
"""Ids of decided requests that late waiters still get an answer for."""


@dataclass(frozen=True, slots=True)
class Requested:
    """A person is asked."""

    request: Request


@dataclass(frozen=True, slots=True)
class Deferred:
    """The person will answer later; the request stays open."""

    request: Request


@dataclass(frozen=True, slots=True)
class Decided:
    """The request is closed. ``decision`` None: it was taken back."""

    request: Request
    decision: Decision | None


DeskEvent = Requested | Deferred | Decided
DeskWatcher = Callable[[DeskEvent], None]


class _Passed(Enum):
    LIMIT = "limit"


_Waiter = asyncio.Future["Decision | _Passed | None"]


@dataclass(slots=True)
class _Open:
    request: Request
    waiters: list[_Waiter]
    deferred: bool = False


class Desk:
    """Every change happens between two turns of the loop, so the first answer wins and there is no second."""

    def __init__(self) -> None:
        self._open: dict[str, _Open] = {}
        self._decided: dict[str, Decision | None] = {}
        self._watchers: tuple[DeskWatcher, ...] = ()
        self._events: deque[DeskEvent] = deque()
        self._telling = False
        self._run = secrets.token_hex(4)
        self._count = 0

    def pending(self) -> tuple[Request, ...]:
        """Open requests in the order they came."""
        return tuple(entry.request for entry in self._open.values())

    def find(self, request_id: str) -> Request | None:
        entry = self._open.get(request_id)
        return entry.request if entry else None

    def deferred(self, request_id: str) -> bool:
        entry = self._open.get(request_id)
        return entry is not None and entry.deferred

    def watch(self, watcher: DeskWatcher) -> Callable[[], None]:
        """Tell ``watcher`` of every event, in order. Returns the way to stop that."""
        self._watchers = (*self._watchers, watcher)

        def stop() -> None:
            self._watchers = tuple(other for other in self._watchers if other is not watcher)

        return stop

    async def ask(self, wanted: Wanted, releases: tuple[str, ...]) -> Decision:
        """Open a request and wait for its decision, without limit. A cancel of the caller takes the request back.

        Raises:
            ApprovalCancelled: the request was taken back.
        """
        self._count += 1
        request = Request(f"{self._run}-{self._count}", wanted, releases)
        waiter: _Waiter = asyncio.get_running_loop().create_future()
        self._open[request.id] = _Open(request, [waiter])
        self._tell(Requested(request))
        try:
            outcome = await waiter
        except asyncio.CancelledError:
            self.decide(request.id, None)
            raise
        return _decision(outcome)

    async def wait(self, request_id: str, limit: float | None) -> Decision:
        """Wait for a request of somebody else; see :meth:`Approvals.wait`."""
        entry = self._open.get(request_id)
        if entry is None:
            if request_id not in self._decided:
                raise NotFound(f"There is no approval request {request_id}; it may have been decided long ago.")
            return _decision(self._decided[request_id])
        loop = asyncio.get_running_loop()
        waiter: _Waiter = loop.create_future()
        entry.waiters.append(waiter)
        timer = None if limit is None else loop.call_later(max(limit, 0), _settle, waiter, _Passed.LIMIT)
        try:
            return _decision(await waiter)
        finally:
            entry.waiters.remove(waiter)
            if timer is not None:
                timer.cancel()

    def decide(self, request_id: str, decision: Decision | None) -> bool:
        """Close a request; None takes it back. False when it is not open."""
        entry = self._open.pop(request_id, None)
        if entry is None:
            return False
        self._decided[request_id] = decision
        if len(self._decided) > _REMEMBERED:
            del self._decided[next(iter(self._decided))]
        for waiter in entry.waiters:
            _settle(waiter, decision)
        self._tell(Decided(entry.request, decision))
        return True

    def defer(self, request_id: str) -> bool:
        """Mark an open request as put off. False when it is not open."""
        entry = self._open.get(request_id)
        if entry is None:
            return False
        if not entry.deferred:
            entry.deferred = True
            self._tell(Deferred(entry.request))
        return True

    def _tell(self, event: DeskEvent) -> None:
        # A watcher may answer at once; the others still get the events in the order they happened.
        if self._telling:
            self._events.append(event)
            return
        self._telling = True
        try:
            self._tell_each(event)
            while self._events:
                self._tell_each(self._events.popleft())
        finally:
            self._telling = False

    def _tell_each(self, event: DeskEvent) -> None:
        for watcher in self._watchers:
            try:
                watcher(event)
            except Exception:  # noqa: BLE001 - one watcher's fault is not the next one's
                _log.exception("an approval watcher failed on %s", type(event).__name__)


def _settle(waiter: _Waiter, outcome: Decision | _Passed | None) -> None:
    if not waiter.done():
        waiter.set_result(outcome)


def _decision(outcome: Decision | _Passed | None) -> Decision:
    if outcome is None:
        raise ApprovalCancelled("the approval request was taken back")
    if isinstance(outcome, _Passed):
        raise WaitTimeout("the request is still open")
    return outcome
