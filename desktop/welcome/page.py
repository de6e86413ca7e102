"""The first page: agents, folder and voice, each with its state and one way on; works with nothing installed."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from actions.catalog.views import ProviderView, WorkspaceView
from desktop.theme.theme import Theme
from desktop.voicebar.state import VoiceState
from desktop.widgets.basics import IconLabel, button, column, label, row

_WIDTH = 560
_SHOWN = 4
_WELL = (VoiceState.READY, VoiceState.LISTENING, VoiceState.RECOGNISING, VoiceState.CARD, VoiceState.DONE)


class Step(QFrame):
    """One line: an icon for its state, what there is, and a button."""

    pressed = Signal()

    def __init__(self, theme: Theme, title: str, action: str) -> None:
        super().__init__()
        self.setProperty("kind", "panel")
        self._title = title
        self._icon = IconLabel(theme, "clock")
        self._text = label(tone="muted", wrap=True, selectable=True)
        self.button = button(action, name=f"{action}: {title}")
        self.button.clicked.connect(self.pressed)
        texts = column(gap=2)
        texts.addWidget(label(title, tone="strong"))
        texts.addWidget(self._text)
        inside = row(self, margin=(14, 10, 10, 10), gap=12)
        inside.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        inside.addLayout(texts, 1)
        inside.addWidget(self.button, 0, Qt.AlignmentFlag.AlignVCenter)

    def show_state(self, text: str, *, done: bool | None) -> None:
        """``done`` is None while it is not known."""
        icon, role = {None: ("clock", "muted"), True: ("check", "success"), False: ("question", "warning")}[done]
        self._icon.set_icon(icon, role)
        self._text.setText(text)
        self.setAccessibleName(f"{self._title}: {text}")

    def text(self) -> str:
        return self._text.text()


class WelcomePage(QFrame):
    """``new_asked``, ``folder_asked``, ``agents_asked`` and ``voice_asked`` say which way the user takes."""

    new_asked = Signal()
    folder_asked = Signal()
    agents_asked = Signal()
    voice_asked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("kind", "page")
        self.agents = Step(theme, self.tr("Agents"), self.tr("Show"))
        self.folder = Step(theme, self.tr("Folder"), self.tr("Add a folder…"))
        self.voice = Step(theme, self.tr("Voice"), self.tr("Set up"))
        self.agents.pressed.connect(self.agents_asked)
        self.folder.pressed.connect(self.folder_asked)
        self.voice.pressed.connect(self.voice_asked)
        self.start = button(self.tr("New session"), kind="primary")
        self.start.clicked.connect(self.new_asked)
        canvas = QWidget()
        canvas.setProperty("kind", "canvas")
        inside = column(canvas, margin=(24, 32, 24, 24), gap=10)
        title = label(self.tr("Agents act on your say-so"), tone="heading", wrap=True)
        about = self.tr("A session is one agent at work in one folder. What it may not do alone, it asks you.")
        inside.addStretch(1)
        inside.addWidget(title)
        inside.addWidget(label(about, tone="muted", wrap=True))
        inside.addSpacing(6)
        for step in (self.agents, self.folder, self.voice):
            inside.addWidget(step)
        inside.addSpacing(6)
        line = row()
        line.addWidget(self.start)
        line.addWidget(label(self.tr("or press Ctrl+K and say what should be done"), tone="muted", wrap=True), 1)
        inside.addLayout(line)
        inside.addStretch(2)
        canvas.setMaximumWidth(_WIDTH)
        scroll = QScrollArea()
        scroll.setProperty("kind", "plain")
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        scroll.setWidget(canvas)
        column(self, gap=0).addWidget(scroll)
        self.agents.show_state(self.tr("Looking for agents…"), done=None)
        self.folder.show_state(self.tr("Looking for folders…"), done=None)
        self.show_voice(VoiceState.OFF, "")

    def show_agents(self, providers: Sequence[ProviderView]) -> None:
        """What a session may be started with."""
        ready = [provider.name for provider in providers if provider.state == "ready"]
        if not ready:
            text = self.tr("No agent was found. See what to install.")
        else:
            more = len(ready) - _SHOWN
            text = ", ".join(ready[:_SHOWN])
            if more > 0:
                text = self.tr("{0} and {1} more").format(text, more)
        self.agents.show_state(text, done=bool(ready))

    def show_folders(self, workspaces: Sequence[WorkspaceView]) -> None:
        """Where sessions may work."""
        names = ", ".join(workspace.name for workspace in workspaces[:_SHOWN])
        text = names or self.tr("Add the folder of a project that an agent should work in.")
        self.folder.show_state(text, done=bool(names))

    def show_voice(self, state: VoiceState, message: str) -> None:
        """Whether a word is heard; speaking is never needed."""
        texts = {
            VoiceState.OFF: self.tr("Off. Everything works without it."),
            VoiceState.NO_MICROPHONE: self.tr("No microphone was found."),
            VoiceState.NO_MODEL: self.tr("The speech model is not installed yet."),
            VoiceState.LOADING: self.tr("The speech model is being loaded…"),
            VoiceState.FAILED: self.tr("It does not work now."),
        }
        well = state in _WELL
        text = texts.get(state, self.tr("Ready: hold the key of the bar below and speak."))
        self.voice.show_state(f"{text} {message}".strip() if not well else text, done=True if well else None)
        self.voice.button.setVisible(not well)

    def show_problem(self, message: str) -> None:
        """The host could not say what there is."""
        for step in (self.agents, self.folder):
            step.show_state(message, done=False)
