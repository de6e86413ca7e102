"""The scout's runs as tools, so that they are shown, approved and cancelled as any other call. The model is not offered
them: it has better ways to look."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Callable, Sequence
from typing import TypeVar

from pydantic import BaseModel

from actions.agent.approvals.decision import ApprovalCancelled, Source, Wanted
from actions.agent.scout.cancel import Cancel
from actions.agent.tools.needs import Workspace
from actions.agent.toolset.asking import Ask, Scope
from actions.agent.toolset.call import ToolCall, current_call
from actions.agent.toolset.guards import Gate
from actions.agent.toolset.results import TextDisplay, ToolResult
from actions.agent.toolset.tool import TypedTool
from actions.catalog.spec import Effect

T = TypeVar("T")


class ScoutParams(BaseModel):
    """``instructions`` say what matters."""

    instructions: str = ""


class ScoutPlan(TypedTool[ScoutParams]):
    """Drafts a plan from the repository itself."""

    name = "ScoutPlan"
    description = "Draft a plan from the repository itself, without a model."
    params = ScoutParams
    effect = Effect.READ
    kind = "search"
    key_argument = "instructions"

    def __init__(self, workspace: Workspace) -> None:
        self._root = workspace.root

    async def run(self, params: ScoutParams) -> ToolResult:
        from actions.agent.scout.draft import draft_plan
        from actions.agent.scout.markdown import pieces

        plan = await in_thread(lambda cancel: draft_plan(self._root, params.instructions, cancel))
        text = "".join(pieces(plan))
        return ToolResult(text, display=(TextDisplay(text, "markdown"),))


class ScoutReview(TypedTool[ScoutParams]):
    """Checks the uncommitted changes. A linter that runs code of the workspace is asked for like a command."""

    name = "ScoutReview"
    description = "Check the uncommitted changes, without a model."
    params = ScoutParams
    effect = Effect.READ
    kind = "search"
    key_argument = "instructions"

    def __init__(self, workspace: Workspace, gate: Gate, source: Callable[[], Source]) -> None:
        self._root = workspace.root
        self._gate, self._source = gate, source

    async def run(self, params: ScoutParams) -> ToolResult:
        from actions.agent.scout.review.markdown import pieces
        from actions.agent.scout.review.review import ReviewRun

        loop, call = asyncio.get_running_loop(), current_call.get()

        def may_run(argv: Sequence[str], why: str) -> bool:
            return asyncio.run_coroutine_threadsafe(self._allowed(call, argv, why), loop).result()

        def work(cancel: Cancel) -> str:
            return "".join(pieces(ReviewRun(self._root, cancel, may_run=may_run).run(instructions=params.instructions)))

        text = await in_thread(work)
        return ToolResult(text, display=(TextDisplay(text, "markdown"),))

    async def _allowed(self, call: ToolCall | None, argv: Sequence[str], why: str) -> bool:
        line = shlex.join(argv)
        ask = Ask(f"Run `{line}`: {why}", Scope("command", line), (TextDisplay(line, "command"),))
        wanted = Wanted(call or ToolCall("", self.name, ""), "Shell", Effect.DANGER, ask, self._source())
        if self._gate.refusal(wanted) is not None:
            return False
        try:
            decision = self._gate.fast(wanted) or await self._gate.ask(wanted)
        except ApprovalCancelled:
            return False
        return decision.approved


async def in_thread(work: Callable[[Cancel], T]) -> T:
    """``work`` in a thread; a cancel is passed on to it, and the thread ends soon after."""
    cancel = Cancel()
    working = asyncio.get_running_loop().run_in_executor(None, work, cancel)
    try:
        return await asyncio.shield(working)
    except asyncio.CancelledError:
        cancel.set()
        raise


def scout_tools(workspace: Workspace, gate: Gate, source: Callable[[], Source]) -> tuple[TypedTool[ScoutParams], ...]:
    """Both runs."""
    return ScoutPlan(workspace), ScoutReview(workspace, gate, source)
