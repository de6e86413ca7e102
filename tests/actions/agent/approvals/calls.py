"""Calls to decide, and the approvals of a session with all that came out of them."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from actions.agent.approvals.audit import Audit
from actions.agent.approvals.decision import Answer, Choice, Decision, Request, Source, Wanted
from actions.agent.approvals.desk import DeskEvent
from actions.agent.approvals.runtime import Approvals
from actions.agent.toolset.asking import Ask, Scope
from actions.agent.toolset.call import ToolCall
from actions.catalog.spec import Effect

TURN = Source("turn", "turn-1")
BACKGROUND = Source("background", "task-1", "agent-7", "coder")


def wanted(
    command: str = "make test",
    *,
    tool: str = "Shell",
    effect: Effect = Effect.DANGER,
    scope: Scope | None = None,
    source: Source = TURN,
    plan_file: bool = False,
    call: str = "call-1",
) -> Wanted:
    """A call of Shell with ``command``, or of another tool with ``scope``."""
    ask = Ask(f"Run {command}", scope or Scope("command", command), plan_file=plan_file)
    return Wanted(ToolCall(call, tool, "{}"), tool, effect, ask, source)


def write(path: Path | str, *, outside: bool = False, **more: Any) -> Wanted:
    """A call of WriteFile."""
    return wanted(tool="WriteFile", effect=Effect.WRITE, scope=Scope("path", str(path), outside), **more)


@dataclass
class SessionDesk:
    """The approvals of one session. ``planning[0]`` is its plan mode."""

    approvals: Approvals
    audit: Audit
    audit_file: Path
    planning: list[bool]
    warnings: list[str]
    events: list[DeskEvent] = field(default_factory=list)

    async def ask(self, call: Wanted) -> tuple[asyncio.Task[Decision], Request]:
        """Ask for ``call``; the task that waits, and the request."""
        before = {request.id for request in self.approvals.pending()}
        task = asyncio.create_task(self.approvals.ask(call))
        await asyncio.sleep(0)
        (request,) = (request for request in self.approvals.pending() if request.id not in before)
        return task, request

    def answer(self, request: Request, choice: Choice, feedback: str = "") -> bool:
        return self.approvals.resolve(request.id, Answer(choice, feedback))

    def kinds(self) -> list[str]:
        return [type(event).__name__ for event in self.events]

    def rows(self) -> list[dict[str, Any]]:
        """The audit rows so far."""
        self.audit.flush()
        return [json.loads(line) for line in self.audit_file.read_text().splitlines()]
