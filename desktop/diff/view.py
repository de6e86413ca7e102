"""The lines of a change: tinted where something came or went, numbers at the left, whole text to select and copy."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from desktop.diff.marks import CONTINUED
from desktop.diff.unified import FINDINGS, Diff, LineKind, numbers
from desktop.theme.theme import Theme

_TINTS = {
    LineKind.ADDED: "success_tint",
    LineKind.DELETED: "danger_tint",
    LineKind.HUNK: "sunken",
    LineKind.FILE: "hover",
    LineKind.ERROR: "danger_tint",
    LineKind.WARNING: "warning_tint",
    LineKind.REMARK: "accent_tint",
}
_MARKS = {
    LineKind.ADDED: ("+", "success"),
    LineKind.DELETED: ("−", "danger"),
    LineKind.HUNK: ("⋯", "muted"),
    LineKind.ERROR: ("●", "danger"),
    LineKind.WARNING: ("●", "warning"),
    LineKind.REMARK: ("●", "accent_text"),
}
_BREAKS: dict[int, str] = dict.fromkeys((0x0D, 0x2028, 0x2029, 0xFDD0, 0xFDD1), "\N{REPLACEMENT CHARACTER}")
"""What Qt would begin a new line at; a line of the change stays one line."""
_GAP = 8


class DiffView(QPlainTextEdit):
    """Draws only what is in sight, so a long change costs no more than a short one."""

    resized = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._diff = Diff()
        self._digits = 1
        self.setReadOnly(True)
        self.setProperty("kind", "diff")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFont(theme.code_font)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setWordWrapMode(QTextOption.WrapMode.NoWrap)
        self.setTabChangesFocus(True)
        self.setTabStopDistance(4 * self.fontMetrics().horizontalAdvance(" "))
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._gutter = _Gutter(self)
        self.blockCountChanged.connect(lambda _: self._fit())
        self.updateRequest.connect(self._on_update)
        theme.changed.connect(self.viewport().update)
        theme.changed.connect(self._gutter.update)

    def show_diff(self, diff: Diff) -> None:
        self._diff = diff
        self._digits = numbers(diff.lines)
        self.setCurrentCharFormat(QTextCharFormat())  # else all is strong where the line before was
        self.setPlainText("\n".join(line.text.translate(_BREAKS) for line in diff.lines))
        strong = QTextCharFormat()
        strong.setFontWeight(QFont.Weight.DemiBold)
        for file in diff.files:
            cursor = QTextCursor(self.document().findBlockByNumber(file.at))
            cursor.select(QTextCursor.SelectionType.LineUnderCursor)
            cursor.setCharFormat(strong)
        self._fit()

    @property
    def diff(self) -> Diff:
        """What it shows."""
        return self._diff

    def go_to(self, row: int, *, above: int = 0) -> None:
        """Bring a line to the top, below so many of those before it."""
        top = max(0, row - above)
        self.verticalScrollBar().setValue(top)
        cursor = QTextCursor(self.document().findBlockByNumber(row))
        self.setTextCursor(cursor)
        self.verticalScrollBar().setValue(top)

    def columns(self) -> int:
        """How many characters are seen side by side."""
        room = self.viewport().width() - 2 * self.document().documentMargin()
        return int(room / QFontMetricsF(self.font()).horizontalAdvance("0")) - 1

    def gutter_width(self) -> int:
        return 2 * self._digits * self.fontMetrics().horizontalAdvance("0") + 5 * _GAP

    def paint_gutter(self, painter: QPainter, area: QRect) -> None:
        """Both numbers of each line, and what happened to it."""
        painter.setFont(self.font())
        half = (self.gutter_width() - 3 * _GAP) / 2
        for block, box in self._in_sight(area):
            line = self._diff.lines[block.blockNumber()] if block.blockNumber() < len(self._diff.lines) else None
            if line is None:
                continue
            if (tint := _TINTS.get(line.kind)) is not None:
                painter.fillRect(QRectF(0, box.top(), self._gutter.width(), box.height()), self._color(tint))
            painter.setPen(self._color("muted"))
            for at, number in ((0, line.old), (half, line.new)):
                if number is not None and line.kind not in FINDINGS:
                    place = QRectF(at, box.top(), half - 2, box.height())
                    painter.drawText(place, int(Qt.AlignmentFlag.AlignRight), str(number))
            if line.kind in _MARKS and not (line.kind in FINDINGS and line.text.startswith(CONTINUED)):
                mark, role = _MARKS[line.kind]
                painter.setPen(self._color(role))
                place = QRectF(2 * half, box.top(), 2.5 * _GAP, box.height())
                painter.drawText(place, int(Qt.AlignmentFlag.AlignHCenter), mark)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        for block, box in self._in_sight(event.rect()):
            if block.blockNumber() < len(self._diff.lines):
                tint = _TINTS.get(self._diff.lines[block.blockNumber()].kind)
                if tint is not None:
                    painter.fillRect(QRectF(0, box.top(), self.viewport().width(), box.height()), self._color(tint))
        painter.end()
        super().paintEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()
        inside = self.contentsRect()
        self._gutter.setGeometry(QRect(inside.left(), inside.top(), self.gutter_width(), inside.height()))

    def _in_sight(self, area: QRect) -> list[tuple[QTextBlock, QRectF]]:
        found: list[tuple[QTextBlock, QRectF]] = []
        block = self.firstVisibleBlock()
        offset: QPointF = self.contentOffset()
        while block.isValid():
            box = self.blockBoundingGeometry(block).translated(offset)
            if box.top() > area.bottom():
                break
            found.append((block, box))
            block = block.next()
        return found

    def _color(self, role: str) -> QColor:
        return QColor(getattr(self._theme.scheme, role))

    def _fit(self) -> None:
        self.setViewportMargins(self.gutter_width(), 0, 0, 0)
        inside = self.contentsRect()
        self._gutter.setGeometry(QRect(inside.left(), inside.top(), self.gutter_width(), inside.height()))

    def _on_update(self, area: QRect, scrolled: int) -> None:
        if scrolled:
            self._gutter.scroll(0, scrolled)
        else:
            self._gutter.update(0, area.y(), self._gutter.width(), area.height())


class _Gutter(QWidget):
    """The strip with the numbers; it says nothing to a screen reader, the text does."""

    def __init__(self, view: DiffView) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self) -> QSize:
        return QSize(self._view.gutter_width(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        self._view.paint_gutter(QPainter(self), event.rect())
