"""All servers of a session or a workspace: started together, each on its own, none in the way of another."""

from __future__ import annotations

import asyncio
import importlib
import logging
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from actions.errors import NotFound
from actions.servers.pool.definition import ServerDefinition
from actions.servers.pool.states import CallResult, ServerRow, Snapshot, State
from actions.servers.pool.surroundings import Surroundings
from actions.tasks import TaskOwner

if TYPE_CHECKING:
    from actions.servers.pool.link import Progress
    from actions.servers.pool.login import Show
    from actions.servers.pool.server import Check, Server

_log = logging.getLogger(__name__)
Watcher = Callable[[ServerRow], None]


class Pool:
    """Connections to MCP servers. Nothing here waits for a server but a call to it.

    The library is loaded in a thread when :meth:`start` gets its first definition.
    """

    def __init__(self, surroundings: Surroundings) -> None:
        self._around = surroundings
        self._servers: dict[str, Server] = {}
        self._leaving: set[Server] = set()
        self._waiting: dict[str, ServerDefinition] = {}
        self._watchers: list[Watcher] = []
        self._tasks = TaskOwner("server pool")
        self._loading: asyncio.Task[None] | None = None
        self._closed = False

    def start(self, definitions: Iterable[ServerDefinition]) -> None:
        """Connect to these in the background, side by side; a name that is there already is left as it is.

        A pool that is closed starts nothing.
        """
        if self._closed:
            return
        for definition in definitions:
            if definition.name not in self._servers:
                self._waiting.setdefault(definition.name, definition)
        if self._waiting and self._loading is None:
            self._loading = self._tasks.start(self._load(), name="load")

    def snapshot(self) -> Snapshot | None:
        """Where all servers stand; None without servers."""
        pending = [ServerRow(name, State.PENDING) for name in self._waiting]
        rows = (*(server.row for server in self._servers.values()), *pending)
        if not rows:
            return None
        return Snapshot(
            loading=any(row.state in (State.PENDING, State.CONNECTING) for row in rows),
            connected=sum(row.state is State.CONNECTED for row in rows),
            total=len(rows),
            tools=sum(len(row.tools) for row in rows if row.state is State.CONNECTED),
            servers=rows,
        )

    async def wait_ready(self, limit: float = 3.0) -> Snapshot | None:
        """Wait until each server was tried once, at most ``limit`` seconds."""
        try:
            async with asyncio.timeout(limit):
                while self._loading is not None and not self._loading.done():
                    await asyncio.wait({self._loading})
                for server in tuple(self._servers.values()):
                    await server.tried()
        except TimeoutError:
            pass
        return self.snapshot()

    async def call(
        self,
        server: str,
        tool: str,
        arguments: dict[str, Any],
        on_progress: Progress | None = None,
        check: Check | None = None,
    ) -> CallResult:
        """Call ``tool`` of ``server``; waits for a server that connects, restarts one that died.

        Raises NotFound (no such server), CallTimeout, ServerError, and what ``check`` raises.
        """
        return await (await self._server(server)).call(tool, arguments, on_progress, check)

    async def retry(self, server: str) -> None:
        """Try a server again that is not connected, whatever it failed for; returns when that try has ended, which may
        take its connect limit. A cancel only ends the waiting. Raises NotFound.
        """
        await (await self._server(server)).retry()

    async def log_in(self, server: str, show: Show, *, limit: float = 300.0) -> ServerRow:
        """Let a person log in to ``server`` in the browser page that ``show`` opens; the row after that.

        Cancel it to give up. Raises NotFound, ServerError.
        """
        found = await self._server(server)
        await found.log_in(show, limit=limit)
        return found.row

    async def log_out(self, server: str) -> None:
        """Forget the login of ``server``. Raises NotFound."""
        await (await self._server(server)).log_out()

    def watch(self, watcher: Watcher) -> Callable[[], None]:
        """Hear of each change of a server's state or tools; gives the way to stop it."""
        self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher) if watcher in self._watchers else None

    async def remove(self, server: str) -> None:
        """End one server and forget it. Who is cancelled leaves its end to :meth:`close`."""
        self._waiting.pop(server, None)
        if (found := self._servers.pop(server, None)) is not None:
            self._leaving.add(found)
            await found.close()
            self._leaving.discard(found)

    async def close(self) -> None:
        """End all servers, with everything that they started. Safe to call again."""
        self._closed = True
        self._waiting.clear()
        await self._tasks.close()
        await asyncio.gather(*(server.close() for server in (*self._servers.values(), *self._leaving)))

    async def _load(self) -> None:
        """Load the library beside the running loop, then start what waits for it."""
        if "actions.servers.pool.server" not in sys.modules:
            await asyncio.to_thread(importlib.import_module, "actions.servers.pool.server")
            # It logs a traceback for whatever a server does wrong; that is on the server's row, without its secrets
            logging.getLogger("mcp").setLevel(logging.CRITICAL)
        from actions.servers.pool.server import Server

        while self._waiting:
            name = next(iter(self._waiting))
            server = Server(self._waiting.pop(name), self._around, self._changed)
            self._servers[name] = server
            server.start()
        self._loading = None

    async def _server(self, name: str) -> Server:
        while name in self._waiting and self._loading is not None and not self._loading.done():
            await asyncio.wait({self._loading})
        if (found := self._servers.get(name)) is None:
            known = ", ".join(self._servers) or "none"
            raise NotFound(f"There is no MCP server {name!r} here. Known: {known}.", details={"server": name})
        return found

    def _changed(self, row: ServerRow) -> None:
        for watcher in tuple(self._watchers):
            try:
                watcher(row)
            except Exception:  # noqa: BLE001 - whatever it raises is its own affair, and in the log
                # A screen that fails must not take a server's connection with it
                _log.exception("a watcher of the server %s failed", row.name)
