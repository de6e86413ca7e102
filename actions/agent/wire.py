"""Messages over two file descriptors, one JSON object a line; what is no such thing is answered and survived.

It reads and writes in two threads, so any descriptor will do, a plain file too, and a client that does not read never
blocks a cancel.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import queue
import threading
from typing import Any, cast

from actions.agent.text import scrub

LONGEST_LINE = 50_000_000
"""Bytes. A longer line is thrown away and answered as a parse error."""

_CHUNK = 1 << 16
_log = logging.getLogger(__name__)


class Wire:
    """Make it inside a running loop."""

    def __init__(self, source: int, sink: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._outgoing: queue.SimpleQueue[tuple[bytes, asyncio.Future[None] | None]] = queue.SimpleQueue()
        self._source, self._sink = source, sink
        self._broken = False
        # Daemons: a read that never returns must not hold up the end of the process.
        threading.Thread(target=self._read, name="agent.stdin", daemon=True).start()
        threading.Thread(target=self._write, name="agent.stdout", daemon=True).start()

    async def receive(self) -> dict[str, Any] | None:
        """The next message; None at the end of input, or when nobody reads the output any more."""
        while (line := await self._lines.get()) is not None:
            if not line.strip():
                continue
            try:
                message: object = json.loads(line)
            except (ValueError, RecursionError):
                await self._refuse(-32700, "Parse error: this line is not JSON")
                continue
            if isinstance(message, dict):
                return cast("dict[str, Any]", message)
            await self._refuse(-32600, "Invalid request: a message is one JSON object a line")
        return None

    async def send(self, message: dict[str, Any]) -> None:
        """Write ``message``. Raises ConnectionError when the client closed the output."""
        if self._broken:
            raise ConnectionError("The client closed the connection")
        done: asyncio.Future[None] = self._loop.create_future()
        self._outgoing.put((_line(message), done))
        await done

    def post(self, message: dict[str, Any]) -> None:
        """Write ``message`` in its turn, without waiting; thrown away when the client closed the output."""
        if not self._broken:
            self._outgoing.put((_line(message), None))

    async def flush(self, seconds: float = 1.0) -> None:
        """Wait until everything is written, or until ``seconds`` are over: nobody may be reading."""
        done: asyncio.Future[None] = self._loop.create_future()
        self._outgoing.put((b"", done))
        await asyncio.wait([done], timeout=seconds)

    async def _refuse(self, code: int, text: str) -> None:
        """Answer what could not be read. JSON-RPC 2.0, section 5: the id is null when it is not known."""
        try:
            await self.send({"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": text}})
        except ConnectionError:
            _log.debug("nobody reads the answer to a broken line")

    def _read(self) -> None:
        rest, skipping = bytearray(), False
        while chunk := self._next_chunk():
            *lines, tail = chunk.split(b"\n")
            for line in lines:
                self._hand_over(b"{" if skipping else bytes(rest) + line)
                rest, skipping = bytearray(), False
            rest += tail
            if len(rest) > LONGEST_LINE:
                rest, skipping = bytearray(), True
        if rest and not skipping:
            self._hand_over(bytes(rest))
        self._hand_over(None)

    def _next_chunk(self) -> bytes:
        try:
            return os.read(self._source, _CHUNK)
        except OSError:
            return b""

    def _hand_over(self, line: bytes | None) -> None:
        self._call(self._lines.put_nowait, line)

    def _write(self) -> None:
        while True:
            data, done = self._outgoing.get()
            try:
                view = memoryview(data)
                while view:
                    view = view[os.write(self._sink, view) :]
            except OSError:
                self._broken = True
                if done is not None:
                    self._call(_fail, done)
                self._hand_over(None)
                continue
            if done is not None:
                self._call(_succeed, done)

    def _call(self, function: Any, argument: object) -> None:
        try:
            self._loop.call_soon_threadsafe(function, argument)
        except RuntimeError:
            _log.debug("the loop is closed; the process is ending")


def _line(message: dict[str, Any]) -> bytes:
    """One line. Lone surrogates become U+FFFD: strict readers refuse their escapes."""
    text = json.dumps(message, separators=(",", ":"))
    if "\\ud" in text:
        text = json.dumps(json.loads(scrub(json.dumps(message, ensure_ascii=False))), separators=(",", ":"))
    return text.encode() + b"\n"


def _succeed(done: asyncio.Future[None]) -> None:
    if not done.done():
        done.set_result(None)


def _fail(done: asyncio.Future[None]) -> None:
    if not done.done():
        done.set_exception(ConnectionError("The client closed the connection"))
