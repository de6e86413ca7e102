"""Rules: made, listed, stored, revoked."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from actions.agent.approvals.rules import Rules
from actions.agent.toolset.asking import Scope
from actions.catalog.spec import Effect
from actions.patterns.pattern import Pattern

LS = Pattern("command", ("ls",))
STATUS = Pattern("command", ("git", "status"))


@pytest.fixture
def warnings() -> list[str]:
    return []


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "state" / "rules.json"


def match(rules: Rules, command: str) -> str | None:
    rule = rules.match("Shell", Effect.DANGER, Scope("command", command))
    return None if rule is None else rule.id


def test_always_rules_outlive_the_session(file: Path, warnings: list[str]) -> None:
    first = Rules(file, warn=warnings.append)
    always = first.add("Shell", Effect.DANGER, STATUS, always=True)
    session = first.add("Shell", Effect.DANGER, LS)
    assert first.listed() == (always, session)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    second = Rules(file, warn=warnings.append)
    assert second.listed() == (always,)
    assert match(second, "git status -s") == always.id
    assert match(second, "ls") is None
    assert warnings == []


def test_rules_are_revoked(file: Path, warnings: list[str]) -> None:
    rules = Rules(file, warn=warnings.append)
    always = rules.add("Shell", Effect.DANGER, STATUS, always=True)
    session = rules.add("Shell", Effect.DANGER, LS)
    assert rules.revoke(session.id)
    assert rules.revoke(always.id)
    assert not rules.revoke(always.id)
    assert match(rules, "ls") is None
    assert match(rules, "git status") is None
    assert Rules(file, warn=warnings.append).listed() == ()


def test_sessions_of_a_workspace_share_always_rules_at_once(file: Path, warnings: list[str]) -> None:
    one, two = Rules(file, warn=warnings.append), Rules(file, warn=warnings.append)
    first = one.add("Shell", Effect.DANGER, STATUS, always=True)
    second = two.add("Shell", Effect.DANGER, LS, always=True)
    assert one.listed() == two.listed() == (first, second)
    assert match(one, "ls -a") == second.id
    assert two.revoke(first.id)
    assert match(one, "git status") is None


def test_an_equal_rule_is_made_once(file: Path, warnings: list[str]) -> None:
    rules = Rules(file, warn=warnings.append)
    session = rules.add("Shell", Effect.DANGER, LS)
    assert rules.add("Shell", Effect.DANGER, LS) == session
    always = rules.add("Shell", Effect.DANGER, LS, always=True)
    assert always.always
    assert rules.add("Shell", Effect.DANGER, LS) == always
    assert len(rules.listed()) == 2


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "[]",
        '{"version":2,"rules":[]}',
        '{"version":1,"rules":[{"id":"x"}]}',
        '{"version":1,"rules":[],"more":1}',
        '{"rules":7}',
    ],
)
def test_a_broken_file_is_reported_and_never_overwritten(file: Path, warnings: list[str], content: str) -> None:
    file.parent.mkdir()
    file.write_text(content)
    rules = Rules(file, warn=warnings.append)
    assert len(warnings) == 1
    assert str(file) in warnings[0]
    rule = rules.add("Shell", Effect.DANGER, LS, always=True)
    assert not rule.always
    assert "this session only" in warnings[-1]
    assert match(rules, "ls") == rule.id
    assert file.read_text() == content


def test_a_mended_file_counts_again(file: Path, warnings: list[str]) -> None:
    rule = Rules(file, warn=warnings.append).add("Shell", Effect.DANGER, LS, always=True)
    good = file.read_bytes()
    file.write_text("{")
    rules = Rules(file, warn=warnings.append)
    assert match(rules, "ls") is None
    file.write_bytes(good)
    assert match(rules, "ls") == rule.id


def test_a_rule_that_frees_too_much_is_listed_but_does_nothing(file: Path, warnings: list[str]) -> None:
    """Edited by hand: all of sh, and all commands."""
    Rules(file, warn=warnings.append).add("Shell", Effect.DANGER, LS, always=True)
    stored = json.loads(file.read_text())
    for words in (["sh"], []):
        stored["rules"].append(
            {**stored["rules"][0], "id": f"bad{words}", "pattern": {"kind": "command", "words": words}}
        )
    file.write_text(json.dumps(stored))
    rules = Rules(file, warn=warnings.append)
    assert len(rules.listed()) == 3
    assert match(rules, "sh -c x") is None
    assert match(rules, "rm x") is None
    assert match(rules, "ls") is not None


def test_a_folder_that_cannot_be_written(tmp_path: Path, warnings: list[str]) -> None:
    (tmp_path / "state").write_text("a file where the folder should be")
    rules = Rules(tmp_path / "state" / "rules.json", warn=warnings.append)
    rule = rules.add("Shell", Effect.DANGER, LS, always=True)
    assert not rule.always
    assert match(rules, "ls") == rule.id


def test_without_a_file_always_means_this_session(warnings: list[str]) -> None:
    rules = Rules(warn=warnings.append)
    assert not rules.add("Shell", Effect.DANGER, LS, always=True).always
