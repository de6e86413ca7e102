"""The dialog that asks before a dangerous change. No is the default, and nothing in it is cut."""

from __future__ import annotations

import asyncio

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QGridLayout, QScrollArea, QWidget

from desktop.safety import SafeAnswer
from desktop.settings.confirming import Asked
from desktop.theme.theme import Theme
from desktop.transcript.cards.tool import CodeBlock
from desktop.widgets.basics import IconLabel, button, column, frame, label, line, row

_WIDTH = 520
_TALLEST = 420


class ConfirmDialog(QDialog):
    """Shows one request. Yes counts only when it has been in sight for a moment."""

    def __init__(self, theme: Theme, asked: Asked, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setWindowTitle(asked.title)
        self.setMinimumWidth(min(_WIDTH, max(320, parent.width() - 32)))
        self._id = asked.id
        self._guard = SafeAnswer()
        head = row(gap=10)
        head.addWidget(IconLabel(theme, "shield", "danger"), 0, Qt.AlignmentFlag.AlignTop)
        title = label(asked.title, tone="heading", wrap=True)
        head.addWidget(title, 1)
        body = QWidget()
        body.setProperty("kind", "canvas")
        inside = column(body, gap=10, margin=(0, 0, 8, 0))
        rows = QGridLayout()
        rows.setHorizontalSpacing(16)
        rows.setVerticalSpacing(6)
        rows.setColumnStretch(1, 1)
        for at, (name, value) in enumerate(asked.rows):
            rows.addWidget(label(name, tone="muted"), at, 0, Qt.AlignmentFlag.AlignTop)
            rows.addWidget(label(value, wrap=True, selectable=True), at, 1)
        inside.addLayout(rows)
        for text in asked.more:
            block = CodeBlock(theme)
            block.setAccessibleName(self.tr("What it is about"))
            block.show_text(text)
            inside.addWidget(block)
        inside.addStretch()
        scroll = QScrollArea()
        scroll.setProperty("kind", "plain")
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(body)
        scroll.setMinimumHeight(min(_TALLEST, body.sizeHint().height() + 24))
        self.no = button(self.tr("Cancel"))
        self.yes = button(self.tr("Yes, do it"), kind="danger")
        self.yes.setAutoDefault(False)
        self.no.setDefault(True)
        self.no.clicked.connect(self.reject)
        self.yes.clicked.connect(self._on_yes)
        foot = row(margin=(20, 12, 20, 14))
        foot.addStretch()
        foot.addWidget(self.no)
        foot.addWidget(self.yes)
        layout = column(self, gap=0)
        above = frame("plain")
        parts = column(above, margin=(20, 18, 12, 14), gap=12)
        parts.addLayout(head)
        parts.addWidget(scroll, 1)
        layout.addWidget(above, 1)
        layout.addWidget(line())
        layout.addLayout(foot)
        self.no.setFocus()

    def _on_yes(self) -> None:
        if self._guard.take(self._id):
            self.accept()

    def showEvent(self, event: object) -> None:
        self._guard.show(self._id)


async def answered(dialog: QDialog) -> bool:
    """Show a dialog and wait for its end without a loop of its own; a dialog that goes away is a no."""
    future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    def settle(result: int) -> None:
        if not future.done():
            future.set_result(result == QDialog.DialogCode.Accepted)

    dialog.finished.connect(settle)
    dialog.open()
    try:
        return await future
    finally:
        if not future.done() or future.cancelled():
            dialog.close()
