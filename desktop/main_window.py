"""The window: composes the panes and says which one is in front. It decides nothing else."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, QUrl, Signal
from PySide6.QtGui import QCloseEvent, QDesktopServices, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QMessageBox, QSplitter, QStackedWidget, QWidget

from desktop.composer.drafts import Drafts
from desktop.diff.pane import DiffPane
from desktop.inbox.model import InboxModel
from desktop.inbox.pane import InboxPane
from desktop.keys.shortcuts import Shortcuts
from desktop.launcher.overlay import Launcher
from desktop.notifications.toasts import Toasts
from desktop.progress.strip import ProgressStrip
from desktop.progress.watched import Calls
from desktop.runs.model import RunListModel
from desktop.runs.pane import RunsPane
from desktop.sessions.model import SessionListModel
from desktop.sessions.page import SessionPage
from desktop.sessions.pane import SessionsPane
from desktop.settings.pane import SettingsPane
from desktop.status import StatusBanner
from desktop.theme.colors import SchemeName
from desktop.theme.spacing import SIDEBAR_WIDTH
from desktop.theme.theme import Theme
from desktop.transcript.markdown import open_target
from desktop.transcript.model import TranscriptModel
from desktop.voicebar.bar import VoiceBar
from desktop.welcome.page import WelcomePage
from desktop.widgets.basics import column, frame


class MainWindow(QMainWindow):
    """``closed`` is emitted when the user closes it; what that means is the application's business."""

    closed = Signal()
    front_changed = Signal()
    """Another page, or the window came to the front, left it, or was put away."""
    new_asked = Signal()
    another_asked = Signal()
    settings_asked = Signal()
    shortcuts_asked = Signal()
    recent_asked = Signal()
    theme_chosen = Signal(str)
    """The user switched between light and dark here; it is to be kept."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.setWindowTitle("Sayso")
        # A magnified screen may be smaller than what we would like; the frame around the window takes some of it.
        room = self.screen().availableSize() - QSize(8, 40)
        self.resize(QSize(1180, 780).boundedTo(room))
        self.setMinimumSize(QSize(760, 480).boundedTo(room))
        self.sessions = SessionListModel(self)
        self.requests = InboxModel(self)
        self.run_list = RunListModel(self)
        self.transcript = TranscriptModel()
        with theme.undressed():
            self._build(theme)
        self._connect()
        self.show_page("start")

    def _build(self, theme: Theme) -> None:
        self.sidebar = SessionsPane(theme, self.sessions)
        self.banner = StatusBanner(theme)
        self.drafts = Drafts()
        self.session_page = SessionPage(theme, self.sessions, self.transcript, self.drafts, self.run_list)
        self.inbox = InboxPane(theme, self.requests)
        self.runs = RunsPane(theme, self.run_list)
        self.diff = DiffPane(theme)
        self.settings = SettingsPane(theme)
        self.start_page = WelcomePage(theme)
        self.start_page.new_asked.connect(self.new_asked)
        self.voice = VoiceBar(theme)
        self.calls = Calls()
        self.progress = ProgressStrip(self.calls)
        self._pages = QStackedWidget()
        self._named: dict[str, QWidget] = {
            "start": self.start_page,
            "session": self.session_page,
            "inbox": self.inbox,
            "runs": self.runs,
            "diff": self.diff,
            "settings": self.settings,
        }
        for page in self._named.values():
            self._pages.addWidget(page)
        self.launcher = Launcher(theme, self._compose())
        self.toasts = Toasts(theme, self)
        self.shortcuts = Shortcuts(self)

    def show_page(self, name: str) -> None:
        """Bring ``start``, ``session``, ``inbox``, ``runs``, ``diff`` or ``settings`` to the front."""
        self._pages.setCurrentWidget(self._named[name])
        self.sidebar.show_page(name)
        self.front_changed.emit()

    def show_unknown_page(self, name: str) -> None:
        self.banner.show_error(self.tr("This window has no page {0} yet.").format(name))

    def note_done(self) -> None:
        """Say that what the launcher ran is done, where nothing else shows it."""
        summary = self.launcher.summary()
        if summary is not None and summary.effect != "none":
            self.banner.show_notice(self.tr("Done: {0}").format(summary.title))

    def wire_log_words(self, path: str) -> str:
        return self.tr("The wire log is written to {0}").format(path)

    def merged_words(self, into: str) -> str:
        return self.tr("Merged into {0}").format(into)

    def copy(self, text: str) -> None:
        """Put a transcript on the clipboard, and say so."""
        QGuiApplication.clipboard().setText(text)
        self.banner.show_notice(self.tr("Copied the session as Markdown"))

    def page(self) -> str:
        return next(name for name, page in self._named.items() if page is self._pages.currentWidget())

    def close_panes(self) -> None:
        """End what the widgets listen to."""
        self.session_page.composer.keep_draft()
        self.session_page.transcript.close_view()
        self.runs.detail.close_view()
        self.voice.close_bar()

    def ask_link(self, url: QUrl) -> None:
        """Show where a link leads before it is opened; only web and mail addresses are."""
        target = open_target(url)
        box = QMessageBox(self)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setWindowTitle(self.tr("Open a link"))
        if target is None:
            box.setText(self.tr("Sayso does not open this kind of link:"))
            box.setStandardButtons(QMessageBox.StandardButton.Close)
        else:
            box.setText(self.tr("Open this in the browser?"))
            box.setStandardButtons(QMessageBox.StandardButton.Open | QMessageBox.StandardButton.Cancel)
            box.setDefaultButton(QMessageBox.StandardButton.Cancel)
            box.accepted.connect(lambda: QDesktopServices.openUrl(target))
        box.setInformativeText(url.toString())
        box.open()

    def _compose(self) -> QWidget:
        right = frame("page")
        inside = column(right, gap=0)
        inside.addWidget(self.banner)
        inside.addWidget(self._pages, 1)
        inside.addWidget(self.progress)
        inside.addWidget(self.voice)
        self._splitter = QSplitter(Qt.Orientation.Horizontal)
        self._splitter.setHandleWidth(1)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.addWidget(self.sidebar)
        self._splitter.addWidget(right)
        self.sidebar.setMinimumWidth(200)
        self.sidebar.setMaximumWidth(420)
        self._splitter.setStretchFactor(1, 1)
        self._splitter.setSizes([SIDEBAR_WIDTH, 1000])
        central = QWidget()
        layout = QHBoxLayout(central)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._splitter)
        self.setCentralWidget(central)
        return central

    def _connect(self) -> None:
        self.sidebar.inbox_asked.connect(self._go_to_inbox)
        self.sidebar.runs_asked.connect(lambda: self.show_page("runs"))
        self.sidebar.search_asked.connect(self.launcher.open)
        self.sidebar.new_asked.connect(self.new_asked)
        self.sidebar.theme_asked.connect(self._switch_theme)
        self.session_page.header.panel_asked.connect(self._switch_panel)
        self.sidebar.settings_asked.connect(self.settings_asked)
        self.session_page.transcript.link_asked.connect(self.ask_link)
        self.runs.detail.link_asked.connect(self.ask_link)
        self._bind_keys()

    def _bind_keys(self) -> None:
        for name, act in {
            "launcher": self._open_launcher,
            "new_session": self.new_asked.emit,
            "new_window": self.another_asked.emit,
            "switch_session": self._filter_sessions,
            "recent_session": self.recent_asked.emit,
            "inbox": self._go_to_inbox,
            "composer": self._focus_composer,
            "find": self._find,
            "permission": self._go_to_permission,
            "sidebar": self._switch_sidebar,
            "side_panel": self._switch_panel,
            "settings": self.settings_asked.emit,
            "shortcuts": self.shortcuts_asked.emit,
            "notice": self.toasts.focus_newest,
            "dictate": self.voice.dictate,
            "hands_free": self.voice.switch_hands_free,
            "quit": self.close,
        }.items():
            self.shortcuts.bind(name, act)
        self.shortcuts.hold("talk", self.voice.set_talk_key)
        for keys in ("Ctrl+Shift+P", "F1"):
            self.shortcuts.fix(keys, self.launcher.open)

    def _open_launcher(self) -> None:
        if not self.launcher.isVisible():
            self.launcher.open()

    def _switch_sidebar(self) -> None:
        self.sidebar.setVisible(not self.sidebar.isVisible())

    def _go_to_inbox(self) -> None:
        self.show_page("inbox")
        self.inbox.take_focus()

    def _focus_composer(self) -> None:
        if self.page() == "session":
            self.session_page.composer.edit.setFocus()

    def _switch_theme(self) -> None:
        wanted = SchemeName.LIGHT if self.theme.scheme.name == "dark" else SchemeName.DARK
        self.theme.choose(wanted)
        self.theme_chosen.emit(wanted.value)

    def _filter_sessions(self) -> None:
        self.sidebar.show()
        self.sidebar.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.sidebar.filter.selectAll()

    def _find(self) -> None:
        if self.page() == "session":
            self.session_page.open_find()

    def _go_to_permission(self) -> None:
        """The open permission of this session, else what waits elsewhere."""
        if self.page() != "session" or not self.session_page.show_permission():
            self._go_to_inbox()

    def _switch_panel(self) -> None:
        if self.page() == "session":
            self.session_page.switch_panel()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        cancelled = event.key() == Qt.Key.Key_Escape and self.voice.takes_escape()
        if not cancelled and not self.voice.takes_key(event, down=True):
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if not self.voice.takes_key(event, down=False):
            super().keyReleaseEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.ActivationChange, QEvent.Type.WindowStateChange):
            self.front_changed.emit()

    def closeEvent(self, event: QCloseEvent) -> None:
        event.accept()
        self.closed.emit()
