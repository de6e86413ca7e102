"""Names of MCP tools: safe for every provider, the same in every session, no two alike."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actions.servers.pool.naming import tool_name

SAFE = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")


@pytest.mark.parametrize(
    ("server", "tool", "name"),
    [
        ("git", "status", "git__status"),
        ("my.server", "a/b", "my_server__a_b"),
        ("s", "ünï code", "s___n__code"),
        ("1st", "x", "_1st__x"),
    ],
)
def test_a_name_says_server_and_tool(server: str, tool: str, name: str) -> None:
    assert tool_name(server, tool) == name


@given(st.text(max_size=200), st.text(max_size=200))
def test_every_name_is_safe(server: str, tool: str) -> None:
    assert SAFE.fullmatch(tool_name(server, tool))
    assert SAFE.fullmatch(tool_name(server, tool, lambda name: True))


def test_long_and_taken_names_end_in_a_mark_of_their_own() -> None:
    names = {tool_name("s", "x" * 100 + end) for end in "ab"}
    names |= {tool_name("s", tool, {"s__a_b"}.__contains__) for tool in ("a.b", "a/b")}
    assert len(names) == 4
    assert tool_name("s", "a.b", {"s__a_b"}.__contains__) == tool_name("s", "a.b", {"s__a_b"}.__contains__)
