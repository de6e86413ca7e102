"""Paths, hosts and the rest of what a rule may be about."""

from __future__ import annotations

from pathlib import Path

import pytest

from actions.agent.toolset.asking import Scope
from actions.catalog.spec import Effect
from actions.patterns.calls import scopes_of
from actions.patterns.pattern import Pattern, pattern_for


def path_rule(path: Path, *, outside: bool = False) -> Pattern:
    pattern = pattern_for(Scope("path", str(path), outside), Effect.WRITE)
    assert pattern is not None
    assert pattern.sound
    return pattern


def test_a_path_rule_is_for_the_folder(tmp_path: Path) -> None:
    rule = path_rule(tmp_path / "src" / "a.py")

    def fits(*parts: str) -> bool:
        return rule.fits(Scope("path", str(tmp_path.joinpath(*parts))))

    assert rule.words == (str(tmp_path / "src"),)
    assert fits("src", "b.py")
    assert fits("src", "deep", "c.py")
    assert not fits("srcx", "b.py")
    assert not fits("a.py")
    assert not fits("src", "..", "a.py")
    assert not fits("src", "deep", "..", "..", "a.py")


def test_links_are_followed_again_at_match_time(tmp_path: Path) -> None:
    src, elsewhere = tmp_path / "src", tmp_path / "elsewhere"
    src.mkdir()
    elsewhere.mkdir()
    rule = path_rule(src / "a.py")
    asked = Scope("path", str(src / "sub" / "b.py"))
    assert rule.fits(asked)
    (src / "sub").symlink_to(elsewhere)
    assert not rule.fits(asked)


def test_a_root_that_became_a_link_carries_no_rule_away(tmp_path: Path) -> None:
    src, elsewhere = tmp_path / "src", tmp_path / "elsewhere"
    elsewhere.mkdir()
    rule = path_rule(src / "a.py")
    src.symlink_to(elsewhere)
    assert not rule.fits(Scope("path", str(src / "a.py")))
    assert not rule.fits(Scope("path", str(elsewhere / "a.py")))


def test_a_link_in_the_path_of_the_first_call_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert path_rule(tmp_path / "link" / "a.py").words == (str(tmp_path / "real"),)


def test_outside_is_a_scope_of_its_own(tmp_path: Path) -> None:
    inside, outside = path_rule(tmp_path / "a"), path_rule(tmp_path / "a", outside=True)
    assert not inside.fits(Scope("path", str(tmp_path / "a"), outside=True))
    assert not outside.fits(Scope("path", str(tmp_path / "a")))
    assert outside.fits(Scope("path", str(tmp_path / "a"), outside=True))
    assert not outside.fits(Scope("path", str(tmp_path / "b"), outside=True))


@pytest.mark.parametrize(
    "inner",
    [
        ".git/hooks/pre-commit",
        "sub/.git/config",
        ".GIT/config",
        ".hg/hgrc",
        ".vscode/tasks.json",
        ".envrc",
        "sub/.envrc",
        ".husky/pre-push",
        ".github/workflows/ci.yml",
        ".claude/settings.json",
        ".mcp.json",
        ".pre-commit-config.yaml",
        ".npmrc",
    ],
)
def test_a_folder_rule_does_not_reach_into_what_other_programs_run(tmp_path: Path, inner: str) -> None:
    """What lies there is run by the next harmless command."""
    assert not path_rule(tmp_path / "a").fits(Scope("path", str(tmp_path / inner)))
    exact = path_rule(tmp_path / inner)
    assert exact.exact
    assert exact.fits(Scope("path", str(tmp_path / inner)))
    assert not exact.fits(Scope("path", str(tmp_path / inner) + "2"))


def test_no_rule_for_the_whole_disk() -> None:
    assert path_rule(Path("/a.txt")).exact


def test_hosts_are_compared_whole() -> None:
    rule = pattern_for(Scope("host", "Docs.Example.org."), Effect.EXTERNAL)
    assert rule == Pattern("host", ("docs.example.org",))
    assert rule.fits(Scope("host", "docs.example.org"))
    for other in ("example.org", "x.docs.example.org", "docs.example.org.evil.net", "docs.example.orgx", ""):
        assert not rule.fits(Scope("host", other)), other


def test_an_mcp_rule_is_for_server_and_tool() -> None:
    rule = pattern_for(Scope("mcp", "files/read"), Effect.EXTERNAL)
    assert rule == Pattern("mcp", ("files", "read"))
    assert rule.fits(Scope("mcp", "files/read"))
    for other in ("files/write", "other/read", "files", "read", "files/read/x", "files/"):
        assert not rule.fits(Scope("mcp", other)), other


def test_a_dangerous_tool_is_never_freed_as_a_whole() -> None:
    assert pattern_for(Scope("tool", ""), Effect.DANGER) is None
    assert pattern_for(Scope("tool", ""), Effect.WRITE) == Pattern("tool")


def test_kinds_do_not_mix() -> None:
    assert not Pattern("tool").fits(Scope("command", "ls"))
    assert not Pattern("command", ("ls",)).fits(Scope("tool", ""))


@pytest.mark.parametrize(
    "pattern",
    [
        Pattern("path", ("relative",)),
        Pattern("path", ("/etc",), outside=True),
        Pattern("path", ()),
        Pattern("host", ("",)),
        Pattern("mcp", ("files",)),
        Pattern("mcp", ("files", "")),
        Pattern("tool", ("x",)),
    ],
)
def test_patterns_that_would_never_be_made_are_unsound(pattern: Pattern) -> None:
    assert not pattern.sound


@pytest.mark.parametrize(
    ("scope", "said"),
    [
        (Scope("path", "/srv/src/a.py"), "WriteFile on every file below /srv/src"),
        (Scope("path", "/etc/x", outside=True), "WriteFile on exactly this file: /etc/x"),
        (Scope("host", "x.org"), "every address on the host x.org"),
        (Scope("mcp", "files/read"), "every call of the tool read of the MCP server files"),
        (Scope("tool", ""), "every call of WriteFile"),
        (Scope("command", "ls -a"), "every single command that begins with: ls"),
    ],
)
def test_in_words(scope: Scope, said: str) -> None:
    pattern = pattern_for(scope, Effect.WRITE)
    assert pattern is not None
    assert said in pattern.in_words("WriteFile")


@pytest.mark.parametrize("title", ["mcp__github__list", "list (github MCP Server)"])
@pytest.mark.parametrize(("kind", "more"), [("execute", {"command": "rm -rf x"}), ("edit", {"path": "a"})])
def test_a_title_makes_no_mcp_call_of_a_command(tmp_path: Path, title: str, kind: str, more: dict[str, str]) -> None:
    """Titles are a model's words; a rule for a harmless MCP tool would let the command through."""
    for call in ({"kind": kind, "title": title, "input": more}, {"kind": "execute", "title": title, "input": {}}):
        assert all(scope.kind != "mcp" for scope in scopes_of(call, str(tmp_path)))
