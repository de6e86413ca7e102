"""One server from a command line or an address, as people copy them out of a README."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from actions.servers.advice import package_of, split_line

_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=(.*)\Z", re.DOTALL)
_ADD = ("mcp", "add")


class NoLine(ValueError):
    """The text is no command line and no address."""


def from_line(line: str) -> tuple[str, dict[str, Any]]:
    """A name and an entry. Raises NoLine.

    Variables before the command become its environment. A line that would add the server to another program
    (``claude mcp add NAME -- COMMAND``) gives what it would add.
    """
    text = line.strip().removeprefix("$ ")
    if re.match(r"https?://\S+\Z", text):
        return _name_of_url(text), {"url": text}
    words = split_line(text)
    if len(words) > 3 and tuple(words[1:3]) == _ADD:
        return _added(words[3:])
    env: dict[str, str] = {}
    if words and words[0] == "env":
        words = words[1:]
    while words and (found := _ASSIGNMENT.match(words[0])) is not None:
        env[found.group(1)] = found.group(2)
        words = words[1:]
    if not words or any(word in ("|", "&&", "||", ";", ">", "<") for word in words):
        raise NoLine("it is no command line with one command")
    return name_of(words), _entry(words, env)


def name_of(words: list[str]) -> str:
    """A short name for the server that a command starts: the package's, without what all of them have in common."""
    package = package_of(words[0], words[1:]) or words[0]
    scope, _, last = package.rstrip("/").rpartition("/")
    bare = re.split(r"[@=<>~\[]", last)[0] or last
    bare = re.sub(r"\.(?:cmd|exe|py|m?js|sh)$", "", bare)
    short = re.sub(r"^(?:mcp-server-|server-|mcp-)|(?:-mcp-server|-mcp|-server)$", "", bare)
    if short in ("", "mcp", "server"):
        short = scope.lstrip("@").rpartition("/")[2] or bare
    return _plain(short)


def _entry(words: list[str], env: dict[str, str]) -> dict[str, Any]:
    entry: dict[str, Any] = {"command": words[0]}
    if words[1:]:
        entry["args"] = words[1:]
    if env:
        entry["env"] = env
    return entry


def _added(words: list[str]) -> tuple[str, dict[str, Any]]:
    options: dict[str, list[str]] = {"env": [], "header": [], "transport": [], "scope": []}
    short = {"-e": "env", "-H": "header", "-t": "transport", "-s": "scope"}
    left: list[str] = []
    words = list(words)
    while words:
        word = words.pop(0)
        name, equals, value = word.partition("=")
        option = short.get(word) or (name.removeprefix("--") if name.startswith("--") else "")
        if word == "--":
            left += words
            break
        if option in options:
            options[option].append(value if equals else words.pop(0) if words else "")
        elif len(left) >= 2 or not word.startswith("-"):
            left.append(word)
    if len(left) < 2:
        raise NoLine("a name and a command, or a name and an address, are missing")
    name, rest = left[0], left[1:]
    pairs = [found for pair in options["env"] if (found := _ASSIGNMENT.match(pair)) is not None]
    env = {found.group(1): found.group(2) for found in pairs}
    if not rest[0].startswith(("http://", "https://")):
        return name, _entry(rest, env)
    entry: dict[str, Any] = {"url": rest[0]}
    if options["transport"]:
        entry["type"] = options["transport"][-1]
    headers = [header.partition(":") for header in options["header"]]
    if headers:
        entry["headers"] = {header.strip(): value.strip() for header, _, value in headers}
    return name, entry


def _name_of_url(url: str) -> str:
    parts = [part for part in (urlsplit(url).hostname or "server").split(".") if part not in ("www", "mcp", "api")]
    return _plain(parts[-2] if len(parts) > 1 else parts[0] if parts else "server")


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9_-]+", "-", text.lower()).strip("-") or "server"
