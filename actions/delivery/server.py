"""Serving the local endpoint on a Unix socket, with the kernel's word on who connects."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import Generator
from pathlib import Path
from typing import Any

import uvicorn
from starlette.requests import Request
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from actions.delivery.peers import look_at, peer_pid
from actions.policy.presence import Peer

DRAIN_SECONDS = 1


class _PeerProtocol(H11Protocol):
    """Looks at the peer when it connects, while it is certainly there, and passes what it saw to the app."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        connection = transport.get_extra_info("socket")
        pid = peer_pid(connection) if connection is not None else None
        self.app = _with_peer(self.app, look_at(pid))


def _with_peer(app: Any, peer: Peer) -> Any:
    async def call(scope: Any, receive: Any, send: Any) -> None:
        scope["sayso.peer"] = peer
        await app(scope, receive, send)

    return call


def peer_of(request: Request) -> Peer:
    """What the server saw of the process behind a request; an unknown peer where it saw nothing."""
    return request.scope.get("sayso.peer") or Peer(None)


class LocalServer:
    """Serves an app on a Unix socket (mode 0600) until it is stopped."""

    def __init__(self, app: ASGIApp, socket_file: Path) -> None:
        self._socket_file = socket_file
        config = uvicorn.Config(
            app, http=_PeerProtocol, ws="none", lifespan="off", loop="none", log_config=None, access_log=False,
            timeout_keep_alive=30, timeout_graceful_shutdown=DRAIN_SECONDS,
        )  # fmt: skip
        self._server = HostServer(config)
        self._socket: socket.socket | None = None

    async def start(self) -> asyncio.Task[None]:
        """Bind and serve; returns the serving task once connections are taken. The caller owns the task.

        Raises OSError where the socket cannot be made.
        """
        self._socket = _bind(self._socket_file)
        task = asyncio.get_running_loop().create_task(self._server.serve([self._socket]), name="delivery.server")
        while not self._server.started:
            if task.done():
                await task
                raise OSError("the server ended before it started")
            await asyncio.sleep(0.005)
        return task

    def stop(self) -> None:
        """Take no more connections and end the open ones after a short while."""
        self._server.should_exit = True

    def remove(self) -> None:
        """Take the socket file away, if it is still ours."""
        if self._socket is not None:
            self._socket.close()
            self._socket_file.unlink(missing_ok=True)


class HostServer(uvicorn.Server):
    """uvicorn without its signal handlers."""

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:  # signals are the host's
        yield


def _bind(file: Path) -> socket.socket:
    """A listening socket. The home's lock is held, so a file that is there is left over from a host that died."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    file.unlink(missing_ok=True)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)
    try:
        listening.bind(str(file))
    except OSError:
        listening.close()
        raise
    finally:
        os.umask(before)
    listening.setblocking(False)
    return listening
