"""How the agent of a session gets our tools: over MCP, or by a command in its shell.

The row of its provider decides, and where that says nothing, what the agent itself offers in ``initialize``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, cast

from actions.sessions.mcp_transport import transports
from actions.sessions.provider import Provider, Transport

Way = Literal["native_mcp", "shell_bridge", "none"]
SERVER = "sayso"
"""The name of our MCP server in every agent."""


class Address(Protocol):
    """An MCP endpoint over HTTP, and the token for it."""

    @property
    def url(self) -> str: ...

    @property
    def token(self) -> str: ...


class Endpoints(Protocol):
    """Opens the MCP endpoint of a session, and ends what is left of its connections. ``warm`` begins to make ready."""

    def warm(self) -> None: ...

    async def address(self, session_id: str, /) -> Address: ...

    async def close_session(self, session_id: str, /) -> None: ...


@dataclass(frozen=True, slots=True)
class Delivered:
    """What an agent is given: MCP servers for its session (models of ``acp.schema``), or words for its first prompt."""

    way: Way
    session_id: str = ""
    transport: Transport | None = None
    servers: tuple[Any, ...] = ()
    appendix: str = ""
    note: str | None = None
    """Why it is another way than the row says, for a person."""


NOTHING = Delivered("none")
_OURS: tuple[Transport, ...] = ("http", "stdio")
"""How our server can be reached; SSE is of the past."""


class ToolDelivery:
    """Hands our tools to agents. ``appendix`` tells of the command; ``variables`` are those by which a command of ours
    knows its session.
    """

    def __init__(
        self,
        endpoints: Callable[[], Endpoints],
        appendix: Callable[[], str],
        variables: Callable[[str], Mapping[str, str]],
    ) -> None:
        self._endpoints = endpoints
        self._appendix = appendix
        self._variables = variables

    def prepare(self, provider: Provider) -> None:
        """While the agent starts: have ready in time what it will probably be given."""
        if way_of(provider, {}) == "native_mcp":
            self._endpoints().warm()

    async def to(self, provider: Provider, capabilities: Mapping[str, Any], session_id: str) -> Delivered:
        """What this agent is given for a session. Raises HostUnavailable when no endpoint can be opened."""
        way = way_of(provider, capabilities)
        if way == "none":
            return Delivered(way, session_id)
        if way == "shell_bridge":
            return Delivered(way, session_id, appendix=self._appendix())
        offered = transports(provider, capabilities)
        transport: Transport | None = next((which for which in offered if which in _OURS), None)
        if transport is None:
            none = f"{provider.name} takes no MCP server that Sayso could give it"
            if not provider.bridge_works:
                return Delivered("none", session_id, note=f"{none}; it works without the tools of Sayso.")
            note = f"{none}; it gets the tools of Sayso in its shell."
            return Delivered("shell_bridge", session_id, appendix=self._appendix(), note=note)
        server = await self._over_http(session_id) if transport == "http" else self._over_stdio(session_id)
        return Delivered(way, session_id, transport, (server,))

    async def take_back(self, delivered: Delivered) -> None:
        """After the end of the agent: nothing of its connections stays."""
        if delivered.transport == "http":
            await self._endpoints().close_session(delivered.session_id)

    async def _over_http(self, session_id: str) -> Any:
        from acp.schema import HttpHeader, HttpMcpServer

        address = await self._endpoints().address(session_id)
        bearer = HttpHeader(name="Authorization", value=f"Bearer {address.token}")
        # Always a list of headers: Kiro ends, with code 0, where an entry has none (reported in public).
        return HttpMcpServer(type="http", name=SERVER, url=address.url, headers=[bearer])

    def _over_stdio(self, session_id: str) -> Any:
        from acp.schema import EnvVariable, McpServerStdio

        variables = {**self._variables(session_id), "SAYSO_SESSION_ID": session_id}
        return McpServerStdio(
            name=SERVER,
            command=sys.executable,
            args=["-P", "-m", "actions.cli.main", "mcp", "serve"],
            env=[EnvVariable(name=name, value=value) for name, value in variables.items()],
        )


def way_of(provider: Provider, capabilities: Mapping[str, Any]) -> Way:
    """How an agent gets our tools: as its row says, else natively where it offers MCP, else by its shell.

    Before the agent was ever started (no ``capabilities``) the native way is assumed.
    """
    if provider.delivery is not None:
        return provider.delivery
    offers = cast("dict[str, Any]", capabilities.get("mcpCapabilities") or {})
    native = not capabilities or any(offers.get(which) for which in ("http", "sse")) or not provider.bridge_works
    return "native_mcp" if native else "shell_bridge"
