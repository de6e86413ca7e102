"""What a tool is. Two bases: :class:`Tool` takes JSON as it comes, :class:`TypedTool` a pydantic model."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Generic, Literal, TypeVar

from pydantic import BaseModel

from actions.agent.toolset.asking import Ask, Scope
from actions.agent.toolset.results import ToolResult
from actions.catalog.spec import Effect

P = TypeVar("P", bound=BaseModel)
Kind = Literal["read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"]
"""The tool kinds of ACP 1."""
Origin = Literal["builtin", "plugin", "mcp", "client"]


class SkipThisTool(Exception):
    """Raise in a tool's constructor: it is left out quietly and the rest goes on."""


class Tool(ABC):
    """A tool with a JSON Schema of its own. An argument object becomes keywords, an array positions, a scalar one
    argument of :meth:`run`.

    Class attributes are the declaration; a plugin, MCP or client-side tool sets them on the instance.
    ``description`` empty means: the Markdown file of the same name beside the module.
    """

    name: str = ""
    description: str = ""
    parameters: dict[str, Any] = {}  # noqa: RUF012 - replaced as a whole, never changed in place
    effect: Effect = Effect.DANGER
    kind: Kind = "other"
    key_argument: str | None = None
    polls: bool = False
    """For a tool that waits for something: only an unchanged result counts as a repetition."""
    remarks: frozenset[str] = frozenset()
    """Arguments that only tell a person what the call is for: with another remark it is the same call, when a loop is
    looked for."""
    user_action: bool = False
    """The tool itself puts something before the user (a question, a plan): never a plain permission."""
    words: Mapping[str, str] = MappingProxyType({})
    """What stands for each ``{{NAME}}`` in the description's Markdown."""

    async def prepare(self, arguments: Any) -> Ask:
        """The words and the preview, before approval and without any effect. May raise ToolFailure."""
        return Ask(summary=f"Use {self.name}", scope=Scope("tool", ""))

    def effect_of(self, arguments: Any) -> Effect:
        """The effect of this very call; the declared one unless the arguments make it another."""
        return self.effect

    @abstractmethod
    async def run(self, *args: Any, **kwargs: Any) -> ToolResult:
        """Do it. Raise ToolFailure, or let an exception out: the dispatcher makes a result of it."""


class TypedTool(Tool, Generic[P]):
    """A tool whose arguments are a pydantic model: lax ("5" is 5), unknown keys are ignored.

    Subclasses set ``params``; ``prepare``, ``effect_of`` and ``run`` get the validated model.
    """

    params: ClassVar[type[BaseModel]]

    @abstractmethod
    async def run(self, params: P) -> ToolResult:
        """Do it with the validated arguments."""
