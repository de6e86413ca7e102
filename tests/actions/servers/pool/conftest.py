"""Real misbehaving servers, and proof that nothing of them is left behind."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import psutil
import pytest

from actions.servers.pool.definition import Http, Limits, ServerDefinition, Stdio, Value
from actions.servers.pool.pool import Pool
from actions.servers.pool.states import ServerRow
from actions.servers.pool.surroundings import Surroundings

PATIENT = Limits(connect=50.0, idle=20.0)
"""Nothing runs into these, however slow the machine."""
SHORT = Limits(connect=50.0, idle=1.5)
"""For calls that are to run into the limit."""
FIXTURES = Path(__file__).parents[3] / "fixtures" / "mcp"


def stdio(
    mode: str = "ok",
    *,
    name: str = "bad",
    script: str = "bad_stdio.py",
    limits: Limits | None = None,
    env: dict[str, Value] | None = None,
) -> ServerDefinition:
    """A server of the fixtures."""
    return ServerDefinition(name, Stdio(sys.executable, (str(FIXTURES / script), mode), env or {}), limits or PATIENT)


@pytest.fixture(scope="session", autouse=True)
def loaded() -> None:
    """The library's import is no part of any time measured here."""
    import actions.servers.pool.server  # noqa: F401


@pytest.fixture
async def pool(tmp_path: Path) -> AsyncIterator[Pool]:
    pool = Pool(Surroundings(dict(os.environ), logs=tmp_path / "logs"))
    yield pool
    await pool.close()
    left = [child for child in psutil.Process().children(recursive=True) if str(FIXTURES) in " ".join(cmdline(child))]
    assert [child for child in left if "bad_http" not in " ".join(cmdline(child))] == []


Settled = Callable[[ServerDefinition], Awaitable[ServerRow]]


@pytest.fixture
def settled(pool: Pool) -> Settled:
    async def start(definition: ServerDefinition) -> ServerRow:
        """Start a server and wait for the end of its first try."""
        pool.start([definition])
        snapshot = await pool.wait_ready(55.0)
        assert snapshot is not None
        return next(row for row in snapshot.servers if row.name == definition.name)

    return start


@pytest.fixture(scope="session")
def http_base() -> Iterator[str]:
    """The base URL of the misbehaving HTTP server."""
    with subprocess.Popen(
        [sys.executable, str(FIXTURES / "bad_http.py")], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
        server.kill()


@pytest.fixture
def http(http_base: str) -> Callable[..., ServerDefinition]:
    def define(mode: str, *, headers: dict[str, Value] | None = None, connect: float = 50.0) -> ServerDefinition:
        return ServerDefinition(mode, Http(f"{http_base}/m/{mode}", headers or {}), Limits(connect=connect))

    return define


def cmdline(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


async def until(check: Callable[[], bool], limit: float = 30.0) -> None:
    """Wait until ``check`` holds."""
    async with asyncio.timeout(limit):
        while True:
            if check():
                return
            await asyncio.sleep(0.01)
