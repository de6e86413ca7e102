"""A row that goes on in the next line where there is no room left."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class Flow(QLayout):
    """Lays its widgets out like words; ``right`` puts each line at the right edge."""

    def __init__(self, *, gap: int = 8, right: bool = False) -> None:
        super().__init__()
        self.setContentsMargins(0, 0, 0, 0)
        self._gap = gap
        self._right = right
        self._items: list[QLayoutItem] = []

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:  # Qt takes None past the end
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._arrange(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, area: QRect) -> None:
        super().setGeometry(area)
        self._arrange(area, move=True)

    def sizeHint(self) -> QSize:
        sizes = [item.sizeHint() for item in self._shown()]
        width = sum(size.width() for size in sizes) + self._gap * max(0, len(sizes) - 1)
        return QSize(width, max((size.height() for size in sizes), default=0))

    def minimumSize(self) -> QSize:
        sizes = [item.minimumSize() for item in self._shown()]
        return QSize(max((s.width() for s in sizes), default=0), max((s.height() for s in sizes), default=0))

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if isinstance(w := item.widget(), QWidget) and not w.isHidden()]

    def _arrange(self, area: QRect, *, move: bool) -> int:
        lines: list[list[tuple[QLayoutItem, QSize]]] = [[]]
        used = 0
        for item in self._shown():
            size = item.sizeHint().boundedTo(QSize(area.width(), 10_000))
            if lines[-1] and used + size.width() > area.width():
                lines.append([])
                used = 0
            lines[-1].append((item, size))
            used += size.width() + self._gap
        top = area.top()
        for line in lines:
            wide = sum(size.width() for _, size in line) + self._gap * max(0, len(line) - 1)
            left = area.right() + 1 - wide if self._right else area.left()
            for item, size in line:
                if move:
                    item.setGeometry(QRect(left, top, size.width(), size.height()))
                left += size.width() + self._gap
            top += max((size.height() for _, size in line), default=0) + self._gap
        return max(0, top - self._gap - area.top())
