"""EnterPlanMode and ExitPlanMode: planning before doing, with nothing changed until the user says yes to the plan."""

from __future__ import annotations

import asyncio

from pydantic import BaseModel, Field

from actions.agent.tools.needs import PlanMode
from actions.agent.toolset.asking import Ask, Scope
from actions.agent.toolset.results import ErrorClass, TextDisplay, ToolFailure, ToolResult
from actions.agent.toolset.tool import TypedTool
from actions.catalog.spec import Effect


class EnterPlanModeParams(BaseModel):
    pass


class EnterPlanMode(TypedTool[EnterPlanModeParams]):
    name = "EnterPlanMode"
    params = EnterPlanModeParams
    effect = Effect.NONE
    kind = "switch_mode"

    def __init__(self, mode: PlanMode) -> None:
        self._mode = mode

    async def run(self, params: EnterPlanModeParams) -> ToolResult:
        if self._mode.active:
            return ToolResult(message=f"Plan mode is on already. The plan file is {self._mode.file}")
        await self._mode.enter()
        return ToolResult(
            message="Plan mode is on: read and search, change nothing; the only file to write is the plan file "
            f"{self._mode.file}. When the plan is complete, call ExitPlanMode."
        )


class ExitPlanModeParams(BaseModel):
    plan: str = Field(default="", description="The plan in Markdown. Left out: what the plan file says.")


class ExitPlanMode(TypedTool[ExitPlanModeParams]):
    name = "ExitPlanMode"
    params = ExitPlanModeParams
    effect = Effect.NONE
    kind = "switch_mode"
    user_action = True

    def __init__(self, mode: PlanMode) -> None:
        self._mode = mode

    async def prepare(self, arguments: ExitPlanModeParams) -> Ask:
        plan = await self._plan(arguments)
        return Ask("Leave plan mode with this plan", Scope("tool", ""), (TextDisplay(plan, "markdown"),))

    async def run(self, params: ExitPlanModeParams) -> ToolResult:
        plan = await self._plan(params)
        answer = await self._mode.propose(plan)
        if answer.approved:
            said = f" The user adds: {answer.feedback}" if answer.feedback else ""
            return ToolResult(
                plan,
                f"The user approved the plan. Plan mode is off: carry it out.{said}",
                display=(TextDisplay(plan, "markdown"),),
            )
        if answer.feedback:
            return ToolResult(
                message=f"The user wants changes; plan mode stays on: {answer.feedback}",
                error=ErrorClass.REJECTED,
                feedback=answer.feedback,
            )
        return ToolResult(
            message="The user rejected the plan; plan mode stays on. Wait for what the user says.",
            error=ErrorClass.REJECTED,
        )

    async def _plan(self, said: ExitPlanModeParams) -> str:
        if not self._mode.active:
            raise ToolFailure("Plan mode is not on: there is nothing to leave.")
        plan = said.plan or await asyncio.to_thread(self._in_file)
        if not plan.strip():
            raise ToolFailure(f"There is no plan yet. Write it to {self._mode.file}, or give it as `plan`.")
        return plan

    def _in_file(self) -> str:
        try:
            return self._mode.file.read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return ""
