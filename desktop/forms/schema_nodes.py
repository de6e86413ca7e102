"""The editors of values that are made of others: groups of fields, lists, and one shape out of several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtWidgets import QLineEdit, QWidget

from actions.catalog.json_schema import Problem, is_valid
from desktop.forms.schema import ABSENT, Choice, Kind, Node, Schema, words
from desktop.forms.schema_entry import Entry
from desktop.forms.schema_leaves import (
    ChoiceEditor,
    ChoicesEditor,
    JsonEditor,
    NodeEditor,
    NothingEditor,
    NumberEditor,
    TextEditor,
)
from desktop.forms.schema_words import kind_word, translate
from desktop.theme.theme import Theme
from desktop.widgets.basics import IconButton, button, column, frame, restyle, row

_MOST_AT_ONCE = 20
"""How many entries of a list that needs some are there from the start."""


class Maker:
    """Makes the editor of each node of one schema."""

    def __init__(self, schema: Schema, theme: Theme) -> None:
        self.schema = schema
        self.theme = theme

    def __call__(self, node: Node, required: bool, depth: int) -> NodeEditor:
        match node.kind:
            case Kind.TEXT:
                return TextEditor(node)
            case Kind.INTEGER | Kind.NUMBER:
                return NumberEditor(node)
            case Kind.BOOLEAN:
                yes, no = translate("SchemaWords", "Yes"), translate("SchemaWords", "No")
                return ChoiceEditor(node, self.theme, [Choice(True, yes), Choice(False, no)], required=required)
            case Kind.CHOICE:
                return ChoiceEditor(node, self.theme, node.choices, required=required)
            case Kind.CHOICES:
                return ChoicesEditor(node, required=required)
            case Kind.GROUP:
                return GroupEditor(node, self, depth)
            case Kind.LIST:
                return ListEditor(node, self, depth, required=required)
            case Kind.VARIANTS:
                return VariantsEditor(node, self, depth, required=required)
            case Kind.NOTHING:
                return NothingEditor(node)
            case Kind.ANY:
                return JsonEditor(node)


class _Composed(NodeEditor):
    """Puts what is wrong to the entry at the first step of its path."""

    def __init__(self, node: Node, maker: Maker, depth: int) -> None:
        self._maker = maker
        self._depth = depth
        holder: QWidget = frame("nested") if depth else QWidget()
        super().__init__(node, holder)
        self._body = column(holder, margin=(12, 2, 0, 2) if depth else 0, gap=10)

    def entries(self) -> Mapping[str | int, Entry]:
        """The entries in their order, by the step of the path that leads to each."""
        raise NotImplementedError

    def take(self, problems: Sequence[Problem]) -> list[Problem]:
        left: list[Problem] = []
        inner: dict[str | int, list[Problem]] = {}
        known = self.entries()
        for problem in problems:
            if problem.path and problem.path[0] in known:
                inner.setdefault(problem.path[0], []).append(replace(problem, path=problem.path[1:]))
            else:
                left.append(problem)
        for step, entry in known.items():
            entry.take(inner.get(step, ()))
        return left

    def describe(self, name: str, about: str) -> None:
        self._called = name
        for entry in self.entries().values():
            entry.name(name)

    def take_focus(self, *, bad: bool = False) -> bool:
        return any(entry.take_focus(bad=bad) for entry in self.entries().values())

    def _entry(self, node: Node, title: str, *, required: bool) -> Entry:
        made = Entry(node, self._maker, title=title, required=required, depth=self._depth + 1)
        made.changed.connect(self.changed)
        return made


class GroupEditor(_Composed):
    """Named fields, and entries with names of their own where the schema allows them."""

    def __init__(self, node: Node, maker: Maker, depth: int) -> None:
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
            _drop(holder)
        self._free.clear()
        for name, entry in self._named.items():
            entry.show_value(value.get(name, ABSENT))
        for name, one in value.items():
            if name not in self._named:
                self._add_free(name).show_value(one)
        return True

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
            _drop(holder)
            self._add.setFocus()
            self.changed.emit()

        field.textEdited.connect(renamed)
        remove.clicked.connect(lambda: removed())
        entry.name(name)
        return entry


class ListEditor(_Composed):
    """Entries in an order: those with places of their own first, then as many as wanted."""

    def __init__(self, node: Node, maker: Maker, depth: int, *, required: bool) -> None:
        super().__init__(node, maker, depth)
        self._required = required
        self._given = False
        self._items: list[Entry] = []
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
            _drop(entry)
        self._items.clear()
        for at in range(max(len(given), len(self._first))):
            entry = self._append()
            if at < len(given):
                entry.show_value(given[at])
        self._number()
        return True

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
            entry.add_tool(IconButton(self._maker.theme, "chevron-up", self.tr("Move up")), lambda: self._move(entry))
            entry.add_tool(IconButton(self._maker.theme, "cross", self.tr("Remove")), lambda: self._remove(entry))
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
        _drop(entry)
        self._number()
        self._add.setFocus()
        self.changed.emit()

    def _number(self) -> None:
        for at, entry in enumerate(self._items):
            if at >= len(self._first):
                entry.retitle(self.tr("Entry {0}").format(at + 1))
        most = self.node.schema.get("maxItems")
        self._add.setVisible(self._item is not None)
        self._add.setEnabled(not isinstance(most, int) or len(self._items) < most)


class VariantsEditor(NodeEditor):
    """One shape out of several, chosen by its name."""

    def __init__(self, node: Node, maker: Maker, depth: int, *, required: bool) -> None:
        self._maker = maker
        self._depth = depth
        self._shapes = maker.schema.variants(node)
        names = _distinct([_name(maker.schema, shape) for shape in self._shapes])
        self._choice = ChoiceEditor(
            node,
            maker.theme,
            [Choice(at, names[at], shape.description) for at, shape in enumerate(self._shapes)],
            required=required,
        )
        self._inner: Entry | None = None
        super().__init__(node, self._choice)
        self._choice.changed.connect(self._on_choice)
        if required and self._shapes and self._shapes[0].kind is not Kind.NOTHING:
            self._take_shape(0)

    def value(self) -> Any:
        return ABSENT if self._inner is None else self._inner.value()

    def show_value(self, value: Any) -> bool:
        if value is ABSENT:
            return True
        schema = self._maker.schema
        at = next(
            (at for at, one in enumerate(self._shapes) if is_valid(schema.standing_alone(one.schema), value)), None
        )
        if at is None:
            return False
        self._take_shape(at)
        if self._inner is not None:
            self._inner.show_value(value)
        return True

    def take(self, problems: Sequence[Problem]) -> list[Problem]:
        if self._inner is None:
            return super().take(problems)
        self._inner.take(problems)
        return []

    def describe(self, name: str, about: str) -> None:
        self._choice.describe(name, about)
        if self._inner is not None:
            self._inner.name(name)

    def take_focus(self, *, bad: bool = False) -> bool:
        if bad and self._inner is not None:
            return self._inner.take_focus(bad=True)
        return self._choice.take_focus(bad=bad)

    def _on_choice(self) -> None:
        before = self.value()
        at = self._choice.chosen()
        if at < 0:
            self._clear()
        else:
            self._take_shape(at)
            schema = self._maker.schema.standing_alone(self._shapes[at].schema)
            if self._inner is not None and before not in (ABSENT, None) and is_valid(schema, before):
                self._inner.show_value(before)  # what fits the other shape too is kept
        self.changed.emit()

    def _take_shape(self, at: int) -> None:
        self._clear()
        self._choice.show_value(at)
        self._inner = Entry(
            replace(self._shapes[at], title=""), self._maker, title="", required=True, depth=self._depth + 1, bare=True
        )
        self._inner.changed.connect(self.changed)
        self.inside.addWidget(self._inner)
        if self.isVisible():
            self._inner.show()

    def _clear(self) -> None:
        if self._inner is not None:
            _drop(self._inner)
            self._inner = None


def _name(schema: Schema, shape: Node) -> str:
    """What tells a shape apart: its title, the value that only it has, its fields, or its kind."""
    if shape.title:
        return shape.title
    if shape.kind is Kind.GROUP:
        found = schema.properties(shape)
        fixed = [one.node.choices[0].label for one in found if len(one.node.choices) == 1]
        return ", ".join(fixed or [one.node.title for one in found if one.required] or [kind_word(shape.kind)])
    if shape.kind is Kind.CHOICE:
        return " / ".join(choice.label for choice in shape.choices[:4])
    return kind_word(shape.kind)


def _distinct(names: list[str]) -> list[str]:
    twice = {name for name in names if names.count(name) > 1}
    return [f"{name} ({names[:at].count(name) + 1})" if name in twice else name for at, name in enumerate(names)]


def _drop(widget: QWidget) -> None:
    widget.hide()
    widget.setParent(None)
    widget.deleteLater()
