"""The command `/mcp`: the person's way to the servers of a session."""

from __future__ import annotations

from typing import Any

import pytest

from actions.agent.mcp.manage import McpServers, read_arguments
from actions.agent.toolset.results import ErrorClass
from tests.actions.agent.mcp.conftest import Desk, words
from tests.actions.servers.pool.conftest import stdio


@pytest.mark.parametrize(
    ("rest", "arguments"),
    [
        ("", {"does": "status", "server": ""}),
        ("retry git", {"does": "retry", "server": "git"}),
        ("login my server", {"does": "login", "server": "my server"}),
    ],
)
def test_what_follows_the_command(rest: str, arguments: dict[str, Any]) -> None:
    assert read_arguments(rest) == arguments


async def test_the_state_of_every_server_is_told_with_the_way_out(desk: Desk) -> None:
    notices: list[str] = []
    desk.toolset.add(McpServers(desk.pool, notices.append), "builtin")
    desk.pool.start([stdio("exit3", name="dead"), stdio("noschema", name="good")])
    await desk.pool.wait_ready(50.0)
    said = words(await desk.call("McpServers", '{"does": "status"}'))
    assert "- dead: failed\n  The process ended, exit code 3.\n  Way out: `/mcp retry dead`" in said
    assert "    FATAL: missing API_KEY" in said
    assert "- good: connected, 1 tools\n  Left out: a, it has no input schema." in said
    assert desk.asked == []


async def test_a_retry_is_asked_for_and_tells_the_new_state(desk: Desk) -> None:
    desk.toolset.add(McpServers(desk.pool, print), "builtin")
    desk.pool.start([stdio("initerr", name="dead"), stdio(name="good")])
    await desk.pool.wait_ready(50.0)
    said = words(await desk.call("McpServers", '{"does": "retry", "server": "dead"}'))
    assert said.startswith("- dead: failed\n  cannot connect to database")
    assert desk.pool.snapshot().servers[0].starts == 2
    assert "good" not in said
    assert [request.wanted.ask.summary for request in desk.asked] == ["Connect again to the MCP server dead"]


async def test_a_login_that_is_none_says_why(desk: Desk) -> None:
    desk.toolset.add(McpServers(desk.pool, print), "builtin")
    desk.pool.start([stdio()])
    result = await desk.call("McpServers", '{"does": "login", "server": "bad"}')
    assert (result.error, result.message) == (ErrorClass.TOOL_ERROR, "There is no login for bad from here.")
    assert (await desk.call("McpServers", '{"does": "login"}')).error is ErrorClass.INVALID_INPUT
