"""Which way an agent is given an MCP server: what its row prefers, of what it says that it takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from actions.sessions.provider import Provider, Transport


def transports(provider: Provider, capabilities: Mapping[str, Any]) -> tuple[Transport, ...]:
    """The transports to use, best first; () for an agent that takes none.

    Every agent has to take stdio (ACP 1, session setup), so that is not advertised; rows leave it out for the agents
    that accept such a server and drop it. http and sse are taken only where ``initialize`` advertises them.
    """
    offered = cast("dict[str, Any]", capabilities.get("mcpCapabilities") or {})
    return tuple(way for way in provider.mcp if way == "stdio" or offered.get(way))
