"""Repetition: streaks and cycles over the steps of one turn. Every state here is bounded."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterable
from typing import Generic, Literal, TypeVar

from actions.agent.toolset.keys import CallKey

K = TypeVar("K", bound=Hashable)
Action = Literal["none", "r1", "r2", "r3", "stop"]
STOP_AT = 12
SEEN_LIMIT = 4096
"""Keys that a turn remembers as seen; older ones are forgotten, so that no turn grows without end."""


def action_at(count: int) -> Action:
    """What a streak of ``count`` brings."""
    if count < 3:
        return "none"
    if count >= STOP_AT:
        return "stop"
    return "r1" if count < 5 else "r2" if count < 8 else "r3"


class Sequence(Generic[K]):
    """Calls in order. For periods of 1 to 4 it knows how long the calls have followed that period.

    A period of 1 is a streak; a period of 2 to 4 is a cycle, which counts once for each time round.
    """

    __slots__ = ("_four", "_one", "_three", "_two", "recent")

    def __init__(self) -> None:
        self.recent: tuple[K | None, K | None, K | None, K | None] = (None, None, None, None)
        """The last calls, newest first."""
        self._one = self._two = self._three = self._four = 0

    def copy(self) -> Sequence[K]:
        same: Sequence[K] = Sequence()
        same.recent = self.recent
        same._one, same._two, same._three, same._four = self._one, self._two, self._three, self._four
        return same

    def push(self, item: K) -> int:
        """Add a call; how often it, or the cycle that it ends or goes on with, has come in a row."""
        recent = self.recent
        first, second, third, fourth = recent
        self.recent = (item, first, second, third)
        if item not in recent:
            self._one = self._two = self._three = self._four = 0
            return 1
        self._one = one = self._one + 1 if first == item else 0
        self._two = two = self._two + 1 if second == item else 0
        self._three = three = self._three + 1 if third == item else 0
        self._four = four = self._four + 1 if fourth == item else 0
        return max(one, two // 2, three // 3, four // 4) + 1


class Seen:
    """The keys of earlier steps, the newest :data:`SEEN_LIMIT` of them."""

    __slots__ = ("_keys",)

    def __init__(self, keys: Iterable[CallKey] = ()) -> None:
        self._keys: OrderedDict[CallKey, None] = OrderedDict()
        self.add(keys)

    def __contains__(self, key: CallKey) -> bool:
        return key in self._keys

    def add(self, keys: Iterable[CallKey]) -> None:
        known = self._keys
        for key in keys:
            known[key] = None
            known.move_to_end(key)
        while len(known) > SEEN_LIMIT:
            known.popitem(last=False)
