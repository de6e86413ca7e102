"""A shell command that calls a tool of ours is shown as that call; anything more than that is a command."""

from __future__ import annotations

from typing import Any

import pytest

from actions.sessions.shell_calls import tool_command
from actions.sessions.updates import UpdateReader

CALL = """sayso tools call --source sayso --tool session_title_set --args-json '{"title": "A $new; title"}' --json"""
SEEN = ("sayso", "session_title_set", {"title": "A $new; title"})


@pytest.mark.parametrize(
    "call",
    [
        {"input": {"command": CALL}},
        {"input": {"cmd": CALL}},
        {"input": {"command": ["bash", "-lc", CALL]}},
        {"input": {"command": ["sayso", "tools", "call", "--source=sayso", "--tool=session_title_set",
                               "--args-json", '{"title": "A $new; title"}']}},
        {"title": f"`{CALL}`"},
        {"input": {"command": f"cd /srv/a-repo && {CALL} 2>&1"}},
    ],
)  # fmt: skip
def test_a_command_that_only_calls_a_tool_is_that_call(call: dict[str, Any]) -> None:
    found = tool_command(call)
    assert found is not None
    assert (found.source, found.tool, found.arguments) == SEEN
    assert found.title == "session_title_set (sayso)"


@pytest.mark.parametrize(
    "command",
    [
        f"{CALL}; rm -rf x",
        f"{CALL} && rm -rf x",
        f"{CALL} | sh",
        f"{CALL} > file",
        f"{CALL}\nrm -rf x",
        f"{CALL} &",
        "sayso tools call --source sayso --tool x --args-json \"$(rm -rf x)\"",
        "sayso tools call --source sayso --tool x --args-json \"`rm -rf x`\"",
        "sayso tools call --source sayso --tool x --unheard-of y",
        "sayso tools call --source sayso --tool x --tool y",
        "sayso tools call --tool x",
        "sayso tools list --json",
        "sayso run start review",
        "./sayso tools call --source sayso --tool x",
        "FOO=1 sayso tools call --source sayso --tool x",
        "cd $(rm -rf x) && sayso tools call --source sayso --tool x",
        "sayso tools call --source sayso --tool x --args-json '{\"title\": ",
        "",
    ],
)  # fmt: skip
def test_a_command_that_does_anything_else_stays_a_command(command: str) -> None:
    assert tool_command({"input": {"command": command}}) is None


def test_arguments_that_are_no_object_are_left_to_the_call_itself() -> None:
    found = tool_command({"input": {"command": "sayso tools call --source sayso --tool x --args-json nonsense"}})
    assert found is not None
    assert found.arguments is None


def test_a_command_is_shown_by_what_it_is_when_it_is_whole() -> None:
    """A title that grows while it is written, and a rule or a request that goes by what is shown: neither."""
    reader = UpdateReader()
    update = {"sessionUpdate": "tool_call_update", "toolCallId": "1"}
    (first,) = reader.read({**update, "sessionUpdate": "tool_call", "title": "sayso tools", "kind": "execute"})
    assert (first.data["title"], first.data["kind"]) == ("sayso tools", "execute")
    (known,) = reader.read({**update, "title": CALL})
    assert (known.data["title"], known.data["kind"]) == ("session_title_set (sayso)", "other")
    assert known.data["tool"] == {"source": "sayso", "name": SEEN[1], "arguments": SEEN[2], "via": "shell"}
    (status,) = reader.read({**update, "status": "completed"})
    assert status.data == {"status": "completed"}
    (grown,) = reader.read({**update, "title": f"{CALL}; make"})
    assert grown.data == {"title": f"{CALL}; make", "kind": "execute", "tool": None}
    assert (reader.folded("1")["title"], reader.folded("1")["kind"]) == (f"{CALL}; make", "execute")
    assert reader.acted, "a command ran, whatever it is shown as"
