"""The one argument that tells a person what a call is about."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any, cast

from pydantic_core import from_json, to_json

from actions.agent.toolset.keys import read
from actions.agent.toolset.tool import Tool

WIDTH = 50


def key_argument(tool: Tool | None, arguments: str, cwd: PurePath | str) -> str | None:
    """The value of the tool's key argument in at most 50 characters; ``arguments`` may still be streaming in.

    A path loses ``cwd``. An unknown tool (None) shows its arguments as they are. None where there is nothing to show.
    """
    value = _value(arguments)
    if not value or not isinstance(value, dict):
        return None
    if tool is None:
        return cut(arguments.strip())
    name = tool.key_argument
    shown = cast("dict[str, Any]", value).get(name) if name is not None else None
    if shown is None or shown == "":
        return None
    text = shown if isinstance(shown, str) else to_json(shown).decode()
    return cut(_below(text, cwd) if name is not None and "path" in name else text)


def cut(text: str, width: int = WIDTH) -> str:
    """One line of at most ``width`` characters; what is too much goes from the middle."""
    line = " ".join(text.split())
    if len(line) <= width:
        return line
    kept = width - 1
    return f"{line[: kept - kept // 2]}…{line[len(line) - kept // 2 :]}"


def _value(arguments: str) -> object:
    try:
        return from_json(arguments, allow_partial="trailing-strings")
    except (ValueError, TypeError):
        return read(arguments)[0]


def _below(text: str, cwd: PurePath | str) -> str:
    path = PurePath(text)
    return str(path.relative_to(cwd)) if path.is_absolute() and path.is_relative_to(cwd) else text
