"""One shape out of several, chosen by its name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from actions.catalog.json_schema import Problem, is_valid
from desktop.forms.schema import ABSENT, Choice, Kind, Node, Schema
from desktop.forms.schema_composed import Makes, drop
from desktop.forms.schema_entry import Entry
from desktop.forms.schema_leaves import ChoiceEditor, NodeEditor
from desktop.forms.schema_words import kind_word


class VariantsEditor(NodeEditor):
    """One shape out of several, chosen by its name."""

    def __init__(self, node: Node, maker: Makes, depth: int, *, required: bool) -> None:
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
            drop(self._inner)
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
