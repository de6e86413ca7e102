"""The strip under a session's header: an agent that is slow to start, quiet for long or has ended, and what to do."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFrame

from actions.catalog.views import SessionState, SessionView
from desktop.sessions.menu import AT_REST
from desktop.sessions.reasons import ReasonWords
from desktop.widgets.basics import button, label, restyle, row

QUIET_SECONDS = 30


def _now() -> int:
    return round(time.time() * 1000)


class SessionNote(QFrame):
    """Shown only when there is something to say. ``now`` gives UTC milliseconds."""

    cancel_asked = Signal(str)
    stop_asked = Signal(str)
    resume_asked = Signal(str)

    def __init__(self, now: Callable[[], int] = _now) -> None:
        super().__init__()
        self._now = now
        self._session: SessionView | None = None
        self._heard = 0
        self._reasons = ReasonWords(self)
        self._text = label(wrap=True)
        self._cancel = button(self.tr("Stop the turn"))
        self._stop = button(self.tr("Stop the agent"))
        self._resume = button(self.tr("Resume"))
        inside = row(self, margin=(24, 6, 16, 6), gap=8)
        inside.addWidget(self._text, 1)
        for control, signal in (
            (self._cancel, self.cancel_asked),
            (self._stop, self.stop_asked),
            (self._resume, self.resume_asked),
        ):
            inside.addWidget(control)
            control.clicked.connect(lambda _=False, signal=signal: self._session and signal.emit(self._session.id))
        self._timer = QTimer(self)
        self._timer.setInterval(1000)
        self._timer.timeout.connect(self.look)
        self.hide()

    def show_session(self, session: SessionView) -> None:
        other = self._session is None or self._session.id != session.id
        self._session = session
        self._heard = session.last_activity if other else max(self._heard, session.last_activity)
        self.look()

    def heard(self, at: int) -> None:
        """The open session's agent said something at ``at`` (UTC milliseconds)."""
        self._heard = max(self._heard, at)
        self.look()

    def look(self) -> None:
        """Show what is to be said now."""
        session = self._session
        if session is None:
            return
        works = session.state is SessionState.WORKING
        if works and not self._timer.isActive():
            self._timer.start()
        elif not works:
            self._timer.stop()
        quiet = (self._now() - self._heard) // 1000 if works else 0
        ended = session.state in AT_REST
        slow = session.state is SessionState.STARTING and bool(session.reason)
        if slow:
            self._text.setText(self._reasons.text(session))
        elif quiet >= QUIET_SECONDS:
            self._text.setText(self.tr("No activity for {0}").format(self._words(quiet)))
        elif ended:
            self._text.setText(self._reasons.text(session) or self.tr("The agent of this session does not run."))
        restyle(self, kind="banner-danger" if session.state is SessionState.FAILED else "banner")
        self._cancel.setVisible(works)
        self._stop.setVisible(not ended)
        self._resume.setVisible(ended and session.resumable)
        self.setVisible(quiet >= QUIET_SECONDS or ended or slow)

    def _words(self, seconds: int) -> str:
        if seconds < 120:
            return self.tr("{0} s").format(seconds)
        return self.tr("{0} min").format(seconds // 60)
