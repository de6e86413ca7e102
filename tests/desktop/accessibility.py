"""Which controls a screen reader could not name. Asks QAccessible inside the process, so it needs no D-Bus."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QWidget


def unnamed(root: QWidget) -> list[str]:
    """Each visible control that the keyboard reaches and that has no accessible name."""
    found: list[str] = []
    for child in root.findChildren(QWidget):
        if child.focusPolicy() == Qt.FocusPolicy.NoFocus or not child.isVisible() or child.focusProxy() is not None:
            continue
        interface = QAccessible.queryAccessibleInterface(child)
        if interface is None or not interface.text(QAccessible.Text.Name):
            found.append(f"{type(child.parentWidget()).__name__}/{type(child).__name__} {child.objectName()}".strip())
    return found
