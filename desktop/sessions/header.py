"""The line over a transcript: which session, which agent, where, and its mode."""

from __future__ import annotations

from pathlib import PurePath

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame

from actions.catalog.views import SessionView
from desktop.sessions.model import SessionListModel
from desktop.theme.theme import Theme
from desktop.widgets.basics import Elided, IconButton, chip, column, label, restyle, row
from desktop.widgets.select import Select

_TONES = {"working": "chip-accent", "starting": "chip-accent", "waiting": "chip-warning", "failed": "chip-danger"}


class SessionHeader(QFrame):
    """Shows what the agent acknowledged, never what was only asked for."""

    mode_chosen = Signal(str, str)
    stop_asked = Signal(str)

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
        self._stop = IconButton(theme, "stop", self.tr("Stop the session"))
        self._stop.clicked.connect(self._on_stop)
        texts = column(gap=2)
        texts.addWidget(self._title)
        texts.addWidget(self._where)
        inside = row(self, margin=(24, 8, 16, 8), gap=10)
        inside.addLayout(texts, 1)
        for widget in (self._state, self._mode_label, self._mode, self._stop):
            inside.addWidget(widget)

    def show_session(self, session: SessionView) -> None:
        self._session = session
        self._title.set_full(session.title)
        place = PurePath(session.workspace).name or session.workspace
        self._where.set_full(" · ".join(part for part in (session.provider_name, place, session.model) if part))
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
        self._stop.setEnabled(session.state.value in ("working", "waiting", "idle", "starting"))

    def _on_mode(self, at: int) -> None:
        if self._session is not None:
            wanted = str(self._mode.itemData(at))
            self._mode.setCurrentIndex(self._mode.findData(self._session.mode))  # until the agent has agreed
            if wanted != self._session.mode:
                self.mode_chosen.emit(self._session.id, wanted)

    def _on_stop(self) -> None:
        if self._session is not None:
            self.stop_asked.emit(self._session.id)
