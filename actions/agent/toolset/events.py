"""What watchers of a toolset are told, in the order in which it happens."""

from __future__ import annotations

from dataclasses import dataclass

from actions.agent.toolset.asking import Ask
from actions.agent.toolset.call import ToolCall
from actions.agent.toolset.results import ToolResult
from actions.agent.toolset.tool import Tool


@dataclass(frozen=True, slots=True)
class CallPrepared:
    """The tool has said what it is about to do; nothing was done or approved yet."""

    call: ToolCall
    tool: Tool
    ask: Ask


@dataclass(frozen=True, slots=True)
class CallRunning:
    """Nothing stands in the way any more: the tool runs."""

    call: ToolCall
    tool: Tool


@dataclass(frozen=True, slots=True)
class CallEnded:
    """The call has its result. ``tool`` is None when nothing has the call's name."""

    call: ToolCall
    tool: Tool | None
    result: ToolResult


CallEvent = CallPrepared | CallRunning | CallEnded
