"""Each way in which a server behind a URL goes wrong: the status that the library drops, and what to do about it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Literal

import httpx2
import pytest

from actions.servers.pool.definition import Http, Limits, ServerDefinition
from actions.servers.pool.pool import Pool
from actions.servers.pool.states import Reason, ServerError, State
from actions.storage.secrets import Secret
from tests.actions.servers.pool.conftest import Settled

Define = Callable[..., ServerDefinition]


@pytest.mark.parametrize("mode", ["good", "discover400", "discover_sess400", "redir307"])
async def test_a_server_that_can_be_used_is_connected(settled: Settled, http: Define, mode: str) -> None:
    row = await settled(http(mode))
    assert (row.state, row.protocol, len(row.tools)) == (State.CONNECTED, "2025-06-18", 2)


@pytest.mark.parametrize(
    ("mode", "state", "reason", "status", "words"),
    [
        ("401", State.UNAUTHORIZED, Reason.UNAUTHORIZED, 401, "Log in."),
        ("401plain", State.UNAUTHORIZED, Reason.UNAUTHORIZED, 401, "set a header"),
        ("403", State.FAILED, Reason.HTTP_STATUS, 403, "HTTP 403. It refuses access"),
        ("404", State.FAILED, Reason.HTTP_STATUS, 404, "There is no MCP server at this URL"),
        ("405", State.FAILED, Reason.HTTP_STATUS, 405, "looks like an SSE server: try that transport"),
        ("sseonly", State.FAILED, Reason.HTTP_STATUS, 405, "looks like an SSE server: try that transport"),
        ("429", State.FAILED, Reason.HTTP_STATUS, 429, "It asks to wait 3 s."),
        ("500", State.FAILED, Reason.HTTP_STATUS, 500, "HTTP 500"),
        ("503", State.FAILED, Reason.HTTP_STATUS, 503, "It is busy. It asks to wait 3 s."),
        ("html", State.FAILED, Reason.PROTOCOL_ERROR, None, "answered with a web page, not MCP"),
        ("html_json_ct", State.FAILED, Reason.PROTOCOL_ERROR, None, "not MCP"),
        ("redir302", State.FAILED, Reason.HTTP_STATUS, 302, "Use this address: http://127.0.0.1:"),
        ("redir_away", State.FAILED, Reason.HTTP_STATUS, 307, "Use this address: http://other.example.invalid/mcp"),
        ("list401", State.UNAUTHORIZED, Reason.UNAUTHORIZED, 401, "Log in"),
        ("list500", State.FAILED, Reason.HTTP_STATUS, 500, "HTTP 500"),
        ("expired", State.FAILED, Reason.HTTP_STATUS, 404, "HTTP 404"),
        ("brokensse", State.FAILED, Reason.PROTOCOL_ERROR, None, "SSE stream"),
    ],
)
async def test_a_failure_names_its_status(
    settled: Settled, http: Define, mode: str, state: State, reason: Reason, status: int | None, words: str
) -> None:
    row = await settled(http(mode))
    assert row.state is state
    assert (row.failure.reason, row.failure.status) == (reason, status)
    assert words in row.failure.message
    assert row.failure.login is (state is State.UNAUTHORIZED)


async def test_a_wait_that_the_server_asks_for_is_kept(settled: Settled, http: Define) -> None:
    row = await settled(http("503"))
    assert row.failure.retry_after == 3.0
    assert 2.0 < (row.retry_in or 0.0) <= 3.0


async def test_silence_fails_at_the_limit(settled: Settled, http: Define) -> None:
    started = time.monotonic()
    row = await settled(http("hang", connect=1.0))
    assert row.failure.reason is Reason.INIT_TIMEOUT
    assert time.monotonic() - started < 30.0  # the server is silent for 100 s


async def test_a_probe_without_answer_leads_to_the_handshake(settled: Settled, http: Define) -> None:
    row = await settled(http("discover_hang"))
    assert (row.state, row.modern) == (State.CONNECTED, False)


async def test_a_401_in_a_call_is_a_state(settled: Settled, http: Define, pool: Pool) -> None:
    await settled(http("call401"))
    with pytest.raises(ServerError) as raised:
        await pool.call("call401", "ok", {})
    assert raised.value.failure.reason is Reason.UNAUTHORIZED
    row = pool.snapshot().servers[0]
    assert (row.state, row.failure.login) == (State.UNAUTHORIZED, True)
    with pytest.raises(ServerError, match="is not connected"):
        await pool.call("call401", "ok", {})


async def test_a_session_that_is_gone_at_once_is_begun_again_once(
    settled: Settled, http: Define, http_base: str
) -> None:
    async def begun() -> int:
        async with httpx2.AsyncClient() as client:
            seen = (await client.get(f"{http_base}/seen")).json()
        return sum(request["mode"] == "expired" and '"initialize"' in request["body"] for request in seen)

    before = await begun()
    row = await settled(http("expired"))
    assert (row.state, row.failure.status) == (State.FAILED, 404)
    assert await begun() - before == 2


async def test_large_events_are_taken(settled: Settled, http: Define, pool: Pool) -> None:
    await settled(http("bigsse"))
    result = await pool.call("bigsse", "big", {})
    assert len(result.content[0]["text"]) == 3_000_000


async def test_headers_go_to_the_server_and_nowhere_else(
    settled: Settled, http: Define, http_base: str, pool: Pool
) -> None:
    row = await settled(http("good", headers={"Authorization": Secret("Bearer canary-41cd")}))
    away = await settled(http("redir_away", headers={"Authorization": Secret("Bearer canary-41cd")}))
    async with httpx2.AsyncClient() as client:
        seen = (await client.get(f"{http_base}/seen")).json()
    assert {request["authorization"] for request in seen if request["mode"] == "good"} >= {"Bearer canary-41cd"}
    assert "canary" not in repr((row, away, pool.snapshot()))


@pytest.mark.parametrize(
    ("url", "reason", "words"),
    [
        ("http://127.0.0.1:9/mcp", Reason.UNREACHABLE, "127.0.0.1 cannot be reached"),
        ("http://no-such-host.invalid/mcp", Reason.DNS, "The name no-such-host.invalid cannot be found"),
        ("ftp://127.0.0.1/mcp", Reason.BAD_DEFINITION, "The URL cannot be used"),
    ],
)
@pytest.mark.parametrize("transport", ["http", "sse"])
async def test_a_url_that_leads_nowhere_says_why(
    settled: Settled, url: str, reason: Reason, words: str, transport: Literal["http", "sse"]
) -> None:
    row = await settled(ServerDefinition("x", Http(url, transport=transport), Limits(connect=50.0)))
    assert (row.state, row.failure.reason) == (State.FAILED, reason)
    assert words in row.failure.message


async def test_a_server_without_a_certificate_is_a_tls_failure(settled: Settled, http_base: str) -> None:
    url = http_base.replace("http://", "https://") + "/m/good"
    row = await settled(ServerDefinition("x", Http(url), Limits(connect=50.0)))
    assert (row.state, row.failure.reason) == (State.FAILED, Reason.TLS)
