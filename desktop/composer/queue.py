"""The messages that wait for the end of a turn: each can be read, changed, moved, dropped or sent at once."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QPlainTextEdit

from actions.catalog.views import QueuedMessage
from desktop.theme.theme import Theme
from desktop.widgets.basics import Elided, IconButton, button, column, label, row

_SHOWN = 5
_EDIT_HEIGHT = 64


class QueuePanel(QFrame):
    """Signals carry the message's id; what is shown is what the host says, so nothing moves before it agreed."""

    edited = Signal(str, str)
    moved = Signal(str, int)
    dropped = Signal(str)
    sent_now = Signal(str)
    steered = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._messages: list[QueuedMessage] = []
        self._steerable = False
        self._rows: list[_Row] = []
        self._more = label(tone="small")
        self._layout = column(self, gap=2)
        self._layout.addWidget(self._more)
        self.hide()

    def show_messages(self, messages: Sequence[QueuedMessage], *, steerable: bool = False) -> None:
        """The messages in order, the next one first. A row stays itself wherever it goes, with its focus and edit.

        ``steerable``: the agent takes a message into its running turn.
        """
        if list(messages) == self._messages and steerable == self._steerable:
            return
        self._steerable = steerable
        before = {line.message.id: line for line in self._rows}
        self._messages = list(messages)
        self._rows = []
        for at, message in enumerate(self._messages[:_SHOWN]):
            line = before.pop(message.id, None) or self._new_row(message)
            line.show_place(message, at, len(self._messages), steerable=steerable)
            self._layout.insertWidget(at, line)
            self._rows.append(line)
        for gone in before.values():
            self._layout.removeWidget(gone)
            gone.hide()
            gone.deleteLater()
        hidden = len(self._messages) - len(self._rows)
        self._more.setText(self.tr("and {0} more").format(hidden))
        self._more.setVisible(hidden > 0)
        self.setVisible(bool(self._messages))

    def _new_row(self, message: QueuedMessage) -> _Row:
        line = _Row(self._theme, message)
        line.edited.connect(self.edited)
        line.moved.connect(self.moved)
        line.dropped.connect(self.dropped)
        line.sent_now.connect(self.sent_now)
        line.steered.connect(self.steered)
        return line


class _Row(QFrame):
    """One message; F2 edits it, Alt+Up and Alt+Down move it."""

    edited = Signal(str, str)
    moved = Signal(str, int)
    dropped = Signal(str)
    sent_now = Signal(str)
    steered = Signal(str)

    def __init__(self, theme: Theme, message: QueuedMessage) -> None:
        super().__init__()
        self.message = message
        self.editing = False
        self._at = 0
        self._count = 1
        self._steerable = False
        self._text = Elided(tone="small")
        self._field = _Field()
        self._field.hide()
        self._save = button(self.tr("Save"))
        self._leave = button(self.tr("Leave as it is"), kind="quiet")
        self._steer = IconButton(theme, "plus", self.tr("Put into the running turn"))
        self._now = IconButton(theme, "send", self.tr("Send now"))
        self._up = IconButton(theme, "chevron-up", self.tr("Move up"))
        self._down = IconButton(theme, "chevron-down", self.tr("Move down"))
        self._edit = IconButton(theme, "edit", self.tr("Edit"))
        self._drop = IconButton(theme, "cross", self.tr("Drop"))
        line = row(gap=2)
        line.addWidget(label(self.tr("Waits:"), tone="small"))
        line.addWidget(self._text, 1)
        self._buttons = (self._steer, self._now, self._up, self._down, self._edit, self._drop)
        for control in self._buttons:
            line.addWidget(control)
            control.installEventFilter(self)
        foot = row(gap=4)
        foot.addStretch(1)
        foot.addWidget(self._leave)
        foot.addWidget(self._save)
        inside = column(self, gap=2)
        inside.addLayout(line)
        inside.addWidget(self._field)
        inside.addLayout(foot)
        self._connect()
        self._draw()

    def show_place(self, message: QueuedMessage, at: int, count: int, *, steerable: bool) -> None:
        self.message, self._at, self._count, self._steerable = message, at, count, steerable
        self._draw()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # Buttons take the arrow keys for themselves, so the row looks first.
        return isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and self._take_key(event)

    def _take_key(self, event: QKeyEvent) -> bool:
        alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        match event.key():
            case Qt.Key.Key_F2:
                self._begin()
            case Qt.Key.Key_Up if alt and self._at > 0:
                self.moved.emit(self.message.id, self._at - 1)
            case Qt.Key.Key_Down if alt and self._at + 1 < self._count:
                self.moved.emit(self.message.id, self._at + 1)
            case _:
                return False
        return True

    def _connect(self) -> None:
        self._steer.clicked.connect(lambda: self.steered.emit(self.message.id))
        self._now.clicked.connect(lambda: self.sent_now.emit(self.message.id))
        self._up.clicked.connect(lambda: self.moved.emit(self.message.id, self._at - 1))
        self._down.clicked.connect(lambda: self.moved.emit(self.message.id, self._at + 1))
        self._edit.clicked.connect(self._begin)
        self._drop.clicked.connect(lambda: self.dropped.emit(self.message.id))
        self._save.clicked.connect(self._finish)
        self._leave.clicked.connect(self._end)
        self._field.accepted.connect(self._finish)
        self._field.left.connect(self._end)

    def _begin(self) -> None:
        if not self.editing:
            self.editing = True
            self._field.setPlainText(self.message.text)
            self._field.selectAll()
            self._draw()
            self._field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _finish(self) -> None:
        text = self._field.toPlainText().strip()
        if text and text != self.message.text:
            self.edited.emit(self.message.id, text)
        self._end()

    def _end(self) -> None:
        self.editing = False
        self._draw()
        self._edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def _draw(self) -> None:
        self._text.set_full(self.message.text)
        for control in (self._field, self._save, self._leave):
            control.setVisible(self.editing)
        for control in self._buttons:
            control.setVisible(not self.editing)
        self._steer.setVisible(self._steerable and not self.editing)
        self._up.setEnabled(self._at > 0)
        self._down.setEnabled(self._at + 1 < self._count)
        # Several rows have the same buttons: the name says which message each is about.
        short = " ".join(self.message.text.split())[:60]
        for control in self._buttons:
            control.setAccessibleName(f"{control.toolTip()}: {short}")
        self._field.setAccessibleName(self.tr("Message that waits"))


class _Field(QPlainTextEdit):
    """Enter keeps the change, Shift+Enter breaks the line, Escape leaves it; an input method keeps its Enter."""

    accepted = Signal()
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "field")
        self.setTabChangesFocus(True)
        self.setFixedHeight(_EDIT_HEIGHT)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        composing = bool(self.textCursor().block().layout().preeditAreaText())
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if not composing and enter and not shift:
            self.accepted.emit()
        elif not composing and event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)
