"""What a call is about, for a rule: plainly one known thing, or nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from actions.patterns.calls import scopes_of
from actions.patterns.scope import Scope


def about(workspace: Path, kind: str | None, given: Any = None, **more: Any) -> list[Scope]:
    return list(scopes_of({"kind": kind, "input": given, **more}, str(workspace)))


@pytest.mark.parametrize(
    ("given", "command"),
    [
        ({"command": "git status"}, "git status"),
        ({"command": ["bash", "-lc", "git status"]}, "git status"),
        ({"command": ["git", "log", "a b"]}, "git log 'a b'"),
        ({"cmd": "make", "timeout": 5, "description": "Build"}, "make"),
    ],
)
def test_a_command(tmp_path: Path, given: dict[str, Any], command: str) -> None:
    place = {"folder": str(tmp_path), "roots": (str(tmp_path),)}
    assert about(tmp_path, "execute", given) == [Scope("command", command, **place)]


@pytest.mark.parametrize(
    "given",
    [
        None,
        "git status",
        {},
        {"command": "make", "cmd": "rm"},
        {"command": "make", "cwd": "/etc"},
        {"command": "make", "env": {"PATH": "/tmp"}},
        {"command": "make", "with_escalated_permissions": True},
        {"command": "sh", "stdin": "rm -rf ."},
        {"command": "make", "workdir": "a\0b"},
    ],
)
def test_a_command_that_may_be_another_is_nothing(tmp_path: Path, given: Any) -> None:
    assert about(tmp_path, "execute", given) == []


def test_every_path_of_a_call_counts(tmp_path: Path) -> None:
    inside = str(tmp_path / "a.py")
    diff = [{"type": "diff", "path": "/etc/passwd", "newText": "x"}]
    scopes = about(tmp_path, "edit", {"file_path": "a.py"}, locations=[{"path": inside}], content=diff)
    assert Scope("path", inside) in scopes
    assert Scope("path", "/etc/passwd", outside=True) in scopes


def test_a_link_that_leads_out_is_outside(tmp_path: Path) -> None:
    (tmp_path / "repo").mkdir()
    (tmp_path / "repo" / "link").symlink_to("/etc")
    (scope,) = about(tmp_path / "repo", "edit", {"path": "link/hosts"})
    assert scope == Scope("path", "/etc/hosts", outside=True)


def test_another_home_is_outside(tmp_path: Path) -> None:
    (scope,) = about(tmp_path, "edit", {"path": "~/.bashrc"})
    assert scope.outside


@pytest.mark.parametrize(
    "call",
    [
        {"title": "mcp__files__read_all", "kind": "other"},
        {"name": "mcp__files__read_all", "title": "Reading", "kind": "read"},
        {"title": "read_all (files MCP Server)", "kind": "other"},
        {"title": None, "kind": "other", "input": {"server": "files", "tool": "read_all"}},
    ],
)
def test_an_mcp_tool_however_the_agent_names_it(tmp_path: Path, call: dict[str, Any]) -> None:
    assert scopes_of(call, str(tmp_path)) == (Scope("mcp", "files/read_all"),)


@pytest.mark.parametrize("kind", ["delete", "move", "think", "switch_mode", "other", None])
def test_kinds_that_no_rule_covers(tmp_path: Path, kind: str | None) -> None:
    assert about(tmp_path, kind, {"path": "a", "command": "ls", "url": "https://x"}) == []


def test_an_address(tmp_path: Path) -> None:
    assert about(tmp_path, "fetch", {"url": "https://docs.python.org/3/"}) == [Scope("host", "docs.python.org")]
    assert about(tmp_path, "fetch", {"url": "file:///etc/passwd"}) == []
