"""The built-in agents load whole: every tool of theirs, each described, with what an agent has."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from actions.agent.processes.commands import Commands
from actions.agent.tools.ask_user import AskUserQuestion
from actions.agent.tools.background import BackgroundTasks
from actions.agent.tools.live import LiveOutput
from actions.agent.tools.needs import (
    Checkpoints,
    ModelSenses,
    PlanMode,
    Questions,
    Spool,
    Subagents,
    TodoList,
    WebAccess,
    Workspace,
)
from actions.agent.toolset.agentfile import read_agent_file
from actions.agent.toolset.loading import load_tools
from actions.agent.toolset.tool import Tool, TypedTool
from actions.catalog.spec import Effect
from tests.actions.agent.tools.desk import Watched
from tests.actions.agent.tools.test_talking import Desk, Person, Planning, Points

ROOT = Path(__file__).parents[4]

# Tool, key argument, effect: the table of built-in tools. What TaskList shows is `active` or `all`.
TABLE: list[tuple[str, str | None, Effect]] = [
    ("Agent", "description", Effect.NONE),
    ("AskUserQuestion", None, Effect.NONE),
    ("SetTodoList", None, Effect.NONE),
    ("Shell", "command", Effect.DANGER),
    ("TaskList", "show", Effect.READ),
    ("TaskOutput", "id", Effect.READ),
    ("TaskStop", "id", Effect.WRITE),
    ("ReadFile", "path", Effect.READ),
    ("ReadMediaFile", "path", Effect.READ),
    ("Glob", "pattern", Effect.READ),
    ("Grep", "pattern", Effect.READ),
    ("WriteFile", "path", Effect.WRITE),
    ("StrReplaceFile", "path", Effect.WRITE),
    ("SearchWeb", "query", Effect.EXTERNAL),
    ("FetchURL", "url", Effect.EXTERNAL),
    ("EnterPlanMode", None, Effect.NONE),
    ("ExitPlanMode", None, Effect.NONE),
    ("SendDMail", None, Effect.NONE),
]


Load = Callable[..., tuple[Tool, ...]]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Loads the tools of a built-in agent; what it has by type may be changed."""

    def loaded(name: str = "default", **changed: Any) -> tuple[Tool, ...]:
        spool, commands = Spool(tmp_path / "spool"), Commands()
        table: dict[Any, object] = {
            Workspace: Workspace(tmp_path),
            Spool: spool,
            Commands: commands,
            BackgroundTasks: BackgroundTasks(spool, commands),
            LiveOutput: Watched(),
            WebAccess: WebAccess(search_url="http://127.0.0.1:9/search"),
            ModelSenses: ModelSenses(image=True),
            Questions: Person({}),
            PlanMode: Planning(tmp_path / "plan.md"),
            TodoList: TodoList(),
            Checkpoints: Points(0),
            Subagents: Desk({"explore": "Looks around."}),
        }
        table.update({kind: changed[kind.__name__] for kind in table if kind.__name__ in changed})
        result = load_tools(read_agent_file(name).tools, table)
        assert result.missing == ()
        return result.tools

    return loaded


def test_50_the_built_in_agent_has_every_tool_as_declared(load: Load) -> None:
    """Case 50, for the tools that there are."""
    assert [(tool.name, tool.key_argument, tool.effect) for tool in load()] == TABLE


def test_each_tool_is_described_and_its_parameters_have_a_schema(load: Load) -> None:
    for tool in load():
        assert len(tool.description) > 60
        assert "{{" not in tool.description
        assert isinstance(tool, TypedTool)
        schema = type(tool).params.model_json_schema()
        assert schema["type"] == "object"
        if tool.key_argument is not None:
            assert tool.key_argument in schema["properties"]


def test_the_agent_tool_names_the_kinds_there_are(load: Load) -> None:
    assert "- `explore`: Looks around." in load()[0].description


@pytest.mark.parametrize(
    ("changed", "missing"),
    [
        ({"ModelSenses": ModelSenses()}, "ReadMediaFile"),
        ({"WebAccess": WebAccess()}, "SearchWeb"),
        ({"Subagents": Desk({})}, "Agent"),
    ],
)
def test_a_tool_without_what_it_needs_leaves_itself_out(load: Load, changed: dict[str, object], missing: str) -> None:
    assert [tool.name for tool in load(**changed)] == [name for name, _, _ in TABLE if name != missing]


def test_subagents_have_the_tools_of_their_duty(load: Load) -> None:
    reading = {"ReadFile", "ReadMediaFile", "Glob", "Grep", "SearchWeb", "FetchURL", "SetTodoList"}
    assert {tool.name for tool in load("explore")} == reading
    assert {tool.name for tool in load("plan")} == reading
    assert {tool.name for tool in load("coder")} == {name for name, _, _ in TABLE} - {
        "Agent",
        "AskUserQuestion",
        "EnterPlanMode",
        "ExitPlanMode",
        "SendDMail",
    }


def test_71_the_question_tool_is_hidden_by_name_and_found_by_type(load: Load) -> None:
    """Cases 1 to 5 and 71: with a client that cannot answer, the tool is not offered; it is still there."""
    from actions.agent.approvals.decision import Source
    from actions.agent.toolset.dispatch import Toolset

    toolset = Toolset(_OpenGate(), source=lambda: Source("turn", "t1"))
    for tool in load():
        assert toolset.add(tool, "builtin")
    names = [tool.name for tool in toolset.listed()]
    assert toolset.hide("AskUserQuestion") is True
    assert toolset.hide("AskUserQuestion") is True
    assert toolset.hide("Nobody") is False
    assert [tool.name for tool in toolset.listed()] == [name for name in names if name != "AskUserQuestion"]
    assert toolset.find("AskUserQuestion") is toolset.find_type(AskUserQuestion) is not None
    assert toolset.unhide("AskUserQuestion") is True
    assert [tool.name for tool in toolset.listed()] == names


class _OpenGate:
    """Nothing is called here."""

    def refusal(self, wanted: Any) -> str | None:
        return None

    def fast(self, wanted: Any) -> Any:
        raise AssertionError(wanted)

    async def ask(self, wanted: Any) -> Any:
        raise AssertionError(wanted)

    def stale(self, wanted: Any) -> None:
        raise AssertionError(wanted)


def test_loading_the_tools_loads_no_heavy_library() -> None:
    """An agent without a model has to start fast and stay small."""
    code = (
        "import sys, json\n"
        "from actions.agent.toolset.agentfile import read_agent_file\n"
        "import importlib\n"
        "for entry in read_agent_file('default').tools: importlib.import_module(entry.path.rpartition(':')[0])\n"
        "print(json.dumps(sorted(sys.modules)))\n"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    heavy = {
        "pydantic_ai",
        "openai",
        "mcp",
        "fastmcp",
        "acp",
        "trafilatura",
        "jsonschema",
        "sqlalchemy",
        "numpy",
        "lxml",
    }
    assert heavy.isdisjoint(json.loads(printed))
