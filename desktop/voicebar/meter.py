"""The loudness of the microphone, as bars."""

from __future__ import annotations

from collections import deque

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from desktop.theme.theme import Theme

_BARS = 24


class LevelMeter(QWidget):
    """The last two seconds or so of loudness, newest at the right."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._levels: deque[float] = deque([0.0] * _BARS, maxlen=_BARS)
        self.setFixedSize(QSize(_BARS * 5, 24))

    def add(self, level: float) -> None:
        self._levels.append(max(0.0, min(level, 1.0)))
        self.update()

    def clear(self) -> None:
        self._levels.extend([0.0] * _BARS)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        for at, level in enumerate(self._levels):
            painter.setBrush(QColor(self._theme.scheme.accent_text if level > 0.02 else self._theme.scheme.border))
            height = max(3.0, level * self.height())
            painter.drawRoundedRect(QRectF(at * 5, (self.height() - height) / 2, 3, height), 1.5, 1.5)
