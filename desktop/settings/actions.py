"""The actions page: every action by surface, and below it what can be changed of the one that is chosen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QLineEdit, QStackedWidget, QTableView

from desktop.settings.actions_detail import ActionDetail
from desktop.settings.actions_model import ROW, ActionPolicy, ActionsFilter, ActionsModel
from desktop.theme.theme import Theme
from desktop.widgets.basics import EmptyState, column, frame, label, row
from desktop.widgets.select import Select

_WIDE, _TITLE_WIDTH = 680, 190


class ActionsPage(QFrame):
    """``change_asked`` carries the input of ``settings.actions.set``, ``agent_chosen`` a provider or ""; after
    ``place_chosen`` the policy of :meth:`workspace` is to be shown.
    """

    change_asked = Signal(dict)
    place_chosen = Signal()
    agent_chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("kind", "page")
        self.title = self.tr("Actions")
        self.model = ActionsModel(theme, self)
        self.rows = ActionsFilter(self.model)
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search actions"))
        self.search.setAccessibleName(self.tr("Search actions"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._on_search)
        self.detail = ActionDetail(theme, self.model)
        self.detail.change_asked.connect(self.change_asked)
        self.place = Select(theme)
        self.place.setSizeAdjustPolicy(Select.SizeAdjustPolicy.AdjustToContents)
        self.place.setAccessibleName(self.tr("The workspace to look at"))
        self.place.activated.connect(self._on_place)
        self.agent = Select(theme)
        self.agent.setSizeAdjustPolicy(Select.SizeAdjustPolicy.AdjustToContents)
        self.agent.setAccessibleName(self.tr("What an agent of this provider would see"))
        self.agent.activated.connect(lambda: self.agent_chosen.emit(str(self.agent.currentData() or "")))
        self.table = QTableView()
        self.table.setProperty("kind", "plain")
        self.table.setAccessibleName(self.tr("Actions by surface"))
        self.table.setModel(self.rows)
        self.table.setShowGrid(False)
        self.table.setFrameShape(QFrame.Shape.NoFrame)
        self.table.setIconSize(QSize(14, 14))
        self.table.setWordWrap(False)
        self.table.setTabKeyNavigation(False)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 12)
        header = self.table.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        header.setMinimumSectionSize(64)
        self.table.activated.connect(lambda: self.detail.held.setFocus(Qt.FocusReason.ShortcutFocusReason))
        self.table.selectionModel().currentChanged.connect(self._on_current)
        self.model.dataChanged.connect(lambda *_: self._show())
        self.rows.modelReset.connect(self._fit)
        self._empty = EmptyState(theme, "clock", "", "")
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self.table)
        self._compose(theme)
        self.show_places(())
        self.show_agents(())
        self.show_loading()

    # what a presenter tells it

    def show_loading(self) -> None:
        self._empty.show_text("clock", self.tr("Loading…"), "")
        self._pages.setCurrentIndex(0)

    def show_problem(self, message: str) -> None:
        """The policy could not be read; what is known already stays."""
        if not self.model.rowCount():
            self._empty.show_text("alert", self.tr("The actions could not be read"), message, "danger")
            self._pages.setCurrentIndex(0)

    def show_policies(self, policies: Sequence[ActionPolicy], device: Sequence[ActionPolicy] | None = None) -> None:
        """``policies`` as they hold in :meth:`workspace`, ``device`` as they hold without one."""
        self.model.show_policies(policies, device)
        self._on_search(self.search.text())
        if not self.table.currentIndex().isValid():
            self.table.setCurrentIndex(self.rows.index(0, 1))
        self._fit()

    def show_agents(self, providers: Sequence[tuple[str, str]]) -> None:
        """The providers to choose from, as id and name."""
        chosen = self.agent.currentData()
        self.agent.clear()
        self.agent.addItem(self.tr("No agent"), "")
        for id, name in providers:
            self.agent.addItem(name, id)
        self.agent.setCurrentIndex(max(0, self.agent.findData(chosen)))

    def show_places(self, workspaces: Sequence[tuple[str, str]]) -> None:
        """The workspaces to choose from, as folder and name; one that is gone is no longer looked at."""
        chosen = self.workspace()
        self.place.clear()
        self.place.addItem(self.tr("This device only"), "")
        for path, name in workspaces:
            self.place.addItem(name, path)
            self.place.setItemData(self.place.count() - 1, path, Qt.ItemDataRole.ToolTipRole)
        self.place.setCurrentIndex(max(0, self.place.findData(chosen or "")))
        self.detail.show_workspace(self.workspace())

    def workspace(self) -> str | None:
        """The folder whose policy is shown beside that of the device."""
        return str(self.place.currentData() or "") or None

    def show_note(self, text: str) -> None:
        """What a person should know of the agent's view; empty hides it."""
        self._note.setText(text)
        self._note.setVisible(bool(text))

    def note_no_workspace(self) -> None:
        self.show_note(self.tr("Add a workspace first: what an agent sees depends on where it works."))

    def note_place(self, workspace: str) -> None:
        self.show_note(self.tr("For a session in {0}").format(workspace))

    def again(self) -> None:
        """The change did not come about: show what holds."""
        self._show()

    # inside

    def _compose(self, theme: Theme) -> None:
        bar = frame("bar")
        head = column(bar, margin=(24, 14, 16, 12), gap=8)
        head.addWidget(label(self.title, tone="heading"))
        about = self.tr("What may be done from where: on this device, and beside it in one workspace.")
        head.addWidget(label(about, tone="muted", wrap=True))
        tools = row(gap=8)
        tools.addWidget(self.search, 1)
        tools.addWidget(self.place)
        tools.addWidget(label(self.tr("As seen by"), tone="muted"))
        tools.addWidget(self.agent)
        head.addLayout(tools)
        self._note = label(tone="muted", wrap=True)
        self._note.hide()
        head.addWidget(self._note)
        layout = column(self, gap=0)
        layout.addWidget(bar)
        layout.addWidget(self._pages, 1)
        edge = frame("line")
        layout.addWidget(edge)
        layout.addWidget(self.detail)

    def _fit(self) -> None:
        header = self.table.horizontalHeader()
        if header.count() == 0:
            return
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        if self.width() >= _WIDE:
            header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        else:  # the rest scrolls sideways; what an action is called has to be read
            header.setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
            header.resizeSection(0, _TITLE_WIDTH)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _on_search(self, text: str) -> None:
        self.rows.search(text)
        if self.rows.rowCount():
            self._pages.setCurrentIndex(1)
        elif self.model.rowCount():
            self._empty.show_text("search", self.tr("No action fits"), self.tr("Try other words."))
            self._pages.setCurrentIndex(0)
        self._show()

    def _on_current(self, index: QModelIndex, *_: object) -> None:
        self._show()

    def _chosen(self) -> tuple[ActionPolicy, str] | None:
        index = self.table.currentIndex()
        policy = index.data(ROW) if index.isValid() else None
        if not isinstance(policy, ActionPolicy):
            return None
        return policy, self.model.surface(index.column()) or "session_agent"

    def _show(self) -> None:
        self.detail.show_action(self._chosen())

    def _on_place(self) -> None:
        self.detail.show_workspace(self.workspace())
        self.place_chosen.emit()
