"""A group of named fields, and entries with names of their own where the schema allows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtWidgets import QLineEdit, QWidget

from actions.catalog.json_schema import Problem
from desktop.forms.schema import ABSENT, Node, words
from desktop.forms.schema_composed import Composed, Makes, drop
from desktop.forms.schema_entry import Entry
from desktop.widgets.basics import IconButton, button, column, restyle, row


class GroupEditor(Composed):
    """Named fields, and entries with names of their own where the schema allows them."""

    def __init__(self, node: Node, maker: Makes, depth: int) -> None:
        super().__init__(node, maker, depth)
        self._named: dict[str, Entry] = {}
        self._free: list[tuple[QLineEdit, Entry, QWidget]] = []
        for found in maker.schema.properties(node):
            title = found.node.title or words(found.name) or found.name
            self._named[found.name] = entry = self._entry(found.node, title, required=found.required)
            self._body.addWidget(entry)
        self._more = maker.schema.entries(node)
        self._rows = column(gap=10)
        self._body.addLayout(self._rows)
        self._add = button(self.tr("Add an entry"), kind="inline")
        self._add.clicked.connect(lambda: self._on_add())
        self._add.setVisible(self._more is not None)
        foot = row()
        foot.addWidget(self._add)
        foot.addStretch()
        self._body.addLayout(foot)

    def entries(self) -> Mapping[str | int, Entry]:
        return {**self._named, **{name.text(): entry for name, entry, _ in self._free}}

    def value(self) -> Any:
        given = {name: entry.value() for name, entry in self._named.items()}
        given |= {name.text(): entry.value() for name, entry, _ in self._free if name.text()}
        return {name: value for name, value in given.items() if value is not ABSENT}

    def show_value(self, value: Any) -> bool:
        if value is ABSENT:
            value = {}
        if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
            return False
        for _, _, holder in self._free:
            drop(holder)
        self._free.clear()
        for name, entry in self._named.items():
            entry.show_value(value.get(name, ABSENT))
        for name, one in value.items():
            if name not in self._named:
                self._add_free(name).show_value(one)
        return True

    def describe(self, name: str, about: str) -> None:
        super().describe(name, about)
        self._add.setAccessibleName(self.tr("Add an entry: {0}").format(name) if name else self._add.text())

    def refused(self) -> str:
        names = [name.text() for name, _, _ in self._free]
        if any(not name for name in names):
            return self.tr("An entry has no name yet.")
        taken = [name for name in names if name in self._named or names.count(name) > 1]
        return self.tr("The name {0} is there already.").format(taken[0]) if taken else ""

    def take_focus(self, *, bad: bool = False) -> bool:
        for name, entry, _ in self._free:
            if bad and not name.text():
                name.setFocus()
                return True
            if not bad and not self._named:
                name.setFocus()
                return True
            if bad and entry.take_focus(bad=True):
                return True
        if super().take_focus(bad=bad):
            return True
        if not bad and self._more is not None:
            self._add.setFocus()
            return True
        return False

    def take(self, problems: Sequence[Problem]) -> list[Problem]:
        for name, _, _ in self._free:
            restyle(name, bad="true" if not name.text() and problems else "false")
        return super().take(problems)

    def _on_add(self) -> None:
        self._add_free("")
        self._free[-1][0].setFocus()
        self.changed.emit()

    def _add_free(self, name: str) -> Entry:
        node = self._more or self._maker.schema.read(True)
        field = QLineEdit(name)
        field.setPlaceholderText(self.tr("Name"))
        field.setAccessibleName(self.tr("Name of the entry"))
        field.setMaximumWidth(220)
        entry = self._entry(replace(node, title="", default=ABSENT), "", required=True)
        remove = IconButton(self._maker.theme, "cross", self.tr("Remove the entry {0}").format(name))
        holder = QWidget()
        line = row(holder, gap=8)
        line.addWidget(field)
        line.addWidget(entry, 1)
        line.addWidget(remove)
        self._rows.addWidget(holder)
        if self.isVisible():
            holder.show()
        place = (field, entry, holder)
        self._free.append(place)

        def renamed(text: str) -> None:
            remove.rename(self.tr("Remove the entry {0}").format(text))
            entry.name(text)
            self.changed.emit()

        def removed() -> None:
            self._free.remove(place)
            drop(holder)
            self._add.setFocus()
            self.changed.emit()

        field.textEdited.connect(renamed)
        remove.clicked.connect(lambda: removed())
        entry.name(name)
        return entry
