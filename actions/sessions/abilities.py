"""What the agent of a provider takes of the user's MCP servers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from actions.servers.offer.ways import Ability
from actions.sessions.mcp_transport import transports
from actions.sessions.provider import Provider
from actions.sessions.tool_delivery import way_of


def ability_of(provider: Provider, capabilities: Mapping[str, Any]) -> Ability:
    """``capabilities`` are what it said in ``initialize``; before it was ever started (none) its row is believed."""
    ways = transports(provider, capabilities) if capabilities else provider.mcp
    delivery = way_of(provider, capabilities)
    if delivery == "native_mcp" and not {"http", "stdio"} & set(ways):
        delivery = "shell_bridge" if provider.bridge_works else "none"
    return Ability(provider.id, provider.name, delivery, ways)
