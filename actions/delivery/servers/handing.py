"""The user's servers in the words of ACP: what ``session/new`` is given (ACP 1, session setup, MCP servers)."""

from __future__ import annotations

import os
import shutil
from typing import Any

from actions.servers.pool.definition import Http, SecretSource, ServerDefinition
from actions.servers.pool.secrets import resolve


async def entry(definition: ServerDefinition, secrets: SecretSource, path: str) -> Any:
    """A model of ``acp.schema``; its secrets are in the clear, for the agent starts the server. Raises Unresolved."""
    from acp.schema import EnvVariable, HttpHeader, HttpMcpServer, McpServerStdio, SseMcpServer

    transport = definition.transport
    if isinstance(transport, Http):
        headers, _ = await resolve(transport.headers, secrets)
        given = [HttpHeader(name=name, value=value) for name, value in headers.items()]
        if transport.transport == "sse":
            return SseMcpServer(type="sse", name=definition.name, url=transport.url, headers=given)
        return HttpMcpServer(type="http", name=definition.name, url=transport.url, headers=given)
    env, _ = await resolve(transport.env, secrets)
    # The agent may have another PATH: what was looked at is what runs
    found = None if os.sep in transport.command else shutil.which(transport.command, path=path)
    return McpServerStdio(
        name=definition.name,
        command=found or transport.command,
        args=list(transport.args),
        env=[EnvVariable(name=name, value=value) for name, value in env.items()],
    )
