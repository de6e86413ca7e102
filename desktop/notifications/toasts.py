"""Notifications in the corner of the window, where the desktop shows none. They never take the keyboard themselves."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QEnterEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QWidget

from desktop.notifications.outlet import Clicked
from desktop.notifications.words import Words
from desktop.theme.theme import Theme
from desktop.widgets.basics import IconButton, button, column, label, row

PASSING_MS = 10_000
_WIDTH = 340
_EDGE = 16
_TOP = 64
_GAP = 8
_MOST = 4


class Toast(QFrame):
    """One notification: a click opens it, the cross and Escape put it away. It passes by itself unless it ``waits``."""

    opened = Signal()
    left = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("kind", "overlay")
        self.setFixedWidth(_WIDTH)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._waits = True
        self._title = label(tone="strong", wrap=True)
        self._body = label(tone="muted", wrap=True)
        self.open = button(self.tr("Open"))
        self.cross = IconButton(theme, "cross", self.tr("Put away"))
        self.open.clicked.connect(self.opened)
        self.cross.clicked.connect(self.left)
        texts = column(gap=2)
        texts.addWidget(self._title)
        texts.addWidget(self._body)
        inside = row(self, margin=(14, 10, 8, 10), gap=8)
        inside.addLayout(texts, 1)
        inside.addWidget(self.open, 0, Qt.AlignmentFlag.AlignVCenter)
        inside.addWidget(self.cross, 0, Qt.AlignmentFlag.AlignTop)
        self._passing = QTimer(self, singleShot=True, interval=PASSING_MS)
        self._passing.timeout.connect(self.left)

    def show_words(self, words: Words, *, waits: bool) -> None:
        self._waits = waits
        self._title.setText(words.title)
        self._body.setText(words.body)
        self.open.setAccessibleName(self.tr("Open: {0}. {1}").format(words.title, words.body))
        self.cross.setAccessibleName(self.tr("Put away: {0}").format(words.title))
        self._pass()
        self.setFixedHeight(self.heightForWidth(_WIDTH))

    def text(self) -> str:
        return f"{self._title.text()}: {self._body.text()}"

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.opened.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        self._passing.stop()  # it is being read

    def leaveEvent(self, event: QEvent) -> None:
        self._pass()

    def _pass(self) -> None:
        if self._waits:
            self._passing.stop()
        else:
            self._passing.start()


class Toasts(QObject):
    """Implements :class:`~desktop.notifications.outlet.Outlet` over the upper right corner of ``window``."""

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._theme = theme
        self._window = window
        self._clicked: Clicked = lambda id: None
        self._shown: dict[str, Toast] = {}
        window.installEventFilter(self)

    def listen(self, clicked: Clicked) -> None:
        self._clicked = clicked

    async def show(self, id: str, words: Words, *, waits: bool) -> bool:
        self.put(id, words, waits=waits, opened=lambda: self._clicked(id))
        return True

    def put(self, id: str, words: Words, *, waits: bool, opened: Callable[[], None]) -> None:
        """Show one that does ``opened`` when it is clicked; the oldest makes room for it."""
        self.take(id)
        while len(self._shown) >= _MOST:
            self.take(next(iter(self._shown)))
        toast = self._shown[id] = Toast(self._theme, self._window)
        toast.left.connect(lambda: self.take(id))
        toast.opened.connect(lambda: (self.take(id), opened()))
        toast.show_words(words, waits=waits)
        toast.show()
        self._arrange()
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._window, toast.text()))

    def take(self, id: str) -> None:
        """Take one away; harmless when it is gone."""
        toast = self._shown.pop(id, None)
        if toast is not None:
            toast.hide()
            toast.deleteLater()
            self._arrange()

    def focus_newest(self) -> None:
        """By key: go to the newest one."""
        if self._shown:
            list(self._shown.values())[-1].open.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def texts(self) -> list[str]:
        """What is shown, the oldest first."""
        return [toast.text() for toast in self._shown.values()]

    async def withdraw(self, id: str) -> None:
        self.take(id)

    async def close(self) -> None:
        for id in list(self._shown):
            self.take(id)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._arrange()
        return super().eventFilter(watched, event)

    def _arrange(self) -> None:
        """The newest highest; the composer stays free."""
        top = _TOP
        for toast in reversed(self._shown.values()):
            toast.move(self._window.width() - toast.width() - _EDGE, top)
            toast.raise_()
            top += toast.height() + _GAP
