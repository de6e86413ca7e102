"""Tells the host which session the window shows, so that what nobody saw is marked unread."""

from __future__ import annotations

from collections.abc import Callable

from desktop.app.backend import Backend, ConnectionChange
from desktop.app.pane import Presenter, Report
from desktop.main_window import MainWindow
from desktop.status import Connection

_Shown = tuple[str | None, bool]


class ShowingPresenter(Presenter):
    """Call ``look`` whenever the page, the open session or the window's place may have changed."""

    name = "showing"

    def __init__(self, backend: Backend, window: MainWindow, report: Report, current: Callable[[], str | None]) -> None:
        super().__init__(backend, report)
        self._window = window
        self._current = current
        self._told: _Shown | None = None
        window.front_changed.connect(self.look)
        self.handles.callback(window.front_changed.disconnect, self.look)

    def look(self) -> None:
        """Tell the host, when it is something else than before."""
        window = self._window
        visible = window.isVisible() and not window.isMinimized() and window.page() == "session"
        shown = (self._current() if visible else None, visible and window.isActiveWindow())
        if shown != self._told:
            self._told = shown
            self.start(self.backend.showing(shown[0], focused=shown[1]), "showing")

    def on_connection(self, change: ConnectionChange) -> None:
        """A host that has just begun knows no window."""
        if change.state is Connection.CONNECTED:
            self._told = None
            self.look()
