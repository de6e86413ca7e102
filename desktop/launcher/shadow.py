"""The shadow under the launcher's panel, drawn once a size: an effect would blur the panel anew with each key."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap

SPREAD = 28
"""How far the shadow reaches beyond the panel, in pixels; it lies half of that lower."""
_STEPS, _ALPHA = 14, 3


@lru_cache(maxsize=4)
def shadow(width: int, height: int, ratio: float) -> QPixmap:
    """The shadow of a rounded panel of that size, to be drawn ``SPREAD`` to the left and above it."""
    whole = QSize(width + 2 * SPREAD, height + 2 * SPREAD + SPREAD // 2)
    drawn = QPixmap(whole * ratio)
    drawn.setDevicePixelRatio(ratio)
    drawn.fill(Qt.GlobalColor.transparent)
    painter = QPainter(drawn)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(0, 0, 0, _ALPHA))
    for step in range(_STEPS):
        inset = SPREAD * step / _STEPS
        box = QRectF(0, 0, whole.width(), whole.height()).adjusted(inset, inset + SPREAD / 2, -inset, -inset)
        painter.drawRoundedRect(box, SPREAD - inset / 2, SPREAD - inset / 2)
    painter.end()
    return drawn
