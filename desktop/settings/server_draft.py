"""What the form of a server holds, and the inputs that it becomes. Pure Python."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from actions.catalog.secrecy import HIDDEN
from actions.catalog.server_views import ServerView
from desktop.settings.server_words import command_line, pairs


@dataclass(frozen=True)
class Draft:
    """Texts as typed. ``line`` is a command line as in a shell, or an address that begins with http."""

    name: str = ""
    title: str = ""
    line: str = ""
    cwd: str = ""
    env: str = ""
    headers: str = ""

    @property
    def remote(self) -> bool:
        return self.line.strip().startswith(("http://", "https://"))


class BadDraft(ValueError):
    """A text that is nothing; ``field`` says which, ``part`` what of it."""

    def __init__(self, field: str, part: str) -> None:
        super().__init__(f"{field}: {part}")
        self.field = field
        self.part = part


def definition_of(draft: Draft) -> dict[str, Any]:
    """The definition that ``mcp.servers.create`` takes. Raises BadDraft."""
    found: dict[str, Any] = {"name": draft.name.strip()}
    if draft.title.strip():
        found["title"] = draft.title.strip()
    if draft.remote:
        found["url"] = draft.line.strip()
        if headers := _pairs("headers", draft.headers, ":"):
            found["headers"] = headers
        return found
    words = _words(draft.line)
    found |= {"command": words[0] if words else "", "args": words[1:]}
    if draft.cwd.strip():
        found["cwd"] = draft.cwd.strip()
    if env := _pairs("env", draft.env, "="):
        found["env"] = env
    return found


def draft_of(server: ServerView) -> Draft:
    """The form of a server as the host shows it: secrets are dots."""
    return Draft(
        server.name,
        server.title or "",
        server.url or command_line(server.command, server.args),
        server.cwd or "",
        "\n".join(f"{name}={value}" for name, value in server.env.items()),
        "\n".join(f"{name}: {value}" for name, value in server.headers.items()),
    )


def changes_of(server: ServerView, draft: Draft) -> dict[str, Any]:
    """What ``mcp.servers.update`` is to change: only what differs, so that dots never become a value. Raises
    BadDraft.
    """
    new, changes = definition_of(draft), dict[str, Any]()
    line_before = draft_of(server).line
    if (new.get("title") or None) != server.title:
        changes["title"] = new.get("title")
    if draft.line.strip() != line_before:
        if HIDDEN in draft.line:
            raise BadDraft("line", HIDDEN)
        if draft.remote:
            changes |= {"url": new["url"]} | ({"command": None, "args": None} if server.url is None else {})
        else:
            changes |= {"command": new["command"], "args": new["args"]} | ({"url": None} if server.url else {})
    if (new.get("cwd") or None) != server.cwd and not draft.remote:
        changes["cwd"] = new.get("cwd")
    for field, before in (("env", server.env), ("headers", server.headers)):
        if different := _different(before, new.get(field, {})):
            changes[field] = different
    return changes


def _different(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, str | None]:
    gone: dict[str, str | None] = {name: None for name in before if name not in after}
    return gone | {name: value for name, value in after.items() if before.get(name) != value}


def _words(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError as error:
        raise BadDraft("line", str(error)) from error


def _pairs(field: str, text: str, mark: str) -> dict[str, str]:
    try:
        return pairs(text, mark)
    except ValueError as error:
        raise BadDraft(field, str(error)) from error
