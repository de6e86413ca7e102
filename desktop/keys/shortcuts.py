"""The shortcuts of the window by name: each does one thing, and its keys can be changed while the window is open."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

PREFIX = "keys."
FIXED = ("Ctrl+Shift+P", "F1", "Esc", "Return", "Shift+Return", "Tab", "Shift+Tab")
"""Keys that always do the same: they cannot be given to anything else."""


@dataclass(frozen=True)
class Named:
    """A shortcut as the settings show it."""

    name: str
    title: str
    default: str


def named() -> list[Named]:
    """Every shortcut that can be changed, in the order of the settings."""
    return [Named(name, title, keys) for name, (keys, title) in _named().items()]


def conflict(wanted: str, name: str, keys: Mapping[str, str]) -> str | None:
    """The name of what ``wanted`` does already, "" where it is fixed, or None where it is free. Empty keys are free."""
    pressed = QKeySequence(wanted)
    if pressed.isEmpty():
        return None
    if any(pressed == QKeySequence(fixed) for fixed in FIXED):
        return ""
    return next((other for other, used in keys.items() if other != name and QKeySequence(used) == pressed), None)


class Shortcuts:
    """The shortcuts of one window; ``bind`` says what a name does."""

    def __init__(self, window: QWidget) -> None:
        self._window = window
        self._shortcuts: dict[str, QShortcut] = {}
        self._held: dict[str, Callable[[str], object]] = {}
        self._keys = {entry.name: entry.default for entry in named()}

    def bind(self, name: str, act: Callable[[], object]) -> None:
        """Raises KeyError for a name that no setting has."""
        shortcut = QShortcut(QKeySequence(self._keys[name]), self._window)
        shortcut.activated.connect(lambda: act())
        self._shortcuts[name] = shortcut

    def hold(self, name: str, changed: Callable[[str], object]) -> None:
        """A key that does something while it is down: whoever sees it go down and up is told which one it is."""
        self._held[name] = changed
        changed(self._keys[name])

    def fix(self, keys: str, act: Callable[[], object]) -> None:
        """Keys that cannot be changed."""
        QShortcut(QKeySequence(keys), self._window).activated.connect(lambda: act())

    def keys(self) -> dict[str, str]:
        return dict(self._keys)

    def unbound(self) -> list[str]:
        """Names that would do nothing."""
        return [name for name in self._keys if name not in self._shortcuts and name not in self._held]

    def change(self, keys: Mapping[str, str]) -> None:
        """Take what the settings say; a name that is not in it keeps its keys."""
        for name, wanted in keys.items():
            if name in self._keys:
                self._keys[name] = wanted
            if name in self._shortcuts:
                self._shortcuts[name].setKey(QKeySequence(wanted))
            if name in self._held:
                self._held[name](wanted)


def _named() -> dict[str, tuple[str, str]]:
    """Usual keys and title; the settings declare the same keys."""
    return {
        "launcher": ("Ctrl+K", QCoreApplication.translate("Shortcuts", "Search actions")),
        "new_session": ("Ctrl+N", QCoreApplication.translate("Shortcuts", "New session")),
        "new_window": ("Ctrl+Shift+N", QCoreApplication.translate("Shortcuts", "Another window")),
        "switch_session": ("Ctrl+P", QCoreApplication.translate("Shortcuts", "Go to a session by its name")),
        "recent_session": ("Ctrl+Tab", QCoreApplication.translate("Shortcuts", "Go to the session before")),
        "inbox": ("Ctrl+I", QCoreApplication.translate("Shortcuts", "Show the inbox")),
        "composer": ("Ctrl+Shift+I", QCoreApplication.translate("Shortcuts", "Write to the agent")),
        "find": ("Ctrl+F", QCoreApplication.translate("Shortcuts", "Find in the transcript")),
        "permission": ("Ctrl+J", QCoreApplication.translate("Shortcuts", "Go to the open permission")),
        "sidebar": ("Ctrl+B", QCoreApplication.translate("Shortcuts", "Show or hide the sidebar")),
        "side_panel": ("Ctrl+Shift+B", QCoreApplication.translate("Shortcuts", "Show or hide servers and agents")),
        "settings": ("Ctrl+,", QCoreApplication.translate("Shortcuts", "Show the settings")),
        "shortcuts": ("Ctrl+/", QCoreApplication.translate("Shortcuts", "Show the shortcuts")),
        "notice": ("F9", QCoreApplication.translate("Shortcuts", "Go to the newest notice")),
        "talk": ("F8", QCoreApplication.translate("Shortcuts", "Hold to talk")),
        "dictate": ("Ctrl+F8", QCoreApplication.translate("Shortcuts", "Dictate into the field")),
        "hands_free": ("Shift+F8", QCoreApplication.translate("Shortcuts", "Listen without a key, or stop")),
        "quit": ("Ctrl+Q", QCoreApplication.translate("Shortcuts", "Close the window")),
    }
