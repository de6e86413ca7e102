"""Remarks on the lines of a change, and the message that carries them to the agent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QPlainTextEdit

from desktop.diff.unified import Diff
from desktop.theme.theme import Theme
from desktop.widgets.basics import Elided, IconButton, button, column, label, row

_SENDS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


@dataclass(frozen=True)
class Comment:
    """A remark on one line; ``quoted`` is the line as it stands in the change."""

    path: str
    line: int | None
    quoted: str
    text: str

    def place(self) -> str:
        return self.path if self.line is None else f"{self.path}:{self.line}"


def place_of(diff: Diff, at: int) -> Comment | None:
    """An empty remark on the line that is drawn ``at``; None where no file is."""
    file = next((file for file in reversed(diff.files) if file.at <= at), None)
    if file is None or not 0 <= at < len(diff.lines):
        return None
    line = diff.lines[at]
    return Comment(file.path, line.new or line.old, line.text if at != file.at else "", "")


def message(comments: Sequence[Comment]) -> str:
    """What is sent: each remark under its place and the line that it is about."""
    head = QCoreApplication.translate("Comments", "Comments on the change:")
    parts = [
        "\n".join([f"{comment.place()}", *([f"> {comment.quoted}"] if comment.quoted.strip() else ()), comment.text])
        for comment in comments
    ]
    return "\n\n".join([head, *parts])


class CommentStrip(QFrame):
    """Below a change: the line that has the cursor, a field for a remark, and those that wait to be sent."""

    sent = Signal(str)
    """The message; the remarks are gone once it was taken."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("kind", "side")
        self._place: Comment | None = None
        self.comments: list[Comment] = []
        self._where = Elided(tone="small")
        self.edit = QPlainTextEdit()
        self.edit.setProperty("kind", "field")
        self.edit.setPlaceholderText(self.tr("Comment on this line"))
        self.edit.setAccessibleName(self.tr("Comment on this line"))
        self.edit.setTabChangesFocus(True)
        self.edit.setFixedHeight(56)
        self.add = button(self.tr("Add comment"))
        self.add.clicked.connect(self._add)
        self.send = button("", kind="primary")
        self.send.clicked.connect(self._send)
        self._undo = IconButton(theme, "undo", self.tr("Take the last comment back"))
        self._undo.clicked.connect(self._take_back)
        self._list = label(tone="muted", wrap=True, selectable=True)
        side = column(gap=6)
        side.addWidget(self.add)
        side.addWidget(self.send)
        inside = column(self, margin=(16, 8, 16, 10), gap=6)
        inside.addWidget(self._list)
        inside.addWidget(self._where)
        line = row()
        line.addWidget(self.edit, 1)
        line.addWidget(self._undo, 0, Qt.AlignmentFlag.AlignTop)
        line.addLayout(side)
        inside.addLayout(line)
        self.edit.textChanged.connect(self._show)
        self._show()

    def point_at(self, place: Comment | None) -> None:
        """The line that a remark would be about."""
        self._place = place
        self._show()

    def clear(self) -> None:
        """Another change is shown, or the remarks were sent."""
        self.comments = []
        self.edit.clear()
        self._show()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _SENDS and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._add()
        else:
            super().keyPressEvent(event)

    def _add(self) -> None:
        text = self.edit.toPlainText().strip()
        if self._place is not None and text:
            place = self._place
            self.comments.append(Comment(place.path, place.line, place.quoted, text))
            self.edit.clear()
            self._show()

    def _take_back(self) -> None:
        if self.comments:
            self.edit.setPlainText(self.comments.pop().text)
            self._show()

    def _send(self) -> None:
        self._add()
        if self.comments:
            self.sent.emit(message(self.comments))

    def _show(self) -> None:
        count, written = len(self.comments), bool(self.edit.toPlainText().strip())
        self._where.set_full("" if self._place is None else f"{self._place.place()}  {self._place.quoted.strip()}")
        self.edit.setEnabled(self._place is not None)
        self.add.setEnabled(self._place is not None and written)
        self.send.setEnabled(bool(count) or (self._place is not None and written))
        one, many = self.tr("Send 1 comment"), self.tr("Send {0} comments").format(count + written)
        self.send.setText(one if count + written < 2 else many)
        self._undo.setVisible(bool(count))
        self._list.setVisible(bool(count))
        self._list.setText("\n".join(f"{comment.place()}  {comment.text}" for comment in self.comments))
