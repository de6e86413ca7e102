"""A page of plain settings: a title, what it does, and one control for each; every change is made at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QCheckBox, QFrame, QLineEdit, QScrollArea, QSpinBox, QVBoxLayout, QWidget

from desktop.theme.spacing import COLUMN_WIDTH
from desktop.theme.theme import Theme
from desktop.widgets.basics import column, frame, label, restyle, row
from desktop.widgets.select import Select

_CONTROL_WIDTH = 200


@dataclass(frozen=True)
class Preference:
    """How one setting is shown. ``choices`` are value and words; ``most`` makes a number of it, 0 worded ``zero``."""

    key: str
    title: str
    about: str = ""
    choices: Sequence[tuple[Any, str]] = ()
    most: int | None = None
    zero: str = ""
    switch: bool = False


class _Number(QSpinBox):
    """The wheel scrolls the page under it and never changes a value by accident."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class PreferenceRow(QFrame):
    """One setting. ``changed`` carries its key and the new value as text."""

    changed = Signal(str, str)

    def __init__(self, theme: Theme, shown: Preference) -> None:
        super().__init__()
        self.preference = shown
        self.control = self._control(theme, shown)
        self.control.setAccessibleName(shown.title)
        self.control.setAccessibleDescription(shown.about)
        self._problem = label(tone="danger", wrap=True)
        self._problem.hide()
        texts = column(gap=2)
        texts.addWidget(label(shown.title, wrap=True))
        if shown.about:
            texts.addWidget(label(shown.about, tone="small", wrap=True))
        texts.addWidget(self._problem)
        inside = row(self, margin=(0, 8, 0, 8), gap=24)
        inside.addLayout(texts, 1)
        inside.addWidget(self.control, 0, Qt.AlignmentFlag.AlignTop)

    def show_value(self, value: Any) -> None:
        """What holds now; says nothing to anybody."""
        control = self.control
        control.blockSignals(True)
        if isinstance(control, QCheckBox):
            control.setChecked(bool(value))
        elif isinstance(control, Select):
            control.setCurrentIndex(control.findData(value))
        elif isinstance(control, QSpinBox):
            control.setValue(int(value))
        elif isinstance(control, QLineEdit) and not control.hasFocus():
            control.setText(str(value))
        control.blockSignals(False)
        self.show_problem("")

    def show_problem(self, text: str) -> None:
        self._problem.setText(text)
        self._problem.setVisible(bool(text))
        self.control.setAccessibleDescription(text or self.preference.about)
        restyle(self.control, bad=bool(text))

    def words(self) -> str:
        """What a search finds it by."""
        return f"{self.preference.title} {self.preference.about} {self.preference.key}".casefold()

    def _control(self, theme: Theme, shown: Preference) -> QWidget:
        if shown.switch:
            switch = QCheckBox()
            switch.toggled.connect(lambda on: self.changed.emit(shown.key, "true" if on else "false"))
            return switch
        if shown.choices:
            select = Select(theme)
            select.setFixedWidth(_CONTROL_WIDTH)
            for value, words in shown.choices:
                select.addItem(words, value)
            select.activated.connect(lambda at: self.changed.emit(shown.key, str(select.itemData(at))))
            return select
        if shown.most is not None:
            number = _Number()
            number.setFixedWidth(_CONTROL_WIDTH)
            number.setButtonSymbols(QSpinBox.ButtonSymbols.NoButtons)
            number.setRange(0, shown.most)
            number.setSpecialValueText(shown.zero)
            number.setKeyboardTracking(False)
            number.valueChanged.connect(lambda value: self.changed.emit(shown.key, str(value)))
            return number
        text = QLineEdit()
        text.setFixedWidth(_CONTROL_WIDTH)
        text.editingFinished.connect(lambda: text.isModified() and self._entered(text))
        return text

    def _entered(self, text: QLineEdit) -> None:
        text.setModified(False)
        self.changed.emit(self.preference.key, text.text())


class PreferencePage(QFrame):
    """The frame of such a page; ``add_group`` fills it, ``body`` takes what is no plain setting."""

    changed = Signal(str, str)

    def __init__(self, theme: Theme, title: str, about: str = "") -> None:
        super().__init__()
        self.setProperty("kind", "page")
        self._theme = theme
        self.title = title
        self.rows: dict[str, PreferenceRow] = {}
        canvas = QWidget()
        canvas.setProperty("kind", "canvas")
        canvas.setMaximumWidth(COLUMN_WIDTH)
        self.body: QVBoxLayout = column(canvas, margin=(24, 8, 24, 24), gap=4)
        if about:
            self.body.addWidget(label(about, tone="muted", wrap=True))
        scroll = QScrollArea()
        scroll.setProperty("kind", "plain")
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its controls are reached, and bring themselves into sight
        scroll.setWidget(canvas)
        self._scroll = scroll
        bar = frame("bar")
        row(bar, margin=(24, 14, 16, 14)).addWidget(label(title, tone="heading"))
        inside = column(self, gap=0)
        inside.addWidget(bar)
        inside.addWidget(scroll, 1)

    def add_group(self, title: str, shown: Sequence[Preference]) -> None:
        if title:
            self.body.addSpacing(12)
            self.body.addWidget(label(title, tone="group"))
        for preference in shown:
            entry = PreferenceRow(self._theme, preference)
            entry.changed.connect(self.changed)
            self.rows[preference.key] = entry
            self.body.addWidget(entry)

    def show_values(self, values: Mapping[str, Any]) -> None:
        """What holds, by key; what the page has no row for is passed over."""
        for key, entry in self.rows.items():
            if key in values:
                entry.show_value(values[key])

    def show_file(self, file: str) -> None:
        """Where the settings are kept; most pages do not say."""

    def show_problem(self, key: str, message: str, value: Any = None) -> None:
        """A change was refused: why, beside its control, which shows what holds."""
        if (entry := self.rows.get(key)) is not None:
            if value is not None:
                entry.show_value(value)
            entry.show_problem(message)

    def words(self) -> str:
        """Everything that a search of the settings finds this page by."""
        return " ".join([self.title.casefold(), *(entry.words() for entry in self.rows.values())])

    def reveal(self, query: str) -> None:
        """Bring the first setting that fits a search into sight."""
        for entry in self.rows.values():
            if query and all(word in entry.words() for word in query.casefold().split()):
                self._scroll.ensureWidgetVisible(entry)
                return
