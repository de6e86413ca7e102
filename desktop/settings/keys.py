"""The keys page: each shortcut with its keys, changed by pressing others; two never share them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QFrame, QKeySequenceEdit

from desktop.keys.shortcuts import PREFIX, Named, conflict, named
from desktop.settings.preference import PreferencePage
from desktop.theme.theme import Theme
from desktop.widgets.basics import IconButton, column, label, restyle, row


class KeyRow(QFrame):
    """One shortcut."""

    def __init__(self, theme: Theme, shown: Named) -> None:
        super().__init__()
        self.named = shown
        self.edit = QKeySequenceEdit()
        self.edit.setMaximumSequenceLength(1)
        self.edit.setClearButtonEnabled(True)
        self.edit.setFixedWidth(180)
        self.edit.setAccessibleName(self.tr("Keys for: {0}").format(shown.title))
        self.edit.setFinishingKeyCombinations([])
        self.reset = IconButton(theme, "undo", self.tr("Usual keys for: {0}").format(shown.title))
        self._problem = label(tone="danger", wrap=True)
        self._problem.hide()
        texts = column(gap=2)
        texts.addWidget(label(shown.title, wrap=True))
        texts.addWidget(self._problem)
        inside = row(self, margin=(0, 4, 0, 4))
        inside.addLayout(texts, 1)
        inside.addWidget(self.reset, 0, Qt.AlignmentFlag.AlignTop)
        inside.addWidget(self.edit, 0, Qt.AlignmentFlag.AlignTop)

    def show_keys(self, keys: str) -> None:
        self.edit.blockSignals(True)
        self.edit.setKeySequence(QKeySequence(keys))
        self.edit.blockSignals(False)
        self.reset.setEnabled(QKeySequence(keys) != QKeySequence(self.named.default))
        self.show_problem("")

    def show_problem(self, text: str) -> None:
        self._problem.setText(text)
        self._problem.setVisible(bool(text))
        self.edit.setAccessibleDescription(text)
        restyle(self.edit, bad=bool(text))


class KeysPage(PreferencePage):
    """``changed`` carries a setting's key and the new keys; what another shortcut has is refused beside its row."""

    def __init__(self, theme: Theme) -> None:
        about = self.tr("Press the keys in a field to give them to what stands beside it.")
        super().__init__(theme, self.tr("Keys"), about)
        self._keys: dict[str, str] = {}
        self._titles: dict[str, str] = {}
        self.key_rows: dict[str, KeyRow] = {}
        for shown in named():
            entry = KeyRow(theme, shown)
            entry.edit.editingFinished.connect(lambda name=shown.name: self._on_entered(name))
            entry.reset.clicked.connect(lambda _=False, name=shown.name: self._on_reset(name))
            entry.show_keys(shown.default)
            self._keys[shown.name], self._titles[shown.name] = shown.default, shown.title
            self.key_rows[shown.name] = entry
            self.body.addWidget(entry)
        for keys, title in (
            ("Ctrl+Shift+P, F1", self.tr("Search actions")),
            ("Enter", self.tr("Send the message")),
            ("Shift+Enter", self.tr("New line")),
            ("Esc", self.tr("Stop the turn, or close what is open")),
            ("1 – 9", self.tr("Answer a request in the inbox")),
            ("Ctrl+Enter", self.tr("Give the first answer of a request")),
        ):
            line = row(margin=(0, 4, 0, 4))
            line.addWidget(label(title, tone="muted"), 1)
            line.addWidget(label(keys, tone="muted"))
            self.body.addLayout(line)
        self.body.addStretch(1)

    def show_values(self, values: Mapping[str, Any]) -> None:
        for name, entry in self.key_rows.items():
            keys = values.get(PREFIX + name)
            if isinstance(keys, str):
                self._keys[name] = keys
                entry.show_keys(keys)

    def show_problem(self, key: str, message: str, value: Any = None) -> None:
        if (entry := self.key_rows.get(key.removeprefix(PREFIX))) is not None:
            entry.show_problem(message)

    def words(self) -> str:
        return " ".join([super().words(), *(title.casefold() for title in self._titles.values())])

    def _on_entered(self, name: str) -> None:
        wanted = self.key_rows[name].edit.keySequence().toString()
        if wanted != self._keys[name]:
            self._take(name, wanted)

    def _on_reset(self, name: str) -> None:
        self._take(name, self.key_rows[name].named.default)

    def _take(self, name: str, wanted: str) -> None:
        taken = conflict(wanted, name, self._keys)
        if taken is None:
            self.changed.emit(PREFIX + name, wanted)
            return
        entry = self.key_rows[name]
        entry.show_keys(self._keys[name])
        told = self.tr("{0} always does the same, and cannot be changed.").format(wanted)
        if taken:
            told = self.tr("{0} is taken: {1}. Give that another first.").format(wanted, self._titles[taken])
        entry.show_problem(told)
