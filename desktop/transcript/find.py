"""Finding words in a transcript: which rows hold them, and the place inside the card that shows one."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor, QTextDocument
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from desktop.theme.theme import Theme
from desktop.transcript.cards.tool import as_text
from desktop.transcript.model import Item, Kind, TranscriptModel
from desktop.widgets.basics import IconButton, label, row

_PAUSE_MS = 120


def holds(item: Item, words: str) -> bool:
    """Whether a row holds ``words``, whatever their case: its text, or what went into a tool and came out."""
    wanted = words.casefold()
    if wanted in item.text.casefold():
        return True
    if item.kind is Kind.TOOL:
        return any(wanted in as_text(item.data.get(part)).casefold() for part in ("input", "output"))
    return any(wanted in str(entry.get("content", "")).casefold() for entry in item.data.get("entries") or ())


def found(model: TranscriptModel, words: str) -> list[str]:
    """The ids of the rows that hold ``words``, from the top; none for nothing."""
    return [model[row].id for row in range(len(model)) if holds(model[row], words)] if words.strip() else []


def folded(item: Item, words: str) -> bool:
    """Whether the words stand where they are seen only after the row was unfolded."""
    return item.kind is Kind.THOUGHT or (item.kind is Kind.TOOL and words.casefold() not in item.text.casefold())


def mark(card: QWidget, words: str) -> bool:
    """Select the first place of ``words`` in a card; False where no text of it holds them."""
    for text in card.findChildren(QWidget):
        if not text.isVisibleTo(card):
            continue
        if isinstance(text, (QTextEdit, QPlainTextEdit)):
            cursor = text.document().find(words, 0, QTextDocument.FindFlag(0))
            if not cursor.isNull():
                text.setTextCursor(cursor)
                return True
        elif isinstance(text, QLabel) and text.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse:
            at = text.text().casefold().find(words.casefold())
            if at >= 0:
                text.setSelection(at, len(words))
                return True
    return False


def unmark(card: QWidget) -> None:
    """Take the selections of a card away."""
    for text in card.findChildren(QWidget):
        if isinstance(text, (QTextEdit, QPlainTextEdit)):
            cursor: QTextCursor = text.textCursor()
            cursor.clearSelection()
            text.setTextCursor(cursor)
        elif isinstance(text, QLabel) and text.hasSelectedText():
            text.setSelection(0, 0)


class FindBar(QFrame):
    """Words, how many rows hold them, and the way from one to the next. ``shown`` carries a row's id and the words."""

    shown = Signal(str, str)
    opened = Signal()
    left = Signal()

    def __init__(self, theme: Theme, model: TranscriptModel) -> None:
        super().__init__()
        self.setProperty("kind", "strip")
        self._model = model
        self._ids: Sequence[str] = ()
        self._at = -1
        self.edit = QLineEdit()
        self.edit.setPlaceholderText(self.tr("Find in this session"))
        self.edit.setAccessibleName(self.tr("Find in this session"))
        self.edit.setClearButtonEnabled(True)
        self.edit.setMaximumWidth(360)
        self._count = label(tone="small")
        self.before = IconButton(theme, "chevron-up", self.tr("The one before"))
        self.next = IconButton(theme, "chevron-down", self.tr("The next one"))
        self._close = IconButton(theme, "cross", self.tr("Close the search"))
        inside = row(self, margin=(24, 6, 16, 6))
        inside.addWidget(self.edit, 3)
        for widget in (self._count, self.before, self.next):
            inside.addWidget(widget)
        inside.addStretch(1)
        inside.addWidget(self._close)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self.search)
        self.edit.textChanged.connect(lambda: self._pause.start())
        self.before.clicked.connect(lambda: self.step(-1))
        self.next.clicked.connect(lambda: self.step(1))
        self._close.clicked.connect(self.leave)
        self.hide()

    def open(self) -> None:
        self.show()
        self.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.edit.selectAll()
        self.opened.emit()

    def leave(self) -> None:
        self._pause.stop()
        self.hide()
        self._ids, self._at = (), -1
        self.left.emit()

    def words(self) -> str:
        return self.edit.text()

    def search(self) -> None:
        """Find anew and show the newest place: what one looks for was mostly said lately."""
        self._pause.stop()
        held = self._ids[self._at] if 0 <= self._at < len(self._ids) else None
        self._ids = found(self._model, self.words())
        self._at = self._ids.index(held) if held in self._ids else len(self._ids) - 1
        self._show()

    def step(self, by: int) -> None:
        """To the next place, and from the last to the first."""
        if self._pause.isActive() or not self._ids:
            self.search()
        elif self._ids:
            self._at = (self._at + by) % len(self._ids)
            self._show()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.step(-1 if back else 1)
        else:
            super().keyPressEvent(event)

    def _show(self) -> None:
        if not self.words().strip():
            self._count.setText("")
        elif not self._ids:
            self._count.setText(self.tr("Not found"))
        else:
            self._count.setText(self.tr("{0} of {1}").format(self._at + 1, len(self._ids)))
        if self._ids:
            self.shown.emit(self._ids[self._at], self.words())
