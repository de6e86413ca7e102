"""The MCP servers of ``session/new`` as definitions of the pool (ACP 1, "Session Setup")."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from actions.agent.acp.requests import HttpServer, Server

if TYPE_CHECKING:
    from actions.servers.pool.definition import ServerDefinition


def servers_of(given: Sequence[Server] | None) -> tuple[ServerDefinition, ...]:
    """The servers as the pool knows them. Every value is a secret to us: clients put tokens into headers and into the
    environment.
    """
    if not given:
        return ()
    from actions.servers.pool.definition import Http, ServerDefinition, Stdio
    from actions.storage.secrets import Secret

    def definition(server: Server) -> ServerDefinition:
        if isinstance(server, HttpServer):
            headers = {header.name: Secret(header.value) for header in server.headers}
            return ServerDefinition(server.name, Http(server.url, headers, server.type))
        env = {variable.name: Secret(variable.value) for variable in server.env}
        return ServerDefinition(server.name, Stdio(server.command, server.args, env))

    return tuple(definition(server) for server in given)
