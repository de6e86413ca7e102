"""Deciding at a terminal: only a person there may, and sees first what it is about."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from tests.actions.cli.home import COMMAND, Home
from tests.actions.cli.terminal import at_terminal

pytestmark = pytest.mark.e2e


def asked_for(home: Home, path: Path) -> str:
    """The id of a new approval request: add a workspace."""
    path.mkdir()
    given = {"action_id": "workspace.add", "input": {"path": str(path)}, "summary": "Add a directory"}
    return home.json("actions", "run", "approval.request.create", "--input", json.dumps(given)).data["id"]


def workspaces(home: Home) -> list[str]:
    return [w["path"] for w in home.json("workspace", "list").data["workspaces"]]


def test_without_a_terminal_nothing_is_decided(lively: Home, tmp_path: Path) -> None:
    request = asked_for(lively, tmp_path / "a")
    for words in (["approve", request], ["reject", request], ["approve", request, "--yes"]):
        ran = lively.json("inbox", *words)
        assert (ran.exit, ran.error["code"]) == (4, "present_user_required")
    assert request in [row["id"] for row in lively.json("inbox", "list").data["rows"]]
    assert str(tmp_path / "a") not in workspaces(lively)


def test_a_yes_at_a_terminal_decides_and_runs_once(lively: Home, tmp_path: Path) -> None:
    request = asked_for(lively, tmp_path / "b")
    out = tmp_path / "out.json"
    line = f"{shlex.quote(COMMAND)} inbox approve {request} --json > {shlex.quote(str(out))}"
    exit, shown = at_terminal(["/bin/bash", "-c", line], lively.environment(), [("[y/N]", "y\n")])
    assert exit == 0, shown
    assert str(tmp_path / "b") in shown  # what is approved was shown first
    document = json.loads(out.read_text())
    assert document["ok"]
    assert document["data"]["outcome"] == "completed"
    assert str(tmp_path / "b") in workspaces(lively)
    assert request not in [row["id"] for row in lively.json("inbox", "list").data["rows"]]


def test_anything_but_yes_decides_nothing(lively: Home, tmp_path: Path) -> None:
    request = asked_for(lively, tmp_path / "c")
    exit, shown = at_terminal([COMMAND, "inbox", "approve", request], lively.environment(), [("[y/N]", "\n")])
    assert exit == 1
    assert "Nothing was decided" in shown
    assert request in [row["id"] for row in lively.json("inbox", "list").data["rows"]]


def test_what_was_decided_is_said_and_not_asked_about_again(lively: Home, tmp_path: Path) -> None:
    request = asked_for(lively, tmp_path / "twice")
    assert at_terminal([COMMAND, "inbox", "reject", request, "--yes"], lively.environment())[0] == 0
    exit, shown = at_terminal([COMMAND, "inbox", "approve", request], lively.environment())
    assert exit == 1
    assert "[y/N]" not in shown
    assert "This request was decided already: rejected at the command line on 20" in " ".join(shown.split())


def test_a_rejection_carries_its_feedback(lively: Home, tmp_path: Path) -> None:
    request = asked_for(lively, tmp_path / "d")
    words = ["inbox", "reject", request, "--feedback", "not that one", "--yes"]
    exit, shown = at_terminal([COMMAND, *words], lively.environment())
    assert exit == 0, shown
    view = lively.json("actions", "run", "approval.request.get", "--input", json.dumps({"approval_id": request})).data
    assert view["status"] == "rejected"
    assert "not that one" in json.dumps(view["decision"])
    assert str(tmp_path / "d") not in workspaces(lively)


def test_later_is_not_no_and_needs_no_terminal_to_be_undone(lively: Home, tmp_path: Path) -> None:
    request = asked_for(lively, tmp_path / "e")
    assert lively.json("inbox", "defer", request).exit == 0
    view = lively.json("actions", "run", "approval.request.get", "--input", json.dumps({"approval_id": request})).data
    assert view["status"] == "open"


def test_policy_is_changed_at_a_terminal_only(lively: Home) -> None:
    words = ["actions", "set", "session.archive", "--surface", "cli", "--enabled", "off", "--json"]
    assert lively.sayso(*words).exit == 4
    exit, shown = at_terminal([COMMAND, *words], lively.environment())
    assert exit == 0, shown
    ran = lively.json("session", "archive", "--session-id", "x")
    assert (ran.exit, ran.error["code"]) == (4, "action_disabled")
    exit, shown = at_terminal([COMMAND, *words[:-2], "default", "--json"], lively.environment())
    assert exit == 0, shown
    assert lively.json("session", "archive", "x").error["code"] == "not_found"


def test_without_a_terminal_no_row_is_told_of(lively: Home) -> None:
    assert lively.json("inbox", "approve", "nope").error["code"] == "present_user_required"
    exit, shown = at_terminal([COMMAND, "inbox", "approve", "nope"], lively.environment())
    assert exit == 1
    assert "nope" in shown


def test_an_agents_permission_is_allowed_by_its_own_words(lively: Home) -> None:
    session = lively.json("session", "new", "--provider", "builtin").data["id"]
    lively.json("session", "mode", session, "plan")
    lively.json("session", "send", session, "check the password at login", "--wait")
    lively.json("session", "mode", session, "default")
    lively.json("session", "send", session, "write the plan to PLAN.md")
    assert lively.json("session", "wait", session, "--for", "attention", "--timeout", "20").data["state"] == "waiting"
    [row] = [r for r in lively.json("inbox", "list").data["rows"] if r["session_id"] == session]
    assert row["kind"] == "permission"
    assert "PLAN.md" in lively.sayso("inbox", "show", row["id"]).out
    always = [COMMAND, "inbox", "approve", row["id"], "--scope", "always"]
    exit, shown = at_terminal(always, lively.environment(), [("[y/N]", "y\n")])
    assert exit == 0, shown
    assert "With --scope always this is allowed from now on: an edit on every file below" in shown
    [rule] = lively.json("approval", "rule", "list").data["rules"]
    assert rule["covers"].startswith("an edit on every file below")
    lively.json("session", "wait", session, "--timeout", "20")
    assert (lively.workspace / "PLAN.md").read_text().startswith("# Plan")
    lively.json("session", "send", session, "write the plan to docs/NEXT.md", "--wait")
    assert (lively.workspace / "docs" / "NEXT.md").exists()
