"""Commands under the real dispatcher: what the model reads of them, and that a cancel is quick."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from actions.agent.approvals.decision import Decision, Source, Wanted
from actions.agent.tools.plugin import PluginTools
from actions.agent.toolset.call import ToolCall
from actions.agent.toolset.dispatch import Toolset
from actions.agent.toolset.messages import text_for_model
from actions.agent.toolset.plugins import load_plugins
from actions.agent.toolset.results import ErrorClass, ToolResult
from tests.actions.agent.tools.desk import Desk, living, running_desk, until_living
from tests.stopwatch import Stopwatch


class YesGate:
    """Approves everything and remembers what was wanted."""

    def __init__(self) -> None:
        self.wanted: list[Wanted] = []

    def refusal(self, wanted: Wanted) -> str | None:
        return None

    def fast(self, wanted: Wanted) -> Decision | None:
        self.wanted.append(wanted)
        return Decision(approved=True, decided_by="yolo")

    async def ask(self, wanted: Wanted) -> Decision:
        raise AssertionError("the fast way was open")

    def stale(self, wanted: Wanted) -> None:
        raise AssertionError("nothing is stale")


class Session:
    """Shell in a toolset."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.gate = YesGate()
        self.toolset = Toolset(self.gate, source=lambda: Source("turn", "t1"), spool=desk.spool)
        self.toolset.add(desk.shell(), "builtin")
        self._count = 0

    def call(self, name: str, **arguments: object) -> asyncio.Future[ToolResult]:
        self._count += 1
        return self.toolset.handle(ToolCall(f"call-{self._count}", name, json.dumps(arguments)))


@pytest.fixture
async def session(tmp_path: Path) -> AsyncIterator[Session]:
    async with running_desk(tmp_path) as desk:
        made = Session(desk)
        yield made
        await made.toolset.close()


async def test_the_model_reads_the_exit_code_then_the_output(session: Session) -> None:
    good = await session.call("Shell", command="echo fine")
    bad = await session.call("Shell", command="echo half; exit 2")
    nothing = await session.call("Shell", command="true")
    assert text_for_model(good) == "<system>Exit code 0.</system>\nfine\n"
    assert text_for_model(bad) == "<error>The command failed: exit code 2.</error>\nhalf\n"
    assert text_for_model(nothing).startswith("<system>Exit code 0.</system>")
    assert "no output" in text_for_model(nothing)
    assert [wanted.ask.scope.subject for wanted in session.gate.wanted] == ["echo fine", "echo half; exit 2", "true"]


async def test_a_long_output_is_cut_once(session: Session) -> None:
    result = await session.call("Shell", command="seq 1 100000")
    assert str(result.output).endswith("\n100000\n")
    assert [file.name for file in session.desk.spool.folder.iterdir()] == ["call-1.txt"]


async def test_a_call_id_that_comes_again_does_not_overwrite(session: Session) -> None:
    call = ToolCall("same", "Shell", json.dumps({"command": "seq 1 50000"}))
    await session.toolset.handle(call)
    session.toolset.begin_turn()
    await session.toolset.handle(ToolCall("same", "Shell", json.dumps({"command": "seq 2 50000"})))
    first, second = (session.desk.spool.folder / name for name in ("same.txt", "same-2.txt"))
    assert (first.read_text()[:2], second.read_text()[:2]) == ("1\n", "2\n")


async def test_a_cancel_is_answered_within_200_ms_and_nothing_is_left(session: Session) -> None:
    pending = session.call("Shell", command="(trap '' TERM; exec sleep 300.91) & sleep 300.91")
    await until_living("sleep 300.91", 2)
    began = Stopwatch()
    await session.toolset.cancel()
    assert began.seconds < 0.2
    assert (await pending).error is ErrorClass.CANCELLED
    await session.desk.commands.close()
    assert living("sleep 300.91") == []


async def test_a_background_task_outlives_the_turn(session: Session) -> None:
    result = await session.call("Shell", command="sleep 0.5; echo late", background=True, description="be late")
    assert "task-1" in result.message
    await session.toolset.cancel()
    session.toolset.begin_turn()
    task = await session.desk.tasks.wait("task-1", 5)
    assert (task.state, task.description) == ("done", "be late")


async def test_a_plugin_comes_after_the_built_in_tools_and_takes_no_name_of_theirs(session: Session) -> None:
    folder = session.desk.workspace.root / "plugins"
    tools = [{"name": name, "description": "Says it.", "command": ["echo", "said"]} for name in ("Shell", "Say")]
    (folder / "mine").mkdir(parents=True)
    (folder / "mine" / "plugin.json").write_text(json.dumps({"tools": tools}))
    taken = [tool.name for tool in session.toolset.listed()]
    plugins = load_plugins(folder, PluginTools(session.desk.commands, session.desk.spool), taken=taken, host={})
    for tool in plugins.tools:
        assert session.toolset.add(tool, "plugin")
    assert [tool.name for tool in session.toolset.listed()] == ["Shell", "Say"]
    result = await session.call("Say", any="thing")
    assert (result.output, result.error) == ("said\n", None)
    assert session.gate.wanted[-1].tool == "Say"
