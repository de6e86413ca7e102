"""What the editors of values that are made of others have in common: they put what is wrong to the part it is in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from PySide6.QtWidgets import QWidget

from actions.catalog.json_schema import Problem
from desktop.forms.schema import Node, Schema
from desktop.forms.schema_entry import Entry
from desktop.forms.schema_leaves import NodeEditor
from desktop.theme.theme import Theme
from desktop.widgets.basics import column, frame


class Makes(Protocol):
    """Makes the editor of each node of one schema."""

    schema: Schema
    theme: Theme

    def __call__(self, node: Node, required: bool, depth: int, /) -> NodeEditor: ...


class Composed(NodeEditor):
    """Puts what is wrong to the entry at the first step of its path."""

    def __init__(self, node: Node, maker: Makes, depth: int) -> None:
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


def drop(widget: QWidget) -> None:
    """Take a widget away for good."""
    widget.hide()
    widget.setParent(None)
    widget.deleteLater()
