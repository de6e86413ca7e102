"""What an agent may have done in this window. It never takes the keyboard: whoever types is asked, by a toast."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication

from actions.catalog.views import SessionView
from desktop.diff.unified import Diff, read_diff
from desktop.main_window import MainWindow
from desktop.notifications.words import Words

TYPING_SECONDS = 3.0
"""Whoever pressed a key so lately goes on with it."""


class ForAgents(QObject):
    """Answers ``show_diff`` and ``open_in_desktop``; ``open_pane`` brings a pane of the window to the front."""

    def __init__(
        self,
        window: MainWindow,
        open_pane: Callable[[str, str | None], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._open_pane = open_pane
        self._clock = clock
        self._last_key = -TYPING_SECONDS
        self._shown_for: str | None = None
        self._back: tuple[str, str | None] = ("session", None)
        window.diff.left.connect(self._leave)
        application = QApplication.instance()
        assert application is not None
        application.installEventFilter(self)

    async def answer_show_diff(self, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """``{session_id, title, diff, cut}``; gives ``{files, added, deleted, offered}``."""
        session = self._session(arguments)
        diff = read_diff(str(arguments.get("diff") or ""))

        def show() -> None:
            self._show(session, arguments)

        offered = self._do(session, self.tr("{0} shows you a change: {1}"), str(arguments.get("title") or ""), show)
        return {**_counts(diff), "offered": offered}

    async def answer_open(self, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """``{session_id, target, id}``; gives ``{opened, offered}``."""
        session = self._session(arguments)
        target, id = str(arguments.get("target")), arguments.get("id")

        def show() -> None:
            self._open_pane(target, None if id is None else str(id))
            self._rest()

        names = {"session": self.tr("a session"), "inbox": self.tr("the inbox"), "runs": self.tr("the runs")}
        what = names.get(target, self.tr("a run"))
        return {"opened": target, "offered": self._do(session, self.tr("{0} wants to show you {1}"), what, show)}

    def _do(self, session: SessionView | None, text: str, what: str, show: Callable[[], None]) -> bool:
        """Show it now, or offer it to somebody who types; true when it was only offered."""
        if not self._busy():
            show()
            return False
        title = session.title if session is not None else "Sayso"
        name = session.provider_name if session is not None else self.tr("An agent")
        short = " ".join(what.split())[:80]
        self._window.toasts.put(f"agent:{title}", Words(title, text.format(name, short)), waits=True, opened=show)
        return True

    def show_change(self, session: SessionView | None, title: str, text: str) -> None:
        """Show what a tool call changed; a person asked for it."""
        self._show(session, {"title": title, "diff": text})

    def turn_to_review(self, session_id: str | None, run_id: str) -> None:
        """The page of changes shows what a review found; from there it goes back to the run."""
        self._shown_for, self._back = session_id, ("run", run_id)
        self._window.diff.allow_comments(session_id is not None)
        self._window.show_page("diff")

    def shown_for(self) -> str | None:
        """The session whose change is shown."""
        return self._shown_for

    def _show(self, session: SessionView | None, arguments: Mapping[str, Any]) -> None:
        self._shown_for = None if session is None else session.id
        self._back = ("session", self._shown_for)
        where = "" if session is None else f"{session.title} · {session.provider_name}"
        self._window.diff.show_diff(
            str(arguments.get("title") or ""), where, str(arguments.get("diff") or ""), cut=bool(arguments.get("cut"))
        )
        self._window.diff.allow_comments(session is not None)
        self._window.show_page("diff")
        self._window.diff.view.setFocus()

    def _leave(self) -> None:
        self._open_pane(*self._back)

    def _busy(self) -> bool:
        """Somebody writes here, or chooses from a menu: what came up would get keys that were meant for it."""
        types = self._clock() - self._last_key < TYPING_SECONDS
        waits = QApplication.activePopupWidget() is not None or QApplication.activeModalWidget() is not None
        return self._window.isActiveWindow() and (types or waits or self._window.launcher.isVisible())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.KeyPress, QEvent.Type.InputMethod):
            self._last_key = self._clock()
        return False

    def _rest(self) -> None:
        """Nothing that a key could answer has the keyboard."""
        self._window.setFocus()

    def _session(self, arguments: Mapping[str, Any]) -> SessionView | None:
        return self._window.sessions.session(str(arguments.get("session_id") or ""))


def _counts(diff: Diff) -> dict[str, int]:
    return {"files": len(diff.files), "added": diff.added, "deleted": diff.deleted}
