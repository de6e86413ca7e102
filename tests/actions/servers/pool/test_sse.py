"""The older SSE transport: works for servers that know no other."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from actions.servers.pool.definition import Http, Limits, ServerDefinition
from actions.servers.pool.pool import Pool
from actions.servers.pool.states import Reason, ServerError, State
from actions.storage.secrets import Secret
from tests.actions.servers.pool.conftest import FIXTURES, Settled, until


@pytest.fixture
def server() -> Iterator[tuple[str, subprocess.Popen[str]]]:
    with subprocess.Popen(
        [sys.executable, str(FIXTURES / "sse_http.py")], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip(), process
        process.kill()


async def test_an_sse_server_is_used_and_its_end_is_noticed(
    settled: Settled, pool: Pool, server: tuple[str, subprocess.Popen[str]]
) -> None:
    base, process = server
    http = Http(f"{base}/sse", {"X-Key": Secret("canary-11")}, transport="sse")
    row = await settled(ServerDefinition("s", http, Limits(connect=50.0, idle=20.0)))
    assert (row.state, {tool.name for tool in row.tools}) == (State.CONNECTED, {"ping", "headers"})
    assert (await pool.call("s", "ping", {})).content[0]["text"] == "pong"
    assert (await pool.call("s", "headers", {})).content[0]["text"] == "canary-11"
    assert "canary-11" not in repr(pool.snapshot())
    process.kill()
    await until(lambda: pool.snapshot().servers[0].state is State.FAILED)
    with pytest.raises(ServerError) as raised:
        await pool.call("s", "ping", {})
    assert raised.value.failure.reason is Reason.UNREACHABLE
