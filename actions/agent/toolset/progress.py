"""Counts the calls of a turn against repetition, over strict keys and over calls that differ in nothing that matters.

A step is counted twice: while its calls come in, with what their results will say taken from the calls before, to know
which reminder a result must carry; and at its end, in call order, by what really came back.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Sequence as Items

from actions.agent.toolset.dedup import Seen, Sequence, action_at
from actions.agent.toolset.keys import CallKey
from actions.agent.toolset.similar import Like, result_mark, similar_text
from actions.agent.toolset.step import Run

_Key = CallKey | tuple[CallKey, int | None]
"""A key as it counts: for a tool that polls, together with what came back."""


class Progress:
    """The counting state of one turn; its size does not depend on how long the turn is. ``root`` is the folder that
    paths are compared below.
    """

    def __init__(self, root: str = "") -> None:
        self._root = root
        self.reset()

    def reset(self) -> None:
        """A new turn or a revert."""
        self._seen = Seen()
        self._keys: Sequence[_Key] = Sequence()
        self._likes: Sequence[Like] = Sequence()
        self.begin()

    def begin(self) -> None:
        """A step, or another attempt at it, begins."""
        self._live: tuple[Sequence[_Key], Sequence[Like]] | None = None
        self._counted = 0

    def see(self, keys: Iterable[CallKey]) -> None:
        """Take exactly these keys as seen in earlier steps."""
        self._seen = Seen(keys)

    def add(self, run: Run, earlier: Items[Run]) -> None:
        """The first call of a key in this step, after the calls ``earlier``. What a step only began is not counted."""
        key = run.key
        run.seen = key in self._seen
        for like in self._likes.recent:
            if like is not None and like[0] == key[0]:
                if run.like is None:
                    run.like = similar_text(key, run.call.arguments, self._root, run.heeds)
                if like[1] == run.like:
                    run.expected = like[2]
                    break
        if run.seen or run.expected is not None:
            run.strict, run.similar = self._count(run, earlier)

    def judge(self, run: Run) -> None:
        """The result is there: settle how far the repetition has gone."""
        assert run.raw is not None
        unchanged = run.expected is not None and result_mark(run.raw) == run.expected
        if run.seen and (unchanged or not run.polls):
            run.count = run.strict
        if unchanged:
            run.count = max(run.count, run.similar)
        run.action = action_at(run.count)

    def commit(self, made: Items[Run]) -> list[int]:
        """The step is over; how far the repetition had gone at each call, in call order."""
        counts: list[int] = []
        previous: Run | None = None
        key: _Key = ("", "")
        like: Like = ("", "", None)
        for run in made:
            if run is not previous:
                previous = run
                result = id(run) if run.raw is None else result_mark(run.raw)
                if run.like is None:
                    run.like = similar_text(run.key, run.call.arguments, self._root, run.heeds)
                like = (run.key[0], run.like, result)
                key = (run.key, result) if run.polls else run.key
            strict, similar = self._keys.push(key), self._likes.push(like)
            counts.append(strict if strict >= similar else similar)
        self._seen.add([run.key for run in made])
        return counts

    def _count(self, run: Run, earlier: Items[Run]) -> tuple[int, int]:
        if self._live is None:
            self._live = self._keys.copy(), self._likes.copy()
        keys, likes = self._live
        strict = similar = 1
        for one in (*earlier[self._counted :], run):
            strict = keys.push((one.key, one.expected) if one.polls else one.key)
            similar = likes.push((one.key[0], one.like or "", one.expected))
        self._counted = len(earlier) + 1
        return strict, similar
