"""The sidebar: search, inbox, runs, the sessions, and what concerns the app as a whole."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QLineEdit, QListView, QPushButton

from actions.catalog.views import SessionView
from desktop.sessions.delegate import SessionDelegate
from desktop.sessions.model import ROW, SessionListModel
from desktop.status import Connection
from desktop.theme.theme import Theme
from desktop.widgets.basics import EmptyState, IconButton, button, chip, column, key, label, restyle, row


class SessionsPane(QFrame):
    """Signals say what the user wants; nothing is decided here."""

    session_chosen = Signal(str)
    menu_asked = Signal(str, QPoint)
    """A session's row was asked for its menu, by mouse or by key; the place is on the screen."""
    archived_asked = Signal(bool)
    """Archived sessions are to be shown instead of the others, or no longer."""
    inbox_asked = Signal()
    runs_asked = Signal()
    search_asked = Signal()
    new_asked = Signal()
    theme_asked = Signal()
    settings_asked = Signal()

    def __init__(self, theme: Theme, model: SessionListModel) -> None:
        super().__init__()
        self.setProperty("kind", "sidebar")
        self._theme = theme
        self.model = model
        self.search = button("", kind="search", name=self.tr("Search actions"))
        self._search_text = label(self.tr("Search actions"), tone="muted")
        self._search_key = key("Ctrl K")
        inside = row(self.search, margin=(30, 0, 8, 0))
        inside.addWidget(self._search_text, 1)
        inside.addWidget(self._search_key)
        for text in (self._search_text, self._search_key):
            text.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.inbox = self._nav(self.tr("Inbox"))
        self.runs = self._nav(self.tr("Runs"))
        self._badge = chip(tone="chip-warning")
        self._badge.hide()
        inside = row(self.inbox, margin=(0, 0, 8, 0))
        inside.addStretch()
        inside.addWidget(self._badge)
        self.new = IconButton(theme, "plus", self.tr("New session"))
        self.archived = IconButton(theme, "archive", self.tr("Show archived sessions"))
        self.archived.setCheckable(True)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(self.tr("Filter sessions"))
        self.filter.setAccessibleName(self.tr("Filter sessions"))
        self.filter.setClearButtonEnabled(True)
        self.list = QListView()
        self.list.setProperty("kind", "plain")
        self.list.setAccessibleName(self.tr("Sessions"))
        self.list.setModel(model)
        self._delegate = SessionDelegate(theme, model)
        self.list.setItemDelegate(self._delegate)
        self.list.setMouseTracking(True)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self._empty = EmptyState(
            theme,
            "sessions",
            self.tr("No sessions yet"),
            self.tr("A session is one agent at work in one folder."),
        )
        self._foot_theme = IconButton(theme, "moon", self.tr("Switch between light and dark"))
        self.settings = IconButton(theme, "settings", self.tr("Settings"))
        self.settings.setCheckable(True)
        self._foot_state = label(tone="small")
        self._compose()
        self._connect()
        self._draw()

    def select(self, session_id: str | None) -> None:
        """Show which session is open; says nothing to anybody."""
        at = None if session_id is None else self.model.row_of(session_id)
        selection = self.list.selectionModel()
        selection.blockSignals(True)
        if at is None:
            selection.clear()
        else:
            index = self.model.index(at)
            selection.setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        selection.blockSignals(False)
        self.list.viewport().update()

    def show_page(self, page: str) -> None:
        self.inbox.setChecked(page == "inbox")
        self.runs.setChecked(page == "runs")
        self.settings.setChecked(page == "settings")
        if page != "session":
            self.select(None)

    def show_waiting(self, count: int) -> None:
        self._badge.setVisible(count > 0)
        self._badge.setText(str(count))
        self.inbox.setAccessibleName(self.tr("Inbox, {0} waiting").format(count) if count else self.tr("Inbox"))

    def show_connection(self, state: Connection) -> None:
        texts = {
            Connection.CONNECTING: self.tr("Connecting…"),
            Connection.CONNECTED: self.tr("Connected"),
            Connection.LOST: self.tr("Reconnecting…"),
            Connection.FAILED: self.tr("Not connected"),
        }
        self._foot_state.setText(texts[state])
        restyle(self._foot_state, tone="danger" if state is Connection.FAILED else "small")

    def _nav(self, text: str) -> QPushButton:
        result = button(text, kind="nav")
        result.setCheckable(True)
        return result

    def _compose(self) -> None:
        layout = column(self, margin=(8, 12, 8, 8), gap=4)
        layout.addWidget(self.search)
        layout.addSpacing(6)
        layout.addWidget(self.inbox)
        layout.addWidget(self.runs)
        layout.addSpacing(6)
        head = row(margin=(8, 0, 0, 0))
        head.addWidget(label(self.tr("Sessions"), tone="group"))
        head.addStretch()
        head.addWidget(self.archived)
        head.addWidget(self.new)
        layout.addLayout(head)
        layout.addWidget(self.filter)
        layout.addWidget(self.list, 1)
        layout.addWidget(self._empty, 1)
        foot = row(margin=(8, 0, 0, 0))
        foot.addWidget(self._foot_state, 1)
        foot.addWidget(self.settings)
        foot.addWidget(self._foot_theme)
        layout.addLayout(foot)

    def _connect(self) -> None:
        self.search.clicked.connect(self.search_asked)
        self.inbox.clicked.connect(self.inbox_asked)
        self.runs.clicked.connect(self.runs_asked)
        self.new.clicked.connect(self.new_asked)
        self.settings.clicked.connect(self.settings_asked)
        self._foot_theme.clicked.connect(self.theme_asked)
        self.filter.textChanged.connect(self.model.filter)
        self.filter.returnPressed.connect(self._open_first)
        self.filter.installEventFilter(self)
        self.archived.toggled.connect(self._on_archived)
        self.list.selectionModel().currentChanged.connect(self._on_current)
        self.list.clicked.connect(self._on_current)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(self._on_menu)
        self.model.modelReset.connect(self._on_rows)
        self._theme.changed.connect(self._draw)
        self._on_rows()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """In the filter: down goes to the list, escape takes the filter away."""
        if watched is self.filter and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Down:
                self.list.setFocus(Qt.FocusReason.ShortcutFocusReason)
                return True
            if event.key() == Qt.Key.Key_Escape and self.filter.text():
                self.filter.clear()
                return True
        return super().eventFilter(watched, event)

    def _open_first(self) -> None:
        if (first := self.model.first_session()) is not None:
            self.filter.clear()
            self.session_chosen.emit(first.id)

    def _on_archived(self, shown: bool) -> None:
        self.archived.rename(self.tr("Hide archived sessions") if shown else self.tr("Show archived sessions"))
        self.model.show_archived(shown)
        self.archived_asked.emit(shown)

    def _on_current(self, index: QModelIndex, *_: object) -> None:
        session = index.data(ROW)
        if isinstance(session, SessionView):
            self.session_chosen.emit(session.id)

    def _on_menu(self, where: QPoint) -> None:
        under = self.list.indexAt(where)
        index = under if under.isValid() else self.list.currentIndex()
        session = index.data(ROW)
        if isinstance(session, SessionView):
            spot = where if under.isValid() else self.list.visualRect(index).center()
            self.menu_asked.emit(session.id, self.list.viewport().mapToGlobal(spot))

    def _on_rows(self) -> None:
        if self.filter.text():
            self._empty.show_text("search", self.tr("No session fits"), self.tr("Escape shows all of them again."))
        elif self.archived.isChecked():
            self._empty.show_text("archive", self.tr("No archived sessions"), "")
        else:
            hint = self.tr("A session is one agent at work in one folder.")
            self._empty.show_text("sessions", self.tr("No sessions yet"), hint)
        self.filter.setVisible(self.model.size() > 1 or bool(self.filter.text()))
        self.list.setVisible(self.model.rowCount() > 0)
        self._empty.setVisible(self.model.rowCount() == 0)

    def _draw(self) -> None:
        self.search.setIcon(self._theme.icon("search"))
        self.inbox.setIcon(self._theme.icon("inbox"))
        self.runs.setIcon(self._theme.icon("runs"))
        self._foot_theme.set_icon("sun" if self._theme.scheme.name == "dark" else "moon")
        self.list.viewport().update()
