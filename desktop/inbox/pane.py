"""The inbox: what waits on the left, one request in full on the right."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QStackedWidget

from actions.catalog.views import InboxRow
from desktop.inbox.delegate import InboxDelegate
from desktop.inbox.detail import InboxDetail
from desktop.inbox.history import HistoryPage
from desktop.inbox.model import ROW, InboxModel
from desktop.theme.theme import Theme
from desktop.widgets.basics import EmptyState, button, column, frame, label, row


class InboxPane(QFrame):
    """``answered`` carries request id, choice and the input to execute."""

    answered = Signal(str, object, dict)
    history_asked = Signal()
    """What was decided is to be read and shown."""

    def __init__(self, theme: Theme, model: InboxModel) -> None:
        super().__init__()
        self.setProperty("kind", "page")
        self.model = model
        self.list = QListView()
        self.list.setProperty("kind", "plain")
        self.list.setAccessibleName(self.tr("Requests"))
        self.list.setModel(model)
        self._delegate = InboxDelegate(theme, model)
        self.list.setItemDelegate(self._delegate)
        self.list.setMouseTracking(True)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.detail = InboxDetail(theme, model)
        self._empty = EmptyState(theme, "inbox", "", "")
        self._pages = QStackedWidget()
        both = QFrame()
        inside = row(both, gap=0)
        side = frame("sidebar")
        side.setMinimumWidth(180)
        side.setMaximumWidth(320)
        column(side, margin=(4, 8, 4, 8)).addWidget(self.list)
        inside.addWidget(side, 2)
        inside.addWidget(self.detail, 3)
        self._pages.addWidget(self._empty)
        self._pages.addWidget(both)
        bar = frame("bar")
        self.history = HistoryPage(theme)
        self._pages.addWidget(self.history)
        self.past = button(self.tr("History"), kind="quiet")
        self.past.setCheckable(True)
        self.past.setToolTip(self.tr("What was decided, by whom, and what came of it"))
        self.past.clicked.connect(self._switch)
        head = row(bar, margin=(24, 14, 16, 14))
        head.addWidget(label(self.tr("Inbox"), tone="heading"), 1)
        head.addWidget(self.past)
        layout = column(self, gap=0)
        layout.addWidget(bar)
        layout.addWidget(self._pages, 1)
        self.list.installEventFilter(self)
        self.list.selectionModel().currentChanged.connect(self._on_current)
        model.modelReset.connect(self._on_rows)
        model.dataChanged.connect(lambda *_: self._show_current())
        self.detail.chosen.connect(self.answered)
        theme.changed.connect(lambda: self.list.viewport().update())
        self._current: str | None = None
        self._wanted: str | None = None  # to be opened, and not read yet
        self.show_loading()

    def show_loading(self) -> None:
        self._empty.show_text("clock", self.tr("Loading…"), "")
        self._turn(0)

    def show_problem(self, message: str) -> None:
        """The inbox could not be read; what is known already stays."""
        if not self.model.rowCount():
            self._empty.show_text("alert", self.tr("The inbox could not be read"), message, "danger")
            self._turn(0)

    def _switch(self) -> None:
        """Between what waits and what was decided."""
        if self.past.isChecked():
            self._pages.setCurrentIndex(2)
            self.history_asked.emit()
            self.history.tree.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self._on_rows()

    def _turn(self, page: int) -> None:
        """Show what waits, unless somebody looks at what was decided."""
        if not self.past.isChecked():
            self._pages.setCurrentIndex(page)

    def take_focus(self) -> None:
        """The user came here: arrows choose a request, a number answers it."""
        self.list.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # The list would take a number for the beginning of a title.
        if watched is self.list and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self.detail.takes_key(event)
        return super().eventFilter(watched, event)

    def open(self, request_id: str) -> None:
        """Show a request, at once or when it has been read."""
        self._wanted = request_id
        if self.past.isChecked():
            self.past.setChecked(False)
            self._on_rows()
        if (at := self.model.position(request_id)) is not None:
            self._wanted = None
            self._select(at)

    def _on_rows(self) -> None:
        """Rows came or went: stay with the request that is open; without one, nothing slips under the cursor unseen."""
        if not self.model.rowCount():
            self._current = None
            self.detail.show_row(None)
            hint = self.tr("Requests of agents show up here.")
            self._empty.show_text("check", self.tr("Nothing waits for you"), hint)
            self._turn(0)
            return
        self._turn(1)
        at = self.model.position(self._wanted) if self._wanted else None
        if at is not None:
            self._wanted = None
        elif self._current:
            at = self.model.position(self._current)
            at = self.model.opened_at() if at is None else at
        self._select(0 if at is None else at)

    def _select(self, at: int) -> None:
        index = self.model.index(at)
        self.list.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self._on_current(index)

    def _on_current(self, index: QModelIndex, *_: object) -> None:
        request = index.data(ROW)
        if isinstance(request, InboxRow):
            self._current = request.id
            if not self.model.open(request):  # else the rows are shown anew, and this one with them
                self.detail.show_row(request)

    def _show_current(self) -> None:
        if self._current is not None:
            self.detail.show_row(self.model.row(self._current))
