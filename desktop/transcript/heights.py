"""Where each row lies: row heights with a sum for each block of them. Pixels.

Summing a few hundred numbers is quicker than a walk through a tree of them, and nothing has to be built before the
first row of a long transcript is drawn.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate

_BLOCK = 512


class Heights:
    """Row heights. A change costs O(1), "where is a row" and "which row is at y" one short sum of blocks and rows."""

    def __init__(self, heights: Iterable[int] = ()) -> None:
        self._heights = list(heights)
        self._blocks = [sum(self._heights[at : at + _BLOCK]) for at in range(0, len(self._heights), _BLOCK)]

    def __len__(self) -> int:
        return len(self._heights)

    def __getitem__(self, row: int) -> int:
        return self._heights[row]

    @property
    def total(self) -> int:
        """Height of all rows together."""
        return sum(self._blocks)

    def append(self, height: int) -> None:
        if len(self._heights) % _BLOCK == 0:
            self._blocks.append(0)
        self._heights.append(height)
        self._blocks[-1] += height

    def __setitem__(self, row: int, height: int) -> None:
        self._blocks[row // _BLOCK] += height - self._heights[row]
        self._heights[row] = height

    def offset(self, row: int) -> int:
        """Distance from the top of the first row to the top of ``row``."""
        block = row // _BLOCK
        return sum(self._blocks[:block]) + sum(self._heights[block * _BLOCK : row])

    def row_at(self, y: int) -> int:
        """The row that covers ``y``, the first or last one for a ``y`` outside; -1 when there are no rows."""
        if not self._heights:
            return -1
        if y < 0:
            return 0
        ends = list(accumulate(self._blocks))
        block = bisect_right(ends, y)
        if block == len(ends):
            return len(self._heights) - 1
        begin = block * _BLOCK
        above = ends[block - 1] if block else 0
        return begin + bisect_right(list(accumulate(self._heights[begin : begin + _BLOCK])), y - above)
