"""The runs: a list on the left, one run with its result on the right."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QStackedWidget

from actions.catalog.views import RunView
from desktop.runs.delegate import RunDelegate
from desktop.runs.detail import RunDetail
from desktop.runs.model import ROW, RunListModel
from desktop.theme.theme import Theme
from desktop.widgets.basics import EmptyState, column, frame, label, row


class RunsPane(QFrame):
    """Composes list and detail. ``end_near``: the oldest rows are in sight, or nearly; what is older may be wanted."""

    end_near = Signal()

    def __init__(self, theme: Theme, model: RunListModel) -> None:
        super().__init__()
        self.setProperty("kind", "page")
        self.model = model
        self._current: str | None = None
        self._wanted: str | None = None  # to be opened, and not read yet
        self.list = QListView()
        self.list.setProperty("kind", "plain")
        self.list.setAccessibleName(self.tr("Runs"))
        self.list.setModel(model)
        self._delegate = RunDelegate(theme, model)
        self.list.setItemDelegate(self._delegate)
        self.list.setMouseTracking(True)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.detail = RunDetail(theme, model)
        self._empty = EmptyState(theme, "runs", "", "")
        side = frame("sidebar")
        side.setMinimumWidth(180)
        side.setMaximumWidth(320)
        column(side, margin=(4, 8, 4, 8)).addWidget(self.list)
        both = QFrame()
        inside = row(both, gap=0)
        inside.addWidget(side, 2)
        inside.addWidget(self.detail, 3)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(both)
        bar = frame("bar")
        row(bar, margin=(24, 14, 16, 14)).addWidget(label(self.tr("Runs"), tone="heading"))
        layout = column(self, gap=0)
        layout.addWidget(bar)
        layout.addWidget(self._pages, 1)
        self.list.selectionModel().currentChanged.connect(self._on_current)
        model.modelReset.connect(self._on_rows)
        model.rowsInserted.connect(lambda *_: self._on_insert())
        bar_at = self.list.verticalScrollBar()
        bar_at.valueChanged.connect(lambda at: at >= bar_at.maximum() - bar_at.pageStep() and self.end_near.emit())
        model.dataChanged.connect(lambda *_: self._show_current())
        theme.changed.connect(lambda: self.list.viewport().update())
        self.show_loading()

    def show_loading(self) -> None:
        self._empty.show_text("clock", self.tr("Loading…"), "")
        self._pages.setCurrentIndex(0)

    def show_problem(self, message: str) -> None:
        if not self.model.rowCount():
            self._empty.show_text("alert", self.tr("The runs could not be read"), message, "danger")
            self._pages.setCurrentIndex(0)

    def open(self, run_id: str) -> None:
        """Show a run, at once or when it has been read."""
        self._wanted = run_id
        self._on_rows()

    def _on_rows(self) -> None:
        if not self.model.rowCount():
            self._empty.show_text(
                "runs",
                self.tr("No runs yet"),
                self.tr("A run is an agent with one job: a plan, a review or a piece of work."),
            )
            self._pages.setCurrentIndex(0)
            return
        self._pages.setCurrentIndex(1)
        at = self.model.position(self._wanted) if self._wanted else None
        if at is not None:
            self._wanted = None
        elif self._current:
            at = self.model.position(self._current)
        index = self.model.index(0 if at is None else at)
        self.list.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self._on_current(index)

    def _on_insert(self) -> None:
        if self._wanted is not None or self._pages.currentIndex() == 0:
            self._on_rows()

    def _on_current(self, index: QModelIndex, *_: object) -> None:
        run = index.data(ROW)
        if isinstance(run, RunView):
            self._current = run.id
            self.detail.show_run(run)

    def _show_current(self) -> None:
        if self._current is not None:
            self.detail.show_run(self.model.run(self._current))
