"""What an agent's tool call is about, read from the call as the agent announced it (ACP 1, "Tool Calls").

Agents fill their calls differently. A rule rests on this, so whatever is not plainly one known thing is nothing.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from actions.patterns.scope import Scope

_COMMANDS = ("command", "cmd")
_FOLDERS = ("cwd", "workdir", "directory", "dir", "working_directory", "workingDirectory")
_CHANGE_WHAT_RUNS = frozenset(
    """
    env environment stdin input shell user run_as with_escalated_permissions sandbox_permissions
    dangerouslyDisableSandbox dangerously_disable_sandbox additional_permissions elevated
    """.split()
)
"""Fields of a command's input that make it another command than its words say."""
_PATHS = ("file_path", "filePath", "path", "abs_path", "absolute_path", "absolutePath", "notebook_path", "filename")
_SHELLS = frozenset({"sh", "bash", "zsh", "/bin/sh", "/bin/bash", "/bin/zsh", "/usr/bin/bash"})
_NAME = r"[A-Za-z0-9][A-Za-z0-9_.\-]*?"
_MCP = (
    re.compile(rf"mcp__(?P<server>{_NAME})__(?P<tool>[A-Za-z0-9][A-Za-z0-9_.\-]*)"),
    re.compile(rf"(?P<tool>[A-Za-z0-9][A-Za-z0-9_.\-]*) \((?P<server>{_NAME}) MCP Server\)"),
)


def scopes_of(call: Mapping[str, Any], workspace: str) -> tuple[Scope, ...]:
    """All that a call touches, each of which a rule must cover; empty when that cannot be told for sure.

    ``call`` is ``{kind, title, input, locations, content, name}`` as far as it is known; relative paths are of
    ``workspace``.
    """
    given: Any = call.get("input")
    values = cast("dict[str, Any]", given) if isinstance(given, dict) else {}
    if (tool := _mcp_tool(call, values)) is not None:
        return (Scope("mcp", tool),)
    match call.get("kind"):
        case "execute":
            return _command(values, workspace)
        case "edit" | "read" | "search":
            try:
                return tuple(_path(path, workspace) for path in dict.fromkeys(_paths(call, values)))
            except ValueError:  # no path at all
                return ()
        case "fetch":
            return _address(values)
        case _:
            return ()


def _command(values: Mapping[str, Any], workspace: str) -> tuple[Scope, ...]:
    given = [values[name] for name in _COMMANDS if values.get(name)]
    if len(given) != 1 or any(values.get(name) for name in _CHANGE_WHAT_RUNS):
        return ()
    folders = [str(values[name]) for name in _FOLDERS if values.get(name)]
    if any("\0" in folder or _path(folder, workspace).outside for folder in folders):
        return ()
    at = {_path(folder, workspace).subject for folder in folders} or {os.path.realpath(workspace)}
    if len(at) > 1:
        return ()
    command: Any = given[0]
    if isinstance(command, list):
        words = [str(word) for word in cast("list[Any]", command)]
        of_a_shell = len(words) == 3 and words[0] in _SHELLS and words[1] in ("-c", "-lc")
        command = words[2] if of_a_shell else shlex.join(words)
    if not isinstance(command, str):
        return ()
    return (Scope("command", command, folder=at.pop(), roots=(os.path.realpath(workspace),)),)


def _paths(call: Mapping[str, Any], values: Mapping[str, Any]) -> Iterator[str]:
    yield from (str(values[name]) for name in _PATHS if isinstance(values.get(name), str) and values[name])
    for name in ("locations", "content"):
        parts: Any = call.get(name)
        for part in cast("list[Any]", parts) if isinstance(parts, list) else []:
            path: Any = cast("dict[str, Any]", part).get("path") if isinstance(part, dict) else None
            if isinstance(path, str) and path:
                yield path


def _path(path: str, workspace: str) -> Scope:
    if path.startswith("~"):  # whose home the agent means is not known here
        return Scope("path", path, outside=True)
    root = os.path.realpath(workspace)
    resolved = os.path.realpath(Path(root) / path)
    return Scope("path", resolved, outside=not Path(resolved).is_relative_to(root))


def _address(values: Mapping[str, Any]) -> tuple[Scope, ...]:
    given = values.get("url") or values.get("uri")
    if not isinstance(given, str):
        return ()
    try:
        parts = urlsplit(given)
        host = parts.hostname
    except ValueError:
        return ()
    return (Scope("host", host),) if host and parts.scheme in ("http", "https") else ()


def _mcp_tool(call: Mapping[str, Any], values: Mapping[str, Any]) -> str | None:
    """``server/tool`` where the call says so in one of the forms that agents use."""
    if call.get("kind") in ("execute", "edit", "delete", "move") or any(values.get(name) for name in _COMMANDS):
        return None  # a title is the model's own words: it must not turn a command into something harmless
    for text in (call.get("name"), call.get("title")):
        for pattern in _MCP if isinstance(text, str) else ():
            if found := pattern.fullmatch(str(text)):
                return f"{found['server']}/{found['tool']}"
    server, tool = values.get("server") or values.get("server_name"), values.get("tool") or values.get("tool_name")
    plain = isinstance(server, str) and isinstance(tool, str) and "/" not in server
    return f"{server}/{tool}" if plain else None
