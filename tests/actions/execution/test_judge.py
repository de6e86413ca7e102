"""Settings as policy reads them, and policy as the door uses it."""

from __future__ import annotations

from pathlib import Path

import pytest

from actions.catalog.context import Caller
from actions.catalog.spec import Effect, Exposure, Placement, Surface
from actions.errors import ErrorCode
from actions.execution.judge import Judge, policy_settings
from actions.policy.settings import Ask, Override, PolicySettings
from actions.storage.settings import SettingsFile
from tests.actions.execution.house import TERMINAL, WINDOW, AddLine, send_line


def test_the_file_becomes_overrides(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(
        '[actions."note.send"]\nenabled = true\napproval.cli = "always"\napproval.moon = "never"\n'
        'exposure.mcp = "discoverable"\nsurfaces.voice = false\nsurfaces.ui = true\nplacements.palette = false\n'
        '[workspaces."/w".actions."note.send"]\nenabled = false\n'
    )
    found = policy_settings(SettingsFile(file).load())
    assert found.device["note.send"] == Override(
        enabled=True,
        surfaces_off=frozenset({Surface.VOICE}),
        placements_off=frozenset({Placement.PALETTE}),
        approval={Surface.CLI: Ask.ALWAYS},
        exposure={Surface.MCP: Exposure.DISCOVERABLE},
    )
    assert found.workspaces["/w"]["note.send"] == Override(enabled=False)


def test_settings_are_read_at_each_question() -> None:
    current = PolicySettings()
    judge = Judge(lambda: current)
    assert judge.denial(send_line, Surface.CLI, None) is None
    current = PolicySettings(device={"note.send": Override(enabled=False)})
    denial = judge.denial(send_line, Surface.CLI, None)
    assert denial is not None
    assert denial.code is ErrorCode.ACTION_DISABLED
    assert denial.details["scope"] == "device"


@pytest.mark.parametrize("surface", list(Surface))
def test_an_unknown_caller_is_an_agent_everywhere(surface: Surface) -> None:
    judge = Judge(PolicySettings)
    assert judge.surface_of(surface, Caller()) is Surface.SESSION_AGENT
    assert judge.surface_of(surface, WINDOW) is surface
    assert judge.refusal_to_decide(Caller(), surface) is not None


def test_the_effect_of_the_very_call_counts() -> None:
    judge = Judge(lambda: PolicySettings(device={"note.send": Override(approval={Surface.MCP: Ask.NEVER})}))
    assert not judge.asking(send_line, AddLine(text="x"), Surface.MCP, None).asks
    loud = judge.asking(send_line, AddLine(text="x", kind="loud"), Surface.MCP, None)
    assert (loud.asks, loud.floor) == (True, True)


def test_deciding_at_a_terminal() -> None:
    judge = Judge(PolicySettings)
    assert judge.refusal_to_decide(TERMINAL, Surface.CLI, asked_on=Surface.SESSION_AGENT, effect=Effect.DANGER) is None
    refusal = judge.refusal_to_decide(TERMINAL, Surface.CLI, asked_on=Surface.MCP)
    assert refusal is not None
    assert refusal.code is ErrorCode.PRESENT_USER_REQUIRED
