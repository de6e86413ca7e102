"""Our toolset as a benchmark of dispatchers drives it: begin, handle, end.

A call is an id, a name and JSON text. The tools are ``Noop`` (does nothing), ``Sleep`` (10 ms) and ``AP`` (has an
effect, so that an approval is asked for).
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterable
from pathlib import Path

from pydantic import BaseModel

from actions.agent.approvals.audit import Audit
from actions.agent.approvals.decision import Answer, Choice, Source
from actions.agent.approvals.desk import DeskEvent
from actions.agent.approvals.rules import Rules
from actions.agent.approvals.runtime import Approvals, Requested
from actions.agent.approvals.state import ApprovalState, StoredState
from actions.agent.hooks.config import Hook
from actions.agent.hooks.runner import Hooks
from actions.agent.toolset.call import ToolCall
from actions.agent.toolset.dispatch import Toolset
from actions.agent.toolset.keys import CallKey
from actions.agent.toolset.results import ToolResult
from actions.agent.toolset.telemetry import Event, Telemetry
from actions.agent.toolset.tool import TypedTool
from actions.catalog.spec import Effect


class _Params(BaseModel):
    value: int = 0
    text: str = ""


class _Noop(TypedTool[_Params]):
    name = "Noop"
    description = "Does nothing."
    params = _Params
    effect = Effect.NONE

    async def run(self, params: _Params) -> ToolResult:
        return ToolResult(output="ok")


class _Sleep(_Noop):
    name = "Sleep"

    async def run(self, params: _Params) -> ToolResult:
        await asyncio.sleep(0.01)
        return ToolResult(output="ok")


class _Asking(_Noop):
    name = "AP"
    effect = Effect.WRITE


class Adapter:
    """One toolset with approvals and audit as the agent has them. ``telemetry``: events go into a list; ``hooks``: so
    many hooks run a command before each call; ``yolo``: what asks is approved.
    """

    name = "Sayso"

    def __init__(self, telemetry: bool = False, hooks: int = 0, *, yolo: bool = False) -> None:
        self.events: list[tuple[str, Event]] = []
        self._folder = tempfile.TemporaryDirectory(prefix="sayso-bench-")
        self.approvals = Approvals(
            state=ApprovalState(StoredState(yolo=yolo)),
            rules=Rules(warn=print),
            audit=Audit(Path(self._folder.name) / "approvals.jsonl"),
        )
        commands = [Hook(event="PreToolUse", command=f"true #{number}") for number in range(hooks)]
        self.toolset = Toolset(
            self.approvals,
            source=lambda: Source("turn", "bench"),
            hooks=Hooks(commands, session_id="bench", cwd=self._folder.name, warn=print) if hooks else None,
            telemetry=Telemetry(lambda name, fields: self.events.append((name, fields))) if telemetry else None,
        )
        for tool in (_Noop(), _Sleep(), _Asking()):
            self.toolset.add(tool, "builtin")

    @classmethod
    def approving(cls, mode: str, **options: bool | int) -> Adapter:
        """``mode`` ``yolo``: ``AP`` is approved without a question; ``manual``: each question is answered at once."""
        self = cls(bool(options.get("telemetry")), int(options.get("hooks", 0)), yolo=mode == "yolo")
        if mode == "manual":
            self.approvals.watch(self._approve)
        return self

    def begin(self, previous: Iterable[CallKey]) -> None:
        """A step begins. The toolset knows by itself what the steps before it were."""
        self.toolset.begin_step()

    def handle(self, id: str, name: str, arguments: str) -> asyncio.Future[ToolResult]:
        return self.toolset.handle(ToolCall(id, name, arguments))

    def end(self) -> tuple[CallKey, ...]:
        return self.toolset.end_step().keys

    def _approve(self, event: DeskEvent) -> None:
        if isinstance(event, Requested):
            answer = Answer(Choice.ONCE)
            asyncio.get_running_loop().call_soon(self.approvals.resolve, event.request.id, answer)
