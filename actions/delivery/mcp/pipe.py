"""A seat's server over one connection of the local endpoint: lines of JSON-RPC both ways, as on standard input and
output.

``sayso mcp serve`` carries them between an editor and this, and needs no MCP library of its own for it.
Source: MCP 2025-11-25, transports, stdio.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from actions.delivery.mcp.server import SeatServer

MAX_LINE = 16 * 1024 * 1024
GRACE_S = 2.5
"""Seconds that answers under way have after the client ended its side: a script writes its lines and closes."""
_Read = SessionMessage | Exception


class LineTooLong(ValueError):
    """A client sent a line without end."""


async def serve_pipe(
    server: SeatServer, chunks: AsyncIterator[bytes], write: Callable[[bytes], Awaitable[None]]
) -> None:
    """Serve one client until it ends its side. Raises LineTooLong; what ``write`` raises ends it too."""
    to_server, from_client = anyio.create_memory_object_stream[_Read](0)
    to_client, from_server = anyio.create_memory_object_stream[SessionMessage](0)
    unanswered = _Unanswered()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_read, chunks, to_server, unanswered)
        tasks.start_soon(_write, from_server, write, unanswered)
        # It closes its end of both streams; by then every answer has been handed over.
        await server.run(from_client, to_client, server.create_initialization_options())


class _Unanswered:
    """The requests of a client that have no answer yet."""

    def __init__(self) -> None:
        self._ids: set[types.RequestId] = set()
        self._none = anyio.Event()

    def note(self, message: _Read) -> None:
        """A message of the client, or what was no message."""
        if isinstance(message, SessionMessage) and isinstance(message.message, types.JSONRPCRequest):
            self._ids.add(message.message.id)

    def answered(self, message: SessionMessage) -> None:
        """A message to the client was written."""
        if isinstance(message.message, types.JSONRPCResponse | types.JSONRPCError) and message.message.id is not None:
            self._ids.discard(message.message.id)
            if not self._ids:
                self._none.set()

    async def settle(self) -> None:
        """Wait until there are none, or the grace is over."""
        with anyio.move_on_after(GRACE_S):
            while self._ids:
                self._none = anyio.Event()
                await self._none.wait()


async def _read(
    chunks: AsyncIterator[bytes], to_server: MemoryObjectSendStream[_Read], unanswered: _Unanswered
) -> None:
    rest = b""
    async with to_server:
        async for chunk in chunks:
            *lines, rest = (rest + chunk).split(b"\n")
            if len(rest) > MAX_LINE:
                raise LineTooLong(f"A line has more than {MAX_LINE} bytes.")
            for line in lines:
                if line.strip():
                    message = _message(line)
                    unanswered.note(message)
                    await to_server.send(message)
        await unanswered.settle()


def _message(line: bytes) -> _Read:
    try:
        return SessionMessage(types.jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValidationError as error:
        return error  # the server passes over what is no message


async def _write(
    from_server: MemoryObjectReceiveStream[SessionMessage],
    write: Callable[[bytes], Awaitable[None]],
    unanswered: _Unanswered,
) -> None:
    async with from_server:
        async for message in from_server:
            text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
            await write(text.encode() + b"\n")
            unanswered.answered(message)
