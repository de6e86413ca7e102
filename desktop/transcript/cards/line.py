"""The one line of a tool call, painted in one go: a screen may hold fifteen of them, and styled labels are slow."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop.theme import icons
from desktop.theme.theme import Theme

_HEIGHT, _ICON, _GAP, _PAD = 30, 16, 10, 8


class ToolLine(QWidget):
    """Icon, title, and the state in a chip of its colour. Not a control: the card names it for screen readers."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._icon, self._title, self._state, self._tone = "tool", "", "", "muted"
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_line(self, icon: str, title: str, state: str, tone: str) -> None:
        """``title`` is drawn as it is, on one line; ``tone`` is a colour role that has a tint, or ``muted``."""
        self._icon, self._title, self._state, self._tone = icon, " ".join(title.split()), state, tone
        self.update()

    def title(self) -> str:
        return self._title

    def sizeHint(self) -> QSize:
        return QSize(200, _HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        scheme = self._theme.scheme
        middle = self.height() / 2
        painter.drawPixmap(0, round(middle - _ICON / 2), icons.cached(self._icon, scheme.muted))
        small = QFont(self.font())
        small.setPointSizeF(small.pointSizeF() - 1)
        wide = QFontMetrics(small).horizontalAdvance(self._state) + 2 * _PAD
        chip = QRectF(self.width() - wide, middle - 10, wide, 20)
        painter.setPen(Qt.PenStyle.NoPen)
        plain = self._tone == "muted"
        painter.setBrush(QColor(scheme.hover if plain else getattr(scheme, f"{self._tone}_tint")))
        painter.drawRoundedRect(chip, 10, 10)
        painter.setFont(small)
        painter.setPen(QColor(getattr(scheme, "accent_text" if self._tone == "accent" else self._tone)))
        painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, self._state)
        painter.setFont(self.font())
        painter.setPen(QColor(scheme.text))
        room = QRectF(_ICON + _GAP, 0, chip.left() - _ICON - 2 * _GAP, self.height())
        shown = self.fontMetrics().elidedText(self._title, Qt.TextElideMode.ElideRight, max(0, int(room.width())))
        painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), shown)
