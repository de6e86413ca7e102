"""One rule."""

from __future__ import annotations

from dataclasses import dataclass

from actions.catalog.spec import Effect
from actions.patterns.pattern import Pattern


@dataclass(frozen=True, slots=True)
class Rule:
    """Calls of ``tool`` with ``effect`` under ``pattern`` need no question. ``created``: seconds since 1970."""

    id: str
    tool: str
    effect: Effect
    pattern: Pattern
    always: bool
    created: float

    @property
    def in_words(self) -> str:
        """What the rule releases, for a person."""
        return self.pattern.in_words(self.tool)
