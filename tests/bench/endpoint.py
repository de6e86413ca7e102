"""Our MCP endpoint beside a bare FastMCP server, both over streamable HTTP on loopback, asked by the same client."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
import logging
import socket
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

TOOLS = 300
_CALLS = 300
_TOOL = "action_spec_search"
_INPUT: dict[str, Any] = {"query": "review", "limit": 5}


def measure() -> tuple[float, float, float]:
    """A direct call of a session's tool and the same of the bare server, microseconds; a list of 300 tools,
    milliseconds from the request to the last byte of the answer. Medians.
    """
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_measure(Path(folder)))


async def _measure(folder: Path) -> tuple[float, float, float]:
    from actions.catalog.registry import load
    from actions.catalog.search import CatalogSearch
    from tests.actions.delivery.mcp.clients import connected

    logging.getLogger("mcp").setLevel(logging.CRITICAL)
    async with _host(folder) as (address, many):
        async with connected(address) as ours:
            answer = (await ours.call_tool(_TOOL, _INPUT)).structured_content
            assert answer is not None
            search = CatalogSearch(load())
            async with (
                bare_server(_TOOL, answer, lambda: search.find(_INPUT["query"], 100)) as url,
                connected(dataclasses.replace(address, url=url)) as bare,
            ):
                calls = {"ours": lambda: ours.call_tool(_TOOL, _INPUT), "bare": lambda: bare.call_tool(_TOOL, _INPUT)}
                taken: dict[str, list[float]] = {"ours": [], "bare": []}
                for _ in range(_CALLS):  # one after the other, so that a busy machine slows both alike
                    for name, call in calls.items():
                        taken[name].append(await _median(call, 1))
        listing = await _list(many)
    return statistics.median(taken["ours"]), statistics.median(taken["bare"]), listing


async def _median(call: Callable[[], Awaitable[object]], calls: int) -> float:
    times: list[float] = []
    for _ in range(calls):
        started = time.perf_counter()
        await call()
        times.append((time.perf_counter() - started) * 1e6)
    return statistics.median(times)


@asynccontextmanager
async def _host(folder: Path) -> AsyncIterator[tuple[Any, Any]]:
    """A whole host: the endpoint of a session of the built-in agent, and one of an editor that has 300 tools."""
    from actions.catalog.context import Caller, CallerKind
    from actions.catalog.registry import Catalog
    from actions.catalog.spec import Surface
    from actions.delivery.desk import Seat, ToolDesk
    from actions.delivery.mcp.gateway import Gateway
    from actions.delivery.results import ResultFiles
    from actions.host.service import Host
    from actions.policy.settings import PolicySettings
    from actions.storage.paths import Paths

    async with Host(Paths.under(folder / "home")) as host:
        workspace = folder / "project"
        workspace.mkdir()
        session = await host.sessions.spawn_new(provider="builtin", workspace=str(workspace))
        offered = [spec for spec in host.catalog if spec.implemented and Surface.MCP in spec.surfaces]
        specs = [
            dataclasses.replace(offered[n % len(offered)], id=f"{offered[n % len(offered)].id}.n{n}")
            for n in range(TOOLS - 1)  # and action_execute
        ]
        wide = Catalog({spec.id: spec for spec in specs}, host.catalog.sources)
        policy = PolicySettings()
        desk = ToolDesk(wide, lambda: policy, host.door, lambda: "native_first")

        async def no_session(session_id: str) -> None:
            return None

        gateway = Gateway(desk, host.tokens, no_session, ResultFiles(folder / "results"), version="0")
        seat = Seat(Surface.MCP, Caller(CallerKind.EDITOR))
        try:
            yield await host.gateway.address(session.id), await gateway.admit(seat)
        finally:
            await gateway.close()


async def _list(address: Any) -> float:
    """The bytes alone: what a client makes of them is its own affair."""
    import httpx2

    from tests.actions.delivery.mcp.clients import bearer
    from tests.actions.delivery.mcp.conftest import ACCEPT, INITIALIZE

    async with httpx2.AsyncClient(headers={**ACCEPT, **bearer(address.token)}, timeout=30) as client:
        begun = await client.post(address.url, json=INITIALIZE)
        client.headers["mcp-session-id"] = begun.headers["mcp-session-id"]
        await client.post(address.url, json={"jsonrpc": "2.0", "method": "notifications/initialized"})

        async def ask() -> str:
            return (await client.post(address.url, json={"jsonrpc": "2.0", "id": 2, "method": "tools/list"})).text

        text = await ask()
        data = next(line for line in text.splitlines() if line.startswith("data: {"))
        assert len(json.loads(data.removeprefix("data: "))["result"]["tools"]) == TOOLS
        return await _median(ask, 30) / 1000


@asynccontextmanager
async def bare_server(
    name: str, answer: dict[str, Any], work: Callable[[], object] = lambda: None
) -> AsyncIterator[str]:
    """The URL of a FastMCP server with one tool of that name, which does ``work`` and gives ``answer``."""
    import uvicorn
    from fastmcp import FastMCP

    server = FastMCP("bare")

    def tool(query: str, limit: int = 20) -> dict[str, Any]:
        work()
        return answer

    server.tool(tool, name=name)
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    config = uvicorn.Config(server.http_app(path="/mcp"), log_config=None, access_log=False, ws="none")
    running: Any = uvicorn.Server(config)
    running.capture_signals = contextlib.nullcontext  # signals are the benchmark's
    serving = asyncio.create_task(running.serve([listening]))
    while not running.started:  # noqa: ASYNC110 - uvicorn offers no event for it
        await asyncio.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
    finally:
        running.should_exit = True
        await serving
