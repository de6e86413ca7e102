"""mcp.*: a call of an MCP server's tool through the pool, against the library's own session over its own transport; a
call of our own tools through a session's endpoint, against a bare FastMCP server.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

from tests.bench import endpoint, user_servers
from tests.bench.harness import Figure

CALL_LIMIT = 1.3
"""Times a bare session: ours keeps the idle limit, the raw result, progress and the state of the server."""
ENDPOINT_LIMIT = 1.3
THROUGH_LIMIT = 2.0
"""Milliseconds that a call of a user's server takes longer through a session's endpoint than a bare server's call."""
PREVIEW_LIMIT = 1.2
"""Times the slowest working server alone: until a preview of ten, four of them bad, shows all that work."""
LIST_LIMIT = 30.0
"""Milliseconds for a list of 300 tools."""
RESTART_LIMIT = 1000.0
"""Milliseconds from a call to a server that was killed to the answer of the one started anew."""
_SERVER = Path(__file__).parents[1] / "fixtures" / "mcp" / "bad_stdio.py"
_ROUNDS = 15
_CALLS = 60


def figures() -> Iterator[Figure]:
    """``mcp.call`` and ``mcp.endpoint``: microseconds, median of medians, in turns. ``mcp.restart`` and ``mcp.list``:
    milliseconds, median. ``mcp.through_sayso_adds`` and ``mcp.preview``: milliseconds.
    """
    call, bare, restart = asyncio.run(_measure())
    yield Figure("mcp.call", call, "us", CALL_LIMIT, bare)
    yield Figure("mcp.restart", restart, "ms", RESTART_LIMIT)
    direct, peer, listing = endpoint.measure()
    yield Figure("mcp.endpoint", direct, "us", ENDPOINT_LIMIT, peer)
    yield Figure("mcp.list", listing, "ms", LIST_LIMIT)
    through, straight = user_servers.through()
    yield Figure("mcp.through_sayso_adds", through - straight, "ms", THROUGH_LIMIT)
    shown, alone = user_servers.preview()
    yield Figure("mcp.preview", shown, "ms", PREVIEW_LIMIT, alone)


async def _measure() -> tuple[float, float, float]:
    from mcp import ClientSession, StdioServerParameters, stdio_client

    from actions.servers.pool.definition import ServerDefinition, Stdio
    from actions.servers.pool.pool import Pool
    from actions.servers.pool.surroundings import Surroundings

    pool = Pool(Surroundings(dict(os.environ)))
    pool.start([ServerDefinition("bench", Stdio(sys.executable, (str(_SERVER), "ok")))])
    await pool.wait_ready(30.0)
    try:
        parameters = StdioServerParameters(command=sys.executable, args=[str(_SERVER), "ok"])
        async with stdio_client(parameters) as streams, ClientSession(*streams) as session:
            await session.initialize()
            await session.list_tools()

            async def ours() -> object:
                return await pool.call("bench", "ok", {"a": "x"})

            async def bare() -> object:
                return await session.call_tool("ok", {"a": "x"})

            taken: dict[str, list[float]] = {"ours": [], "bare": []}
            for _ in range(_ROUNDS):
                taken["ours"].append(await _median(ours))
                taken["bare"].append(await _median(bare))
        restarts = [await _restart(pool) for _ in range(7)]
    finally:
        await pool.close()
    return statistics.median(taken["ours"]), statistics.median(taken["bare"]), statistics.median(restarts)


async def _median(call: Callable[[], Awaitable[object]]) -> float:
    times: list[float] = []
    for _ in range(_CALLS):
        started = time.perf_counter()
        await call()
        times.append((time.perf_counter() - started) * 1e6)
    return statistics.median(times)


async def _restart(pool: object) -> float:
    from actions.servers.pool.pool import Pool
    from actions.servers.pool.states import State

    assert isinstance(pool, Pool)
    snapshot = pool.snapshot()
    assert snapshot is not None
    os.kill(snapshot.servers[0].pid or 0, 9)
    while (now := pool.snapshot()) is not None and now.servers[0].state is not State.FAILED:  # noqa: ASYNC110
        await asyncio.sleep(0.005)
    started = time.perf_counter()
    await pool.call("bench", "ok", {})
    return (time.perf_counter() - started) * 1000
