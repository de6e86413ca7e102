"""What can be done to a session, as a menu: of the button in its header and of its row in the list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from actions.catalog.views import OptionView, SessionState, SessionView, Targets
from desktop.sessions.reasons import ReasonWords

AT_REST = (SessionState.STOPPED, SessionState.FAILED, SessionState.INTERRUPTED)
_AT_WORK = (SessionState.STARTING, SessionState.WORKING, SessionState.WAITING)


def model_option(session: SessionView) -> OptionView | None:
    """The option by which the agent lets its model be chosen."""
    fitting = (o for o in session.options if o.kind == "select" and "model" in (o.category, o.id))
    return next(fitting, None)


class SessionMenu(QMenu):
    """The menu for a session as it is now. What it cannot do is shown, but cannot be chosen.

    ``ask`` gets an action id and its input, ``rename`` the session's id.
    """

    def __init__(
        self,
        session: SessionView,
        ask: Callable[[str, dict[str, Any]], None],
        rename: Callable[[str], None],
        parent: QWidget,
        targets: Targets | None = None,
    ) -> None:
        super().__init__(parent)
        self.setTitle(self.tr("Session"))
        self._session = session
        self._ask = ask
        rests = session.state in AT_REST
        resume = self._add(self.tr("Resume"), "session.resume", enabled=rests)
        if rests and session.reason:
            resume.setToolTip(ReasonWords(self).text(session))  # why it rests, and whether it can go on
        self.setToolTipsVisible(True)
        self._add(self.tr("Fork"), "session.fork", enabled=session.forkable)
        self.addAction(self.tr("Rename…")).triggered.connect(lambda: rename(session.id))
        pin = self.tr("Unpin") if session.pinned else self.tr("Pin")
        self._add(pin, "session.pin", pinned=not session.pinned)
        self._add_targets(targets or Targets())
        self._add_options()
        self.addSeparator()
        log = self._add(self.tr("Write a wire log"), "session.wirelog.set", on=not session.wire_log)
        log.setCheckable(True)
        log.setChecked(session.wire_log)
        self._add(self.tr("Copy as Markdown"), "session.export", format="markdown")
        self._add(self.tr("Stop the agent"), "session.stop", enabled=not rests)
        if session.archived:
            self._add(self.tr("Take out of the archive"), "session.unarchive")
        else:
            self._add(self.tr("Archive"), "session.archive")
        self.addSeparator()
        if session.state in _AT_WORK:
            self._add(self.tr("Stop and delete for good…"), "session.delete", stop_working=True)
        else:
            self._add(self.tr("Delete for good…"), "session.delete")

    def _add(self, text: str, action_id: str, *, enabled: bool = True, **more: Any) -> QAction:
        entry = self.addAction(text)
        entry.setEnabled(enabled)
        given = {"session_id": self._session.id, **more}
        entry.triggered.connect(lambda: self._ask(action_id, given))
        return entry

    def _add_targets(self, targets: Targets) -> None:
        """What is meant without being named: the primary session; and those that are followed beside it."""
        own = self._session.id
        primary = self._switch(self.tr("Primary session"), on=targets.primary == own)
        chosen = {"session_id": None if targets.primary == own else own}
        primary.triggered.connect(lambda: self._ask("session.target.primary.set", chosen))
        followed = [id for id in targets.tracked if id != own]
        follow = self._switch(self.tr("Follow"), on=own in targets.tracked)
        listed = {"session_ids": followed if own in targets.tracked else [*followed, own]}
        follow.triggered.connect(lambda: self._ask("session.target.tracked.set", listed))

    def _switch(self, text: str, *, on: bool) -> QAction:
        entry = self.addAction(text)
        entry.setCheckable(True)
        entry.setChecked(on)
        return entry

    def _add_options(self) -> None:
        """The agent's further options; mode and model have places of their own."""
        model = model_option(self._session)
        shown = [o for o in self._session.options if "mode" not in (o.category, o.id) and o != model]
        if not shown:
            return
        options = self.addMenu(self.tr("Options"))
        for option in shown:
            if option.kind == "boolean":
                self._add_choice(options, option.name, option, value=not option.value, on=bool(option.value))
                continue
            choices = options.addMenu(option.name)
            group = QActionGroup(choices)
            for choice in option.choices:
                group.addAction(
                    self._add_choice(choices, choice.name, option, value=choice.id, on=choice.id == option.value)
                )

    def _add_choice(self, menu: QMenu, text: str, option: OptionView, *, value: str | bool, on: bool) -> QAction:
        entry = menu.addAction(text)
        entry.setCheckable(True)
        entry.setChecked(on)
        given = {"session_id": self._session.id, "option_id": option.id, "value": value}
        entry.triggered.connect(lambda: self._ask("session.config.set", given))
        return entry
