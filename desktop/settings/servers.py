"""The page of the MCP servers: where one looks, and the tabs Configured, Detected and Preview."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QSplitter, QStackedWidget, QTabBar, QWidget

from actions.catalog.server_use_views import ToolPreview
from actions.catalog.server_views import ServerList, ServerView
from desktop.settings.server_detail import ServerDetail
from desktop.settings.server_found import DetectedTab
from desktop.settings.server_list import ROW, ServerDelegate, ServerListModel
from desktop.settings.server_preview import PreviewTab
from desktop.theme.theme import Theme
from desktop.widgets.basics import EmptyState, button, column, frame, label, row
from desktop.widgets.flow import Flow
from desktop.widgets.select import Select

CONFIGURED, DETECTED, PREVIEW = range(3)


class ServersPage(QFrame):
    """Composes the tabs. ``place_chosen`` says that workspace or provider are others now."""

    place_chosen = Signal()
    tab_shown = Signal(int)
    add_asked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("kind", "page")
        self.title = self.tr("MCP servers")
        self.model = ServerListModel(self)
        self.workspace = Select(theme)
        self.workspace.setSizeAdjustPolicy(Select.SizeAdjustPolicy.AdjustToContents)
        self.workspace.setAccessibleName(self.tr("Workspace"))
        self.workspace.activated.connect(lambda: self.place_chosen.emit())
        self.provider = Select(theme)
        self.provider.setSizeAdjustPolicy(Select.SizeAdjustPolicy.AdjustToContents)
        self.provider.setAccessibleName(self.tr("Provider"))
        self.provider.activated.connect(lambda: self.place_chosen.emit())
        self.add = button(self.tr("Add a server"), kind="primary")
        self.add.clicked.connect(self.add_asked)
        self.tabs = QTabBar()
        self.tabs.setAccessibleName(self.title)
        self.tabs.setExpanding(False)
        self.tabs.setDrawBase(False)
        for text in (self.tr("Configured"), self.tr("Detected"), self.tr("Preview")):
            self.tabs.addTab(text)
        self.list = QListView()
        self.list.setProperty("kind", "plain")
        self.list.setAccessibleName(self.tr("Servers"))
        self.list.setModel(self.model)
        self._delegate = ServerDelegate(theme, self.model)
        self.list.setItemDelegate(self._delegate)
        self.list.setMouseTracking(True)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.detail = ServerDetail(theme)
        self.detected = DetectedTab(theme)
        self.preview = PreviewTab(theme)
        self._empty = EmptyState(theme, "tool", "", "")
        self._none = EmptyState(
            theme,
            "tool",
            self.tr("No MCP servers yet"),
            self.tr("A server gives agents more tools. Add one, or look at Detected for those of other programs."),
        )
        self._none.offer(self.add.text(), self.add_asked.emit)
        self._broken = label(tone="danger", wrap=True, selectable=True)
        self._configured = QStackedWidget()
        self._tabs = QStackedWidget()
        self._current: str | None = None
        self._compose()
        self.tabs.currentChanged.connect(self._on_tab)
        self.list.selectionModel().currentChanged.connect(self._on_current)
        self.model.dataChanged.connect(lambda *_: self._show_current())
        self.model.modelReset.connect(self._on_rows)
        theme.changed.connect(lambda: self.list.viewport().update())
        self.show_places((), ())
        self.show_loading()

    # what a presenter tells it

    def show_places(
        self, workspaces: Sequence[tuple[str, str]], providers: Sequence[tuple[str, str]], wanted: str | None = None
    ) -> None:
        """What can be looked at: folders and providers as id and name; ``wanted`` is shown when nothing was chosen."""
        chosen, first = self.place(), self.workspace.count() <= 1
        self.workspace.clear()
        self.workspace.addItem(self.tr("This device only"), "")
        for path, name in workspaces:
            self.workspace.addItem(name, path)
            self.workspace.setItemData(self.workspace.count() - 1, path, Qt.ItemDataRole.ToolTipRole)
        self.workspace.setCurrentIndex(max(0, self.workspace.findData(wanted if first else chosen or "")))
        before = self.provider.currentData()
        self.provider.clear()
        for id, name in providers:
            self.provider.addItem(name, id)
        self.provider.setCurrentIndex(max(0, self.provider.findData(before)))
        self.provider.setEnabled(self.provider.count() > 0)

    def place(self) -> str | None:
        """The folder that is looked at, or None for the device alone."""
        return str(self.workspace.currentData() or "") or None

    def look_at(self, workspace: str) -> None:
        """Look at a workspace, where it is known."""
        at = self.workspace.findData(workspace)
        if at >= 0 and at != self.workspace.currentIndex():
            self.workspace.setCurrentIndex(at)
            self.place_chosen.emit()

    def agent(self) -> str | None:
        return self.provider.currentData()

    def show_loading(self) -> None:
        self._empty.show_text("clock", self.tr("Loading…"), "")
        self._configured.setCurrentIndex(0)

    def show_problem(self, message: str) -> None:
        """The servers could not be read; what is known already stays."""
        if not self.model.rowCount():
            self._empty.show_text("alert", self.tr("The servers could not be read"), message, "danger")
            self._configured.setCurrentIndex(0)

    def show_servers(self, found: ServerList) -> None:
        lines = [problem.message for problem in found.problems]
        self._broken.setText("\n".join(lines))
        self._broken.setVisible(bool(lines))
        self.model.show_servers(found.servers)
        if not found.servers:
            self._on_rows()

    def show_preview(self, preview: ToolPreview | None) -> None:
        """None where no workspace is looked at: connections belong to one."""
        self.model.show_states({} if preview is None else {server.name: server for server in preview.servers})
        if preview is None:
            self.preview.show_no_place()
        else:
            self.preview.show_preview(preview)

    def open_server(self, name: str) -> None:
        """Show a server in the first tab."""
        self.tabs.setCurrentIndex(CONFIGURED)
        self._current = name
        if (at := self.model.position(name)) is not None:
            self._select(at)

    def current(self) -> str | None:
        return self._current

    # inside

    def _compose(self) -> None:
        bar = frame("bar")
        head = column(bar, margin=(24, 14, 16, 0), gap=8)
        title = row()
        title.addWidget(label(self.title, tone="heading"), 1)
        title.addWidget(self.add)
        head.addLayout(title)
        place = Flow(gap=8)
        for text, control in ((self.tr("In"), self.workspace), (self.tr("for"), self.provider)):
            pair = QWidget()
            inside = row(pair, gap=8)
            inside.addWidget(label(text, tone="muted"))
            inside.addWidget(control)
            place.addWidget(pair)
        head.addLayout(place)
        head.addWidget(self._broken)
        self._broken.hide()
        head.addWidget(self.tabs)
        side = frame("sidebar")
        column(side, margin=(4, 8, 4, 8)).addWidget(self.list)
        both = QSplitter(Qt.Orientation.Horizontal)
        both.setHandleWidth(1)
        both.setChildrenCollapsible(False)
        both.addWidget(side)
        both.addWidget(self.detail)
        side.setMinimumWidth(120)
        side.setMaximumWidth(260)
        self.detail.setMinimumWidth(250)
        both.setSizes([200, 600])
        both.setStretchFactor(1, 1)
        self._configured.addWidget(self._empty)
        self._configured.addWidget(both)
        self._configured.addWidget(self._none)
        for tab in (self._configured, self.detected, self.preview):
            self._tabs.addWidget(tab)
        layout = column(self, gap=0)
        layout.addWidget(bar)
        layout.addWidget(self._tabs, 1)

    def _on_tab(self, at: int) -> None:
        self._tabs.setCurrentIndex(at)
        self.tab_shown.emit(at)

    def _on_rows(self) -> None:
        if not self.model.rowCount():
            self._current = None
            self._configured.setCurrentWidget(self._none)
            return
        self._configured.setCurrentIndex(1)
        self._select(self.model.position(self._current) or 0)

    def _select(self, at: int) -> None:
        index = self.model.index(at)
        self.list.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self._on_current(index)

    def _on_current(self, index: QModelIndex, *_: object) -> None:
        server = index.data(ROW)
        if isinstance(server, ServerView):
            self._current = server.name
            self._show_current()

    def _show_current(self) -> None:
        server = self.model.server(self._current)
        if server is not None:
            self.detail.show_server(server, self.model.state(server.name), self.place())
