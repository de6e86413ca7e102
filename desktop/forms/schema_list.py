"""A list: entries with places of their own first, then as many as wanted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from desktop.forms.schema import ABSENT, Node
from desktop.forms.schema_composed import Composed, Makes, drop
from desktop.forms.schema_entry import Entry
from desktop.widgets.basics import IconButton, button, column, row

_MOST_AT_ONCE = 20
"""How many entries of a list that needs some are there from the start."""


class ListEditor(Composed):
    """Entries in an order: those with places of their own first, then as many as wanted."""

    def __init__(self, node: Node, maker: Makes, depth: int, *, required: bool) -> None:
        super().__init__(node, maker, depth)
        self._required = required
        self._given = False
        self._items: list[Entry] = []
        self._tools: dict[Entry, tuple[IconButton, IconButton]] = {}
        self._first = maker.schema.first(node)
        self._item = maker.schema.item(node)
        self._rows = column(gap=10)
        self._body.addLayout(self._rows)
        self._add = button(self.tr("Add"), kind="inline")
        self._add.clicked.connect(lambda: self._on_add())
        foot = row()
        foot.addWidget(self._add)
        foot.addStretch()
        self._body.addLayout(foot)
        least = node.schema.get("minItems")
        wanted = max(len(self._first), min(least, _MOST_AT_ONCE) if isinstance(least, int) else 0)
        for at in range(wanted):
            if at < len(self._first) or self._item is not None:
                self._append()
        self._number()

    def entries(self) -> Mapping[str | int, Entry]:
        return dict(enumerate(self._items))

    def value(self) -> Any:
        values = [entry.value() for entry in self._items]
        while values and values[-1] is ABSENT:
            values.pop()  # an entry that is still empty
        if not values and not self._given and not self._required:
            return ABSENT
        return [None if value is ABSENT else value for value in values]

    def show_value(self, value: Any) -> bool:
        given = [] if value is ABSENT else value
        if not isinstance(given, list) or (self._item is None and len(given) > len(self._first)):
            return False
        self._given = value is not ABSENT
        for entry in self._items:
            drop(entry)
        self._items.clear()
        self._tools.clear()
        for at in range(max(len(given), len(self._first))):
            entry = self._append()
            if at < len(given):
                entry.show_value(given[at])
        self._number()
        return True

    def describe(self, name: str, about: str) -> None:
        super().describe(name, about)
        self._add.setAccessibleName(self.tr("Add an entry: {0}").format(name) if name else self._add.text())

    def take_focus(self, *, bad: bool = False) -> bool:
        if super().take_focus(bad=bad):
            return True
        if not bad:
            self._add.setFocus()
        return not bad

    def _on_add(self) -> None:
        self._given = True
        self._append()
        self._number()
        self._items[-1].take_focus()
        self.changed.emit()

    def _append(self) -> Entry:
        at = len(self._items)
        own = at < len(self._first)
        node = self._first[at] if own else self._item or self._maker.schema.read(True)
        title = node.title if own and node.title else self.tr("Entry {0}").format(at + 1)
        entry = Entry(
            replace(node, title=title),
            self._maker,
            title=title,
            required=True,
            depth=self._depth + 1,
            bare=node.kind.small and not own,
            marked=False,
        )
        entry.changed.connect(self.changed)
        if not own:
            self._tools[entry] = up, cross = (
                IconButton(self._maker.theme, "chevron-up", self.tr("Move up")),
                IconButton(self._maker.theme, "cross", self.tr("Remove")),
            )
            entry.add_tool(up, lambda: self._move(entry))
            entry.add_tool(cross, lambda: self._remove(entry))
        self._items.append(entry)
        self._rows.addWidget(entry)
        if self.isVisible():
            entry.show()
        return entry

    def _move(self, entry: Entry) -> None:
        at = self._items.index(entry)
        if at > len(self._first):
            values = [one.value() for one in self._items]
            values[at - 1], values[at] = values[at], values[at - 1]
            for one, value in zip(self._items[at - 1 : at + 1], values[at - 1 : at + 1], strict=True):
                one.show_value(value)
            self._items[at - 1].take_focus()
            self.changed.emit()

    def _remove(self, entry: Entry) -> None:
        self._given = True
        self._items.remove(entry)
        self._tools.pop(entry, None)
        drop(entry)
        self._number()
        self._add.setFocus()
        self.changed.emit()

    def _number(self) -> None:
        for at, entry in enumerate(self._items):
            if entry not in self._tools:
                continue
            title = self.tr("Entry {0}").format(at + 1)
            up, cross = self._tools[entry]
            up.rename(self.tr("Move up: {0}").format(title))
            up.setEnabled(at > len(self._first))
            cross.rename(self.tr("Remove: {0}").format(title))
            entry.retitle(title)
        most = self.node.schema.get("maxItems")
        self._add.setVisible(self._item is not None)
        self._add.setEnabled(not isinstance(most, int) or len(self._items) < most)
