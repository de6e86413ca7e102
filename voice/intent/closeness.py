"""How alike two spellings can be at best, for thousands at once: only those that can win are then compared in full.

A change of one letter costs at least one step, so two spellings are never closer than the letters they share: the
bound is exact, and what it leaves out could not have been the answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_LETTERS = 48
"""Latin letters and digits have a row each; all other characters share the rest."""

Row = NDArray[np.float32]


class LetterCounts:
    """The letters of many spellings, counted once."""

    def __init__(self, spellings: Sequence[str]) -> None:
        self._lengths = np.array([len(spelling) for spelling in spellings], dtype=np.uint16)
        self._counts = np.zeros((_LETTERS, len(spellings)), dtype=np.uint16)
        for column, spelling in enumerate(spellings):
            for letter in spelling:
                self._counts[_row(letter), column] += 1

    def bound(self, spelling: str) -> Row:
        """For each spelling, a number that its normalised Levenshtein similarity to ``spelling`` never exceeds."""
        shared = np.zeros(len(self._lengths), dtype=np.uint16)
        for row, count in Counter(map(_row, spelling)).items():
            shared += np.minimum(self._counts[row], np.uint16(count))
        longer = np.maximum(self._lengths, np.uint16(max(len(spelling), 1)))
        return np.divide(shared, longer, dtype=np.float32)


def _row(letter: str) -> int:
    if "a" <= letter <= "z":
        return ord(letter) - ord("a")
    if "0" <= letter <= "9":
        return 26 + ord(letter) - ord("0")
    return 36 + ord(letter) % (_LETTERS - 36)
