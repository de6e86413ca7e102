"""Agent files: what is inherited, replaced and removed, over several levels."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from actions.agent.hooks.config import Hook
from actions.agent.toolset.agentfile import AGENTS, builtin_agent, read_agent_file
from actions.agent.toolset.loading import ToolEntry, ToolsNotLoaded, load_tools
from actions.errors import InvalidInput, NotFound

Write = Callable[[str, str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(name: str, text: str) -> Path:
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    return written


def paths(file: Path | str) -> list[str]:
    return [entry.path for entry in read_agent_file(file).tools]


def test_a_file_of_its_own(write: Write) -> None:
    write("prompt.md", "You read.")
    agent = read_agent_file(
        write(
            "reader.yaml",
            """
            name: reader
            description: Reads
            system_prompt: prompt.md
            tools:
              - a.b:C
              - {tool: "a.b:D", options: {limit: 3}}
            hooks: [{event: PreToolUse, command: "true"}]
            subagents: {explore: {file: reader.yaml, description: Looks}}
            """,
        )
    )
    assert (agent.name, agent.description) == ("reader", "Reads")
    assert agent.system_prompt is not None
    assert agent.system_prompt.read_text() == "You read."
    assert agent.tools == (ToolEntry("a.b:C"), ToolEntry("a.b:D", {"limit": 3}))
    assert agent.hooks == (Hook(event="PreToolUse", command="true"),)
    assert agent.subagents["explore"].file == agent.file
    assert agent.subagents["explore"].description == "Looks"


def test_several_levels_each_change_what_the_level_below_gave(write: Write) -> None:
    write(
        "one.yaml",
        "description: first\ntools: ['m:A', 'm:B', 'm:C', 'm:D']\nhooks: [{event: PreToolUse, command: one}]\n",
    )
    write("two.yaml", "extend: one.yaml\nexclude_tools: ['m:A']\nhooks: [{event: PostToolUse, command: two}]\n")
    agent = read_agent_file(write("three.yaml", "extend: two.yaml\nname: last\nexclude_tools: [D]\n"))
    assert [entry.path for entry in agent.tools] == ["m:B", "m:C"]
    assert [hook.command for hook in agent.hooks] == ["one", "two"]
    assert (agent.name, agent.description) == ("last", "first")


def test_allowed_replaces_the_list_then_exclude_removes(write: Write) -> None:
    write("base.yaml", "tools: ['m:A', {tool: 'm:B', options: {x: 1}}, 'm:C']\n")
    child = write("child.yaml", "extend: base.yaml\nallowed_tools: [B, 'n:Z', 'm:A']\nexclude_tools: ['m:A']\n")
    assert read_agent_file(child).tools == (ToolEntry("m:B", {"x": 1}), ToolEntry("n:Z"))


def test_a_tool_is_added_or_its_options_are_changed_in_place(write: Write) -> None:
    write("base.yaml", "tools: ['m:A', {tool: 'm:B', options: {x: 1}}, 'm:C']\n")
    child = write(
        "child.yaml", "extend: base.yaml\nadd_tools: ['n:Z', {tool: 'm:B', options: {x: 2}}]\nexclude_tools: [C]\n"
    )
    assert read_agent_file(child).tools == (ToolEntry("m:A"), ToolEntry("m:B", {"x": 2}), ToolEntry("n:Z"))


def test_tools_of_its_own_replace_the_inherited_ones(write: Write) -> None:
    write("base.yaml", "tools: ['m:A']\n")
    assert paths(write("child.yaml", "extend: base.yaml\ntools: ['m:B']\n")) == ["m:B"]
    assert paths(write("none.yaml", "extend: base.yaml\ntools: []\n")) == []


def test_a_path_is_relative_to_the_file_that_says_it(write: Write, tmp_path: Path) -> None:
    write("deep/base.yaml", "system_prompt: base.md\nsubagents: {x: {file: x.yaml}}\n")
    write("deep/base.md", "Deep.")
    agent = read_agent_file(write("top.yaml", "extend: deep/base.yaml\n"))
    assert agent.system_prompt == tmp_path / "deep/base.md"
    assert agent.subagents["x"].file == tmp_path / "deep/x.yaml"


def test_a_subagent_is_removed_with_null(write: Write) -> None:
    write("base.yaml", "subagents: {x: {file: x.yaml}, y: {file: y.yaml}}\n")
    assert list(read_agent_file(write("child.yaml", "extend: base.yaml\nsubagents: {x: null}\n")).subagents) == ["y"]


def test_a_circle_is_named_link_by_link(write: Write, tmp_path: Path) -> None:
    write("a.yaml", "extend: b.yaml\n")
    write("b.yaml", "extend: c.yaml\n")
    write("c.yaml", "extend: b.yaml\n")
    with pytest.raises(InvalidInput, match="circle") as caught:
        read_agent_file(tmp_path / "a.yaml")
    assert f"{tmp_path / 'b.yaml'} -> {tmp_path / 'c.yaml'} -> {tmp_path / 'b.yaml'}" in caught.value.message


def test_a_file_that_extends_itself_is_a_circle(write: Write) -> None:
    with pytest.raises(InvalidInput, match="circle"):
        read_agent_file(write("a.yaml", "extend: a.yaml\n"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("tools: [", "not YAML"),
        ("- a\n- b\n", "the file"),
        ("exclude_tool: [A]\n", "exclude_tool"),
        ("tools: [{tool: 'm:A', option: {}}]\n", "option"),
        ("hooks: [{event: PreToolUse, command: 'true'}, {evnt: PreToolUse, command: x}]\n", "hooks.1.evnt"),
        ("hooks: [{event: Never, command: 'true'}]\n", "hooks.0.event"),
    ],
)
def test_a_slip_is_an_error_that_names_it(write: Write, text: str, said: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_agent_file(write("slip.yaml", text))
    assert said in caught.value.message
    assert "slip.yaml" in caught.value.message


def test_a_tool_that_is_excluded_and_not_there_is_reported_with_everything_else(write: Write) -> None:
    file = write("slip.yaml", "tools: ['no_colon', 'json:Gone']\nexclude_tools: [Shel]\n")
    agent = read_agent_file(file)
    with pytest.raises(ToolsNotLoaded) as caught:
        load_tools(agent.tools, {}, agent.troubles)
    assert [trouble.path for trouble in caught.value.troubles] == ["Shel", "no_colon", "json:Gone"]
    assert f"`exclude_tools` of {file} names it" in caught.value.message


def test_a_file_that_is_not_there_is_named_with_the_one_that_wants_it(write: Write) -> None:
    child = write("child.yaml", "extend: gone.yaml\n")
    with pytest.raises(NotFound, match=r"gone\.yaml, which .*child\.yaml extends"):
        read_agent_file(child)
    with pytest.raises(NotFound, match="system prompt"):
        read_agent_file(write("prompt.yaml", "system_prompt: gone.md\n"))


def test_an_empty_file_is_an_agent_without_tools(write: Write) -> None:
    agent = read_agent_file(write("empty.yaml", ""))
    assert (agent.name, agent.tools) == ("empty", ())


def test_the_built_in_agents_are_known_by_name(write: Write) -> None:
    assert "actions.agent.tools.shell:Shell" in paths("default")
    assert "actions.agent.tools.shell:Shell" not in paths(
        write("mine.yaml", "extend: default\nexclude_tools: [Shell]\n")
    )
    with pytest.raises(NotFound, match="coder, default, explore, plan"):
        builtin_agent("painter")


@pytest.mark.parametrize("name", sorted(file.stem for file in AGENTS.glob("*.yaml")))
def test_each_built_in_agent_is_whole(name: str) -> None:
    agent = read_agent_file(name)
    assert agent.name == name
    assert agent.system_prompt is not None
    assert agent.system_prompt.stem == name
    assert set(agent.subagents) == ({"coder", "explore", "plan"} if name == "default" else set())


def test_subagents_that_read_have_no_tool_that_changes_anything() -> None:
    for name in ("explore", "plan"):
        classes = {path.rpartition(":")[2] for path in paths(name)}
        assert classes.isdisjoint({"Shell", "WriteFile", "StrReplaceFile", "Agent", "TaskStop"})
