"""Real MCP clients of an endpoint."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

from actions.delivery.mcp.gateway import Address


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@asynccontextmanager
async def connected(address: Address, *, modern: bool = False, **more: Any) -> AsyncIterator[ClientSession]:
    """The library's own client, in the handshake era or the stateless one."""
    async with (
        httpx2.AsyncClient(headers=bearer(address.token), timeout=30) as client,
        streamable_http_client(address.url, http_client=client, max_sse_event_size=2**24) as streams,
        ClientSession(*streams, **more) as session,
    ):
        await (session.discover() if modern else session.initialize())
        yield session
