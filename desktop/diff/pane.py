"""A change in full: what it is, its files on the left, its lines on the right."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QSplitter, QStackedWidget

from desktop.diff.unified import Diff, DiffFile, read_diff
from desktop.diff.view import DiffView
from desktop.theme.theme import Theme
from desktop.widgets.basics import Elided, EmptyState, IconButton, column, frame, label, row

_FILES_WIDTH = 220


class DiffPane(QFrame):
    """Shows one change at a time; ``left`` is emitted when the user is done with it."""

    left = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("kind", "page")
        self.diff = Diff()
        self._back = IconButton(theme, "arrow-left", self.tr("Back to the session"))
        self._back.clicked.connect(self.left)
        self._title = Elided(tone="strong")
        self._where = Elided(tone="small")
        self._counts = label(tone="muted")
        self._cut = label(self.tr("The end of a very long change is not shown."), tone="warning")
        texts = column(gap=2)
        texts.addWidget(self._title)
        texts.addWidget(self._where)
        bar = frame("bar")
        head = row(bar, margin=(16, 8, 24, 8), gap=10)
        head.addWidget(self._back)
        head.addLayout(texts, 1)
        head.addWidget(self._cut)
        head.addWidget(self._counts)
        self.files = QListWidget()
        self.files.setProperty("kind", "plain")
        self.files.setAccessibleName(self.tr("Files of the change"))
        self.files.setTextElideMode(Qt.TextElideMode.ElideLeft)
        self.files.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.files.currentRowChanged.connect(self._on_file)
        self.view = DiffView(theme)
        self.view.setAccessibleName(self.tr("The change"))
        self._side = frame("sidebar")
        column(self._side, margin=(4, 8, 4, 8)).addWidget(self.files)
        both = QSplitter(Qt.Orientation.Horizontal)
        both.setHandleWidth(1)
        both.setChildrenCollapsible(False)
        both.addWidget(self._side)
        both.addWidget(self.view)
        both.setSizes([_FILES_WIDTH, 1000])
        both.setStretchFactor(1, 1)
        nothing = EmptyState(theme, "check", self.tr("Nothing was changed"), "")
        self._pages = QStackedWidget()
        self._pages.addWidget(nothing)
        self._pages.addWidget(both)
        inside = column(self, gap=0)
        inside.addWidget(bar)
        inside.addWidget(self._pages, 1)

    def show_diff(self, title: str, where: str, text: str, *, cut: bool = False) -> Diff:
        """Show a unified diff; ``where`` says whose it is. Returns what was read of it."""
        self.diff = read_diff(text)
        self._title.set_full(title)
        self._where.set_full(where)
        self._where.setVisible(bool(where))
        files = len(self.diff.files)
        count = self.tr("1 file") if files == 1 else self.tr("{0} files").format(files)
        self._counts.setText(f"{count}  +{self.diff.added} −{self.diff.deleted}")
        self._cut.setVisible(cut)
        self.view.show_diff(self.diff)
        self.files.blockSignals(True)
        self.files.clear()
        for file in self.diff.files:
            self.files.addItem(_entry(file))
        self.files.setCurrentRow(0)
        self.files.blockSignals(False)
        self._side.setVisible(files > 1)
        self._pages.setCurrentIndex(1 if self.diff.lines else 0)
        return self.diff

    def go_to(self, path: str, line: int | None = None) -> None:
        """Bring a file, or a line of it, into sight."""
        row = self.diff.row_of(path, line)
        if row is not None:
            self.view.go_to(row)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _on_file(self, row: int) -> None:
        if 0 <= row < len(self.diff.files):
            self.view.go_to(self.diff.files[row].at)


def _entry(file: DiffFile) -> QListWidgetItem:
    counts = f"+{file.added} −{file.deleted}"
    moved = f"{file.old_path} → " if file.old_path and file.old_path != file.path else ""
    entry = QListWidgetItem(file.path)
    entry.setToolTip(f"{moved}{file.path}  {counts}")
    entry.setData(Qt.ItemDataRole.AccessibleTextRole, f"{moved}{file.path}, {counts}")
    return entry
