"""Text in a form from a JSON Schema: on one line until it has several."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit

from desktop.forms.schema import ABSENT, Node
from desktop.forms.schema_leaves import NodeEditor
from desktop.forms.schema_words import example_of

_LONG_TEXT = 400
_LINES = ("multiline", "textarea", "markdown")


class _Line(QLineEdit):
    """One line that asks for more room when several lines come in."""

    lines_wanted = Signal(str)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.lines_wanted.emit("\n")
        elif event.matches(QKeySequence.StandardKey.Paste) and "\n" in QGuiApplication.clipboard().text().strip():
            self.lines_wanted.emit(QGuiApplication.clipboard().text())
        else:
            super().keyPressEvent(event)


class TextEditor(NodeEditor):
    """Text, on one line until it has several."""

    def __init__(self, node: Node) -> None:
        self._line = _Line()
        self._area: QPlainTextEdit | None = None
        super().__init__(node, self._line)
        self._given = False
        schema = node.schema
        if schema.get("format") == "password" or schema.get("writeOnly") is True:
            self._line.setEchoMode(QLineEdit.EchoMode.Password)
        self._line.setPlaceholderText(example_of(node))
        self._line.textEdited.connect(self.changed)
        self._line.lines_wanted.connect(self._grow)
        longest = schema.get("maxLength")
        if schema.get("format") in _LINES or (isinstance(longest, int) and longest > _LONG_TEXT):
            self._use_area()

    def text(self) -> str:
        return self._line.text() if self._area is None else self._area.toPlainText()

    def value(self) -> Any:
        text = self.text()
        if text:
            return text
        if self.node.nullable:
            return None
        return "" if self._given else ABSENT  # what was given and is emptied now is cleared, not left out

    def show_value(self, value: Any) -> bool:
        empty = value is ABSENT or (value is None and self.node.nullable)
        if not empty and not isinstance(value, str):
            return False
        text = str("" if empty else value)
        self._given = not empty
        if text != self.text():
            if any(c in text for c in "\n\r\u2028\u2029"):
                self._use_area()
            self._set_text(text)
        return self.text() == text  # a control may drop what it cannot hold

    def _set_text(self, text: str) -> None:
        if self._area is None:
            self._line.setText(text)
        else:
            self._area.blockSignals(True)
            self._area.setPlainText(text)
            self._area.blockSignals(False)

    def _use_area(self) -> None:
        if self._area is not None:
            return
        self._area = area = QPlainTextEdit(self._line.text())
        area.setProperty("kind", "field")
        area.setTabChangesFocus(True)
        area.setPlaceholderText(self._line.placeholderText())
        area.setAccessibleName(self._line.accessibleName())
        area.setAccessibleDescription(self._line.accessibleDescription())
        area.setFixedHeight(area.fontMetrics().lineSpacing() * 4 + 20)
        area.textChanged.connect(self.changed)
        self._line.hide()
        self.inside.removeWidget(self._line)
        self.show_control(area)

    def _grow(self, text: str) -> None:
        at = self._line.cursorPosition()
        self._use_area()
        if self._area is not None:
            cursor = self._area.textCursor()
            cursor.setPosition(at)
            self._area.setTextCursor(cursor)
            self._area.insertPlainText(text)
            self._area.setFocus()
