"""Where each row lies: a Fenwick tree over row heights. Pixels."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate


class Heights:
    """Row heights; change, offset of a row and "which row is at y" cost O(log n), building costs O(n)."""

    def __init__(self, heights: Iterable[int] = ()) -> None:
        self._heights = list(heights)
        before = [0, *accumulate(self._heights)]
        self._sums = [before[node] - before[node - (node & -node)] for node in range(len(before))]

    def __len__(self) -> int:
        return len(self._heights)

    def __getitem__(self, row: int) -> int:
        return self._heights[row]

    @property
    def total(self) -> int:
        """Height of all rows together."""
        return self.offset(len(self._heights))

    def append(self, height: int) -> None:
        self._heights.append(height)
        node = len(self._heights)
        covered = node & -node  # the node sums this many rows, the new one last
        self._sums.append(height + self.offset(node - 1) - self.offset(node - covered))

    def __setitem__(self, row: int, height: int) -> None:
        delta = height - self._heights[row]
        if not delta:
            return
        self._heights[row] = height
        node = row + 1
        while node < len(self._sums):
            self._sums[node] += delta
            node += node & -node

    def offset(self, row: int) -> int:
        """Distance from the top of the first row to the top of ``row``."""
        total = 0
        while row:
            total += self._sums[row]
            row &= row - 1
        return total

    def row_at(self, y: int) -> int:
        """The row that covers ``y``, the first or last one for a ``y`` outside; -1 when there are no rows."""
        if not self._heights:
            return -1
        if y < 0:
            return 0
        row = 0
        step = 1 << (len(self._heights).bit_length() - 1)
        while step:
            node = row + step
            if node < len(self._sums) and self._sums[node] <= y:
                row = node
                y -= self._sums[node]
            step >>= 1
        return min(row, len(self._heights) - 1)
