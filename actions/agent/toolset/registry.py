"""Which tools there are, which of them the model is shown, and who may take whose name."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar, cast

from pydantic import BaseModel

from actions.agent.toolset.tool import Origin, Tool, TypedTool
from actions.catalog.spec import Effect

T = TypeVar("T", bound=Tool)
_ORDER: dict[Origin, int] = {"builtin": 0, "plugin": 1, "mcp": 2, "client": 3}
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Entry:
    """A tool with what the dispatcher needs to know of it at each call, worked out once."""

    tool: Tool
    origin: Origin
    effect: Effect
    validate: Callable[[Any], Any] | None
    """For a typed tool: the arguments' model from parsed JSON. Raises ValidationError."""
    start: Callable[[Any], Awaitable[Any]]
    """The tool's run for one set of arguments."""
    prepares: bool
    """The tool has words of its own for what it is about to do."""
    varies: bool
    """The effect depends on the arguments."""
    heeds: frozenset[str] | None
    """The arguments that make a difference to what the tool does; None: all."""


def _spread(tool: Tool, arguments: Any) -> Awaitable[Any]:
    """An object becomes keywords, an array positions, a scalar one argument. Raises TypeError if they do not fit."""
    if isinstance(arguments, dict):
        return tool.run(**cast("dict[str, Any]", arguments))
    if isinstance(arguments, list):
        return tool.run(*cast("list[Any]", arguments))
    return tool.run(arguments)


def _heeded(remarks: frozenset[str], params: type[BaseModel]) -> frozenset[str] | None:
    """What a typed tool does not know it ignores."""
    if params.model_config.get("extra") == "allow" or any(
        field.alias or field.validation_alias for field in params.model_fields.values()
    ):
        return None
    return frozenset(params.model_fields) - remarks


class Registry:
    """The tools of one agent by name. Only a client-side tool gives way, and only to another client-side tool."""

    def __init__(self) -> None:
        self._entries: dict[str, Entry] = {}
        self._hidden: set[str] = set()
        self._listed: tuple[Tool, ...] | None = None

    def add(self, tool: Tool, origin: Origin) -> bool:
        """False, with a warning in the log, when the name belongs to a tool that is not replaced."""
        held = self._entries.get(tool.name)
        if held is not None and not (held.origin == origin == "client"):
            _log.warning("%s tool %r is left out: a %s tool has this name", origin, tool.name, held.origin)
            return False
        kind, typed = type(tool), issubclass(type(tool), TypedTool)
        self._entries[tool.name] = Entry(
            tool=tool,
            origin=origin,
            effect=tool.effect,
            validate=cast("type[TypedTool[Any]]", kind).params.model_validate if typed else None,
            start=tool.run if typed else partial(_spread, tool),
            prepares=kind.prepare is not Tool.prepare,
            varies=kind.effect_of is not Tool.effect_of,
            heeds=_heeded(tool.remarks, cast("type[TypedTool[Any]]", kind).params) if typed else None,
        )
        self._listed = None
        return True

    def remove(self, name: str) -> bool:
        """Whether there was such a tool."""
        self._listed = None
        self._hidden.discard(name)
        return self._entries.pop(name, None) is not None

    def hide(self, name: str) -> bool:
        """Leave the tool out of what the model is shown; calls of it still run. False: no such tool."""
        return self._show(name, shown=False)

    def unhide(self, name: str) -> bool:
        """Undo :meth:`hide`, however often that was called. False: no such tool."""
        return self._show(name, shown=True)

    def get(self, name: str) -> Entry | None:
        return self._entries.get(name)

    def find(self, name: str) -> Tool | None:
        """The tool of this name, hidden or not."""
        entry = self._entries.get(name)
        return None if entry is None else entry.tool

    def find_type(self, kind: type[T]) -> T | None:
        """The first tool of this class, hidden or not."""
        return next((entry.tool for entry in self._entries.values() if isinstance(entry.tool, kind)), None)

    def listed(self) -> tuple[Tool, ...]:
        """What the model is shown: built-in tools, plugins, MCP, client-side, each as they came."""
        if self._listed is None:
            shown = [entry for name, entry in self._entries.items() if name not in self._hidden]
            self._listed = tuple(entry.tool for entry in sorted(shown, key=lambda entry: _ORDER[entry.origin]))
        return self._listed

    def _show(self, name: str, *, shown: bool) -> bool:
        if name not in self._entries:
            return False
        self._listed = None
        (self._hidden.discard if shown else self._hidden.add)(name)
        return True
