"""What can be wrong with the words of a catalog."""

from __future__ import annotations

from actions.errors import SaysoError


class GrammarError(SaysoError):
    """A template that cannot be used: bad syntax, an unknown slot, or words that mean two actions."""
