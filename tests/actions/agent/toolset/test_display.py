"""The argument that a person sees."""

from __future__ import annotations

import pytest

from actions.agent.toolset.display import cut, key_argument
from tests.actions.agent.toolset.rig import Echo, args


def shown(key: str | None, arguments: str, cwd: str = "/home/u/work") -> str | None:
    echo = Echo()
    echo.key_argument = key
    return key_argument(echo, arguments, cwd)


@pytest.mark.parametrize(
    ("key", "arguments", "value"),
    [
        ("url", '{"url":"https://example.org/a"}', "https://example.org/a"),
        ("command", '{"command":"git status -s"}', "git status -s"),
        ("path", '{"path":"/home/u/work/src/a.py"}', "src/a.py"),
        ("pattern", '{"pattern":"**/*.py"}', "**/*.py"),
    ],
)
def test_53_the_key_argument(key: str, arguments: str, value: str) -> None:
    """Case 53."""
    assert shown(key, arguments) == value


@pytest.mark.parametrize(
    ("key", "arguments"),
    [("url", "not json"), ("url", "{}"), ("url", ""), ("url", "[1]"), ("url", '{"a":1}'), (None, '{"url":"x"}')],
)
def test_54_nothing_to_show(key: str | None, arguments: str) -> None:
    """Case 54."""
    assert shown(key, arguments) is None


def test_55_an_unknown_tool_shows_its_raw_json() -> None:
    """Case 55."""
    assert key_argument(None, '{"a": [1, 2]}', "/") == '{"a": [1, 2]}'


@pytest.mark.parametrize("arguments", ["{}", "no json", ""])
def test_an_unknown_tool_without_arguments_shows_nothing(arguments: str) -> None:
    assert key_argument(None, arguments, "/") is None


def test_arguments_that_still_come_in() -> None:
    whole = '{"command":"git log --oneline","timeout":5}'
    seen = [shown("command", whole[:length]) for length in range(len(whole) + 1)]
    assert seen[12:] == [whole[12:length].rstrip() or None for length in range(12, 30)] + ["git log --oneline"] * 14
    assert set(seen[:12]) == {None}


@pytest.mark.parametrize(("path", "value"), [("/home/u/workshop/a", "/home/u/workshop/a"), ("src/a", "src/a")])
def test_a_path_loses_the_folder_by_its_parts(path: str, value: str) -> None:
    assert shown("path", args(path=path)) == value


def test_a_long_value_is_cut_in_the_middle_to_fifty() -> None:
    text = "".join(chr(ord("a") + number % 26) for number in range(80))
    short = cut(text)
    assert len(short) == 50
    begin, end = short.split("…")
    assert text.startswith(begin)
    assert text.endswith(end)
    assert cut(text[:50]) == text[:50]
