"""The slash commands that a client can offer (ACP 1, "Slash Commands")."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from actions.agent.loop.commands import SlashCommand


def available(commands: Iterable[SlashCommand]) -> list[dict[str, Any]]:
    """The commands in the protocol's form."""
    return [
        {"name": command.name, "description": command.description}
        | ({"input": {"hint": command.hint}} if command.hint else {})
        for command in commands
    ]
