"""Option sources: the live choices for a field, which may depend on what the partial draft already says."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from actions.catalog.context import ActionContext
from actions.catalog.spec import ActionOutput


class Option(ActionOutput):
    """One choice: the value that is stored, the label that is shown, other ways to say it, and why it cannot be
    taken. ``json_schema`` says what the field whose hint names this one may hold once it is chosen.
    """

    value: Any
    label: str
    description: str | None = None
    aliases: tuple[str, ...] = ()
    disabled: bool = False
    reason: str | None = None
    json_schema: dict[str, Any] | None = None


@dataclass(frozen=True)
class OptionRequest:
    """What a source is asked: the draft so far, text to filter by, how many, and whether to show the unusable ones."""

    draft: Mapping[str, Any] = field(default_factory=dict[str, Any])
    query: str = ""
    limit: int = 200
    include_disabled: bool = True


class Resolve(Protocol):
    def __call__(self, request: OptionRequest, ctx: ActionContext, /) -> Awaitable[Sequence[Option]]: ...


@dataclass(frozen=True)
class OptionSource:
    """A named source of options. ``needs`` names the draft fields it reads."""

    id: str
    resolve: Resolve
    needs: tuple[str, ...] = ()


def option_source(id: str, *, needs: Sequence[str] = ()) -> Callable[[Resolve], OptionSource]:
    """Declare an option source; the decorated coroutine answers it. It raises a SaysoError, never an empty list
    instead.
    """

    def declare(function: Resolve) -> OptionSource:
        return OptionSource(id, function, tuple(needs))

    return declare


def select_options(options: Sequence[Option], request: OptionRequest) -> list[Option]:
    """Filter by the request's text over labels, values and aliases, drop the disabled where asked, and cut to the
    limit.
    """
    query = request.query.casefold()

    def fits(option: Option) -> bool:
        texts = (option.label, str(option.value), option.description or "", *option.aliases)
        return not query or any(query in text.casefold() for text in texts)

    wanted = [o for o in options if fits(o) and (request.include_disabled or not o.disabled)]
    return wanted[: max(0, min(request.limit, 200))]
