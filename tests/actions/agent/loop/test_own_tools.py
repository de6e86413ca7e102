"""A session with what its user gave it: plugins, an agent file of one's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from actions.agent.approvals.decision import Choice
from actions.errors import InvalidInput
from tests.actions.agent.loop.conftest import Open
from tests.actions.agent.loop.scripted import Scripted, calls, says


@pytest.fixture
def config(tmp_path: Path) -> Path:
    folder = tmp_path / "home" / "config"
    folder.mkdir(parents=True)
    return folder


def put_plugin(config: Path, *names: str) -> None:
    tools = [
        {
            "name": name,
            "description": "Says where it works.",
            "command": ["sh", "-c", 'cat; echo " in $WORK"'],
            "env": {"WORK": "workspace"},
        }
        for name in names
    ]
    folder = config / "plugins" / "mine"
    folder.mkdir(parents=True)
    (folder / "plugin.json").write_text(json.dumps({"name": "mine", "tools": tools}))


async def test_a_plugins_tool_is_offered_asked_for_and_run(stage: Open, config: Path) -> None:
    put_plugin(config, "Where", "Shell")
    model = Scripted(calls(("c1", "Where", '{"a": 1}')), says("There."))
    here = await stage(model=model)
    here.choice = Choice.ONCE
    assert (await here.prompt("where?")).text == "There."
    (result,) = here.screen.results()
    assert (result.error, result.output) == (None, f'{{"a": 1}} in {here.root}\n')
    _, offered, _ = model.asked[0]
    assert offered.count("Shell") == 1
    assert offered.index("Where") > offered.index("SendDMail")
    assert [text for (text,) in here.screen.of("notice") if "plugin" in text and "Shell" in text]


async def test_a_rejected_plugin_does_not_run(stage: Open, config: Path) -> None:
    put_plugin(config, "Where")
    here = await stage(model=Scripted(calls(("c1", "Where", "{}"))))
    here.choice = Choice.REJECT
    assert (await here.prompt("where?")).detail == "rejected"
    assert here.screen.results()[0].is_error


async def test_an_agent_file_of_ones_own(stage: Open, config: Path) -> None:
    (config / "agent.yaml").write_text(
        "extend: default\nsystem_prompt: mine.md\nallowed_tools: [ReadFile, Glob]\n"
        'add_tools: [{tool: "actions.agent.tools.shell:Shell", options: {keep_environment: [A_API_KEY]}}]\n'
        "exclude_tools: [Glob]\n"
    )
    (config / "mine.md").write_text("You only read.")
    model = Scripted(says("Yes."))
    here = await stage(model=model)
    await here.prompt("hello")
    _, offered, instructions = model.asked[0]
    assert offered == ["ReadFile", "Shell"]
    assert instructions.startswith("You only read.")


async def test_an_agent_file_that_is_wrong_names_every_fault(stage: Open, config: Path) -> None:
    (config / "agent.yaml").write_text("tools: ['no_colon', 'actions.agent.tools.shell:Shel']\n")
    with pytest.raises(InvalidInput) as caught:
        await stage(model=Scripted())
    assert "no_colon" in caught.value.message
    assert "has no class Shel" in caught.value.message
