"""What happens to tool calls, on a screen."""

from __future__ import annotations

from collections.abc import Callable

from actions.agent.loop.screen import Screen
from actions.agent.tools.needs import TodoList
from actions.agent.toolset.dispatch import Toolset
from actions.agent.toolset.events import CallEnded, CallEvent, CallPrepared, CallRunning


def show_on(screen: Screen, toolset: Toolset, todo: TodoList, kept: Callable[[], bool]) -> None:
    """Show every call of ``toolset``; the todo list too, after a call that changed it. ``kept`` says whether it did."""

    def show(event: CallEvent) -> None:
        match event:
            case CallPrepared(call=call, ask=ask):
                screen.call_prepared(call.id, ask)
            case CallRunning(call=call):
                screen.call_running(call.id)
            case CallEnded(call=call, result=result):
                screen.call_ended(call.id, result)
                if kept():
                    screen.todo(todo.items)

    toolset.watch(show)
