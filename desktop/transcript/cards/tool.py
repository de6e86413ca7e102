"""A tool call: title, state, and on demand what went in and what came out."""

from __future__ import annotations

import json
from typing import Any

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QContextMenuEvent, QPainter, QPaintEvent, QResizeEvent, QTextOption
from PySide6.QtWidgets import QPlainTextEdit, QPushButton, QWidget

from desktop.theme.theme import Theme
from desktop.transcript.cards.base import Card
from desktop.transcript.cards.line import ToolLine
from desktop.transcript.model import Item
from desktop.widgets.basics import IconButton, button, column, label, row

_ICONS = {
    "read": "read",
    "edit": "edit",
    "delete": "cross",
    "execute": "terminal",
    "search": "search",
    "think": "thought",
}
_TONES = {"completed": "success", "failed": "danger", "running": "accent", "in_progress": "accent"}
_CHANGED = {"+": "success_tint", "-": "danger_tint"}
_HEADS = ("+++", "---")
HEAD, TAIL = 24, 12  # lines of a long output that are shown before "show all"


def shorten(text: str, head: int = HEAD, tail: int = TAIL) -> tuple[str, int]:
    """The first and last lines of a long text and how many lines are left out between them."""
    lines = text.splitlines()
    hidden = len(lines) - head - tail
    if hidden <= 1:
        return text, 0
    return "\n".join([*lines[:head], "⋯", *lines[-tail:]]), hidden


def as_text(value: Any) -> str:
    """A tool's input or output as text; JSON is indented, text stays as it is."""
    if value is None:
        return ""
    if isinstance(value, dict) and value.keys() == {"command"}:
        return as_text(value["command"])
    return value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False, default=str)


def has_change(item: Item) -> bool:
    """Whether a tool call says what it changed in a file."""
    content = item.data.get("content") or ()
    return any(isinstance(block, dict) and block.get("type") == "diff" for block in content)


class CodeBlock(QPlainTextEdit):
    """Read-only text in the code font, as high as its lines up to a limit; long lines scroll sideways."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._changes = False
        self._longest = 0  # pixels of its longest line
        self.setReadOnly(True)
        self.setProperty("kind", "code")
        self.setFont(theme.code_font)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setWordWrapMode(QTextOption.WrapMode.NoWrap)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabChangesFocus(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )

    def show_text(self, text: str) -> None:
        if self.font() != self._theme.code_font:
            self.setFont(self._theme.code_font)
        if text != self.toPlainText():
            self.setPlainText(text)
            longest = max(text.splitlines(), key=len, default="")
            self._longest = self.fontMetrics().horizontalAdvance(longest.expandtabs())
        self._fit()

    def _fit(self) -> None:
        """Room for all lines, and for the scroll bar below them where one is longer than the block is wide."""
        lines = max(1, self.blockCount())
        wide = self._longest > self.viewport().width() - 8
        high = lines * self.fontMetrics().lineSpacing() + (26 if wide else 18)
        if high != self.height():
            self.setFixedHeight(high)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()

    def tint_changes(self, on: bool) -> None:
        """Whether lines that begin with + and − are those of a change, and are drawn so."""
        if on != self._changes:
            self._changes = on
            self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._changes:
            painter = QPainter(self.viewport())
            block = self.firstVisibleBlock()
            while block.isValid():
                box = self.blockBoundingGeometry(block).translated(self.contentOffset())
                if box.top() > event.rect().bottom():
                    break
                if (role := _CHANGED.get(block.text()[:1])) is not None and not block.text().startswith(_HEADS):
                    tint = QColor(getattr(self._theme.scheme, role))
                    painter.fillRect(QRectF(0, box.top(), self.viewport().width(), box.height()), tint)
                block = block.next()
            painter.end()
        super().paintEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        event.ignore()  # the card has the menu

    def wheelEvent(self, event: Any) -> None:
        event.ignore()


class Section(QWidget):
    """A caption over a code block, with "show all" when the text is long."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._full = ""
        self._caption = label(tone="small")
        self.more: QPushButton = button("", kind="quiet")
        self.code = CodeBlock(theme)
        top = row()
        top.addWidget(self._caption)
        top.addStretch()
        top.addWidget(self.more)
        inside = column(self, gap=4)
        inside.addLayout(top)
        inside.addWidget(self.code)

    def show_text(self, caption: str, text: str, all_of_it: bool) -> None:
        self.setVisible(bool(text))
        self._caption.setText(caption)
        self.code.setAccessibleName(caption)
        shown, hidden = (text, 0) if all_of_it else shorten(text)
        self.more.setVisible(hidden > 0)
        self.more.setText(self.tr("Show all, {0} more lines").format(hidden))
        self.code.show_text(shown)


class ToolCard(Card):
    """One tool call."""

    ground = "raised"
    edge = "border"
    margins = (10, 4, 6, 4)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._expanded = False
        self._all = False
        self.line = ToolLine(theme)
        self._fold = IconButton(theme, "chevron-right", self.tr("Show details"))
        self._fold.clicked.connect(self._toggle)
        top = row(gap=10)
        top.addWidget(self.line, 1)
        top.addWidget(self._fold)
        self._input = Section(theme)
        self._output = Section(theme)
        self._change = button(self.tr("Open the change"), kind="quiet")
        self._change.clicked.connect(lambda: self.item and self.diff_asked.emit(self.item.id))
        self._output.more.clicked.connect(self._show_all)
        self.nested = [self._input, self._output]
        self.content.addLayout(top)
        self.content.addWidget(self._input)
        self.content.addWidget(self._output)
        self.content.addWidget(self._change, 0, Qt.AlignmentFlag.AlignLeft)

    def fill(self, item: Item, expanded: bool, width: int) -> None:
        status = str(item.data.get("status") or "pending")
        self._expanded = expanded
        icon = _ICONS.get(str(item.data.get("tool_kind")), "tool")
        self.line.show_line(icon, item.text, self._word(status), _TONES.get(status, "muted"))
        has_details = bool(item.data.get("input") or item.data.get("output"))
        self._fold.setVisible(has_details)
        self._fold.set_icon("chevron-down" if expanded else "chevron-right")
        self._fold.rename(self.tr("Hide details") if expanded else self.tr("Show details"))
        self._fold.setAccessibleDescription(item.text)
        shown = expanded and has_details
        self._input.setVisible(shown)
        self._output.setVisible(shown)
        changes = shown and has_change(item)
        self._change.setVisible(changes)
        self._output.code.tint_changes(changes)
        if shown:
            self._input.show_text(self.tr("Input"), as_text(item.data.get("input")), True)
            self._output.show_text(self.tr("Output"), as_text(item.data.get("output")), self._all)
        self.setAccessibleName(self.tr("Tool call {0}, {1}").format(item.text, self._word(status)))

    def release(self) -> None:
        self._all = False

    def is_held(self) -> bool:
        return (
            super().is_held()
            or self._input.code.textCursor().hasSelection()
            or self._output.code.textCursor().hasSelection()
        )

    def _word(self, status: str) -> str:
        return {
            "pending": self.tr("waiting"),
            "running": self.tr("running"),
            "in_progress": self.tr("running"),
            "completed": self.tr("done"),
            "failed": self.tr("failed"),
        }.get(status, status)

    def _toggle(self) -> None:
        if self.item is not None:
            self.toggled.emit(self.item.id, not self._expanded)

    def _show_all(self) -> None:
        self._all = True
        if self.item is not None:
            self.resized.emit(self.item.id)
