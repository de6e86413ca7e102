"""The privacy page: what is stored on this machine, what leaves it, and how to take either away."""

from __future__ import annotations

from PySide6.QtCore import Signal

from desktop.settings.preference import Preference, PreferencePage
from desktop.theme.theme import Theme
from desktop.widgets.basics import button, label
from desktop.widgets.flow import Flow


class PrivacyPage(PreferencePage):
    """``action_asked`` carries the action that a button leads to: its form is opened, nothing is done yet."""

    action_asked = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__(
            theme,
            self.tr("Privacy"),
            self.tr("Sayso sends nothing anywhere. What an agent sends is the agent's own affair."),
        )
        self.add_group(self.tr("What is stored"), [])
        for text in (
            self.tr("Transcripts, requests with your answers, and runs, in one database that only you can read."),
            self.tr(
                "Secrets of servers and environments in the desktop's keyring, or in a file that only you can read."
            ),
            self.tr("Logs of this machine without the text of conversations; a wire log only where you ask for one."),
        ):
            self.body.addWidget(label(f"•  {text}", wrap=True))
        self.place = label(tone="small", wrap=True, selectable=True)
        self.place.hide()
        self.body.addWidget(self.place)
        self.buttons = Flow()
        for action_id, text in (
            ("session.export", self.tr("Export a session…")),
            ("session.delete", self.tr("Delete a session for good…")),
            ("approval.rule.revoke", self.tr("Take a rule back…")),
        ):
            shown = button(text)
            shown.clicked.connect(lambda _=False, action_id=action_id: self.action_asked.emit(action_id))
            self.buttons.addWidget(shown)
        self.body.addSpacing(8)
        self.body.addLayout(self.buttons)
        audio = Preference(
            "voice.keep_audio",
            self.tr("Keep recordings"),
            self.tr("Otherwise what the microphone heard is forgotten when it has been read."),
            switch=True,
        )
        figures = Preference(
            "agent.telemetry",
            self.tr("Figures about tool calls"),
            self.tr("How long they took and how they ended, on this machine only."),
            switch=True,
        )
        private = Preference(
            "agent.private_addresses",
            self.tr("Pages of private addresses"),
            self.tr("Lets the built-in agent fetch from this machine and your network."),
            switch=True,
        )
        self.add_group(self.tr("What may be kept"), [audio, figures])
        self.add_group(self.tr("What may be reached"), [private])
        self.body.addStretch(1)

    def show_file(self, file: str) -> None:
        self.place.setText(self.tr("The settings are in {0}").format(file))
        self.place.setVisible(bool(file))
