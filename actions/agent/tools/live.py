"""The output of a command while it runs, for those who look on."""

from __future__ import annotations

import asyncio
import codecs
from typing import Protocol

from actions.agent.processes.text import begun_escape, plain
from actions.agent.toolset.call import ToolCall

_EVERY = 0.1
_AT_ONCE = 8_000


class LiveOutput(Protocol):
    """Takes what a running call prints; returns at once."""

    def output(self, call_id: str, text: str) -> None:
        """``text`` follows what came before for this call. Comes at most ten times a second; of a flood only the
        latest part."""
        ...


class LiveFeed:
    """Turns the bytes of one call's command into text for a :class:`LiveOutput`, at a pace that a screen can follow.

    A context: what still waits is handed over at its end, unless the call was cancelled; nothing comes after it.
    """

    def __init__(self, live: LiveOutput | None, call: ToolCall | None) -> None:
        self._live = live
        self._call_id = call.id if call else ""
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._waiting = ""
        self._left_out = False
        self._closed = live is None or call is None
        self._timer: asyncio.TimerHandle | None = None

    def __enter__(self) -> LiveFeed:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
            if kind is not asyncio.CancelledError:
                self._send()

    def feed(self, data: bytes) -> None:
        """Bytes as they came from the command; a character may be split over two."""
        if self._closed:
            return
        self._waiting += self._decoder.decode(data)
        if len(self._waiting) > 2 * _AT_ONCE:
            self._waiting = self._waiting[-_AT_ONCE:]
            self._left_out = True
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_EVERY, self._send)

    def _send(self) -> None:
        self._timer = None
        whole = begun_escape(self._waiting)
        text = plain(self._waiting[:whole].encode("utf-8", errors="replace"))
        if self._left_out:
            text = f"[...]\n{text}"
        self._waiting, self._left_out = self._waiting[whole:], False
        if text and self._live is not None:
            self._live.output(self._call_id, text)
