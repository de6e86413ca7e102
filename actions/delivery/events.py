"""The event stream: ordered, resumable, the same for every client.

Events are numbered from 1 within one life of the host (an *epoch*). A bounded tail is kept, so that a client that
reconnects gets exactly what it missed; one that was away for longer, or that knew another host, is told to start over
(``reset``), since everything that matters is stored and can be read again.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from typing import Any

KEEP_EVENTS = 20_000
KEEP_BYTES = 32 * 1024 * 1024
PING_SECONDS = 15.0


@dataclass(frozen=True, slots=True)
class _Entry:
    seq: int
    line: bytes
    only: int | None


class EventHub:
    """Publishes events to any number of subscribers. Publishing never waits for one."""

    def __init__(self, *, keep_events: int = KEEP_EVENTS, keep_bytes: int = KEEP_BYTES) -> None:
        self.epoch = secrets.token_hex(8)
        self._tail: deque[_Entry] = deque()
        self._bytes = 0
        self._seq = 0
        self._keep_events = keep_events
        self._keep_bytes = keep_bytes
        self._subscriptions: dict[int, Subscription] = {}
        self._numbers = 0
        self._closed = False

    @property
    def seq(self) -> int:
        """The number of the newest event."""
        return self._seq

    @property
    def oldest(self) -> int:
        """The number of the oldest event that is still kept."""
        return self._tail[0].seq if self._tail else self._seq + 1

    @property
    def subscribers(self) -> tuple[Subscription, ...]:
        """The connected clients, the longest connected first."""
        return tuple(self._subscriptions.values())

    def publish(self, type: str, data: Mapping[str, Any], *, only: int | None = None) -> None:
        """Append an event for everyone, or for one subscriber by number."""
        self._seq += 1
        event = {"seq": self._seq, "type": type, "data": data}
        line = json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        self._tail.append(_Entry(self._seq, line, only))
        self._bytes += len(line)
        while len(self._tail) > self._keep_events or (self._bytes > self._keep_bytes and len(self._tail) > 1):
            self._bytes -= len(self._tail.popleft().line)
        for subscription in self._subscriptions.values():
            subscription.wake()

    def subscribe(
        self,
        *,
        after: int | None = None,
        epoch: str | None = None,
        offers: frozenset[str] = frozenset(),
        surface: str = "",
        window: str = "",
    ) -> Subscription:
        """A new subscription. It resumes after event ``after`` of ``epoch`` where that is still known."""
        self._numbers += 1
        resumes = after is not None and epoch == self.epoch and self.oldest <= after + 1 <= self._seq + 1
        start = after if resumes and after is not None else self._seq
        subscription = Subscription(self, self._numbers, start, reset=after is not None and not resumes, offers=offers)
        subscription.surface = surface
        subscription.window = window
        self._subscriptions[subscription.number] = subscription
        if self._closed:
            subscription.close()
        return subscription

    def close(self) -> None:
        """End every stream after what is already published."""
        self._closed = True
        for subscription in list(self._subscriptions.values()):
            subscription.close()

    def after(self, seq: int, limit: int = 500) -> list[_Entry]:
        """Kept events with a number above ``seq``, oldest first."""
        if not self._tail or seq >= self._seq:
            return []
        start = max(0, seq + 1 - self._tail[0].seq)
        stop = min(len(self._tail), start + limit)
        return [self._tail[index] for index in range(start, stop)]

    def forget(self, subscription: Subscription) -> None:
        self._subscriptions.pop(subscription.number, None)


class Subscription:
    """One client's stream of lines. Close it when the client is gone."""

    surface: str = ""
    window: str = ""
    """The window's own name, where it is one."""

    def __init__(self, hub: EventHub, number: int, start: int, *, reset: bool, offers: frozenset[str]) -> None:
        self.number = number
        self.offers = offers
        self._hub = hub
        self._position = start
        self._reset = reset
        self._news = asyncio.Event()
        self._closed = False
        self._waiting: list[tuple[asyncio.Future[Any], Callable[[], Exception]]] = []

    def when_closed(self, waiting: asyncio.Future[Any], error: Callable[[], Exception]) -> None:
        """Give a future that waits for this client an error when it goes away."""
        self._waiting = [(other, make) for other, make in self._waiting if not other.done()]
        self._waiting.append((waiting, error))

    def wake(self) -> None:
        self._news.set()

    def close(self) -> None:
        self._closed = True
        self._hub.forget(self)
        self._news.set()
        for waiting, error in self._waiting:
            if not waiting.done():
                waiting.set_exception(error())
        self._waiting.clear()

    async def lines(self) -> AsyncIterator[bytes]:
        """Lines of JSON: ``hello`` first, then events in order; ``reset`` where some were lost, ``ping`` when quiet."""
        yield _line({"type": "hello", "epoch": self._hub.epoch, "seq": self._position})
        if self._reset:
            yield _line({"type": "reset", "seq": self._position})
        while True:
            self._news.clear()
            if self._position + 1 < self._hub.oldest:
                self._position = self._hub.seq
                yield _line({"type": "reset", "seq": self._position})
            for entry in self._hub.after(self._position):
                self._position = entry.seq
                if entry.only is None or entry.only == self.number:
                    yield entry.line
            if self._position < self._hub.seq:
                continue
            if self._closed:
                return
            try:
                async with asyncio.timeout(PING_SECONDS):
                    await self._news.wait()
            except TimeoutError:
                yield _line({"type": "ping"})


def _line(data: Mapping[str, Any]) -> bytes:
    return json.dumps(data).encode() + b"\n"
