"""A combo box whose arrow follows the theme."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox

from desktop.theme import icons
from desktop.theme.theme import Theme


class Select(QComboBox):
    """Picks one of several. The wheel scrolls the page under it and never changes a value by accident."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        role = "muted" if self.isEnabled() else "disabled"
        place = QRectF(self.width() - 22, (self.height() - 12) / 2, 12, 12)
        icons.paint(QPainter(self), "chevron-down", getattr(self._theme.scheme, role), place)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()
