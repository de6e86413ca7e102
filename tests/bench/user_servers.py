"""The user's own servers: what a call through Sayso adds, and how soon a preview shows those that work."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import logging
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from tests.bench.endpoint import bare_server

_SERVER = Path(__file__).parents[1] / "fixtures" / "mcp" / "bad_stdio.py"
_ROUNDS, _CALLS = 9, 25
_HEALTHY = 6


def through() -> tuple[float, float]:
    """A call of a user's server (stdio) through a session's endpoint, and of such a tool on a bare FastMCP server, by
    the same client over the same transport: milliseconds, medians in turns.
    """
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_through(Path(folder)))


def preview() -> tuple[float, float]:
    """Milliseconds from the first question until a preview of ten servers (two dead, one hanging, one slow) shows all
    that work, and what the slowest of those takes to connect alone.
    """
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_preview(Path(folder)))


async def _through(folder: Path) -> tuple[float, float]:
    from tests.actions.delivery.mcp.clients import connected

    logging.getLogger("mcp").setLevel(logging.CRITICAL)
    theirs = {"command": sys.executable, "args": [str(_SERVER), "ok"]}
    async with bare_server("ok", {"answer": "ok"}) as url, _host(folder, {"theirs": theirs}) as host:
        await host.directory.set_policy(
            "mcp.tool.call", surface="session_agent", enabled=None, approval="never", exposure=None, workspace=None
        )
        chosen, project = {"through_sayso": ["theirs"]}, str(folder / "project")
        session = await host.sessions.spawn_new(provider="builtin", workspace=project, mcp_selection=chosen)
        address = await host.gateway.address(session.id)
        async with connected(address) as ours, connected(dataclasses.replace(address, url=url)) as bare:
            assert "theirs__ok" in {tool.name for tool in (await ours.list_tools()).tools}
            calls: dict[str, Callable[[], Awaitable[Any]]] = {
                "ours": lambda: ours.call_tool("theirs__ok", {}),
                "bare": lambda: bare.call_tool("ok", {"query": "a"}),
            }
            for call in calls.values():
                assert not (await call()).is_error
            taken: dict[str, list[float]] = {name: [] for name in calls}
            for _ in range(_ROUNDS):
                for name, call in calls.items():
                    taken[name].append(await _median(call))
    return statistics.median(taken["ours"]), statistics.median(taken["bare"])


async def _median(call: Callable[[], Awaitable[object]]) -> float:
    times: list[float] = []
    for _ in range(_CALLS):
        started = time.perf_counter()
        await call()
        times.append((time.perf_counter() - started) * 1e3)
    return statistics.median(times)


async def _preview(folder: Path) -> tuple[float, float]:
    from actions.servers.pool.definition import ServerDefinition, Stdio
    from actions.servers.pool.pool import Pool
    from actions.servers.pool.surroundings import Surroundings

    def server(mode: str) -> dict[str, Any]:
        return {"command": sys.executable, "args": [str(_SERVER), mode]}

    pool = Pool(Surroundings(dict(os.environ)))
    import actions.servers.pool.server  # noqa: F401 - its import is no part of either

    started = time.perf_counter()
    pool.start([ServerDefinition("slow", Stdio(sys.executable, (str(_SERVER), "slowstart")))])
    await pool.wait_ready(30.0)
    alone = (time.perf_counter() - started) * 1e3
    await pool.close()

    servers = {f"healthy{n}": server("ok") for n in range(_HEALTHY)} | {"slow": server("slowstart")}
    working = set(servers)
    servers |= {"dead": server("exit3"), "missing": {"command": "no-such-program"}, "hangs": server("hang")}
    assert len(servers) == 10
    async with _host(folder, servers) as host:
        use, workspace = host.server_use.use, str(folder / "project")
        await use.preview("builtin", workspace, {"managed": False})  # schemas and the search path are there
        started = time.perf_counter()
        while True:
            shown = await use.preview("builtin", workspace)
            connected = {row.name for row in shown.servers if row.state == "connected"}
            if working <= connected:
                break
            await asyncio.sleep(0.02)
        took = (time.perf_counter() - started) * 1e3
        assert next(row.state for row in shown.servers if row.name == "hangs") == "connecting"
    return took, alone


def _host(folder: Path, servers: dict[str, Any]) -> Any:
    from actions.host.service import Host
    from actions.storage.paths import Paths

    (folder / "project").mkdir()
    config = folder / "home" / "config"
    config.mkdir(parents=True)
    bindings = {name: {"device": True} for name in servers}
    (config / "mcp.json").write_text(json.dumps({"mcpServers": servers, "sayso": {"bindings": bindings}}))
    return Host(Paths.under(folder / "home"))
