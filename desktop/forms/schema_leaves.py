"""The editors of single values in a form from a JSON Schema."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QLineEdit, QListWidget, QListWidgetItem, QPlainTextEdit, QVBoxLayout, QWidget

from actions.catalog.json_schema import Problem
from desktop.forms.draft import parse_json
from desktop.forms.schema import ABSENT, Choice, Kind, Node
from desktop.forms.schema_words import example_of
from desktop.theme.theme import Theme
from desktop.widgets.basics import label, restyle
from desktop.widgets.select import Select

_FRAIL = re.compile("[\x7f-\xa0\u2028\u2029\ufdd0\ufdd1\ud800-\udfff]")


class NodeEditor(QWidget):
    """The input of one value. ``value`` is ABSENT where none was given."""

    changed = Signal()

    def __init__(self, node: Node, control: QWidget | None = None) -> None:
        super().__init__()
        self.node = node
        self.inside = QVBoxLayout(self)
        self.inside.setContentsMargins(0, 0, 0, 0)
        self.inside.setSpacing(8)
        if control is not None:
            self.show_control(control)

    def show_control(self, control: QWidget) -> None:
        """Edit with this control from now on."""
        self.control = control
        self.inside.addWidget(control)
        self.setFocusProxy(control)

    def value(self) -> Any:
        raise NotImplementedError

    def show_value(self, value: Any) -> bool:
        """Show a value, or nothing for ABSENT; False where it cannot be shown without loss."""
        raise NotImplementedError

    def refused(self) -> str:
        """What is wrong with an input that is no value at all; empty where it is one."""
        return ""

    def take(self, problems: Sequence[Problem]) -> list[Problem]:
        """Show each problem where it belongs; gives back those that have no place inside."""
        restyle(self.control, bad="true" if problems else "false")
        return list(problems)

    def describe(self, name: str, about: str) -> None:
        self.control.setAccessibleName(name)
        self.control.setAccessibleDescription(about)

    def take_focus(self, *, bad: bool = False) -> bool:
        """Put the focus into the first control; with ``bad`` into the first that is marked, where there is one."""
        if bad and self.control.property("bad") != "true" and not self.refused():
            return False
        self.control.setFocus(Qt.FocusReason.OtherFocusReason)
        return True


class NumberEditor(NodeEditor):
    """A number, or a whole one; it can be empty, as a spin box cannot."""

    def __init__(self, node: Node) -> None:
        self._line = QLineEdit()
        super().__init__(node, self._line)
        self._line.setPlaceholderText(example_of(node))
        self._line.textEdited.connect(self.changed)

    def value(self) -> Any:
        try:
            return self._parsed()
        except ValueError:
            return ABSENT

    def show_value(self, value: Any) -> bool:
        if value is ABSENT or (value is None and self.node.nullable):
            self._line.clear()
            return True
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            return False
        if self.node.kind is Kind.INTEGER and value != int(value):
            return False
        self._line.setText(str(int(value) if self.node.kind is Kind.INTEGER else value))
        return True

    def refused(self) -> str:
        try:
            self._parsed()
        except ValueError:
            whole = self.node.kind is Kind.INTEGER
            return self.tr("Enter a whole number.") if whole else self.tr("Enter a number.")
        return ""

    def _parsed(self) -> Any:
        text = self._line.text().strip()
        if not text:
            return None if self.node.nullable else ABSENT
        try:
            return int(text)
        except ValueError:
            number = float(text)
        if not math.isfinite(number) or (self.node.kind is Kind.INTEGER and not number.is_integer()):
            raise ValueError(text)
        return int(number) if self.node.kind is Kind.INTEGER else number


class ChoiceEditor(NodeEditor):
    """One of several values, or none of them."""

    def __init__(self, node: Node, theme: Theme, choices: Sequence[Choice], *, required: bool) -> None:
        self._box = Select(theme)
        super().__init__(node, self._box)
        self._choices = list(choices)
        self._box.setSizeAdjustPolicy(Select.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._box.addItem(self.tr("Choose…") if required else self.tr("Not set"))
        for at, choice in enumerate(choices):
            self._box.addItem(choice.label)
            self._box.setItemData(at + 1, choice.description or None, Qt.ItemDataRole.ToolTipRole)
        if required and len(choices) == 1:
            self._box.setCurrentIndex(1)  # there is nothing to choose
        self._box.activated.connect(self.changed)

    def chosen(self) -> int:
        """Which choice is taken; -1 for none."""
        return self._box.currentIndex() - 1

    def value(self) -> Any:
        return self._choices[self.chosen()].value if self.chosen() >= 0 else ABSENT

    def show_value(self, value: Any) -> bool:
        if value is ABSENT:
            self._box.setCurrentIndex(0)
            return True
        at = next((at for at, choice in enumerate(self._choices) if same(choice.value, value)), None)
        if at is not None:
            self._box.setCurrentIndex(at + 1)
        return at is not None


class ChoicesEditor(NodeEditor):
    """Any number of choices, each once, in the order in which they were ticked."""

    def __init__(self, node: Node, *, required: bool) -> None:
        self._list = QListWidget()
        super().__init__(node, self._list)
        self._required = required
        self._ticked: list[int] = []
        self._given = False
        self._list.setProperty("kind", "field")
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for choice in node.choices:
            item = QListWidgetItem(choice.label)
            item.setFlags(Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled)
            item.setCheckState(Qt.CheckState.Unchecked)
            item.setToolTip(choice.description)
            self._list.addItem(item)
        self._list.setCurrentRow(0)
        shown = min(max(self._list.count(), 1), 6)
        self._list.setFixedHeight(shown * max(self._list.sizeHintForRow(0), 24) + 16)
        self._list.itemChanged.connect(self._on_tick)

    def value(self) -> Any:
        if not self._ticked and not self._given and not self._required:
            return ABSENT
        return [self.node.choices[at].value for at in self._ticked]

    def show_value(self, value: Any) -> bool:
        given = [] if value is ABSENT else value
        if not isinstance(given, list):
            return False
        values = [choice.value for choice in self.node.choices]
        places = [next((at for at, one in enumerate(values) if same(one, wanted)), -1) for wanted in given]
        if -1 in places or len(set(places)) < len(places):
            return False
        self._given, self._ticked = value is not ABSENT, places
        self._list.blockSignals(True)
        for at in range(self._list.count()):
            ticked = at in places
            self._list.item(at).setCheckState(Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked)
        self._list.blockSignals(False)
        return True

    def _on_tick(self, item: QListWidgetItem) -> None:
        at = self._list.row(item)
        self._ticked = [other for other in self._ticked if other != at]
        if item.checkState() == Qt.CheckState.Checked:
            self._ticked.append(at)
        self.changed.emit()


class NothingEditor(NodeEditor):
    """Null: there is nothing to enter."""

    def __init__(self, node: Node) -> None:
        shown: QLabel = label(tone="muted")
        super().__init__(node, shown)
        shown.setText(self.tr("Nothing is to be entered here."))

    def value(self) -> Any:
        return None

    def show_value(self, value: Any) -> bool:
        return value is None or value is ABSENT


class JsonEditor(NodeEditor):
    """Any value, written as JSON."""

    def __init__(self, node: Node) -> None:
        self._area = QPlainTextEdit()
        super().__init__(node, self._area)
        self._area.setProperty("kind", "field")
        self._area.setTabChangesFocus(True)
        self._area.setPlaceholderText(self.tr('A value as JSON, such as "text", 12, [1, 2] or {"a": true}'))
        self._area.setFixedHeight(self._area.fontMetrics().lineSpacing() * 3 + 20)
        self._area.textChanged.connect(self.changed)

    def value(self) -> Any:
        try:
            return parse_json(self._area.toPlainText()) if self._area.toPlainText().strip() else ABSENT
        except ValueError:
            return ABSENT

    def show_value(self, value: Any) -> bool:
        self._area.blockSignals(True)
        self._area.setPlainText("" if value is ABSENT else _written(value))
        self._area.blockSignals(False)
        return True

    def refused(self) -> str:
        try:
            if self._area.toPlainText().strip():
                parse_json(self._area.toPlainText())
        except ValueError as error:
            return self.tr("This is not JSON: {0}").format(error)
        return ""


def _written(value: Any) -> str:
    """JSON in which what a text field would change is written as an escape."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    return _FRAIL.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def same(one: Any, other: Any) -> bool:
    """Whether two JSON values are equal; true is not 1."""
    return one == other and isinstance(one, bool) == isinstance(other, bool)
