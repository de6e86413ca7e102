"""Repetition: streaks, cycles and calls without progress, over the steps of one turn. Every state here is bounded."""

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

    __slots__ = ("_follows", "recent")

    def __init__(self, recent: tuple[K, ...] = (), follows: tuple[int, int, int, int] = (0, 0, 0, 0)) -> None:
        self.recent = recent
        """The last calls, newest first, at most four."""
        self._follows = follows

    def copy(self) -> Sequence[K]:
        return Sequence(self.recent, self._follows)

    def push(self, item: K) -> int:
        """Add a call; how often it, or the cycle that it ends or goes on with, has come in a row."""
        recent = self.recent
        count = 1
        if item in recent:
            follows = [0, 0, 0, 0]
            for place, earlier in enumerate(recent):
                if earlier == item:
                    follows[place] = going = self._follows[place] + 1
                    period = place + 1
                    count = max(count, (going + period) // period)
            self._follows = (follows[0], follows[1], follows[2], follows[3])
        else:
            self._follows = (0, 0, 0, 0)
        self.recent = (item, *recent[:3])
        return count

    def interrupt(self) -> None:
        """A call that is like none before."""
        self.recent = ()
        self._follows = (0, 0, 0, 0)


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
