"""What watchers of a toolset are told, in the order in which it happens."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

from actions.agent.toolset.asking import Ask
from actions.agent.toolset.call import ToolCall
from actions.agent.toolset.results import ToolResult
from actions.agent.toolset.tool import Tool

_log = logging.getLogger(__name__)


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
Watcher = Callable[[CallEvent], None]


class Watchers:
    """Those who are told. False when there is nobody, so that an event need not even be made."""

    def __init__(self) -> None:
        self._all: tuple[Watcher, ...] = ()

    def __bool__(self) -> bool:
        return bool(self._all)

    def add(self, watcher: Watcher) -> Callable[[], None]:
        """Tell ``watcher`` everything from now on; the returned function ends that."""
        self._all = (*self._all, watcher)

        def end() -> None:
            self._all = tuple(one for one in self._all if one is not watcher)

        return end

    def tell(self, event: CallEvent) -> None:
        """Tell all. One that fails is named in the log and changes nothing."""
        for watcher in self._all:
            try:
                watcher(event)
            except Exception:  # noqa: BLE001 - what is shown must not change what is done
                _log.exception("a watcher of tool calls failed")
