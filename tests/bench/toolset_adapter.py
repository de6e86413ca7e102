"""Our toolset as the benchmark of dispatchers drives it: begin, handle, end.

The benchmark gives a call as id, name and JSON text; its tools are ``Noop`` (does nothing), ``Sleep`` (10 ms) and, with
:meth:`Adapter.approving`, ``AP`` (asks for approval).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from pydantic import BaseModel

from actions.agent.approvals.decision import Decision, Source, Wanted
from actions.agent.toolset.call import ToolCall
from actions.agent.toolset.dispatch import Toolset
from actions.agent.toolset.guards import HookRunner
from actions.agent.toolset.keys import CallKey
from actions.agent.toolset.results import ToolResult
from actions.agent.toolset.telemetry import Telemetry
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


class _NoGate:
    def refusal(self, wanted: Wanted) -> str | None:
        return None

    def fast(self, wanted: Wanted) -> Decision | None:
        return Decision(approved=True, decided_by="yolo")

    async def ask(self, wanted: Wanted) -> Decision:
        raise AssertionError("nothing is asked")

    def stale(self, wanted: Wanted) -> None:
        raise AssertionError("nothing goes stale")


class Adapter:
    """One toolset. ``telemetry`` True: events into a list; ``hooks``: PreToolUse hooks that each run ``true``."""

    name = "sayso Toolset"

    def __init__(self, telemetry: bool = False, hooks: int = 0) -> None:
        events: list[object] = []
        self.toolset = Toolset(
            _NoGate(),
            source=lambda: Source("turn", "bench"),
            telemetry=Telemetry(lambda name, fields: events.append((name, fields))) if telemetry else None,
        )
        for tool in (_Noop(), _Sleep()):
            self.toolset.add(tool, "builtin")

    def begin(self, previous: Iterable[CallKey]) -> None:
        self.toolset.begin_step()

    def handle(self, id: str, name: str, arguments: str) -> asyncio.Future[ToolResult]:
        return self.toolset.handle(ToolCall(id, name, arguments))

    def end(self) -> tuple[CallKey, ...]:
        return self.toolset.end_step().keys
