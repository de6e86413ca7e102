"""What a tool says about a call before it runs: the words, the preview, and what a rule could cover."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from actions.agent.toolset.results import Display, Location
from actions.patterns.scope import Scope

__all__ = ["Ask", "Scope"]


@dataclass(frozen=True, slots=True)
class Ask:
    """The words and the preview of one call.

    ``still_true`` is asked after the approval and right before the run: False makes the approval stale and nothing runs
    (a file that changed since its diff was shown). ``plan_file`` marks the one write that plan mode lets through.
    """

    summary: str
    scope: Scope
    preview: tuple[Display, ...] = ()
    locations: tuple[Location, ...] = ()
    still_true: Callable[[], Awaitable[bool]] | None = None
    plan_file: bool = False
