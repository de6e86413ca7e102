"""Slash commands: what a person can do without a model, through the same tools, approvals and hooks as the agent."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from actions.agent.approvals import manage as rules
from actions.agent.loop.screen import Screen
from actions.agent.loop.talk import TurnEnd
from actions.agent.mcp import manage as servers
from actions.agent.session.state import StateKeeper
from actions.agent.toolset.call import ToolCall
from actions.agent.toolset.dispatch import Toolset
from actions.agent.toolset.results import TextDisplay, TextPart, ToolResult
from actions.storage.ids import Prefix, new_id

_WRITTEN = re.compile(r"/([a-z]+)(?:\s+(.*))?", re.S)
_MOST_SHOWN = 20_000


@dataclass(frozen=True, slots=True)
class SlashCommand:
    """``hint`` says what follows the name; ``needed``: nothing happens without it."""

    name: str
    description: str
    hint: str
    tool: str
    arguments: Callable[[str], dict[str, Any]]
    needed: bool = True


@dataclass(frozen=True, slots=True)
class Said:
    """A command as somebody typed it."""

    command: SlashCommand
    rest: str


def _read_arguments(rest: str) -> dict[str, Any]:
    path, colon, line = rest.rpartition(":")
    return {"path": path, "offset": int(line)} if colon and line.isdigit() else {"path": rest}


COMMANDS = (
    SlashCommand(
        "plan",
        "Draft a plan from the repository itself, without a model",
        "what is to be done",
        "ScoutPlan",
        lambda rest: {"instructions": rest},
    ),
    SlashCommand(
        "review",
        "Check the uncommitted changes: secrets, left-overs, missing tests, linters",
        "what to look for",
        "ScoutReview",
        lambda rest: {"instructions": rest},
        needed=False,
    ),
    SlashCommand(
        "grep",
        "Search the contents of files",
        "regular expression",
        "Grep",
        lambda rest: {"pattern": rest, "output": "content"},
    ),
    SlashCommand("read", "Read a file", "path, or path:line", "ReadFile", _read_arguments),
    SlashCommand(
        "mcp",
        "The MCP servers of this session: where they stand, try again, log in",
        "retry NAME, login NAME, logout NAME, or nothing",
        "McpServers",
        servers.read_arguments,
        needed=False,
    ),
    SlashCommand(
        "rules",
        "What you allowed for this session or for always: list it, take it back",
        "revoke ID, revoke all, or nothing",
        "ApprovalRules",
        rules.read_arguments,
        needed=False,
    ),
    SlashCommand("shell", "Run a command, after a yes", "command line", "Shell", lambda rest: {"command": rest}),
)


class Commands:
    """The slash commands of one session."""

    def __init__(self, toolset: Toolset, screen: Screen, keeper: StateKeeper) -> None:
        self._toolset, self._screen, self._keeper = toolset, screen, keeper

    @property
    def available(self) -> tuple[SlashCommand, ...]:
        """Those whose tool is there."""
        return tuple(command for command in COMMANDS if self._toolset.find(command.tool) is not None)

    def find(self, text: str) -> Said | None:
        """The command that ``text`` is; None for everything else, also for a path that begins with a slash."""
        written = _WRITTEN.fullmatch(text.strip())
        if written is None:
            return None
        command = next((one for one in self.available if one.name == written[1]), None)
        return Said(command, (written[2] or "").strip()) if command else None

    async def run(self, said: Said) -> TurnEnd:
        """Run it as one call of the toolset. A cancel ends it with a result."""
        command = said.command
        if command.needed and not said.rest:
            return self._answer(f"Say what to do: `/{command.name} {command.hint}`.")
        call = ToolCall(new_id(Prefix.CALL), command.tool, json.dumps(command.arguments(said.rest)))
        self._toolset.begin_turn()
        self._toolset.begin_step()
        self._screen.call_made(call, self._toolset.find(command.tool))
        try:
            result = await self._toolset.handle(call)
        except BaseException:
            await self._toolset.cancel()
            raise
        finally:
            self._toolset.end_step()
        text = _words(result)
        if command.tool == "ScoutPlan" and not result.is_error:
            self._keeper.change(plan=text)
        return self._answer(text, result.error.value if result.error else "")

    def _answer(self, text: str, detail: str = "") -> TurnEnd:
        self._screen.text(text)
        return TurnEnd("end_turn", detail, text)


def _words(result: ToolResult) -> str:
    """The result in words for a person: Markdown as it is, everything else as a block."""
    output = result.output
    if not isinstance(output, str):
        output = "\n".join(part.text if isinstance(part, TextPart) else f"[{part.mime}]" for part in output)
    shown = output if len(output) <= _MOST_SHOWN else f"{output[:_MOST_SHOWN]}\n[cut here]"
    if any(isinstance(one, TextDisplay) and one.kind == "markdown" for one in result.display):
        return shown
    fence = "```"
    while fence in shown:
        fence += "`"
    block = f"{fence}\n{shown.rstrip()}\n{fence}" if shown.strip() else ""
    return "\n\n".join(text for text in (result.message, block) if text) or "Done; there is no output."
