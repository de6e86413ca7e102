"""Hooks and approvals as the dispatcher uses them: real processes, real gate (cases 45, 46, 47, 48, 83)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from actions.agent.approvals.decision import Answer, Choice, Source
from actions.agent.approvals.desk import DeskEvent, Requested
from actions.agent.approvals.rules import Rules
from actions.agent.approvals.runtime import Approvals
from actions.agent.approvals.state import ApprovalState
from actions.agent.hooks.config import Hook
from actions.agent.hooks.runner import Hooks
from actions.agent.toolset.call import ToolCall
from actions.agent.toolset.dispatch import Toolset
from actions.agent.toolset.results import ErrorClass, ToolResult
from actions.agent.toolset.tool import Tool
from actions.catalog.spec import Effect


class Reads(Tool):
    """Remembers that it ran; ``fail`` makes it raise."""

    name = "ReadFile"
    description = "Reads."
    parameters = {"type": "object"}  # noqa: RUF012
    effect = Effect.READ

    def __init__(self) -> None:
        self.ran = 0

    async def run(self, *, fail: bool = False) -> ToolResult:
        self.ran += 1
        if fail:
            raise ValueError("gone wrong")
        return ToolResult("read")


class Session:
    """A toolset with one tool, real hooks and real approvals."""

    def __init__(self, cwd: Path, *hooks: dict[str, Any]) -> None:
        self.warnings: list[str] = []
        self.approvals = Approvals(state=ApprovalState(), rules=Rules(warn=self.warnings.append))
        chosen = [Hook.model_validate({"event": "PreToolUse"} | hook) for hook in hooks]
        self.hooks = Hooks(chosen, session_id="s", cwd=str(cwd), warn=self.warnings.append)
        self.toolset = Toolset(self.approvals, hooks=self.hooks, source=lambda: Source("turn", "1"))
        self.tool = Reads()
        self.toolset.add(self.tool, "builtin")
        self.toolset.begin_turn()
        self.toolset.begin_step()

    async def call(self, arguments: str = "{}") -> ToolResult:
        return await self.toolset.handle(ToolCall("call-1", "ReadFile", arguments))


@pytest.fixture
async def sessions() -> AsyncIterator[list[Session]]:
    sessions: list[Session] = []
    yield sessions
    for session in sessions:
        await session.hooks.close()


@pytest.mark.parametrize(
    ("hook", "warned"),
    [
        ({"command": "exit 2", "matcher": "^Shell$"}, 0),
        ({"command": "exit 2", "matcher": "(["}, 1),
        ({"command": "sleep 5", "timeout": 1}, 1),
        ({"command": "exit 1"}, 1),
    ],
    ids=["45: fits nothing", "47: bad regex", "83: limit", "fails"],
)
async def test_45_47_83_the_tool_runs(
    tmp_path: Path, sessions: list[Session], hook: dict[str, Any], warned: int
) -> None:
    """Cases 45, 47 and 83, the tool's part."""
    sessions.append(session := Session(tmp_path, hook))
    assert (await session.call()).output == "read"
    assert session.tool.ran == 1
    assert len(session.warnings) == warned


@pytest.mark.parametrize(
    "command", ["echo not today >&2; exit 2", """echo '{"decision": "deny", "reason": "not today"}'"""]
)
async def test_46_48_the_tool_does_not_run(tmp_path: Path, sessions: list[Session], command: str) -> None:
    """Cases 46 and 48, the tool's part."""
    sessions.append(session := Session(tmp_path, {"command": command}))
    result = await session.call()
    assert result.error is ErrorClass.BLOCKED
    assert "not today" in result.message
    assert session.tool.ran == 0


@pytest.mark.parametrize("choice", [Choice.ONCE, Choice.REJECT])
async def test_a_hook_that_asks_brings_a_person_in(tmp_path: Path, sessions: list[Session], choice: Choice) -> None:
    sessions.append(session := Session(tmp_path, {"command": """echo '{"decision": "ask"}'"""}))

    def answer(event: DeskEvent) -> None:
        if isinstance(event, Requested):
            session.approvals.resolve(event.request.id, Answer(choice))

    session.approvals.watch(answer)
    assert (await session.call()).error is (None if choice is Choice.ONCE else ErrorClass.REJECTED)
    assert session.tool.ran == (choice is Choice.ONCE)


@pytest.mark.parametrize(
    ("arguments", "event", "key"), [("{}", "PostToolUse", "output"), ('{"fail":true}', "PostToolUseFailure", "error")]
)
async def test_the_hook_after_the_call(
    tmp_path: Path, sessions: list[Session], arguments: str, event: str, key: str
) -> None:
    events = [
        {"event": name, "command": f"cat > half; mv half {name}"} for name in ("PostToolUse", "PostToolUseFailure")
    ]
    sessions.append(session := Session(tmp_path, *events))
    await session.call(arguments)
    async with asyncio.timeout(30):
        while not (tmp_path / event).exists():  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    payload = json.loads((tmp_path / event).read_text())
    assert payload["tool_input"] == json.loads(arguments)
    assert payload[key] == {"output": "read", "error": "ValueError: gone wrong"}[key]
    (other,) = {"PostToolUse", "PostToolUseFailure"} - {event}
    assert not (tmp_path / other).exists()


async def test_what_a_hook_says_to_its_ask_is_shown_to_the_person(tmp_path: Path, sessions: list[Session]) -> None:
    sessions.append(session := Session(tmp_path, {"command": """echo '{"decision": "ask", "reason": "prod!"}'"""}))
    seen: list[str] = []

    def answer(event: DeskEvent) -> None:
        if isinstance(event, Requested):
            seen.append(event.request.wanted.ask.summary)
            session.approvals.resolve(event.request.id, Answer(Choice.ONCE))

    session.approvals.watch(answer)
    await session.call()
    assert "prod!" in seen[0]
