"""The slash commands that a client can offer (ACP 1, "Slash Commands")."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Command:
    """``hint`` says what follows the command; empty when nothing does."""

    name: str
    description: str
    hint: str = ""


SCOUT = (
    Command("plan", "Draft a plan from the repository itself, without a model", "what is to be done"),
    Command("review", "Check the uncommitted changes: secrets, left-overs, missing tests, linters", "what to look for"),
    Command("grep", "Search the contents of files", "regular expression"),
    Command("read", "Read a file", "path"),
    Command("shell", "Run a command, after a yes", "command line"),
)


def available(commands: Iterable[Command]) -> list[dict[str, Any]]:
    """The commands in the protocol's form; of several with one name the first."""
    found: dict[str, dict[str, Any]] = {}
    for command in commands:
        shown: dict[str, Any] = {"name": command.name, "description": command.description}
        if command.hint:
            shown["input"] = {"hint": command.hint}
        found.setdefault(command.name, shown)
    return list(found.values())
