"""The strip about a session's worktree: its branch, what is in it, merging it back, taking it away."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame

from actions.catalog.views import SessionView
from actions.catalog.worktree_views import WorktreeState, WorktreeStatus
from desktop.theme.theme import Theme
from desktop.widgets.basics import IconButton, button, column, label, row
from desktop.widgets.flow import Flow


class WorktreeStrip(QFrame):
    """Opened from the header; signals carry the session's id. Nothing is offered before it was looked at."""

    look_asked = Signal(str)
    merge_asked = Signal(str)
    remove_asked = Signal(str, bool)
    """Also whether files that git ignores were shown as going with it."""
    closed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("kind", "strip")
        self._session: SessionView | None = None
        self._ignored = False
        self._title = label(tone="strong", wrap=True)
        self._merge_words = label(tone="muted", wrap=True, selectable=True)
        self._losses = label(tone="muted", wrap=True, selectable=True)
        self._problem = label(tone="danger", wrap=True, selectable=True)
        self.merge = button(self.tr("Merge back"))
        self.remove = button(self.tr("Remove the worktree…"))
        self._cross = IconButton(theme, "cross", self.tr("Close"))
        self.merge.clicked.connect(lambda: self._session and self.merge_asked.emit(self._session.id))
        self.remove.clicked.connect(lambda: self._session and self.remove_asked.emit(self._session.id, self._ignored))
        self._cross.clicked.connect(self._leave)
        texts = column(gap=3)
        for widget in (self._title, self._merge_words, self._losses, self._problem):
            texts.addWidget(widget)
        buttons = Flow()
        buttons.addWidget(self.merge)
        buttons.addWidget(self.remove)
        texts.addSpacing(3)
        texts.addLayout(buttons)
        inside = row(self, margin=(24, 8, 16, 8), gap=16)
        inside.addLayout(texts, 1)
        inside.addWidget(self._cross, 0, Qt.AlignmentFlag.AlignTop)
        self.hide()

    def show_session(self, session: SessionView) -> None:
        """The session in front; another one closes it, as does the end of its worktree."""
        before, self._session = self._session, session
        tree = session.worktree
        if tree is None or tree.state is not WorktreeState.PRESENT or before is None or before.id != session.id:
            self.hide()
        elif not self.isHidden() and before.worktree != tree:
            self.open()

    def open(self) -> None:
        """Show it and look at the worktree as it is now."""
        session = self._session
        if session is None or session.worktree is None:
            return
        tree = session.worktree
        came = self.tr("Worktree on {0}, from {1}").format(tree.branch, tree.base or self.tr("a single commit"))
        self._title.setText(came)
        self._losses.hide()
        self._problem.hide()
        focus = self.focusWidget()
        if focus is not None and focus.hasFocus():
            self.setFocus(Qt.FocusReason.OtherFocusReason)  # else it goes to the next button, and a key too many closes
        self.merge.setEnabled(False)
        self.remove.setEnabled(False)
        self._merge_words.setText(self.tr("Looking…"))
        self._merge_words.show()
        self.show()
        self.look_asked.emit(session.id)

    def show_status(self, session_id: str, data: Mapping[str, Any]) -> None:
        """How it stands, as ``worktree.status`` says it."""
        if self._session is None or session_id != self._session.id:
            return
        status = WorktreeStatus.model_validate(data)
        merge = status.merge
        self._merge_words.setText("" if merge is None else merge.reason or "")
        self._merge_words.setVisible(merge is not None and bool(merge.reason))
        self.merge.setEnabled(merge is not None and merge.possible)
        into = merge.into if merge is not None else ""
        self.merge.setText(self.tr("Merge into {0}").format(into) if into else self.tr("Merge back"))
        self._losses.setText(status.summary.removesuffix(merge.reason or "").strip() if merge else status.summary)
        self._losses.show()
        self._ignored = status.ignored > 0
        self.remove.setText(
            self.tr("Remove the worktree with its ignored files…") if self._ignored else self.tr("Remove the worktree…")
        )
        self.remove.setEnabled(status.clean)
        self._problem.hide()
        if self.hasFocus():
            control = next((control for control in (self.merge, self.remove) if control.isEnabled()), self._cross)
            control.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_problem(self, session_id: str, message: str) -> None:
        """It could not be looked at, or was refused: in the host's words, which say what to do."""
        if self._session is None or session_id != self._session.id or not self.isVisible():
            return
        gone = self._session.worktree is None or self._session.worktree.state is not WorktreeState.PRESENT
        if gone or self._merge_words.text() == self.tr("Looking…"):
            self._merge_words.hide()
        self._problem.setText(message)
        self._problem.show()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._leave()
        else:
            super().keyPressEvent(event)

    def _leave(self) -> None:
        self.hide()
        self.closed.emit()
