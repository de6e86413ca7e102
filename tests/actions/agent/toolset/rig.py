"""Tools, a gate, hooks and a toolset for tests of the dispatcher. The stand-ins write down what they saw."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from actions.agent.approvals.decision import ApprovalCancelled, Decision, Source, Wanted
from actions.agent.hooks.verdict import ALLOW, HookVerdict
from actions.agent.toolset.asking import Ask, Scope
from actions.agent.toolset.call import ToolCall, current_call
from actions.agent.toolset.dispatch import StepReport, Toolset
from actions.agent.toolset.results import ToolResult
from actions.agent.toolset.step import PendingCall
from actions.agent.toolset.tool import Tool, TypedTool
from actions.catalog.spec import Effect

YES = Decision(approved=True, decided_by="manual")
NO = Decision(approved=False, decided_by="manual")
TURN = Source("turn", "t1")


@dataclass
class StandInGate:
    """``answer`` is what :meth:`ask` gives; None waits until :attr:`released` is set."""

    answer: Decision | None = YES
    quick: Decision | None = None
    refuse: str | None = None
    asked: list[Wanted] = field(default_factory=list)
    went_stale: list[Wanted] = field(default_factory=list)
    released: asyncio.Event = field(default_factory=asyncio.Event)
    taken_back: bool = False

    def refusal(self, wanted: Wanted) -> str | None:
        return self.refuse

    def fast(self, wanted: Wanted) -> Decision | None:
        return self.quick

    async def ask(self, wanted: Wanted) -> Decision:
        self.asked.append(wanted)
        if self.taken_back:
            raise ApprovalCancelled
        if self.answer is None:
            await self.released.wait()
            return YES
        return self.answer

    def stale(self, wanted: Wanted) -> None:
        self.went_stale.append(wanted)


@dataclass
class StandInHooks:
    """Says ``verdict`` to every call and writes down what it heard."""

    verdict: HookVerdict = ALLOW
    heard: list[tuple[Any, ...]] = field(default_factory=list)

    def wants(self, event: str, tool: str) -> bool:
        return True

    async def before(self, call: ToolCall, arguments: Any) -> HookVerdict:
        self.heard.append(("before", call.id, arguments))
        return self.verdict

    def after(self, call: ToolCall, arguments: Any, result: ToolResult) -> None:
        self.heard.append(("after", call.id, result.output))

    def failed(self, call: ToolCall, arguments: Any, error: BaseException) -> None:
        self.heard.append(("failed", call.id, type(error).__name__))


class Words(BaseModel):
    text: str = ""
    value: int = 0


class Echo(TypedTool[Words]):
    """Gives its text back and counts its runs. ``then`` runs in between."""

    description = "For tests"
    params = Words

    def __init__(
        self,
        name: str = "Echo",
        *,
        effect: Effect = Effect.NONE,
        then: Callable[[Words], Awaitable[ToolResult | None]] | None = None,
        still_true: Callable[[], Awaitable[bool]] | None = None,
        polls: bool = False,
        user_action: bool = False,
    ) -> None:
        self.name, self.effect, self._then, self._still_true = name, effect, then, still_true
        self.polls, self.user_action = polls, user_action
        self.runs: list[Words] = []
        self.seen_calls: list[ToolCall | None] = []

    async def prepare(self, arguments: Any) -> Ask:
        return Ask(f"{self.name} {arguments.text}", Scope("tool", ""), still_true=self._still_true)

    async def run(self, params: Words) -> ToolResult:
        self.runs.append(params)
        self.seen_calls.append(current_call.get())
        if self._then is not None and (result := await self._then(params)) is not None:
            return result
        return ToolResult(params.text or "ok")


def args(**fields: Any) -> str:
    """Arguments as a model writes them."""
    return json.dumps(fields)


class Loose(Tool):
    """Takes JSON as it comes."""

    name = "Loose"
    description = "For tests"
    effect = Effect.READ

    async def run(self, *args: Any, **kwargs: Any) -> Any:
        return ToolResult(repr((args, kwargs)))


class Rig:
    """A toolset and one line for each thing that tests do with it."""

    def __init__(self, *tools: Tool, gate: StandInGate | None = None, source: Source = TURN, **more: Any) -> None:
        self.gate = gate or StandInGate()
        self.toolset = Toolset(self.gate, source=lambda: source, **more)
        for tool in tools:
            assert self.toolset.add(tool, "builtin")
        self._count = 0

    def start(self, name: str, arguments: str = "{}", id: str = "") -> PendingCall:
        self._count += 1
        return self.toolset.handle(ToolCall(id or f"c{self._count}", name, arguments))

    async def step(self, *calls: tuple[str, str]) -> tuple[list[ToolResult], StepReport]:
        """One whole step: the results in call order, and its report."""
        self.toolset.begin_step()
        results = list(await asyncio.gather(*[self.start(name, arguments) for name, arguments in calls]))
        return results, self.toolset.end_step()
