"""The loopback port for MCP: ``/mcp/session/<id>`` for hosted agents and ``/mcp/external`` for everyone else.

The port is opened, and the MCP library loaded, when the first agent starts or the first editor comes.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
import secrets
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import uvicorn
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from actions.catalog.spec import Surface
from actions.delivery.desk import Seat, ToolDesk
from actions.delivery.mcp.guard import bearer, misdirected
from actions.delivery.results import ResultFiles
from actions.delivery.server import HostServer
from actions.errors import HostUnavailable
from actions.tasks import TaskOwner

if TYPE_CHECKING:
    from actions.delivery.mcp.mount import Mount
    from actions.delivery.mcp.server import SeatServer

SESSION_PATH, EXTERNAL_PATH = "/mcp/session/", "/mcp/external"
_DRAIN_SECONDS = 1
_log = logging.getLogger(__name__)


class SessionKeys(Protocol):
    """Tokens of sessions."""

    def issue(self, session_id: str) -> str: ...

    def session_of(self, token: str | None) -> str | None: ...


@dataclass(frozen=True, slots=True)
class Address:
    """Where a client connects, and the token that it shows. The token belongs into a header, never into a URL."""

    url: str
    token: str = field(repr=False)


@dataclass(slots=True)
class _Guest:
    token: str
    mount: Mount


class Gateway:
    """Owns the port and a server for each seat.

    ``seat_of`` gives a session's seat, None where there is no such session (any more); ``seen`` is told what a
    session's agent did: ``(session id, "hello" | "list", client)``.
    """

    def __init__(
        self,
        desk: ToolDesk,
        keys: SessionKeys,
        seat_of: Callable[[str], Awaitable[Seat | None]],
        files: ResultFiles,
        *,
        version: str,
        seen: Callable[[str, str, str], None] = lambda session_id, what, client: None,
    ) -> None:
        self._desk = desk
        self._keys = keys
        self._seat_of = seat_of
        self._files = files
        self._version = version
        self._seen = seen
        self._tasks = TaskOwner("mcp gateway")
        self._opening: asyncio.Task[None] | None = None
        self._server: HostServer | None = None
        self._port = 0
        self._mounts: dict[str, Mount] = {}
        self._one_mount = asyncio.Lock()
        self._guests: list[_Guest] = []
        self._piped: list[SeatServer] = []
        self._closed = asyncio.Event()

    @property
    def connected(self) -> int:
        """How many editors are connected: a host with any of them stays."""
        return len(self._guests) + len(self._piped)

    async def closing(self) -> None:
        """Return when the host takes no more requests: whoever holds a connection of it open lets go then."""
        await self._closed.wait()

    def warm(self) -> None:
        """Begin to open the port, in the background; harmless when it is open."""
        with contextlib.suppress(HostUnavailable):  # whoever needs it is told
            self._begin()

    async def port(self) -> int:
        """The port, once it serves. Raises HostUnavailable when the host is closing or no port can be had."""
        await asyncio.shield(self._begin())
        return self._port

    async def address(self, session_id: str) -> Address:
        """The endpoint of a session and its token. Who connects before it serves waits for that; an agent's start does
        not. Raises HostUnavailable as :meth:`port`.
        """
        self._begin()
        return Address(f"http://127.0.0.1:{self._port}{SESSION_PATH}{session_id}", self._keys.issue(session_id))

    async def admit(self, seat: Seat) -> Address:
        """An external endpoint for a seat, good until :meth:`dismiss`."""
        port = await self.port()
        token = secrets.token_urlsafe(32)
        self._guests.append(_Guest(token, await self._mount(seat, lambda what, client: None)))
        return Address(f"http://127.0.0.1:{port}{EXTERNAL_PATH}", token)

    async def dismiss(self, address: Address) -> None:
        """End an external endpoint."""
        for guest in [guest for guest in self._guests if guest.token == address.token]:
            self._guests.remove(guest)
            await guest.mount.close()

    async def new_server(self, seat: Seat) -> SeatServer:
        """A server for a seat that is served elsewhere; give it back with :meth:`forget_server`."""
        await self.port()
        session_id = seat.caller.session_id if seat.surface is Surface.SESSION_AGENT else None
        server = self._make(seat, self._teller(session_id) if session_id else lambda what, client: None)
        self._piped.append(server)
        return server

    def forget_server(self, server: SeatServer) -> None:
        self._piped.remove(server)

    def tools_changed(self) -> None:
        """Tell every client, in the background, that its tools may be others now."""
        servers = [mount.server for mount in (*self._mounts.values(), *(guest.mount for guest in self._guests))]
        for server in (*servers, *self._piped):
            self._tasks.start(server.tools_changed(), name="tools changed")

    async def close_session(self, session_id: str) -> None:
        """End the streams of a session whose agent has ended."""
        if (mount := self._mounts.pop(session_id, None)) is not None:
            await mount.close()

    async def close(self) -> None:
        """Take no more requests and end every stream."""
        self._closed.set()
        if self._server is not None:
            self._server.should_exit = True
        for mount in (*self._mounts.values(), *(guest.mount for guest in self._guests)):
            await mount.close()
        self._mounts.clear()
        self._guests.clear()
        await self._tasks.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The ASGI app of the port."""
        if scope["type"] != "http":
            return
        if (status := misdirected(scope, self._port)) is not None:
            await _refuse(status, "This address is not for you.")(scope, receive, send)
            return
        mount = await self._mount_for(scope)
        if mount is None:
            # The same for a wrong token and for a session that does not exist: nobody learns which there are.
            await _refuse(401, "Show the session's token as a bearer token.")(scope, receive, send)
            return
        await mount.handle(scope, receive, send)

    async def _mount_for(self, scope: Scope) -> Mount | None:
        path, token = str(scope["path"]), bearer(scope)
        if token is None:
            return None
        if path == EXTERNAL_PATH:
            found = [guest for guest in self._guests if hmac.compare_digest(guest.token, token)]
            return found[0].mount if found else None
        if not path.startswith(SESSION_PATH):
            return None
        session_id = path.removeprefix(SESSION_PATH)
        return await self._session_mount(session_id) if self._keys.session_of(token) == session_id else None

    async def _session_mount(self, session_id: str) -> Mount | None:
        if (mount := self._mounts.get(session_id)) is not None:
            return mount
        async with self._one_mount:
            if (mount := self._mounts.get(session_id)) is None and (
                seat := await self._seat_of(session_id)
            ) is not None:
                mount = self._mounts[session_id] = await self._mount(seat, self._teller(session_id))
        return mount

    def _teller(self, session_id: str) -> Callable[[str, str], None]:
        return lambda what, client: self._seen(session_id, what, client)

    async def _mount(self, seat: Seat, seen: Callable[[str, str], None]) -> Mount:
        from actions.delivery.mcp.mount import Mount

        mount = Mount(self._make(seat, seen))
        await mount.open()
        return mount

    def _make(self, seat: Seat, seen: Callable[[str, str], None]) -> SeatServer:
        from actions.delivery.mcp.server import SeatServer

        return SeatServer(self._desk, seat, self._files, version=self._version, seen=seen)

    def _begin(self) -> asyncio.Task[None]:
        """Listen, and give the task that makes ready to serve."""
        if self._closed.is_set():
            raise HostUnavailable("The host is closing.")
        if self._opening is None:
            try:
                listening = _listen()
            except OSError as error:
                message = f"No port for MCP can be opened on 127.0.0.1: {error.strerror or error}."
                raise HostUnavailable(message) from error
            self._port = int(listening.getsockname()[1])
            self._opening = self._tasks.start(self._open(listening), name="open")
        return self._opening

    async def _open(self, listening: socket.socket) -> None:
        try:
            await asyncio.to_thread(self._load)
        except BaseException:
            listening.close()
            raise
        config = uvicorn.Config(
            self, ws="none", lifespan="off", loop="none", log_config=None, access_log=False,
            timeout_keep_alive=30, timeout_graceful_shutdown=_DRAIN_SECONDS,
        )  # fmt: skip
        self._server = HostServer(config)
        self._tasks.start(self._server.serve([listening]), name="serve")
        while not self._server.started:  # noqa: ASYNC110 - uvicorn offers no event for it
            await asyncio.sleep(0.002)

    def _load(self) -> None:
        """In a thread: loading the library and making the schemas would hold the host up for a second."""
        import actions.delivery.mcp.mount  # noqa: F401  # pyright: ignore[reportUnusedImport]

        self._desk.prepare()


def _listen() -> socket.socket:
    """A port of the kernel's choice, on which connections wait from now on. Raises OSError."""
    # With its protocol named, asyncio switches Nagle's algorithm off, which would cost 40 ms an answer.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.bind(("127.0.0.1", 0))
        listening.listen(128)
    except OSError:
        listening.close()
        raise
    return listening


def _refuse(status: int, message: str) -> JSONResponse:
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else None
    return JSONResponse({"error": message}, status_code=status, headers=headers)
