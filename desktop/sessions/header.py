"""The line over a transcript: which session, which agent, where, its model and its mode."""

from __future__ import annotations

from pathlib import PurePath

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame

from actions.catalog.views import SessionView
from desktop.sessions.menu import model_option
from desktop.sessions.model import SessionListModel
from desktop.theme.theme import Theme
from desktop.widgets.basics import Elided, IconButton, chip, column, label, restyle, row
from desktop.widgets.select import Select

_TONES = {"working": "chip-accent", "starting": "chip-accent", "waiting": "chip-warning", "failed": "chip-danger"}


class SessionHeader(QFrame):
    """Shows what the agent acknowledged, never what was only asked for."""

    mode_chosen = Signal(str, str)
    model_chosen = Signal(str, str)
    stop_asked = Signal(str)
    menu_asked = Signal(str)

    def __init__(self, theme: Theme, model: SessionListModel) -> None:
        super().__init__()
        self.setProperty("kind", "bar")
        self._model = model
        self._session: SessionView | None = None
        self._title = Elided(tone="strong")
        self._where = Elided(tone="small")
        self._state = chip()
        self._mode_label = label(self.tr("Mode"), tone="small")
        self._mode = Select(theme)
        self._mode.setAccessibleName(self.tr("Session mode"))
        self._mode.activated.connect(self._on_mode)
        self._model_label = label(self.tr("Model"), tone="small")
        self._agent_model = Select(theme)
        self._agent_model.setAccessibleName(self.tr("Session model"))
        self._agent_model.activated.connect(self._on_model)
        self._stop = IconButton(theme, "stop", self.tr("Stop the session"))
        self._stop.clicked.connect(self._on_stop)
        self.more = IconButton(theme, "dots", self.tr("More for this session"))
        self.more.clicked.connect(lambda: self._session and self.menu_asked.emit(self._session.id))
        texts = column(gap=2)
        texts.addWidget(self._title)
        texts.addWidget(self._where)
        inside = row(self, margin=(24, 8, 16, 8), gap=10)
        inside.addLayout(texts, 1)
        models, modes = (self._model_label, self._agent_model), (self._mode_label, self._mode)
        for widget in (self._state, *models, *modes, self._stop, self.more):
            inside.addWidget(widget)

    def show_session(self, session: SessionView) -> None:
        self._session = session
        self._title.set_full(session.title)
        place = PurePath(session.workspace).name or session.workspace
        model = None if model_option(session) is not None else session.model
        self._where.set_full(" · ".join(part for part in (session.provider_name, place, model) if part))
        self._where.setToolTip("")
        self._state.setText(self._model.state_text(session))
        restyle(self._state, tone=_TONES.get("waiting" if session.waiting_for else session.state.value, "chip"))
        has_modes = bool(session.modes)
        self._mode.setVisible(has_modes)
        self._mode_label.setVisible(has_modes)
        self._mode.clear()
        for mode in session.modes:
            self._mode.addItem(mode.name, mode.id)
        self._mode.setCurrentIndex(self._mode.findData(session.mode))
        option = model_option(session)
        self._agent_model.setVisible(option is not None)
        self._model_label.setVisible(option is not None)
        self._agent_model.clear()
        for choice in option.choices if option is not None else ():
            self._agent_model.addItem(choice.name, choice.id)
        self._agent_model.setCurrentIndex(self._agent_model.findData(session.model))
        self._stop.setEnabled(session.state.value in ("working", "waiting", "idle", "starting"))

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
