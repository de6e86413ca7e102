"""What every card has: a place for its content, a ground, a name for screen readers, and a height for a width."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import QPoint, QRectF, QUrl, Signal
from PySide6.QtGui import QColor, QContextMenuEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit, QTextEdit, QVBoxLayout, QWidget

from desktop.theme.spacing import RADIUS
from desktop.theme.theme import Theme
from desktop.transcript.model import Item


class Card(QWidget):
    """A recycled widget: it may be bound to any item of its kind, at any time, and keeps no state of its own."""

    toggled = Signal(str, bool)
    answered = Signal(str, str)
    link_asked = Signal(QUrl)
    resized = Signal(str)
    menu_asked = Signal(str, QPoint, str)
    """Its menu is asked for: the item's id, where on the screen, and what is selected in it."""
    diff_asked = Signal(str)
    """The change of a tool call is to be shown in full."""
    run_asked = Signal(str)
    """A run is to be shown."""

    ground: ClassVar[str | None] = None  # colour role behind the card
    edge: ClassVar[str | None] = None  # colour role of its outline
    margins: ClassVar[tuple[int, int, int, int]] = (0, 2, 0, 2)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.item: Item | None = None
        self.nested: list[QWidget] = []  # children with a layout of their own
        self.content = QVBoxLayout(self)
        self.content.setContentsMargins(*self.margins)
        self.content.setSpacing(4)

    def bind(self, item: Item, expanded: bool, width: int) -> int:
        """Show ``item`` at ``width`` pixels; returns the height that it needs."""
        if self.item is not None and self.item.id != item.id:
            self.release()
        self.item = item
        left, _, right, _ = self.margins
        self.fill(item, expanded, width - left - right)
        for widget in self.nested:
            widget.updateGeometry()  # else the outer layout trusts the height that it saw last
        self.content.invalidate()
        self.content.activate()
        if self.content.hasHeightForWidth():
            return self.content.totalHeightForWidth(width)
        return self.content.totalSizeHint().height()

    def fill(self, item: Item, expanded: bool, width: int) -> None:
        """Put the item into the widgets. ``width`` is what the content has."""
        raise NotImplementedError

    def release(self) -> None:
        """Forget what belonged to the item that was shown, such as a selection."""

    def is_held(self) -> bool:
        """True while recycling would take something away from the user: the focus or a selection."""
        focus = QApplication.focusWidget()
        return focus is not None and self.isAncestorOf(focus)

    def selected_text(self) -> str:
        """What the user has selected in it."""
        for text in self.findChildren(QWidget):
            if isinstance(text, (QTextEdit, QPlainTextEdit)) and text.textCursor().hasSelection():
                return text.textCursor().selectedText().replace("\u2029", "\n")
            if isinstance(text, QLabel) and text.hasSelectedText():
                return text.selectedText()
        return ""

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.item is not None:
            self.menu_asked.emit(self.item.id, event.globalPos(), self.selected_text())

    def color(self, role: str) -> QColor:
        return QColor(getattr(self.theme.scheme, role))

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.ground is None and self.edge is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.ground is not None:
            painter.setBrush(self.color(self.ground))
        painter.setPen(QPen(self.color(self.edge or self.ground or "border"), 1))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
