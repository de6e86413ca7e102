"""The voice page: microphone, languages, how it listens and speaks, what is kept, and a try-out."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal

from desktop.settings.preference import Preference, PreferencePage
from desktop.theme.theme import Theme
from desktop.voicebar.meter import LevelMeter
from desktop.voicebar.trial import Tried
from desktop.widgets.basics import button, label, restyle, row
from desktop.widgets.select import Select

MICROPHONE = "voice.microphone"


class VoicePage(PreferencePage):
    """``try_asked`` begins a try-out, or ends the one that listens."""

    try_asked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, self.tr("Voice"), self.tr("Recognised on this machine; nothing is sent away."))
        self._microphone = ""
        microphone = Preference(
            MICROPHONE,
            self.tr("Microphone"),
            self.tr("One that is unplugged is used again when it comes back; until then the system's."),
            [("", self.tr("The system's"))],
        )
        language = Preference(
            "voice.language",
            self.tr("Language that you speak"),
            choices=[("auto", self.tr("As the window")), ("en", "English"), ("zh", "中文")],
        )
        model = Preference(
            "voice.model",
            self.tr("Speech model"),
            self.tr("A packaged one by its name, or a folder; empty takes the one for the language."),
        )
        mode = Preference(
            "voice.mode",
            self.tr("Talk key"),
            self.tr("A tap listens until you are quiet. Without a key: the switch in the voice bar."),
            [("hold", self.tr("Hold while you speak")), ("toggle", self.tr("Press to begin and to end"))],
        )
        speak = Preference(
            "voice.speak",
            self.tr("Read aloud"),
            self.tr("Never paths, addresses, commands or secrets."),
            [
                ("off", self.tr("Nothing")),
                ("short", self.tr("Read-backs and questions")),
                ("all", self.tr("Results too")),
            ],
        )
        approvals = Preference(
            "voice.approvals",
            self.tr("Approve by voice"),
            self.tr("A request must have been read back just before, and named. Dangerous ones never."),
            switch=True,
        )
        texts = Preference("voice.keep_texts", self.tr("Keep a log of what was heard"), switch=True)
        audio = Preference("voice.keep_audio", self.tr("Keep the recordings"), switch=True)
        self.add_group(self.tr("Listening"), [microphone, language, model, mode])
        self.add_group(self.tr("Answering"), [speak, approvals])
        self.add_group(self.tr("Kept on this machine"), [texts, audio])
        self.body.addSpacing(12)
        self.body.addWidget(label(self.tr("Try it"), tone="group"))
        hint = self.tr("Say a command. You see what is heard and what it would do; nothing is done.")
        self.body.addWidget(label(hint, tone="small", wrap=True))
        self.trial = button(self.tr("Speak"))
        self.trial.clicked.connect(self.try_asked)
        self._meter = LevelMeter(theme)
        line = row(gap=10)
        line.addWidget(self.trial)
        line.addWidget(self._meter)
        line.addStretch()
        self.body.addLayout(line)
        self._heard = label(wrap=True, selectable=True)
        self._means = label(tone="muted", wrap=True, selectable=True)
        for part in (self._heard, self._means):
            part.hide()
            self.body.addWidget(part)
        self.body.addStretch(1)

    def show_microphones(self, devices: Sequence[tuple[str, str]], problem: str = "") -> None:
        """What can be chosen, as id and name; one that was chosen and is not there stays, and is said to be missing."""
        entry = self.rows[MICROPHONE]
        select = entry.control
        assert isinstance(select, Select)
        select.blockSignals(True)
        select.clear()
        select.addItem(self.tr("The system's"), "")
        for id, name in devices:
            select.addItem(name, id)
            select.setItemData(select.count() - 1, id, Qt.ItemDataRole.ToolTipRole)
        if self._microphone and select.findData(self._microphone) < 0:
            select.addItem(self.tr("{0} (not plugged in)").format(self._microphone), self._microphone)
        select.setCurrentIndex(max(0, select.findData(self._microphone)))
        select.blockSignals(False)
        entry.show_problem(problem)

    def show_values(self, values: object) -> None:
        assert isinstance(values, dict)
        if MICROPHONE in values:
            self._microphone = str(values[MICROPHONE])
            select = self.rows[MICROPHONE].control
            if isinstance(select, Select) and self._microphone and select.findData(self._microphone) < 0:
                select.addItem(self._microphone, self._microphone)
        super().show_values(values)

    def show_listening(self, listening: bool) -> None:
        """The try-out began, or is over."""
        self.trial.setText(self.tr("Stop and take what was said") if listening else self.tr("Speak"))
        if listening:
            self._say(self.tr("Listening…"), "", "accent")
        else:
            self._meter.clear()

    def show_level(self, level: float) -> None:
        self._meter.add(level)

    def show_tried(self, tried: Tried) -> None:
        if tried.problem:
            self._say(tried.problem, "", "danger")
        elif not tried.heard:
            self._say(self.tr("No speech was heard."), "", "warning")
        else:
            means = tried.readback or self.tr("That is no command.")
            took = self.tr("{0} ms").format(round(tried.seconds * 1000))
            self._say(f"“{tried.heard}”", f"{means}  ({round(tried.confidence * 100)} %, {took})", "strong")

    def show_off(self) -> None:
        """There is no voice path in this window."""
        self.trial.setEnabled(False)

    def _say(self, heard: str, means: str, tone: str) -> None:
        restyle(self._heard, tone=tone)
        self._heard.setText(heard)
        self._heard.show()
        self._means.setText(means)
        self._means.setVisible(bool(means))
