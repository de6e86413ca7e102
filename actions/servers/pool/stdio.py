"""MCP messages over a server's standard input and output (MCP, "stdio" transport).

Unlike the library's own transport it survives what servers do wrong: lines that are no message are flagged and skipped,
an answer that cannot be read fails its own call only, and bytes that are no UTF-8 cost a character, not the connection.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, cast

import anyio
from mcp.client._transport import TransportStreams
from mcp.shared.message import SessionMessage
from mcp_types import PARSE_ERROR, ErrorData, JSONRPCError, jsonrpc_message_adapter

from actions.servers.pool.process import Process

MESSAGE_LIMIT = 64 * 1024 * 1024
_CHUNK = 256 * 1024


@asynccontextmanager
async def stdio_streams(process: Process, *, noise: Callable[[str], None]) -> AsyncGenerator[TransportStreams]:
    """The streams of a session with ``process``; they close when the server ends or closes its output.

    ``noise`` gets each line on stdout that is no message. Ending the process is left to its owner.
    """
    incoming_writer, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, outgoing_reader = anyio.create_memory_object_stream[SessionMessage](0)

    async def read() -> None:
        try:
            async with incoming_writer:
                async for line in _lines(process, noise):
                    if (message := _message(line, noise)) is not None:
                        await incoming_writer.send(message)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            return  # the session is gone

    async def write() -> None:
        async with outgoing_reader:
            async for item in outgoing_reader:
                text = item.message.model_dump_json(by_alias=True, exclude_unset=True)
                try:
                    process.stdin.write(text.encode() + b"\n")
                    await process.stdin.drain()
                except (OSError, RuntimeError):
                    # Nobody will answer any more: let the waiting requests know
                    await incoming_writer.aclose()
                    return

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(read)
        tasks.start_soon(write)
        try:
            yield incoming, outgoing
        finally:
            tasks.cancel_scope.cancel()
            incoming.close()
            outgoing.close()


async def _lines(process: Process, noise: Callable[[str], None]) -> AsyncIterator[bytes]:
    """Whole lines; one that grows past the limit ends the stream, for what follows would be garbage."""
    parts: list[bytes] = []
    size = 0
    while chunk := await process.stdout.read(_CHUNK):
        *lines, rest = chunk.split(b"\n")
        for line in lines:
            yield b"".join((*parts, line))
            parts, size = [], 0
        if rest:
            parts.append(rest)
            size += len(rest)
        if size > MESSAGE_LIMIT:
            noise(f"(a message of more than {MESSAGE_LIMIT // 2**20} MiB)")
            return
    if parts:
        noise(b"".join(parts)[:500].decode("utf-8", "replace"))


def _message(line: bytes, noise: Callable[[str], None]) -> SessionMessage | None:
    line = line.strip()
    if not line:
        return None
    text = line.decode("utf-8", "replace")
    try:
        return SessionMessage(jsonrpc_message_adapter.validate_json(text, by_name=False))
    except ValueError as error:
        if (failed := _failed_answer(text, error)) is not None:
            return failed
    noise(text[:500])
    return None


def _failed_answer(text: str, error: ValueError) -> SessionMessage | None:
    """An error in place of an answer that cannot be read, so that its caller need not wait for the limit."""
    if not text.startswith("{"):
        return None
    try:
        content: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(content, dict):
        return None
    answer = cast("dict[str, Any]", content)
    identity = answer.get("id")
    if not isinstance(identity, int | str) or isinstance(identity, bool) or "method" in answer:
        return None
    why = str(error).splitlines()[0]
    data = ErrorData(code=PARSE_ERROR, message=f"The server's answer could not be read: {why}")
    return SessionMessage(JSONRPCError(jsonrpc="2.0", id=identity, error=data))
