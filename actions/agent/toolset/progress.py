"""Counts the calls of a turn against repetition, over strict keys and over calls that differ in nothing that matters.

A step is counted twice: while its calls come in, with what their results will say taken from the calls before, to know
which reminder a result must carry; and at its end, in call order, by what really came back.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from actions.agent.toolset.dedup import Seen, Sequence, action_at
from actions.agent.toolset.keys import CallKey
from actions.agent.toolset.similar import Like, result_mark, similar_text
from actions.agent.toolset.step import Made, Run


class _Counted(NamedTuple):
    """A key as it counts: for a tool that polls, together with what came back."""

    key: CallKey
    result: int | None


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
        self._keys: Sequence[_Counted] = Sequence()
        self._likes: Sequence[Like] = Sequence()
        self.begin()

    def begin(self) -> None:
        """A step, or another attempt at it, begins."""
        self._live_keys = self._keys.copy()
        self._live_likes = self._likes.copy()
        self._names = {like.name for like in self._likes.recent}

    def see(self, keys: Iterable[CallKey]) -> None:
        """Take exactly these keys as seen in earlier steps."""
        self._seen = Seen(keys)

    def add(self, run: Run) -> None:
        """The first call of its key in this step."""
        key = run.key
        run.seen = key in self._seen
        if key.name in self._names:
            run.like = similar_text(key, run.arguments, self._root)
            run.expected = next(
                (like.result for like in self._likes.recent if like.name == key.name and like.text == run.like), None
            )
        run.strict, run.similar = self._push(run)

    def copy(self, run: Run) -> None:
        """Another call of that key in this step."""
        self._push(run)

    def judge(self, run: Run) -> None:
        """The result is there: settle how far the repetition has gone. What this step only began brings nothing yet."""
        if not run.seen and run.expected is None:
            return
        assert run.raw is not None
        unchanged = run.expected is not None and result_mark(run.raw) == run.expected
        run.count = max(
            run.strict if run.seen and (unchanged or not run.polls) else 1,
            run.similar if unchanged else 1,
        )
        run.action = action_at(run.count)

    def commit(self, made: Iterable[Made]) -> list[int]:
        """The step is over; how far the repetition had gone at each call, in call order."""
        counts: list[int] = []
        for one in made:
            run = one.run
            if run.like is None:
                run.like = similar_text(run.key, run.arguments, self._root)
            result = id(run) if run.raw is None else result_mark(run.raw)
            strict = self._keys.push(_Counted(run.key, result if run.polls else None))
            counts.append(max(strict, self._likes.push(Like(run.key.name, run.like, result))))
        self._seen.add(one.run.key for one in made)
        return counts

    def _push(self, run: Run) -> tuple[int, int]:
        strict = self._live_keys.push(_Counted(run.key, run.expected if run.polls else None))
        if run.like is None or run.expected is None:
            self._live_likes.interrupt()
            return strict, 1
        return strict, self._live_likes.push(Like(run.key.name, run.like, run.expected))
