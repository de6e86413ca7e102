"""Tools of MCP servers and of the client in a whole turn."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from actions.agent.toolset.asking import Ask, Scope
from actions.agent.toolset.results import ToolResult
from actions.agent.toolset.tool import Tool
from actions.catalog.spec import Effect
from actions.servers.pool.definition import Limits, ServerDefinition, Stdio
from tests.actions.agent.loop.conftest import Open
from tests.actions.agent.loop.scripted import Scripted, calls, says
from tests.actions.agent.loop.stage import call, script, step
from tests.stopwatch import Stopwatch


@pytest.fixture(scope="module", autouse=True)
def loaded() -> None:
    """The first import of the library is no part of any time measured here."""
    import actions.servers.pool.server  # noqa: F401


_SERVER = Path(__file__).parents[3] / "fixtures" / "mcp" / "bad_stdio.py"


def server(name: str, mode: str = "ok") -> ServerDefinition:
    return ServerDefinition(name, Stdio(sys.executable, (str(_SERVER), mode), {}), Limits(connect=50.0, idle=20.0))


async def test_69_an_mcp_tool_answers_after_one_approval(stage: Open) -> None:
    here = await stage(
        model=(model := Scripted(calls(("c1", "bad__ok", '{"a": "x"}')), says("It said ok."))),
        servers=(server("bad"),),
    )
    assert (await here.prompt("use it")).text == "It said ok."
    assert "bad__ok" in model.asked[0][1]
    (request,) = here.requests
    assert request.wanted.ask.scope == Scope("mcp", "bad/ok")
    (returned,) = model.results_in_request(1)
    assert returned[1].splitlines()[0] == "ok"


async def test_84_a_silent_server_holds_the_first_turn_three_seconds_at_most(stage: Open) -> None:
    here = await stage(
        model=(model := Scripted(says("One."), says("Two."))), servers=(server("silent", "hang"), server("good"))
    )
    begun = Stopwatch()
    await here.prompt("go")
    assert begun.seconds < 3.5
    assert "good__ok" in model.asked[0][1]
    begun = Stopwatch()
    await here.prompt("again")
    assert begun.seconds < 1


async def test_51_opening_a_session_does_not_wait_for_servers(stage: Open) -> None:
    await stage(model=Scripted())  # what is loaded once is no part of the time
    begun = Stopwatch()
    await stage(model=Scripted(), servers=(server("silent", "hang"), server("good")))
    assert begun.seconds < 0.5


async def test_85_two_servers_with_one_tool_are_both_usable(stage: Open) -> None:
    here = await stage(
        model=(model := Scripted(calls(("c1", "x__ok", "{}"), ("c2", "y__ok", "{}")), says("Both."))),
        servers=(server("x"), server("y")),
    )
    assert (await here.prompt("go")).text == "Both."
    assert sorted(request.wanted.ask.scope.subject for request in here.requests) == ["x/ok", "y/ok"]
    assert [text.splitlines()[0] for _, text in model.results_in_request(1)] == ["ok", "ok"]


async def test_a_server_that_fails_is_a_notice_and_the_turn_goes_on(stage: Open) -> None:
    gone = ServerDefinition("gone", Stdio("no-such-command-here", (), {}), Limits(connect=2.0))
    here = await stage(model=Scripted(says("Fine.")), servers=(gone,))
    assert (await here.prompt("go")).text == "Fine."
    assert any("gone" in text for (text,) in here.screen.of("notice"))


async def test_subagents_have_the_tools_of_servers_too(stage: Open) -> None:
    here = await stage(
        script(
            root=[step(call("Agent", description="x", prompt="[[child]]", type="coder")), {"text": "Good."}],
            child=[step(call("bad__ok", a="x")), {"text": "The tool said ok."}],
        ),
        servers=(server("bad"),),
    )
    assert (await here.prompt("[[root]]")).text == "Good."
    assert here.requests[0].wanted.source.agent_id == "agent-1"
    assert here.screen.children[0].results()[0].error is None


class Editor(Tool):
    """Stands for a tool that a client offers."""

    effect = Effect.WRITE

    def __init__(self, name: str) -> None:
        self.name = name
        self.description = "of the client"
        self.parameters = {"type": "object"}

    async def prepare(self, arguments: object) -> Ask:
        return Ask("Use it", Scope("tool", ""))

    async def run(self, **arguments: object) -> ToolResult:
        return ToolResult("the client did it")


async def test_86_a_client_tool_joins_but_never_replaces_ours(stage: Open) -> None:
    here = await stage(
        model=(
            model := Scripted(calls(("c1", "Open", "{}"), ("c2", "Shell", '{"command": "echo ours"}')), says("Ok."))
        ),
        client_tools=(Editor("Open"), Editor("Shell")),
    )
    await here.prompt("go")
    returned = [text for _, text in model.results_in_request(1)]
    assert "the client did it" in returned[0]
    assert "ours" in returned[1]
    assert [request.wanted.tool for request in here.requests] == ["Open", "Shell"]
