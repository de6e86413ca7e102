"""A change in full: what it is, its files on the left, its lines on the right."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QTextBlock
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QSplitter, QStackedWidget

from actions.catalog.run_views import ReviewFindings
from desktop.diff.comments import CommentStrip, place_of
from desktop.diff.findings import WIDTH as FINDINGS_WIDTH
from desktop.diff.findings import FindingsPanel
from desktop.diff.marks import WIDEST, Mark, Marked, gapped, marked, places
from desktop.diff.sides import sides
from desktop.diff.unified import FINDINGS, Diff, DiffFile, read_diff
from desktop.diff.view import DiffView
from desktop.theme.theme import Theme
from desktop.widgets.basics import Elided, EmptyState, IconButton, column, frame, label, row

_FILES_WIDTH = 220
_NARROWEST = 16
_ROOM = 860
"""Below this width the list of findings stands for the list of files."""
_REST_MS = 80
_ABOVE = 3
"""Lines that are seen above the one of a finding."""


class DiffPane(QFrame):
    """Shows one change at a time; ``left`` is emitted when the user is done with it."""

    left = Signal()
    commented = Signal(str)
    """A message with the remarks on lines, for the session whose change it is."""
    findings_sent = Signal(list)
    """Ids of findings that are to go to a session."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("kind", "page")
        self.diff = Diff()
        self._marks: list[Mark] = []
        self._marked = Marked(self.diff, {}, {})
        self._wide = WIDEST
        self._fitting = QTimer(self, singleShot=True, interval=_REST_MS)
        self._fitting.timeout.connect(self._fit)
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
        self.view.resized.connect(self._fitting.start)
        self.findings = FindingsPanel(theme)
        self.findings.hide()
        self.findings.gone_to.connect(self._go_to_finding)
        self.findings.entered.connect(self._enter_finding)
        self.findings.sent.connect(self.findings_sent)
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
        self._gone = EmptyState(theme, "alert", self.tr("There is no change to show"), "")
        self._lines = QStackedWidget()
        self._lines.addWidget(views)
        self._lines.addWidget(self._gone)
        shown = frame("page")
        below = column(shown, gap=0)
        below.addWidget(self._lines, 1)
        below.addWidget(self.comments)
        both.addWidget(shown)
        both.addWidget(self.findings)
        both.setSizes([_FILES_WIDTH, 1000, FINDINGS_WIDTH])
        both.setStretchFactor(1, 1)
        self._nothing = EmptyState(theme, "check", self.tr("Nothing was changed"), "")
        self._pages = QStackedWidget()
        self._pages.addWidget(self._nothing)
        self._pages.addWidget(both)
        inside = column(self, gap=0)
        inside.addWidget(bar)
        inside.addWidget(self._pages, 1)

    def show_diff(self, title: str, where: str, text: str, *, cut: bool = False) -> Diff:
        """Show a unified diff; ``where`` says whose it is. Returns what was read of it."""
        return self._show(title, where, text, cut)

    def _show(
        self, title: str, where: str, text: str, cut: bool, marks: Sequence[Mark] = (), *, again: bool = False
    ) -> Diff:
        """``again``: it is the change that was shown, read once more; remarks that wait stay."""
        self.diff = read_diff(text)
        self._title.set_full(title)
        self._where.set_full(where)
        self._where.setVisible(bool(where))
        files = len(self.diff.files)
        count = self.tr("1 file") if files == 1 else self.tr("{0} files").format(files)
        self._counts.setText(f"{count}  +{self.diff.added} −{self.diff.deleted}" if files else "")
        self._cut.setVisible(cut)
        self._marks = list(marks)
        if not again:  # what is hidden for a moment would lose the keyboard
            self.findings.hide()
            self._lines.setCurrentIndex(0)
            self.comments.clear()
        self._draw()
        self.files.blockSignals(True)
        self.files.clear()
        for file in self.diff.files:
            self.files.addItem(_entry(file))
        self.files.setCurrentRow(0)
        self.files.blockSignals(False)
        self._show_sides()
        self._nothing.show_text("check", self.tr("Nothing was changed"), "")
        self._pages.setCurrentIndex(1 if self.diff.lines else 0)
        return self.diff

    def show_review(self, title: str, where: str, review: ReviewFindings) -> None:
        """Show a change with what reviews found in it; one that was shown already keeps its place."""
        again = not self.findings.isHidden() and bool(self.diff.lines)
        row, top = self.view.textCursor().blockNumber(), self.view.verticalScrollBar().value()
        marks = self.findings.marks(review)
        self._show(title, where, review.change or "", review.change_cut, marks, again=again)
        self.findings.show_review(review, self._marked.stands)
        self.findings.show()
        self._show_sides()
        self._gone.show_text("alert", self.tr("There is no change to show"), review.change_problem or "", "warning")
        self._lines.setCurrentIndex(0 if self.diff.lines else 1)
        self._pages.setCurrentIndex(1)
        if again:
            self.view.go_to(min(row, len(self._marked.diff.lines) - 1))
            self.view.verticalScrollBar().setValue(top)

    def show_loading(self, title: str) -> None:
        """A change is being read."""
        self.show_diff(title, "", "")
        self._nothing.show_text("clock", self.tr("Loading…"), "")

    def show_problem(self, message: str) -> None:
        """The change could not be read."""
        self._nothing.show_text("alert", self.tr("The review could not be read"), message, "danger")
        self._pages.setCurrentIndex(0)

    def allow_comments(self, allowed: bool) -> None:
        """Whether there is a session that remarks can go to."""
        self.comments.setVisible(allowed)

    def _draw(self) -> None:
        self.old.setVisible(self.beside.isChecked())
        was, now = sides(self.diff) if self.beside.isChecked() else (None, self.diff)
        rows, self._wide = places(now, self._marks), self._columns()
        self._marked = marked(now, self._marks, rows, wide=self._wide)
        if was is not None:
            self.old.show_diff(gapped(was, self._marks, rows, wide=self._wide))
        self.view.show_diff(self._marked.diff)
        self._point(self.view)

    def _columns(self) -> int:
        """How wide the words of findings are drawn: no wider than what is seen of the lines."""
        return max(_NARROWEST, min(WIDEST, self.view.columns()))

    def _fit(self) -> None:
        """The views are wider or narrower now: the words of findings are wrapped anew, around what is in sight."""
        if self._marks and self._columns() != self._wide:
            cursor, top = self._own(self.view.textCursor().block()), self._own(self.view.firstVisibleBlock())
            self._draw()
            rows = [row for row, line in enumerate(self._marked.diff.lines) if line.kind not in FINDINGS]
            self.view.go_to(rows[cursor])
            self.view.verticalScrollBar().setValue(rows[top])

    def _own(self, block: QTextBlock) -> int:
        """How many lines of the change itself, not of findings, are above a block's own."""
        lines = self._marked.diff.lines[: block.blockNumber() + 1]
        return max(0, sum(line.kind not in FINDINGS for line in lines) - 1)

    def _point(self, view: DiffView) -> None:
        """A remark is about the line with the cursor, on the side that has it."""
        at = view.textCursor().blockNumber()
        self.comments.point_at(place_of(view.diff, at))
        if view is self.view and (finding := self._marked.drawn.get(at)) is not None:
            self.findings.select(finding)

    def go_to(self, path: str, line: int | None = None) -> None:
        """Bring a file, or a line of it, into sight."""
        row = self._marked.diff.row_of(path, line)
        if row is not None:
            self.view.go_to(row)

    def go_to_finding(self, finding_id: str) -> None:
        """Bring a finding into sight, in the list and at its line."""
        self.findings.select(finding_id)
        self._go_to_finding(finding_id)

    def _go_to_finding(self, finding_id: str) -> None:
        if (row := self._marked.stands.get(finding_id)) is not None:
            self.view.go_to(row, above=_ABOVE)

    def _enter_finding(self, finding_id: str) -> None:
        if finding_id in self._marked.stands:
            self._go_to_finding(finding_id)
            self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_sides()

    def _show_sides(self) -> None:
        narrow = self.width() < _ROOM and not self.findings.isHidden()
        self._side.setVisible(len(self.diff.files) > 1 and not narrow)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _on_file(self, row: int) -> None:
        if 0 <= row < len(self._marked.diff.files):
            self.view.go_to(self._marked.diff.files[row].at)


def _entry(file: DiffFile) -> QListWidgetItem:
    counts = f"+{file.added} −{file.deleted}"
    moved = f"{file.old_path} → " if file.old_path and file.old_path != file.path else ""
    entry = QListWidgetItem(file.path)
    entry.setToolTip(f"{moved}{file.path}  {counts}")
    entry.setData(Qt.ItemDataRole.AccessibleTextRole, f"{moved}{file.path}, {counts}")
    return entry
