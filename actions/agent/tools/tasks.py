"""TaskList, TaskOutput and TaskStop: the background tasks of the session."""

from __future__ import annotations

import time
from typing import Literal

from pydantic import BaseModel, Field

from actions.agent.tools.background import BackgroundTask, BackgroundTasks
from actions.agent.toolset.asking import Ask, Scope
from actions.agent.toolset.results import ErrorClass, ToolFailure, ToolResult
from actions.agent.toolset.tool import TypedTool
from actions.catalog.spec import Effect
from actions.errors import NotFound

MOST_BYTES = 45_000
MOST_WAIT = 300
_STATES = {
    "running": "running",
    "done": "done",
    "failed": "failed",
    "timeout": "ended at its time limit",
    "stopped": "stopped",
}


class TaskListParams(BaseModel):
    show: Literal["active", "all"] = Field(
        default="active", description="Tasks that run now, or those that have ended as well."
    )


class TaskList(TypedTool[TaskListParams]):
    name = "TaskList"
    params = TaskListParams
    effect = Effect.READ
    kind = "read"
    key_argument = "show"
    polls = True

    def __init__(self, tasks: BackgroundTasks) -> None:
        self._tasks = tasks

    async def run(self, params: TaskListParams) -> ToolResult:
        active = params.show == "active"
        tasks = self._tasks.list(active=active)
        if not tasks:
            return ToolResult(message="No background task runs." if active else "There were no background tasks.")
        return ToolResult("\n".join(told(task) for task in tasks))


class TaskOutputParams(BaseModel):
    id: str = Field(description="The task's id, like task-1.")
    offset: int | None = Field(
        default=None,
        description="Byte to read from: the `next` of the last reading. Left out: the last part of the output.",
    )
    wait: float = Field(
        default=0, ge=0, le=MOST_WAIT, description="Seconds to wait for the task to end first, at most 300."
    )


class TaskOutput(TypedTool[TaskOutputParams]):
    name = "TaskOutput"
    params = TaskOutputParams
    effect = Effect.READ
    kind = "read"
    key_argument = "id"
    polls = True

    def __init__(self, tasks: BackgroundTasks) -> None:
        self._tasks = tasks

    async def run(self, params: TaskOutputParams) -> ToolResult:
        try:
            task = await self._tasks.wait(params.id, params.wait)
        except NotFound as error:
            raise ToolFailure(error.message, error=ErrorClass.INVALID_INPUT) from error
        piece = self._tasks.read(task.id, -MOST_BYTES if params.offset is None else params.offset, MOST_BYTES)
        message = f"{told(task)}\nnext: {piece.next} of {piece.size} bytes. The whole output is in {task.file}"
        return ToolResult(piece.text, message)


class TaskStopParams(BaseModel):
    id: str = Field(description="The task's id, like task-1.")


class TaskStop(TypedTool[TaskStopParams]):
    name = "TaskStop"
    params = TaskStopParams
    effect = Effect.WRITE
    kind = "execute"
    key_argument = "id"

    def __init__(self, tasks: BackgroundTasks) -> None:
        self._tasks = tasks

    async def prepare(self, arguments: TaskStopParams) -> Ask:
        task = self._find(arguments.id)
        return Ask(summary=f"Stop the background task {task.id}: {task.description}", scope=Scope("tool", ""))

    async def run(self, params: TaskStopParams) -> ToolResult:
        before = self._find(params.id)
        if not before.active:
            return ToolResult(message=f"It had ended before. {told(before)}")
        return ToolResult(message=told(await self._tasks.stop(params.id)))

    def _find(self, task_id: str) -> BackgroundTask:
        try:
            return self._tasks.find(task_id)
        except NotFound as error:
            raise ToolFailure(error.message, error=ErrorClass.INVALID_INPUT) from error


def told(task: BackgroundTask) -> str:
    """One line about a task."""
    code = "" if task.code is None else f", exit code {task.code}"
    seconds = "" if task.ended is None else f", took {task.ended - task.started:.1f} s"
    began = time.strftime("%H:%M:%S", time.localtime(task.started))
    return f"{task.id} ({task.kind}): {_STATES[task.state]}{code}{seconds}, began {began}: {task.description}"
