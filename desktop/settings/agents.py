"""The providers page: which agents there are, what is wrong with one, and which a new session takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout

from actions.catalog.views import ProviderCheck, ProviderView
from desktop.settings.preference import Preference, PreferencePage
from desktop.theme.theme import Theme
from desktop.widgets.basics import button, chip, column, frame, label, restyle, row
from desktop.widgets.select import Select

_DEFAULT = "providers.default"


class ProviderCard(QFrame):
    """One agent: found or not, its version, what to do about it, and a check that starts it once."""

    check_asked = Signal(str)

    def __init__(self, provider: ProviderView) -> None:
        super().__init__()
        self.setProperty("kind", "panel")
        self._id = provider.id
        tones = {"ready": "chip-success", "missing": "chip", "too_old": "chip-warning"}
        words = {"ready": self.tr("found"), "missing": self.tr("not installed"), "too_old": self.tr("too old")}
        head = row(gap=10)
        head.addWidget(label(provider.name, tone="strong"))
        if provider.version:
            head.addWidget(label(provider.version, tone="small"))
        head.addWidget(chip(words[provider.state], tones[provider.state]))
        head.addStretch(1)
        self.check = button(self.tr("Check"), name=self.tr("Check {0}").format(provider.name))
        self.check.setEnabled(provider.state == "ready")
        self.check.clicked.connect(lambda: self.check_asked.emit(self._id))
        head.addWidget(self.check)
        inside = column(self, margin=(12, 8, 8, 8), gap=4)
        inside.addLayout(head)
        about = [provider.reason or "", *provider.notes]
        for text in filter(None, about):
            inside.addWidget(label(text, tone="muted", wrap=True, selectable=True))
        if provider.state == "ready":
            inside.addWidget(label(" ".join(provider.command), tone="small", wrap=True, selectable=True))
        self._told = label(wrap=True, selectable=True)
        self._told.hide()
        inside.addWidget(self._told)

    def show_checking(self) -> None:
        self.check.setEnabled(False)
        self._tell(self.tr("Starting it…"), "muted")

    def show_check(self, check: ProviderCheck | None, problem: str) -> None:
        """What came of a check; without one, ``problem`` says why there was none."""
        self.check.setEnabled(True)
        if check is not None and check.ok:
            self._tell(" ".join([self.tr("It starts and answers."), *check.notices]), "success")
        else:
            told = check.error.message if check is not None and check.error is not None else problem
            self._tell(told, "danger")

    def _tell(self, text: str, tone: str) -> None:
        self._told.setText(text)
        self._told.setVisible(bool(text))
        restyle(self._told, tone=tone)


class ProvidersPage(PreferencePage):
    """``check_asked`` carries a provider's id."""

    check_asked = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, self.tr("Providers"))
        usual = Preference(
            _DEFAULT,
            self.tr("Provider of new sessions"),
            choices=[("", self.tr("Ask each time"))],
        )
        model = Preference(
            "providers.agent_model",
            self.tr("Model of the built-in agent"),
            self.tr("As provider:name; empty looks for one."),
        )
        search = Preference(
            "agent.search_url",
            self.tr("Search service of the built-in agent"),
            self.tr("Its address; empty: it cannot search the web."),
        )
        self.add_group("", [usual])
        self.add_group(self.tr("Agents on this machine"), [])
        self._problem = label(tone="danger", wrap=True)
        self._problem.hide()
        self.body.addWidget(self._problem)
        holder = frame("plain")
        self._list: QVBoxLayout = column(holder, gap=8)
        self.cards: dict[str, ProviderCard] = {}
        self.body.addWidget(holder)
        self.add_group(self.tr("Built-in agent"), [model, search])
        self.body.addStretch(1)
        self._list.addWidget(label(self.tr("Looking for agents…"), tone="muted"))
        self._value = ""

    def show_providers(self, providers: Sequence[ProviderView], problems: Sequence[str] = ()) -> None:
        """Found ones first."""
        while (item := self._list.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        self.cards = {}
        for provider in sorted(providers, key=lambda p: (p.state == "missing", p.name.casefold())):
            card = self.cards[provider.id] = ProviderCard(provider)
            card.check_asked.connect(self.check_asked)
            self._list.addWidget(card)
        usual = self.rows[_DEFAULT].control
        if isinstance(usual, Select):
            usual.blockSignals(True)
            while usual.count() > 1:
                usual.removeItem(1)
            for provider in providers:
                if provider.state == "ready":
                    usual.addItem(provider.name, provider.id)
            usual.blockSignals(False)
            self.rows[_DEFAULT].show_value(self._value)
        self.show_note("\n".join(problems))

    def show_note(self, text: str) -> None:
        self._problem.setText(text)
        self._problem.setVisible(bool(text))

    def show_values(self, values: Mapping[str, Any]) -> None:
        self._value = str(values.get(_DEFAULT, self._value))
        super().show_values(values)
