"""Ways round what a session promises, each closed: what counts for one run is not kept, nobody else's file is read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from actions.agent.loop.instructions import instruction_files
from actions.agent.loop.options import Flags
from actions.agent.session.state import Mode
from tests.actions.agent.loop.conftest import Open
from tests.actions.agent.loop.scripted import Scripted, calls, says


@pytest.mark.parametrize("flags", [Flags(afk=True), Flags(yolo=True)], ids=["afk", "yolo"])
async def test_a_flag_of_this_run_is_not_kept_by_a_walk_through_plan_mode(stage: Open, flags: Flags) -> None:
    model = Scripted(
        calls(("c1", "EnterPlanMode", "{}")), calls(("c2", "ExitPlanMode", '{"plan": "# P"}')), says("Done.")
    )
    here = await stage(model=model, flags=flags)
    await here.prompt("plan it")
    kept = here.session.state.mode
    await here.session.close()
    again = await stage(model=Scripted(says("Hi.")), session_id=here.session.id)
    assert (kept, again.session.mode) == (Mode.DEFAULT, Mode.DEFAULT)


async def test_a_kept_mode_survives_a_walk_through_plan_mode(stage: Open) -> None:
    model = Scripted(
        calls(("c1", "EnterPlanMode", "{}")), calls(("c2", "ExitPlanMode", '{"plan": "# P"}')), says("Done.")
    )
    here = await stage(model=model)
    here.session.set_mode(Mode.AFK)
    await here.prompt("plan it")
    assert (here.session.mode, here.session.state.mode) == (Mode.AFK, Mode.AFK)


def test_an_instruction_file_that_leads_out_of_the_repository_is_not_read(tmp_path: Path) -> None:
    """It would reach the model without a question, and the agent's environment holds its keys."""
    root = tmp_path / "shop"
    (root / ".git").mkdir(parents=True)
    secret = tmp_path / "secret.txt"
    secret.write_text("do not tell")
    for target in (secret, Path("/proc/self/environ")):
        (root / "AGENTS.md").symlink_to(target)
        assert instruction_files(root) == []
        (root / "AGENTS.md").unlink()
    (root / "docs").mkdir()
    (root / "docs" / "agents.md").write_text("Be kind.")
    (root / "AGENTS.md").symlink_to("docs/agents.md")
    assert instruction_files(root) == [(root / "AGENTS.md", "Be kind.")]


def test_a_huge_instruction_file_is_not_read_whole(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    file = tmp_path / "AGENTS.md"
    file.write_text("Begin. " + "x" * 40_000)
    os.truncate(file, 1 << 40)
    ((_, text),) = instruction_files(tmp_path)
    assert text.startswith("Begin. x")
    assert len(text) < 33_000
