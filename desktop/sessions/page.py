"""One session: its header, its transcript, and the composer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QFrame, QStackedWidget, QWidget

from actions.catalog.views import SessionState, SessionView, TranscriptEvent
from desktop.composer.composer import Composer
from desktop.composer.drafts import Drafts
from desktop.runs.model import RunListModel
from desktop.sessions.header import SessionHeader
from desktop.sessions.model import SessionListModel
from desktop.sessions.note import SessionNote
from desktop.sessions.side import SidePanel
from desktop.sessions.worktree import WorktreeStrip
from desktop.theme.spacing import COLUMN_WIDTH, SCROLL_BAR
from desktop.theme.theme import Theme
from desktop.transcript.announcing import announcement
from desktop.transcript.find import FindBar
from desktop.transcript.model import TranscriptModel
from desktop.transcript.view import TranscriptView
from desktop.widgets.basics import EmptyState, column, row


class SessionPage(QFrame):
    """Shows loading, a problem, an empty transcript or the transcript; the composer stays where it is."""

    announced = Signal(str)
    """A screen reader was asked to say this."""

    def __init__(
        self, theme: Theme, sessions: SessionListModel, transcript: TranscriptModel, drafts: Drafts, runs: RunListModel
    ) -> None:
        super().__init__()
        self.setProperty("kind", "page")
        self._model = transcript
        self.header = SessionHeader(theme, sessions)
        self.note = SessionNote()
        self.worktree = WorktreeStrip(theme)
        self.header.worktree_asked.connect(self._switch_worktree)
        self.worktree.closed.connect(self.header.branch.setFocus)
        self.transcript = TranscriptView(transcript, theme)
        self.find_bar = FindBar(theme, transcript)
        self.find_bar.shown.connect(self.transcript.show_words)
        self.find_bar.left.connect(self.transcript.setFocus)
        self.side = SidePanel(theme, runs, transcript)
        self.side.hide()
        self.side.closed.connect(self.switch_panel)
        self.side.item_asked.connect(self.transcript.show_item)
        self.composer = Composer(theme, drafts)
        self.composer.setMaximumWidth(COLUMN_WIDTH)
        self._note = EmptyState(theme, "sessions", "", "")
        self._pages = QStackedWidget()
        self._pages.addWidget(self._note)
        self._pages.addWidget(self.transcript)
        foot = row(margin=(16, 4, 16 + SCROLL_BAR, 12))
        foot.addStretch(1)
        foot.addWidget(self.composer, 100)
        foot.addStretch(1)
        main = QWidget()
        inside = column(main, gap=0)
        inside.addWidget(self.header)
        inside.addWidget(self.worktree)
        inside.addWidget(self.note)
        inside.addWidget(self.find_bar)
        inside.addWidget(self._pages, 1)
        inside.addLayout(foot)
        both = row(self, gap=0)
        both.addWidget(main, 1)
        both.addWidget(self.side)

    def words(self) -> dict[str, str]:
        """Sentences that a transcript needs and no event carries."""
        return {
            "mode": self.tr("Mode: {0}"),
            "stopped": self.tr("The turn was stopped"),
            "question": self.tr("The agent asks: {0}"),
            "unanswered": self.tr("Not answered"),
            "permission": self.tr("Asks for permission: {0}"),
            "ended": self.tr("The turn is over"),
        }

    def announce(self, event: TranscriptEvent) -> None:
        """Let a screen reader say what ``event`` means, where it cannot wait until the user comes to it."""
        text = announcement(event, self.words())
        if text is not None:
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.transcript, text))
            self.announced.emit(text)

    def show_session(self, session: SessionView) -> None:
        self.header.show_session(session)
        self.worktree.show_session(session)
        self.note.show_session(session)
        self.side.show_session(session)
        working = session.state in (SessionState.WORKING, SessionState.WAITING)
        self.composer.show_session(session.id, session.provider_name, working=working)
        self.composer.show_queue(session.queue, steerable=session.steerable and working)

    def open_find(self) -> None:
        """Find words in what is shown."""
        self.find_bar.open()

    def switch_panel(self) -> None:
        """Show or hide what stands beside the transcript."""
        shown = self.side.isHidden()
        self.side.setVisible(shown)
        if shown:
            self.side.refresh()
            self.side.tabs.setFocus(Qt.FocusReason.ShortcutFocusReason)
        else:
            self.header.panel.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def show_permission(self) -> bool:
        """Bring the open permission into sight; False where none is open."""
        return self._pages.currentWidget() is self.transcript and self.transcript.focus_permission()

    def _switch_worktree(self) -> None:
        if self.worktree.isVisible():
            self.worktree.hide()
        else:
            self.worktree.open()

    def show_loading(self) -> None:
        self._note.show_text("clock", self.tr("Loading…"), "")
        self._pages.setCurrentIndex(0)

    def show_problem(self, message: str) -> None:
        self._note.show_text("alert", self.tr("The transcript could not be read"), message, "danger")
        self._pages.setCurrentIndex(0)

    def show_loaded(self) -> None:
        self.side.refresh()
        if len(self._model):
            self._pages.setCurrentIndex(1)
        else:
            self._note.show_text("sessions", self.tr("Nothing was said yet"), self.tr("Write the first message below."))
            self._pages.setCurrentIndex(0)

    def options_of(self, item_id: str) -> Sequence[Mapping[str, Any]]:
        """The options of a permission in the transcript."""
        at = self._model.row_of(item_id)
        return () if at is None else list(self._model[at].data.get("options") or ())
