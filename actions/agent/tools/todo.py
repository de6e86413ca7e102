"""SetTodoList: the agent's own list of what is to be done, shown to the user."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from actions.agent.tools.needs import TodoList
from actions.agent.toolset.asking import Ask, Scope
from actions.agent.toolset.results import TodoDisplay, ToolResult
from actions.agent.toolset.tool import TypedTool
from actions.catalog.spec import Effect

_MARKS = {"pending": "[ ]", "in_progress": "[>]", "done": "[x]"}


class Todo(BaseModel):
    title: str = Field(min_length=1, description="What is to be done, in a few words.")
    status: Literal["pending", "in_progress", "done"] = "pending"


class SetTodoListParams(BaseModel):
    todos: list[Todo] | None = Field(
        default=None, description="The whole new list; it replaces the old one. Left out: the list as it is comes back."
    )


class SetTodoList(TypedTool[SetTodoListParams]):
    name = "SetTodoList"
    params = SetTodoListParams
    effect = Effect.NONE
    kind = "think"

    def __init__(self, todos: TodoList) -> None:
        self._todos = todos

    async def prepare(self, arguments: SetTodoListParams) -> Ask:
        preview = () if arguments.todos is None else (TodoDisplay(_items(arguments.todos)),)
        return Ask("Set the todo list", Scope("tool", ""), preview)

    async def run(self, params: SetTodoListParams) -> ToolResult:
        if params.todos is not None:
            self._todos.items = _items(params.todos)
        items = self._todos.items
        text = "\n".join(f"{_MARKS[status]} {title}" for title, status in items)
        return ToolResult(
            text,
            "The list is empty."
            if not items
            else f"{sum(status == 'done' for _, status in items)} of {len(items)} done.",
            display=() if params.todos is None else (TodoDisplay(items),),
        )


def _items(todos: list[Todo]) -> tuple[tuple[str, str], ...]:
    return tuple((todo.title, todo.status) for todo in todos)
