"""Tools to load, as an agent file's author might write them: right, odd and wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from actions.agent.toolset.results import ToolResult
from actions.agent.toolset.tool import SkipThisTool, Tool, TypedTool

if TYPE_CHECKING:
    from elsewhere import Clock  # type: ignore[import-not-found]  # the point: not there when it runs


class House:
    """A dependency."""


class Garden:
    """Another one."""


class Cellar:
    """One that nobody has."""


class _Base(Tool):
    description = "For tests"

    async def run(self, *args: Any, **kwargs: Any) -> ToolResult:
        return ToolResult("ran")


class Plain(_Base):
    name = "Plain"


class Second(_Base):
    name = "Second"


class Namesake(_Base):
    name = "Plain"


class NeedsHouse(_Base):
    name = "NeedsHouse"

    def __init__(self, house: House, garden: Garden) -> None:
        self.house, self.garden = house, garden


class Inherits(NeedsHouse):
    name = "Inherits"


class InText(_Base):
    name = "InText"

    def __init__(self, house: "House", garden: "Garden | None" = None) -> None:  # noqa: UP037 - the point
        self.house, self.garden = house, garden


class ForCheckersOnly(_Base):
    name = "ForCheckersOnly"

    def __init__(self, clock: Clock) -> None:
        self.clock = clock


class KeepsDefault(_Base):
    name = "KeepsDefault"

    def __init__(self, house: House, cellar: Cellar | None = None, depth: int = 3) -> None:
        self.house, self.cellar, self.depth = house, cellar, depth


class HasOptions(_Base):
    name = "HasOptions"

    def __init__(self, house: House, *, garden: Garden | None = None, limit: int = 60) -> None:
        self.house, self.garden, self.limit = house, garden, limit


class NeedsOption(_Base):
    name = "NeedsOption"

    def __init__(self, *, key: str) -> None:
        self.key = key


class NeedsCellar(_Base):
    name = "NeedsCellar"

    def __init__(self, cellar: Cellar) -> None:
        self.cellar = cellar


class NoType(_Base):
    name = "NoType"

    def __init__(self, something) -> None:
        self.something = something


class Unresolved(_Base):
    name = "Unresolved"

    def __init__(self, thing: Nowhere) -> None:  # type: ignore[name-defined]  # noqa: F821 - the point
        self.thing = thing


class Breaks(_Base):
    name = "Breaks"

    def __init__(self) -> None:
        raise RuntimeError("no power")


class SkipsItself(_Base):
    name = "SkipsItself"

    def __init__(self, house: House) -> None:
        raise SkipThisTool("no service")


class Nameless(_Base):
    pass


class Unfinished(Tool):
    name = "Unfinished"


class NoParams(TypedTool[BaseModel]):
    name = "NoParams"
    description = "For tests"

    async def run(self, params: BaseModel) -> ToolResult:
        return ToolResult()


class Undescribed(_Base):
    name = "Undescribed"
    description = ""


class Described(_Base):
    name = "DescribedTool"
    description = ""
    words = {"size": "seven"}  # noqa: RUF012


NOT_A_TOOL = 7
