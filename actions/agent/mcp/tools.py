"""Keeps a toolset in step with the servers of a pool: tools come and go while the agent works."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from actions.agent.mcp.tool import McpTool
from actions.agent.tools.needs import Spool
from actions.agent.toolset.tool import Origin, Tool
from actions.catalog.spec import Effect
from actions.servers.pool.naming import tool_name
from actions.servers.pool.pool import Pool
from actions.servers.pool.states import ServerRow, State, ToolInfo

EffectOf = Callable[[str, ToolInfo], Effect]
"""The settled effect of a server's tool. The annotations of a server settle nothing."""


class Shelf(Protocol):
    """The part of a toolset that is needed here."""

    def add(self, tool: Tool, origin: Origin) -> bool: ...

    def remove(self, name: str) -> bool: ...

    def find(self, name: str) -> Tool | None: ...


def _external(server: str, tool: ToolInfo) -> Effect:
    return Effect.EXTERNAL


class McpTools:
    """The tools of a pool's servers in one toolset (the agent's own, or a subagent's).

    They are added as servers connect and taken away when a server no longer lists them. The tools of a server that died
    stay: a call starts it again. Give it up with :meth:`close`.
    """

    def __init__(
        self, pool: Pool, toolset: Shelf, *, spool: Spool | None = None, effect_of: EffectOf = _external
    ) -> None:
        self._pool = pool
        self._toolset = toolset
        self._spool = spool
        self._effect_of = effect_of
        self._held: dict[tuple[str, str], McpTool] = {}
        self._stop = pool.watch(self._changed)
        if (snapshot := pool.snapshot()) is not None:
            for row in snapshot.servers:
                self._changed(row)

    def origin(self, name: str) -> tuple[str, str] | None:
        """Server and tool behind a name that the model used."""
        return next((key for key, tool in self._held.items() if tool.name == name), None)

    def close(self) -> None:
        """Hear of no more changes; the tools stay where they are."""
        self._stop()

    def _changed(self, row: ServerRow) -> None:
        listed = {} if row.state is State.CLOSED else {tool.name: tool for tool in row.tools}
        for key in [key for key in self._held if key[0] == row.name]:
            if self._held[key].info is not listed.get(key[1]) and self._held[key].info != listed.get(key[1]):
                self._toolset.remove(self._held.pop(key).name)
        # A tool whose name needs no change goes first: another that becomes the same name then gives way
        for tool in sorted(listed.values(), key=lambda tool: tool_name("", tool.name) != f"__{tool.name}"):
            if (row.name, tool.name) not in self._held:
                self._add(row.name, tool)

    def _add(self, server: str, info: ToolInfo) -> None:
        name = tool_name(server, info.name, lambda name: self._toolset.find(name) is not None)
        tool = McpTool(name, server, info, self._pool, spool=self._spool, effect=self._effect_of(server, info))
        if self._toolset.add(tool, "mcp"):
            self._held[server, info.name] = tool
