"""What `sayso mcp serve` connects to on the local endpoint: a pipe for MCP, or a lease of the external HTTP endpoint.

Both last as long as their connection, so that nothing is left of a command that was killed.
"""

from __future__ import annotations

import asyncio
import json
import logging
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from actions.delivery.desk import Seat
from actions.delivery.mcp.gateway import Gateway
from actions.errors import SaysoError

SeatFor = Callable[[Request], Awaitable[Seat]]
"""Who a request of the local endpoint is from. Raises SaysoError, for a session that does not exist."""
_log = logging.getLogger(__name__)


def local_routes(gateway: Gateway, seat_for: SeatFor) -> list[BaseRoute]:
    """``POST /mcp/stdio``: lines of JSON-RPC in the body, lines in the answer. ``GET /mcp/http``: url and token."""
    return [Route("/mcp/stdio", _Pipe(gateway, seat_for)), Route("/mcp/http", _Lease(gateway, seat_for))]


class _Endpoint(ABC):
    def __init__(self, gateway: Gateway, seat_for: SeatFor) -> None:
        self._gateway = gateway
        self._seat_for = seat_for

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            seat = await self._seat_for(Request(scope))
            await self.serve(seat, receive, send)
        except SaysoError as error:
            answer = JSONResponse({"ok": False, "error": error.as_json()}, status_code=409)
            await answer(scope, receive, send)

    @abstractmethod
    async def serve(self, seat: Seat, receive: Receive, send: Send) -> None:
        """Answer a request whose caller is known."""


class _Pipe(_Endpoint):
    async def serve(self, seat: Seat, receive: Receive, send: Send) -> None:
        server = await self._gateway.new_server(seat)
        from actions.delivery.mcp.pipe import LineTooLong, serve_pipe

        try:
            await _start(send, b"application/octet-stream")
            piped = serve_pipe(server, _body(receive), lambda line: _more(send, line))
            await _whichever_ends(piped, self._gateway.closing())
        except* (OSError, LineTooLong) as gone:
            _log.info("an editor's connection broke off: %s", gone.exceptions[0])
        finally:
            self._gateway.forget_server(server)
        await _end(send)


class _Lease(_Endpoint):
    async def serve(self, seat: Seat, receive: Receive, send: Send) -> None:
        address = await self._gateway.admit(seat)
        try:
            await _start(send, b"application/x-ndjson")
            document = {"ok": True, "kind": "mcp", "data": {"url": address.url, "token": address.token}}
            await _more(send, json.dumps(document).encode() + b"\n")
            await _whichever_ends(_disconnected(receive), self._gateway.closing())
        finally:
            await self._gateway.dismiss(address)
        await _end(send)


async def _whichever_ends(*endings: Coroutine[Any, Any, None]) -> None:
    """Run all until one of them ends, and give up the others. Raises what they raise, as a group."""
    async with asyncio.TaskGroup() as tasks:
        started = [tasks.create_task(ending) for ending in endings]
        await asyncio.wait(started, return_when=asyncio.FIRST_COMPLETED)
        for other in started:
            other.cancel()


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _body(receive: Receive) -> AsyncIterator[bytes]:
    while (message := await receive())["type"] == "http.request":
        yield message.get("body", b"")
        if not message.get("more_body", False):
            return


async def _start(send: Send, kind: bytes) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", kind)]})


async def _more(send: Send, content: bytes) -> None:
    await send({"type": "http.response.body", "body": content, "more_body": True})


async def _end(send: Send) -> None:
    await send({"type": "http.response.body", "body": b"", "more_body": False})
