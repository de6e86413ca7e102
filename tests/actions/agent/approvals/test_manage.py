"""What a person reads of the rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from actions.agent.approvals.manage import ManageRules, ManageRulesParams, read_arguments
from actions.agent.approvals.rules import Rules
from actions.agent.toolset.results import ToolFailure
from actions.catalog.spec import Effect
from actions.patterns.pattern import Pattern


async def told(rules: Rules, said: str) -> str:
    result = await ManageRules(rules).run(ManageRulesParams(**read_arguments(said)))
    assert isinstance(result.output, str)
    return result.output


@pytest.mark.parametrize("said", ["", "revoke all"])
async def test_a_file_that_does_not_count_is_named_each_time(tmp_path: Path, said: str) -> None:
    file = tmp_path / "rules.json"
    file.write_text("{")
    rules = Rules(file, warn=lambda text: None)
    for _ in range(2):
        assert f"The rules in {file} do not count" in await told(rules, said)
    rules.add("Shell", Effect.DANGER, Pattern("command", ("ls",)))
    shown = await told(rules, said)
    assert "begins with: ls" in shown
    assert str(file) in shown
    assert file.read_text() == "{"


async def test_a_rule_that_does_not_count_says_so(tmp_path: Path) -> None:
    file = tmp_path / "rules.json"
    rules = Rules(file, warn=lambda text: None)
    rules.add("Shell", Effect.DANGER, Pattern("command", ("ls",)), always=True)
    assert "does not count" not in await told(rules, "")
    file.write_text(file.read_text().replace('"ls"', '"sh"'))
    assert "does not count" in await told(rules, "list")


async def test_what_rules_cannot_do_is_said(tmp_path: Path) -> None:
    rules = Rules(tmp_path / "rules.json", warn=lambda text: None)
    with pytest.raises(ToolFailure, match=r"does not know 'frob'.*revoke ID"):
        await told(rules, "frob")
    assert "No rule" in await told(rules, "revoke ALL")
