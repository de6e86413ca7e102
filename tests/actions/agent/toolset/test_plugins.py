"""Plugin tools: real folders, real commands."""

from __future__ import annotations

import json
import logging
import sys
import time
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from actions.agent.tools.plugin import PluginTools
from actions.agent.toolset.plugins import Plugins, load_plugins
from actions.agent.toolset.results import ErrorClass, ToolFailure
from actions.agent.toolset.tool import Tool
from actions.catalog.spec import Effect
from tests.actions.agent.tools.desk import Desk, living, running_desk


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with running_desk(tmp_path) as made:
        yield made


class Shelf:
    """A folder of plugins."""

    def __init__(self, folder: Path, desk: Desk) -> None:
        self.folder = folder
        self._make = PluginTools(desk.commands, desk.spool)

    def put(self, plugin: str, *tools: Mapping[str, Any], code: str = "") -> None:
        folder = self.folder / plugin
        folder.mkdir(parents=True)
        folder.joinpath("plugin.json").write_text(json.dumps({"name": plugin, "tools": tools}))
        folder.joinpath("tool.py").write_text(code)

    def load(self, *taken: str, **host: str) -> Plugins:
        return load_plugins(self.folder, self._make, taken=taken, host=host)

    def tool(self, code: str, host: Mapping[str, str] | None = None, **declared: Any) -> Tool:
        """The one tool of a plugin whose command is this Python code."""
        self.put("one", {**TOOL, **declared}, code=code)
        loaded = self.load(**(host or {}))
        assert loaded.left_out == ()
        return loaded.tools[0]


TOOL = {"name": "Count", "description": "Counts.", "command": [sys.executable, "tool.py"]}


@pytest.fixture
def shelf(tmp_path: Path, desk: Desk) -> Shelf:
    return Shelf(tmp_path / "plugins", desk)


async def test_41_what_the_command_prints_is_the_result(shelf: Shelf) -> None:
    """Case 41."""
    result = await shelf.tool("print('three')").run()
    assert (result.output, result.message, result.error) == ("three\n", "", None)


async def test_42_parameters_arrive_as_json_on_standard_input(shelf: Shelf) -> None:
    """Case 42."""
    given = {"city": "Zürich", "days": 3, "self": True, "deep": {"list": [1, None]}, "odd": "\ud800"}
    result = await shelf.tool("import sys, json; print(json.dumps(json.load(sys.stdin), sort_keys=True))").run(**given)
    assert json.loads(str(result.output)) == given


def test_43_no_folder_an_empty_one_and_a_plugin_without_tools(shelf: Shelf) -> None:
    """Case 43."""
    assert shelf.load() == Plugins()
    shelf.folder.mkdir()
    assert shelf.load() == Plugins()
    shelf.put("nothing")
    (shelf.folder / "no_manifest").mkdir()
    (shelf.folder / "a_file").touch()
    assert shelf.load() == Plugins()


async def test_a_manifest_may_be_toml(shelf: Shelf) -> None:
    folder = shelf.folder / "weather"
    folder.mkdir(parents=True)
    (folder / "plugin.toml").write_text(
        f"""
        name = "weather"
        [[tools]]
        name = "Weather"
        description = "The weather of a city."
        command = ["{sys.executable}", "-c", "import os; print(os.getcwd(), os.environ['KEY'])"]
        env = {{ KEY = "weather_key" }}
        effect = "external"
        timeout = 5
        [tools.parameters]
        type = "object"
        required = ["city"]
        properties.city.type = "string"
        """
    )
    (tool,) = shelf.load(weather_key="k1", other="k2").tools
    assert (tool.name, tool.description, tool.effect) == ("Weather", "The weather of a city.", Effect.EXTERNAL)
    assert tool.parameters["required"] == ["city"]
    assert (await tool.run(city="Bern")).output == f"{folder} k1\n"


async def test_only_the_chosen_host_values_reach_the_command(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    tool = shelf.tool(
        "import os; print(sorted(k for k, v in os.environ.items() if v in ('one', 'two', 'sk-secret')))",
        host={"first": "one", "second": "two"},
        env={"FIRST": "first"},
    )
    assert (await tool.run()).output == "['FIRST']\n"


async def test_a_command_that_fails_is_an_error_with_what_it_said(shelf: Shelf) -> None:
    result = await shelf.tool("import sys; print('some'); print('no city', file=sys.stderr); sys.exit(4)").run()
    assert result.error is ErrorClass.TOOL_ERROR
    assert result.output == "no city\n"
    assert result.message == "Count failed with exit code 4."


async def test_a_warning_on_standard_error_is_not_the_result(shelf: Shelf) -> None:
    result = await shelf.tool("import sys; print('slow', file=sys.stderr); print('three')").run()
    assert (result.output, result.error) == ("three\n", None)


async def test_at_its_limit_nothing_of_it_is_left(shelf: Shelf) -> None:
    code = "import subprocess; print('began', flush=True); subprocess.run(['sleep', '300.41'])"
    tool = shelf.tool(code, timeout=1)
    began = time.monotonic()
    result = await tool.run()
    assert time.monotonic() - began < 30  # it would take 300
    assert (result.error, result.output) == (ErrorClass.TIMEOUT, "began\n")
    assert living("sleep 300.41") == []


async def test_a_command_that_does_not_read_its_input_is_fine(shelf: Shelf) -> None:
    result = await shelf.tool("print('three')").run(text="x" * 1_000_000)
    assert (result.output, result.error) == ("three\n", None)


async def test_long_output_is_cut_and_kept(shelf: Shelf) -> None:
    result = await shelf.tool("for n in range(100_000): print(n)").run()
    assert len(str(result.output)) <= 50_000
    assert "from line" in result.message


async def test_parameters_that_do_not_fit_the_schema_do_not_run(shelf: Shelf) -> None:
    parameters = {"type": "object", "required": ["city"], "properties": {"city": {"type": "string"}}}
    tool = shelf.tool("open('ran', 'w')", parameters=parameters)
    for arguments in ({}, {"city": 3}):
        with pytest.raises(ToolFailure) as caught:
            await tool.prepare(arguments)
        assert caught.value.result.error is ErrorClass.INVALID_INPUT
        with pytest.raises(ToolFailure, match="city"):
            await tool.run(**arguments)
    with pytest.raises(ToolFailure, match="object"):
        await tool.run("Bern")
    assert not (shelf.folder / "one" / "ran").exists()


async def test_it_asks_as_danger_unless_it_declares_less_and_shows_its_parameters(shelf: Shelf) -> None:
    tool = shelf.tool("")
    assert tool.effect is Effect.DANGER
    ask = await tool.prepare({"city": "Bern"})
    assert "Count" in ask.summary
    assert "Bern" in str(ask.preview[0])


def test_a_name_that_is_taken_is_left_out_with_a_warning(shelf: Shelf, caplog: pytest.LogCaptureFixture) -> None:
    shelf.put("a", {**TOOL, "name": "Shell"}, {**TOOL, "name": "Mine"})
    shelf.put("b", {**TOOL, "name": "Mine", "description": "Later"})
    with caplog.at_level(logging.WARNING):
        loaded = shelf.load("Shell")
    assert [(tool.name, tool.description) for tool in loaded.tools] == [("Mine", "Counts.")]
    assert [one.path.rpartition(": ")[2] for one in loaded.left_out] == ["Shell", "Mine"]
    assert "Shell" in caplog.text


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ({"command": []}, "command"),
        ({"name": "two words"}, "name"),
        ({"description": "  "}, "description"),
        ({"effect": "huge"}, "effect"),
        ({"timeout": 0}, "timeout"),
        ({"colour": "red"}, "colour"),
        ({"parameters": {"type": 7}}, "JSON Schema"),
        ({"parameters": {"type": "array"}}, "object"),
        ({"env": {"KEY": "nobody_has"}}, "nobody_has"),
    ],
)
def test_a_plugin_that_is_wrong_is_left_out_and_the_others_are_there(
    shelf: Shelf, declared: dict[str, Any], said: str
) -> None:
    shelf.put("a", {**TOOL, **declared})
    shelf.put("b", {**TOOL, "name": "Good"})
    loaded = shelf.load()
    assert [tool.name for tool in loaded.tools] == ["Good"]
    assert said in loaded.left_out[0].reason
    assert str(shelf.folder / "a") in loaded.left_out[0].path


@pytest.mark.parametrize("text", ["", "{", "[]", "[" * 100_000, '{"tools": 3}'])
def test_a_manifest_that_cannot_be_read_is_left_out(shelf: Shelf, text: str) -> None:
    shelf.put("a")
    (shelf.folder / "a" / "plugin.json").write_text(text)
    loaded = shelf.load()
    assert loaded.tools == ()
    assert len(loaded.left_out) == 1


async def test_a_command_that_is_not_there_is_an_error_of_its_call(shelf: Shelf) -> None:
    shelf.put("a", {**TOOL, "command": ["./no_such_command"]})
    with pytest.raises(ToolFailure, match="no_such_command"):
        await shelf.load().tools[0].run()
