"""A change in full: what it is, its files on the left, its lines on the right."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QSplitter, QStackedWidget

from desktop.diff.comments import CommentStrip, place_of
from desktop.diff.sides import sides
from desktop.diff.unified import Diff, DiffFile, read_diff
from desktop.diff.view import DiffView
from desktop.theme.theme import Theme
from desktop.widgets.basics import Elided, EmptyState, IconButton, column, frame, label, row

_FILES_WIDTH = 220


class DiffPane(QFrame):
    """Shows one change at a time; ``left`` is emitted when the user is done with it."""

    left = Signal()
    commented = Signal(str)
    """A message with the remarks on lines, for the session whose change it is."""

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
        self.beside = IconButton(theme, "columns", self.tr("Old and new side by side"))
        self.beside.setCheckable(True)
        self.beside.toggled.connect(lambda: self._draw())
        texts = column(gap=2)
        texts.addWidget(self._title)
        texts.addWidget(self._where)
        bar = frame("bar")
        head = row(bar, margin=(16, 8, 24, 8), gap=10)
        head.addWidget(self._back)
        head.addLayout(texts, 1)
        head.addWidget(self._cut)
        head.addWidget(self._counts)
        head.addWidget(self.beside)
        self.files = QListWidget()
        self.files.setProperty("kind", "plain")
        self.files.setAccessibleName(self.tr("Files of the change"))
        self.files.setTextElideMode(Qt.TextElideMode.ElideLeft)
        self.files.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.files.currentRowChanged.connect(self._on_file)
        self.view = DiffView(theme)
        self.view.setAccessibleName(self.tr("The change"))
        self.old = DiffView(theme)
        self.old.setAccessibleName(self.tr("The change, as it was"))
        self.old.hide()
        for one, other in ((self.view, self.old), (self.old, self.view)):
            one.verticalScrollBar().valueChanged.connect(other.verticalScrollBar().setValue)
            one.horizontalScrollBar().valueChanged.connect(other.horizontalScrollBar().setValue)
            one.cursorPositionChanged.connect(lambda view=one: self._point(view))
        self._drawn = self.diff
        self.comments = CommentStrip(theme)
        self.comments.sent.connect(self.commented)
        self._side = frame("sidebar")
        column(self._side, margin=(4, 8, 4, 8)).addWidget(self.files)
        both = QSplitter(Qt.Orientation.Horizontal)
        both.setHandleWidth(1)
        both.setChildrenCollapsible(False)
        both.addWidget(self._side)
        views = QSplitter(Qt.Orientation.Horizontal)
        views.setHandleWidth(1)
        views.setChildrenCollapsible(False)
        views.addWidget(self.old)
        views.addWidget(self.view)
        shown = frame("page")
        below = column(shown, gap=0)
        below.addWidget(views, 1)
        below.addWidget(self.comments)
        both.addWidget(shown)
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
        self.comments.clear()
        self._draw()
        self.files.blockSignals(True)
        self.files.clear()
        for file in self.diff.files:
            self.files.addItem(_entry(file))
        self.files.setCurrentRow(0)
        self.files.blockSignals(False)
        self._side.setVisible(files > 1)
        self._pages.setCurrentIndex(1 if self.diff.lines else 0)
        return self.diff

    def allow_comments(self, allowed: bool) -> None:
        """Whether there is a session that remarks can go to."""
        self.comments.setVisible(allowed)

    def _draw(self) -> None:
        self.old.setVisible(self.beside.isChecked())
        if self.beside.isChecked():
            was, self._drawn = sides(self.diff)
            self.old.show_diff(was)
        else:
            self._drawn = self.diff
        self.view.show_diff(self._drawn)
        self._point(self.view)

    def _point(self, view: DiffView) -> None:
        """A remark is about the line with the cursor, on the side that has it."""
        self.comments.point_at(place_of(view.diff, view.textCursor().blockNumber()))

    def go_to(self, path: str, line: int | None = None) -> None:
        """Bring a file, or a line of it, into sight."""
        row = self._drawn.row_of(path, line)
        if row is not None:
            self.view.go_to(row)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _on_file(self, row: int) -> None:
        if 0 <= row < len(self._drawn.files):
            self.view.go_to(self._drawn.files[row].at)


def _entry(file: DiffFile) -> QListWidgetItem:
    counts = f"+{file.added} −{file.deleted}"
    moved = f"{file.old_path} → " if file.old_path and file.old_path != file.path else ""
    entry = QListWidgetItem(file.path)
    entry.setToolTip(f"{moved}{file.path}  {counts}")
    entry.setData(Qt.ItemDataRole.AccessibleTextRole, f"{moved}{file.path}, {counts}")
    return entry
