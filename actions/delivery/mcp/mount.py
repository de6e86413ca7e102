"""A seat's server over streamable HTTP, from its first request until it is closed."""

from __future__ import annotations

import asyncio

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.types import Receive, Scope, Send

from actions.delivery.mcp.server import SeatServer
from actions.tasks import TaskOwner

MAX_BODY = 4 * 1024 * 1024
"""Bytes of a request; a larger one is refused with 413."""
IDLE_S = 7 * 24 * 3600.0
"""Seconds after which a client that says nothing is forgotten. Many clients do not begin anew after that, and an agent
may well wait for its person over a weekend."""
MOST_CLIENTS = 1000


class Mount:
    """Serves one server to any number of HTTP clients of its seat. Call :meth:`open` first."""

    def __init__(self, server: SeatServer) -> None:
        self.server = server
        self._manager = StreamableHTTPSessionManager(
            server, max_request_body_size=MAX_BODY, session_idle_timeout=IDLE_S, max_sessions=MOST_CLIENTS
        )
        self._tasks = TaskOwner("mcp mount")
        self._ready = asyncio.Event()
        self._end = asyncio.Event()

    async def open(self) -> None:
        """Return when requests can be handled."""
        self._tasks.start(self._run(), name="run")
        await self._ready.wait()

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One HTTP request, already let in."""
        await self._manager.handle_request(scope, receive, send)

    async def close(self) -> None:
        """End every session and stream."""
        self._end.set()
        await self._tasks.close()

    async def _run(self) -> None:
        async with self._manager.run():  # entered and left in one task, as its task group wants
            self._ready.set()
            await self._end.wait()
