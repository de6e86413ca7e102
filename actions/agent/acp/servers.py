"""The MCP servers of ``session/new`` as definitions of the pool (ACP 1, "Session Setup")."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from actions.servers.pool.definition import ServerDefinition


def servers_of(given: Sequence[Any] | None) -> tuple[ServerDefinition, ...]:
    """The servers (SDK models) that can be reached; one of an unknown transport is left out.

    Every value is a secret to us: a client puts tokens into headers and into the environment.
    """
    if not given:
        return ()
    from actions.servers.pool.definition import Http, ServerDefinition, Stdio
    from actions.storage.secrets import Secret

    found: list[ServerDefinition] = []
    for server in given:
        kind = getattr(server, "type", "stdio") or "stdio"
        if kind in ("http", "sse"):
            headers = {header.name: Secret(header.value) for header in server.headers or ()}
            found.append(ServerDefinition(server.name, Http(str(server.url), headers, kind)))
        elif kind == "stdio":
            env = {variable.name: Secret(variable.value) for variable in server.env or ()}
            found.append(ServerDefinition(server.name, Stdio(server.command, tuple(server.args or ()), env)))
    return tuple(found)
