"""MCP messages over HTTP, with the status that the library drops kept beside each request."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from time import time

import httpx2
from mcp.client._transport import TransportStreams
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client

from actions.servers.pool.definition import Http

SSE_EVENT_LIMIT = 32 * 1024 * 1024
_TIMEOUT = httpx2.Timeout(30.0, read=None)  # how long an answer may take is said by the limits of the server


@dataclass(slots=True)
class Trace:
    """The last response that one request met: the transport runs each POST in the context of who sent it."""

    status: int | None = None
    challenge: str = ""
    retry_after: float | None = None
    content_type: str = ""


trace: ContextVar[Trace | None] = ContextVar("trace", default=None)
"""Set it before a request and read it after."""


@asynccontextmanager
async def http_streams(
    http: Http, headers: Mapping[str, str], auth: httpx2.Auth | None = None
) -> AsyncGenerator[TransportStreams]:
    """The streams of a session with the server at ``http.url``."""
    if http.transport == "sse":
        async with sse_client(
            http.url, dict(headers), 30.0, 3600.0, httpx_client_factory=_client, auth=auth
        ) as streams:
            yield streams
        return
    async with (
        _client(dict(headers), _TIMEOUT, auth) as client,
        streamable_http_client(http.url, http_client=client, max_sse_event_size=SSE_EVENT_LIMIT) as streams,
    ):
        yield streams


def _client(
    headers: dict[str, str] | None = None, timeout: httpx2.Timeout | None = None, auth: httpx2.Auth | None = None
) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(
        headers=headers, timeout=timeout or _TIMEOUT, auth=auth, event_hooks={"response": [_note]}
    )


async def _note(response: httpx2.Response) -> None:
    if (kept := trace.get()) is None:
        return
    kept.status = response.status_code
    kept.challenge = response.headers.get("www-authenticate", "")
    kept.retry_after = _seconds(response.headers.get("retry-after", ""))
    kept.content_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()


def _seconds(value: str) -> float | None:
    """``Retry-After`` (RFC 9110, 10.2.3): seconds, or a date."""
    if not value:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time())
    except ValueError:
        return None
