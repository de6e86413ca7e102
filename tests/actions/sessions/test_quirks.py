"""What single agents do otherwise than the others, corrected before anyone sees it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from actions.sessions.incoming import Incoming, PermissionAsk, Update
from actions.sessions.provider import Provider
from actions.sessions.quirks import KNOWN, quirks_of
from actions.sessions.registry import shipped


def _heard(quirk: str, *said: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """What is left of messages, ``("ask" | "update", call)``, after a quirk was at them."""
    loop = asyncio.new_event_loop()
    heard: list[dict[str, Any]] = []

    def take(entry: Incoming) -> None:
        assert isinstance(entry, Update | PermissionAsk)
        heard.append(entry.update if isinstance(entry, Update) else entry.tool_call)

    incoming = quirks_of((quirk,)).before(take)
    for kind, call in said:
        incoming(PermissionAsk("s", call, [], loop.create_future()) if kind == "ask" else Update("s", call))
    loop.close()
    return heard


def test_an_untitled_permission_is_named_after_its_call() -> None:
    call = {"sessionUpdate": "tool_call", "toolCallId": "1", "rawInput": {"server": "sayso", "tool": "run_list"}}
    said = [("update", call), ("ask", {"toolCallId": "1", "title": None}), ("ask", {"toolCallId": "2", "title": "ls"})]
    assert [heard.get("title") for heard in _heard("untitled_permission", *said)] == [None, "run_list (sayso)", "ls"]


def test_an_older_codex_names_only_the_server() -> None:
    asked = {"toolCallId": "1", "title": "Approve MCP tool call", "rawInput": {"server_name": "sayso"}}
    assert _heard("untitled_permission", ("ask", asked))[0]["title"] == "(sayso)"


@pytest.mark.parametrize(
    ("call", "title"),
    [
        ({"title": '{"query": "x"}', "_meta": {"toolName": "mcp__sayso__search"}}, "mcp__sayso__search"),
        ({"title": '{"query": "x"}'}, "A tool of an MCP server"),
        ({"title": "rm -rf x"}, "rm -rf x"),
    ],
)
def test_arguments_are_no_title(call: dict[str, Any], title: str) -> None:
    assert _heard("title_is_arguments", ("ask", {"toolCallId": "1", **call}))[0]["title"] == title


def test_a_kind_is_taken_from_the_first_word_and_stays() -> None:
    update = {"sessionUpdate": "tool_call_update", "toolCallId": "1"}
    said = [
        ("update", {**update, "title": "WriteFile: a"}),
        ("update", {**update, "title": "a.txt"}),
        ("ask", {**update}),
    ]
    assert [call["kind"] for call in _heard("kindless_calls", *said)] == ["edit", "edit", "edit"]
    known = {**update, "title": "Shell", "kind": "read"}
    assert _heard("kindless_calls", ("update", known))[0]["kind"] == "read", "what the agent says is not overruled"


def test_a_program_that_must_have_a_subcommand() -> None:
    assert "may install" in (quirks_of(("never_bare",)).refusal(["/usr/bin/kimi"]) or "")
    assert quirks_of(("never_bare",)).refusal(["/usr/bin/kimi", "acp"]) is None


def test_a_sandbox_that_cannot_work_is_told(tmp_path: Path) -> None:
    quirks = quirks_of(("sandbox_home",))
    inside = quirks.warnings({"HOME": str(tmp_path / "h"), "TMPDIR": str(tmp_path), "PATH": "/usr/bin"})
    assert "HOME" in inside[0]
    assert "bubblewrap" in quirks.warnings({"HOME": "/root", "TMPDIR": str(tmp_path), "PATH": str(tmp_path)})[0]
    (tmp_path / "bwrap").touch(0o755)
    assert quirks.warnings({"HOME": "/root", "TMPDIR": str(tmp_path / "t"), "PATH": str(tmp_path)}) == []


def test_an_agent_that_stays_is_given_less_time() -> None:
    assert quirks_of(("slow_exit", "never_bare")).eof_wait(2.0) == 0.5
    assert quirks_of(()).eof_wait(2.0) == 2.0


def test_a_quirk_without_code_is_refused_and_every_one_with_code_is_in_use() -> None:
    with pytest.raises(ValidationError, match="unknown: dances"):
        Provider(id="x", name="X", command=("x",), quirks=("dances",))
    assert {name for row in shipped().values() for name in row.quirks} == set(KNOWN)
