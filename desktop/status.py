"""The banner across the top: shown only when something about the connection has to be said."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFrame

from desktop.theme.theme import Theme
from desktop.widgets.basics import IconLabel, button, label, restyle, row

NOTICE_MS = 5000


class Connection(StrEnum):
    """Where the line to the host stands."""

    CONNECTING = "connecting"
    CONNECTED = "connected"
    LOST = "lost"
    FAILED = "failed"


class StatusBanner(QFrame):
    """One line and, where it helps, one button."""

    retry_asked = Signal()
    dismissed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._icon = IconLabel(theme, "alert", "warning")
        self._text = label(wrap=True)
        self._retry = button(self.tr("Try again"))
        self._close = button(self.tr("Dismiss"), kind="quiet")
        self._retry.clicked.connect(self.retry_asked)
        self._close.clicked.connect(self.hide)
        self._close.clicked.connect(self.dismissed)
        self._passing = QTimer(self, singleShot=True, interval=NOTICE_MS)
        self._passing.timeout.connect(self.hide)
        inside = row(self, margin=(24, 6, 16, 6), gap=10)
        inside.addWidget(self._icon)
        inside.addWidget(self._text, 1)
        inside.addWidget(self._retry)
        inside.addWidget(self._close)
        self.hide()

    def show_connection(self, state: Connection, reason: str = "") -> None:
        """Say that the host is away; nothing at all while it answers."""
        if state is Connection.CONNECTED:
            self.hide()
            return
        texts = {
            Connection.CONNECTING: self.tr("Connecting to the host…"),
            Connection.LOST: self.tr("The connection to the host is lost; trying again. Running sessions go on."),
            Connection.FAILED: self.tr("The host does not answer. {0}").format(reason),
        }
        self._say(texts[state].strip(), danger=state is Connection.FAILED, retry=state is Connection.FAILED)

    def show_error(self, message: str) -> None:
        """Say that something the user asked for failed."""
        self._say(message, danger=True, retry=False)

    def show_notice(self, message: str) -> None:
        """Say for a moment that something was done; what is wrong at the moment matters more."""
        if not self.isVisible() or self._passing.isActive():
            self._say(message, danger=False, retry=False)
            self._icon.set_icon("check", "success")
            restyle(self, kind="banner-success")
            self._passing.start()

    def text(self) -> str:
        return self._text.text()

    def _say(self, text: str, *, danger: bool, retry: bool) -> None:
        self._passing.stop()
        self._text.setText(text)
        self._icon.set_icon("alert", "danger" if danger else "warning")
        restyle(self, kind="banner-danger" if danger else "banner")
        self._retry.setVisible(retry)
        self._close.setVisible(danger and not retry)
        self.show()
