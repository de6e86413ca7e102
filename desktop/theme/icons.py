"""Icons as strokes on a 16-unit square, drawn in the colour that is asked for. No font, no file, no network."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

_PATHS: dict[str, str] = {
    "inbox": "M2 9h3.5l1 2h3l1-2H14M2 9l2-6h8l2 6v4H2z",
    "runs": "M5 3.5v9l7.5-4.5z",
    "sessions": "M2.5 3.5h11v7h-6l-3 2.5v-2.5h-2z",
    "search": "M7 2.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 0 0 0-9M10.3 10.3L14 14",
    "plus": "M8 3v10M3 8h10",
    "send": "M8 13V3M3.8 7.2L8 3l4.2 4.2",
    "mic": "M8 2a2 2 0 0 0-2 2v4a2 2 0 0 0 4 0V4a2 2 0 0 0-2-2M3.5 8a4.5 4.5 0 0 0 9 0M8 12.5V14.5",
    "mic-off": "M8 2a2 2 0 0 0-2 2v4a2 2 0 0 0 4 0V4a2 2 0 0 0-2-2M3.5 8a4.5 4.5 0 0 0 9 0M8 12.5V14.5M2.5 2.5l11 11",
    "stop": "M4 4h8v8H4z",
    "check": "M3 8.5l3.2 3.2L13 4.8",
    "cross": "M4 4l8 8M12 4l-8 8",
    "clock": "M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 0 0 0-11M8 5v3.2l2 1.3",
    "chevron-right": "M6 3.5l4.5 4.5L6 12.5",
    "chevron-down": "M3.5 6l4.5 4.5L12.5 6",
    "chevron-up": "M3.5 10L8 5.5l4.5 4.5",
    "arrow-down": "M8 3v10M3.8 8.8L8 13l4.2-4.2",
    "arrow-left": "M13 8H3M7.2 3.8L3 8l4.2 4.2",
    "alert": "M8 2.5l6 10.5H2zM8 6.5v3M8 11.2v.3",
    "tool": "M10.5 2.5a3 3 0 0 0-2.8 4.2L2.5 12l1.6 1.6 5.2-5.3a3 3 0 0 0 4.1-3.6l-1.9 1.9-1.7-.5-.4-1.7 1.9-1.8z",
    "read": "M4 2.5h5.5L12 5v8.5H4zM9.5 2.5V5H12M6 8h4M6 10.5h4",
    "edit": "M3 13l.6-2.8 7.2-7.2 2.2 2.2-7.2 7.2z",
    "terminal": "M2.5 3.5h11v9h-11zM5 6.5l2 1.7-2 1.8M8.5 10.2H11",
    "thought": "M8 2.5a4 4 0 0 0-2.4 7.2V11h4.8V9.7A4 4 0 0 0 8 2.5M6.2 13.5h3.6",
    "plan": "M2.5 4l1 1 1.8-2M2.5 8.5l1 1 1.8-2M2.5 13l1 1 1.8-2M7.5 4h6M7.5 8.5h6M7.5 13h6",
    "shield": "M8 2l5 2v4c0 3-2 5-5 6.2C5 13 3 11 3 8V4z",
    "question": "M6 6a2 2 0 1 1 3 1.8c-.7.4-1 .8-1 1.7M8 11.8v.2",
    "folder": "M2 4h4l1.5 1.5H14V13H2z",
    "sun": "M8 5a3 3 0 1 0 0 6a3 3 0 0 0 0-6M8 1.5v1.5M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1 1M11.6 11.6l1 1"
    "M3.4 12.6l1-1M11.6 4.4l1-1",
    "moon": "M12.8 9.8A5.5 5.5 0 0 1 6.2 3.2a5.5 5.5 0 1 0 6.6 6.6z",
    "link": "M6.5 9.5l3-3M7 4.5l1.2-1.2a2.6 2.6 0 0 1 3.7 3.7L10.7 8.2M9 11.5l-1.2 1.2a2.6 2.6 0 0 1-3.7-3.7L5.3 7.8",
    "sidebar": "M2.5 3.5h11v9h-11zM6.5 3.5v9",
    "branch": "M5 3.5a1.5 1.5 0 1 0 0 3a1.5 1.5 0 0 0 0-3M5 6.5v7M11 4.5a1.5 1.5 0 1 0 0 3a1.5 1.5 0 0 0 0-3"
    "M11 7.5c0 2.5-6 1.5-6 4",
    "settings": "M2.5 5h6M12 5h1.5M2.5 11h2M8 11h5.5M10.2 3.2a1.8 1.8 0 1 0 0 3.6a1.8 1.8 0 0 0 0-3.6"
    "M6.2 9.2a1.8 1.8 0 1 0 0 3.6a1.8 1.8 0 0 0 0-3.6",
    "keyboard": "M1.8 4.5h12.4v7.5H1.8zM4.2 7h.2M6.8 7h.2M9.4 7h.2M12 7h.2M5 9.6h6",
    "bell": "M8 2.3c-2.4 0-3.8 1.8-3.8 4v2.6L3 11h10l-1.2-2.1V6.3c0-2.2-1.4-4-3.8-4M6.7 13.2h2.6",
    "lock": "M4 7.2h8v6H4zM5.6 7.2V5.4a2.4 2.4 0 0 1 4.8 0v1.8",
    "undo": "M3 6.5h6.5a3.3 3.3 0 0 1 0 6.6H6M5.8 3.7L3 6.5l2.8 2.8",
    "copy": "M5.5 5.5h7.5v7.5H5.5zM3 10.5V3h7.5",
    "comment": "M2.5 3.5h11v7h-6l-3 2.5v-2.5h-2zM5 6h6M5 8h4",
    "columns": "M2.5 3.5h11v9h-11zM8 3.5v9",
    "archive": "M2.5 3.5h11V6h-11zM3.5 6v6.5h9V6M6.5 8.5h3",
    "panel": "M2.5 3.5h11v9h-11zM9.5 3.5v9",
    "dots": "M3.5 8h.3M8 8h.3M12.5 8h.3",
}
_SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="{path}" fill="none" stroke="{color}" '
    'stroke-width="1.4" stroke-linecap="round" stroke-linejoin="round"/></svg>'
)


def names() -> list[str]:
    """Every icon there is."""
    return sorted(_PATHS)


def paint(painter: QPainter, name: str, color: str, rect: QRectF) -> None:
    """Draw an icon into ``rect``. Raises KeyError for an unknown name."""
    QSvgRenderer(QByteArray(_SVG.format(path=_PATHS[name], color=color).encode())).render(painter, rect)


def pixmap(name: str, color: str, size: int = 16, ratio: float = 2.0) -> QPixmap:
    """An icon of ``size`` device-independent pixels, sharp up to ``ratio`` times that."""
    result = QPixmap(round(size * ratio), round(size * ratio))
    result.setDevicePixelRatio(ratio)
    result.fill(Qt.GlobalColor.transparent)
    painter = QPainter(result)
    paint(painter, name, color, QRectF(0, 0, size, size))
    painter.end()
    return result


@lru_cache(maxsize=512)
def cached(name: str, color: str) -> QPixmap:
    """An icon of the usual size, made once a colour; for what is painted often."""
    return pixmap(name, color)


def icon(name: str, color: str, disabled: str | None = None) -> QIcon:
    """A QIcon for buttons; ``disabled`` is its colour when the control is."""
    result = QIcon(pixmap(name, color))
    if disabled is not None:
        result.addPixmap(pixmap(name, disabled), QIcon.Mode.Disabled)
    return result
