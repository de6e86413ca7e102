"""The byte side of an ACP connection: messages over the pipes of an agent process.

It stands in for the SDK's own line reader, because that one dies of a JSON line that is no object, loses a message
with a colour code in front of it, and leaves every call after a broken pipe waiting for ever. Notifications are handed
out here and never reach the SDK, which drops what its models do not know and starts a task for each.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Literal

from actions.sessions.stdout_filter import read_line

OnWire = Callable[[Literal["in", "out"], Mapping[str, Any]], None]


class AgentTransport:
    """Moves JSON-RPC messages over a process's stdin and stdout (satisfies the SDK's ``Transport``).

    ``on_notification`` takes every notification, in the order of the wire; requests and responses go to the SDK.
    ``on_noise`` receives every piece of stdout that is no message; ``on_end`` is called once, when stdout ended;
    ``room`` is awaited before each read and holds a flood back. ``on_wire`` sees every message, either way.
    """

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        *,
        on_notification: Callable[[dict[str, Any]], None],
        on_noise: Callable[[str], None],
        on_end: Callable[[], None] | None = None,
        room: Callable[[], Awaitable[None]] | None = None,
        on_wire: OnWire | None = None,
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._on_notification = on_notification
        self._on_noise = on_noise
        self._on_end = on_end
        self._room = room
        self._on_wire = on_wire
        self._lock = asyncio.Lock()
        self._broken = False

    async def send(self, message: dict[str, Any]) -> None:
        """Write one message. Raises ConnectionError, at once and every time, after the pipe broke."""
        data = json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace") + b"\n"
        if self._on_wire is not None:
            self._on_wire("out", message)
        async with self._lock:
            if self._broken:
                raise ConnectionError("The agent closed its input")
            try:
                self._writer.write(data)
                await self._writer.drain()
            except (OSError, RuntimeError) as error:
                self._broken = True
                raise ConnectionError("The agent closed its input") from error

    async def receive(self) -> dict[str, Any] | None:
        """The next request or response, or None at the end of the stream."""
        while True:
            if self._room is not None:
                await self._room()
            raw = await self._read_line()
            if not raw:
                break
            line = read_line(raw)
            if line.noise:
                self._on_noise(line.noise)
            if line.message is None:
                continue
            if self._on_wire is not None:
                self._on_wire("in", line.message)
            if "method" in line.message and "id" not in line.message:
                self._on_notification(line.message)
            else:
                return _with_our_id(line.message)
        if self._on_end is not None:
            on_end, self._on_end = self._on_end, None
            on_end()
        return None

    async def close(self) -> None:
        """Close the agent's stdin, which asks it to end. Never raises."""
        self._broken = True
        try:
            self._writer.close()
        except (OSError, RuntimeError):
            return

    async def _read_line(self) -> bytes:
        chunks: list[bytes] = []
        while True:
            try:
                chunks.append(await self._reader.readuntil(b"\n"))
            except asyncio.LimitOverrunError as overrun:
                chunks.append(await self._reader.readexactly(overrun.consumed))
                continue
            except asyncio.IncompleteReadError as end:
                chunks.append(end.partial)
            except OSError:
                return b""
            return b"".join(chunks)


def _with_our_id(message: dict[str, Any]) -> dict[str, Any]:
    # Ours are integers; an agent that answers with the same digits as text would leave the call waiting for ever.
    answer_id = message.get("id")
    if "method" not in message and isinstance(answer_id, str) and answer_id.isdigit():
        return {**message, "id": int(answer_id)}
    return message
