"""The line over a transcript: which session, which agent, where, its model and its mode."""

from __future__ import annotations

from pathlib import PurePath

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QSizePolicy

from actions.catalog.views import SessionView
from actions.catalog.worktree_views import WorktreeState
from desktop.sessions.menu import model_option
from desktop.sessions.model import SessionListModel
from desktop.sessions.reasons import ReasonWords
from desktop.theme.theme import Theme
from desktop.widgets.basics import Elided, IconButton, button, chip, column, label, restyle, row
from desktop.widgets.select import Select

_TONES = {"working": "chip-accent", "starting": "chip-accent", "waiting": "chip-warning", "failed": "chip-danger"}
_BRANCH_WIDTH = 140
_SELECT_WIDTH, _SELECT_LEAST = 150, 72
_TITLE_LEAST = 170
_NARROW = 680
"""Below this width the captions of the choices make room for the title; each choice has its name for a reader."""


class SessionHeader(QFrame):
    """Shows what the agent acknowledged, never what was only asked for."""

    mode_chosen = Signal(str, str)
    model_chosen = Signal(str, str)
    stop_asked = Signal(str)
    menu_asked = Signal(str)
    worktree_asked = Signal()
    panel_asked = Signal()

    def __init__(self, theme: Theme, model: SessionListModel) -> None:
        super().__init__()
        self.setProperty("kind", "bar")
        self._model = model
        self._theme = theme
        self._session: SessionView | None = None
        self._reasons = ReasonWords(self)
        self._title = Elided(tone="strong")
        self._where = Elided(tone="small")
        self._state = chip()
        self._mark = chip(tone="chip-warning")
        self.branch = button("", kind="inline")
        self.branch.clicked.connect(self.worktree_asked)
        self._mode_label = label(self.tr("Mode"), tone="small")
        self._mode = Select(theme)
        self._mode.setAccessibleName(self.tr("Session mode"))
        self._mode.activated.connect(self._on_mode)
        self._model_label = label(self.tr("Model"), tone="small")
        self._agent_model = Select(theme)
        self._agent_model.setAccessibleName(self.tr("Session model"))
        self._agent_model.activated.connect(self._on_model)
        for choice in (self._mode, self._agent_model):
            choice.setMaximumWidth(_SELECT_WIDTH)
            choice.setSizeAdjustPolicy(Select.SizeAdjustPolicy.AdjustToContents)
            choice.setMinimumWidth(_SELECT_LEAST)
            choice.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._stop = IconButton(theme, "stop", self.tr("Stop the session"))
        self._stop.clicked.connect(self._on_stop)
        self.panel = IconButton(theme, "panel", self.tr("Servers and agents of this session"))
        self.panel.clicked.connect(self.panel_asked)
        self.more = IconButton(theme, "dots", self.tr("More for this session"))
        self.more.clicked.connect(lambda: self._session and self.menu_asked.emit(self._session.id))
        texts = column(gap=2)
        self._title.setMinimumWidth(_TITLE_LEAST)
        texts.addWidget(self._title)
        below = row(gap=4)
        below.addWidget(self._where, 1)
        below.addWidget(self._mark)
        below.addWidget(self.branch, 0, Qt.AlignmentFlag.AlignRight)
        texts.addLayout(below)
        inside = row(self, margin=(24, 8, 16, 8), gap=10)
        inside.addLayout(texts, 1)
        models, modes = (self._model_label, self._agent_model), (self._mode_label, self._mode)
        for widget in (self._state, *models, *modes, self._stop, self.panel, self.more):
            inside.addWidget(widget)

    def show_session(self, session: SessionView) -> None:
        self._session = session
        self._title.set_full(session.title)
        folder = session.workspace if session.worktree is None else session.worktree.repository
        place = PurePath(folder).name or folder
        model = None if model_option(session) is not None else session.model
        self._where.set_full(" · ".join(part for part in (session.provider_name, place, model) if part))
        self._where.setToolTip("")
        self._state.setText(self._model.state_text(session))
        self._state.setToolTip(self._reasons.text(session))
        restyle(self._state, tone=_TONES.get("waiting" if session.waiting_for else session.state.value, "chip"))
        self._show_marks(session)
        self._show_branch(session)
        has_modes = bool(session.modes)
        self._mode.setVisible(has_modes)
        self._mode.clear()
        for mode in session.modes:
            self._mode.addItem(mode.name, mode.id)
        self._mode.setCurrentIndex(self._mode.findData(session.mode))
        option = model_option(session)
        self._agent_model.setVisible(option is not None)
        self._agent_model.clear()
        for choice in option.choices if option is not None else ():
            self._agent_model.addItem(choice.name, choice.id)
        self._agent_model.setCurrentIndex(self._agent_model.findData(session.model))
        self._stop.setEnabled(session.state.value in ("working", "waiting", "idle", "starting"))
        self._show_captions()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_captions()

    def _show_captions(self) -> None:
        wide = self.width() >= _NARROW
        self._mode_label.setVisible(wide and not self._mode.isHidden())
        self._model_label.setVisible(wide and not self._agent_model.isHidden())
        tree = self._session.worktree if self._session is not None else None
        if tree is not None:
            shown = self.fontMetrics().elidedText(tree.branch, Qt.TextElideMode.ElideMiddle, _BRANCH_WIDTH)
            self.branch.setText(shown.replace("&", "&&") if wide else "")

    def _show_marks(self, session: SessionView) -> None:
        """What is to be known of its asking; the gravest of it on the chip, all of it behind that."""
        texts = {
            "did_not_ask": (self.tr("did not ask"), self.tr("It acted without asking where it should have asked.")),
            "never_asks": (self.tr("never asks"), self.tr("This agent never asks before it acts.")),
            "ask_mode_not_set": (
                self.tr("may not ask"),
                self.tr("It did not confirm the mode in which it asks, and may act without asking."),
            ),
            "option_not_set": (self.tr("may not ask"), self.tr("It did not take an option by which it asks.")),
            "did_not_list_tools": (
                self.tr("without Sayso's tools"),
                self.tr("It never asked for Sayso's tools, so it works without them."),
            ),
        }
        told = [text for mark, text in texts.items() if mark in session.marks]
        self._mark.setVisible(bool(told))
        self._mark.setText(told[0][0] if told else "")
        about = "\n".join(long for _, long in told)
        self._mark.setToolTip(about)
        self._mark.setAccessibleName(about)

    def _show_branch(self, session: SessionView) -> None:
        tree = session.worktree
        self.branch.setVisible(tree is not None)
        if tree is not None:
            self.branch.setIcon(self._theme.icon("branch"))
            gone = self.tr("Its worktree is gone") if tree.state is WorktreeState.GONE else ""
            removed = self.tr("Its worktree was removed") if tree.state is WorktreeState.REMOVED else ""
            about = gone or removed or self.tr("Worktree on {0}: merge back, remove").format(tree.branch)
            self.branch.setToolTip(about)
            self.branch.setAccessibleName(about)
            self.branch.setEnabled(tree.state is WorktreeState.PRESENT)

    def _on_mode(self, at: int) -> None:
        if self._session is not None:
            wanted = str(self._mode.itemData(at))
            self._mode.setCurrentIndex(self._mode.findData(self._session.mode))  # until the agent has agreed
            if wanted != self._session.mode:
                self.mode_chosen.emit(self._session.id, wanted)

    def _on_model(self, at: int) -> None:
        if self._session is not None:
            wanted = str(self._agent_model.itemData(at))
            self._agent_model.setCurrentIndex(self._agent_model.findData(self._session.model))  # until it has agreed
            if wanted != self._session.model:
                self.model_chosen.emit(self._session.id, wanted)

    def _on_stop(self) -> None:
        if self._session is not None:
            self.stop_asked.emit(self._session.id)
