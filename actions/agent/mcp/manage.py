"""The command `/mcp`: where the servers of this session stand, try one again, log in to one or out."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any, Literal

from pydantic import BaseModel, Field

from actions.agent.toolset.asking import Ask, Scope
from actions.agent.toolset.results import ErrorClass, TextDisplay, ToolFailure, ToolResult
from actions.agent.toolset.tool import TypedTool
from actions.catalog.spec import Effect
from actions.errors import SaysoError
from actions.servers.pool.hidden import visible
from actions.servers.pool.pool import Pool
from actions.servers.pool.states import ServerRow, State

_RETRY_WAIT = 10.0
"""Seconds until the state is told as it is; a slow server goes on in the background."""
_Does = Literal["status", "retry", "login", "logout"]


class ManageParams(BaseModel):
    """What to do, and to which server."""

    does: _Does = "status"
    server: str = Field(default="", description="Name of the server; not needed for status")


class McpServers(TypedTool[ManageParams]):
    """Hidden from the model: it is the person's way to the servers, from any client."""

    name = "McpServers"
    description = "Shows the MCP servers of this session, tries one again, logs in to one or out."
    params = ManageParams
    parameters = ManageParams.model_json_schema()
    effect = Effect.EXTERNAL
    kind = "other"

    def __init__(self, pool: Pool, notice: Callable[[str], None]) -> None:
        self._pool = pool
        self._notice = notice

    def effect_of(self, arguments: ManageParams) -> Effect:
        return Effect.NONE if arguments.does == "status" else Effect.EXTERNAL

    async def prepare(self, arguments: ManageParams) -> Ask:
        words = {"retry": "Connect again to", "login": "Log in to", "logout": "Forget the login of"}
        summary = f"{words.get(arguments.does, 'Show')} the MCP server {visible(arguments.server)}"
        return Ask(summary=summary, scope=Scope("tool", ""), preview=(TextDisplay(summary),))

    async def run(self, params: ManageParams) -> ToolResult:
        """A table of all servers, or of the one that was changed."""
        if params.does != "status" and not params.server:
            raise ToolFailure(f"Name the server: `/mcp {params.does} NAME`.", error=ErrorClass.INVALID_INPUT)
        try:
            if params.does == "retry":
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._pool.retry(params.server), _RETRY_WAIT)
            elif params.does == "login":
                await self._pool.log_in(params.server, self._show)
            elif params.does == "logout":
                await self._pool.log_out(params.server)
        except SaysoError as error:
            raise ToolFailure(error.message) from error
        snapshot = self._pool.snapshot()
        rows = () if snapshot is None else snapshot.servers
        return ToolResult("\n".join(told(row) for row in rows if params.server in ("", row.name)))

    async def _show(self, url: str) -> None:
        self._notice(f"Open this page to log in, and come back when it says that you are logged in: {url}")


def read_arguments(rest: str) -> dict[str, Any]:
    """What follows `/mcp`: nothing, or what to do and the server's name."""
    does, _, server = rest.partition(" ")
    return {"does": does or "status", "server": server.strip()}


def told(row: ServerRow) -> str:
    """One server in words: its state, its tools, what is wrong with it and what to do."""
    head = f"- {row.name}: {row.state.value}"
    if row.state is State.CONNECTED:
        head += f", {len(row.tools)} tools"
    lines = [head]
    if row.failure is not None:
        lines.append(f"  {row.failure.message}")
        way = "login" if row.failure.login else "retry"
        lines.append(f"  Way out: `/mcp {way} {row.name}`")
        if row.failure.tail:
            lines += ["  Its last words:", *(f"    {line}" for line in row.failure.tail.splitlines()[-5:])]
    lines += [f"  Left out: {visible(tool.name)[:80]}, {tool.reason}." for tool in row.skipped[:10]]
    lines += [f"  {warning}" for warning in row.warnings]
    return "\n".join(lines)
