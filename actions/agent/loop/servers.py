"""The MCP servers of a session: one pool, and its tools in every toolset. Nothing here is loaded without a server."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AsyncExitStack

from actions.agent.loop.screen import Screen
from actions.agent.tools.needs import Spool, Workspace
from actions.agent.toolset.dispatch import Toolset
from actions.servers.pool.definition import ServerDefinition
from actions.servers.pool.eras import Eras
from actions.servers.pool.pool import Pool
from actions.servers.pool.states import ServerRow, State
from actions.servers.pool.surroundings import Surroundings
from actions.storage.paths import Paths
from actions.storage.secrets import Secret, SecretStore, open_secret_store


class SessionServers:
    """Servers connect in the background; a failed one is a notice, never an error of a turn."""

    def __init__(
        self,
        definitions: tuple[ServerDefinition, ...],
        *,
        paths: Paths,
        workspace: Workspace,
        spool: Spool,
        screen: Screen,
        stack: AsyncExitStack,
    ) -> None:
        self._definitions, self._spool = definitions, spool
        self._pool: Pool | None = None
        if not definitions:
            return
        store: list[SecretStore] = []

        def opened() -> SecretStore:
            store[:] = store or [open_secret_store(paths)]
            return store[0]

        def secret(name: str) -> Secret | None:
            return opened().get(name)

        around = Surroundings(
            dict(os.environ),
            secret,
            tokens=opened,
            cwd=workspace.root,
            logs=paths.logs / "mcp",
            roots=(workspace.root, *workspace.extra),
            eras=Eras(paths.cache / "mcp-eras.json"),
        )
        self._pool = Pool(around)
        self._notice = screen.notice
        stack.push_async_callback(self._pool.close)
        self._pool.watch(_teller(screen.notice))

    def start(self) -> None:
        """Begin to connect."""
        if self._pool is not None:
            self._pool.start(self._definitions)

    def manage(self, toolset: Toolset) -> None:
        """Put the command `/mcp` into the session's own toolset, hidden from the model."""
        if self._pool is not None:
            from actions.agent.mcp.manage import McpServers

            tool = McpServers(self._pool, self._notice)
            toolset.add(tool, "builtin")
            toolset.hide(tool.name)

    def fill(self, toolset: Toolset, stack: AsyncExitStack) -> None:
        """Keep the tools of the servers in ``toolset``, as they come and go."""
        if self._pool is not None:
            from actions.agent.mcp.tools import McpTools

            stack.callback(McpTools(self._pool, toolset, spool=self._spool).close)

    async def ready(self, limit: float) -> None:
        """Wait until every server was tried, at most ``limit`` seconds; later ones join at the next step."""
        if self._pool is not None:
            await self._pool.wait_ready(limit)


def _teller(notice: Callable[[str], None]) -> Callable[[ServerRow], None]:
    """Says once for each state that a server is not there, and why."""
    told: dict[str, State] = {}

    def tell(row: ServerRow) -> None:
        if told.get(row.name) is row.state:
            return
        told[row.name] = row.state
        why = f": {row.failure.message}" if row.failure else "."
        if row.state is State.FAILED:
            notice(f"The MCP server {row.name} is not available{why}")
        elif row.state is State.UNAUTHORIZED:
            notice(f"The MCP server {row.name} wants a login first, `/mcp login {row.name}`{why}")

    return tell
