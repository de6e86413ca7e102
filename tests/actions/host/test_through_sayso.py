"""A call of a user's server through Sayso, from the agent's end to the server's: its progress, and its cancellation."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from mcp import ClientSession

from actions.delivery.mcp.gateway import Address
from actions.host.service import Host
from actions.storage.paths import Paths
from tests.actions.delivery.mcp.clients import connected

SERVER = Path(__file__).parents[2] / "fixtures" / "mcp" / "bad_stdio.py"
pytestmark = pytest.mark.timeout(180)


@dataclass
class There:
    host: Host
    address: Address
    log: Path

    async def logged(self, text: str, times: int) -> None:
        """Wait until the server has read so many lines with this in it."""
        async with asyncio.timeout(60.0):
            while not self.log.exists() or self.log.read_text().count(text) < times:  # noqa: ASYNC110 - a file of another process
                await asyncio.sleep(0.02)


@pytest.fixture
async def there(tmp_path: Path) -> AsyncIterator[There]:
    """A session that has one server through Sayso, whose calls need no yes."""
    paths = Paths.under(tmp_path / "home")
    (tmp_path / "project").mkdir()
    paths.config.mkdir(parents=True)
    theirs = {"command": sys.executable, "args": [str(SERVER), "ok"], "env": {"TRACE": "1"}}
    document = {"mcpServers": {"theirs": theirs}, "sayso": {"bindings": {"theirs": {"device": True}}}}
    (paths.config / "mcp.json").write_text(json.dumps(document))
    async with Host(paths) as host:
        await host.directory.set_policy(
            "mcp.tool.call", surface="session_agent", enabled=None, approval="never", exposure=None, workspace=None
        )
        chosen = {"through_sayso": ["theirs"]}
        session = await host.sessions.spawn_new(
            provider="builtin", workspace=str(tmp_path / "project"), mcp_selection=chosen
        )
        yield There(host, await host.gateway.address(session.id), paths.logs / "mcp" / "theirs.log")


async def ready(client: ClientSession) -> None:
    async with asyncio.timeout(60.0):
        while "theirs__ok" not in {tool.name for tool in (await client.list_tools()).tools}:  # noqa: ASYNC110
            await asyncio.sleep(0.05)  # its list waits for servers that connect, for a while


async def progress_of(address: Address, modern: bool) -> tuple[str, list[tuple[float, float | None, str | None]]]:
    came: list[tuple[float, float | None, str | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        came.append((progress, total, message))

    async with connected(address, modern=modern) as client:
        await ready(client)
        result: Any = await client.call_tool("theirs__progress", {}, progress_callback=note)
    return result.content[0].text, came


async def test_progress_of_a_server_reaches_the_agent(there: There) -> None:
    both = await asyncio.gather(*(progress_of(there.address, modern) for modern in (False, True)))
    assert both == [("done", [(float(n), 5.0, f"m{n}") for n in range(5)])] * 2


async def test_a_call_that_the_agent_gives_up_is_given_up_at_the_server(there: There) -> None:
    for times, modern in enumerate((False, True), 1):
        async with connected(there.address, modern=modern) as client:
            await ready(client)
            call = asyncio.create_task(client.call_tool("theirs__hangcall", {}))
            await there.logged('"hangcall"', times)
            call.cancel()
            await there.logged("notifications/cancelled", times)
            again: Any = await client.call_tool("theirs__ok", {})
        assert again.content[0].text == "ok"


async def test_a_call_that_the_agent_shows_is_evidence_for_a_server_of_its_own(there: There) -> None:
    use = there.host.server_use
    workspace = str(there.host.paths.config.parent.parent / "project")
    session = await there.host.sessions.spawn_new(provider="builtin", workspace=workspace)

    def evidence(*titles: str) -> list[str]:
        for title in titles:
            event = {"kind": "tool_call", "item_id": "c1", "data": {"title": title}}
            use.heard("transcript_did_append", {"session_id": session.id, "events": [event]})
        report = use.sessions.report(session.id)
        assert report is not None
        return [server.evidence for server in report.servers]

    assert evidence("theirs is a word", "other__ok") == ["handed_over"]
    assert evidence("theirs__ok: a") == ["called"]
