"""Notifications by way of the system tray, where that is how a desktop shows them (Windows, macOS)."""

from __future__ import annotations

from PySide6.QtWidgets import QSystemTrayIcon

from desktop.notifications.outlet import Clicked
from desktop.notifications.words import Words
from desktop.theme.theme import Theme

_MILLISECONDS = 10_000


class TrayOutlet:
    """Implements :class:`~desktop.notifications.outlet.Outlet`. A tray shows one at a time, so a click is of the last.

    The icon is there while something waits to be seen.
    """

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._tray: QSystemTrayIcon | None = None
        self._clicked: Clicked = lambda id: None
        self._shown: list[str] = []

    def listen(self, clicked: Clicked) -> None:
        self._clicked = clicked

    async def show(self, id: str, words: Words, *, waits: bool) -> bool:
        if not (QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages()):
            return False
        icon = self._theme.icon("inbox", "accent_text")
        if self._tray is None:
            self._tray = QSystemTrayIcon(icon)
            self._tray.messageClicked.connect(self._on_click)
            self._tray.activated.connect(lambda reason: self._on_click())
        self._tray.setToolTip(f"Sayso: {words.title}")
        self._tray.show()
        self._shown = [*(other for other in self._shown if other != id), id]
        self._tray.showMessage(words.title, words.body, icon, _MILLISECONDS)
        return True

    async def withdraw(self, id: str) -> None:
        self._shown = [other for other in self._shown if other != id]
        if self._tray is not None and not self._shown:
            self._tray.hide()

    async def close(self) -> None:
        self._shown.clear()
        if self._tray is not None:
            self._tray.hide()

    def _on_click(self) -> None:
        if self._shown:
            self._clicked(self._shown[-1])
