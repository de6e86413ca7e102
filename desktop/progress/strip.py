"""One line over the voice bar: what is under way, and a button that ends it."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QProgressBar

from desktop.progress.watched import Call, Calls
from desktop.widgets.basics import button, label, row


class ProgressStrip(QFrame):
    """Shows the newest call that takes long, and how many there are beside it; hidden while there is none."""

    def __init__(self, calls: Calls) -> None:
        super().__init__()
        self.setProperty("kind", "bar")
        self._calls = calls
        self._current: Call | None = None
        self._bar = QProgressBar()
        self._bar.setRange(0, 0)
        self._bar.setTextVisible(False)
        self._bar.setFixedSize(56, 4)
        self._bar.setAccessibleName(self.tr("Under way"))
        self._text = label(wrap=True)
        self.cancel = button(self.tr("Cancel"))
        self.cancel.clicked.connect(self._on_cancel)
        inside = row(self, margin=(24, 6, 16, 6), gap=10)
        inside.addWidget(self._bar)
        inside.addWidget(self._text, 1)
        inside.addWidget(self.cancel)
        calls.changed.connect(self._draw)
        self.hide()

    def text(self) -> str:
        return self._text.text()

    def _draw(self) -> None:
        shown = self._calls.shown()
        self._current = shown[-1] if shown else None
        self.setVisible(self._current is not None)
        if self._current is None:
            return
        what = self._current.title or self.tr("Working")
        rest = len(shown) - 1
        self._text.setText(self.tr("{0}… and {1} more").format(what, rest) if rest else self.tr("{0}…").format(what))
        self.cancel.setVisible(self._current.ends)
        self.cancel.setAccessibleName(self.tr("Cancel: {0}").format(what))

    def _on_cancel(self) -> None:
        if self._current is not None:
            self._calls.cancel(self._current.number)
