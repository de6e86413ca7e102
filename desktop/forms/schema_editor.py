"""A field of a form whose value a JSON Schema describes: drawn by it, and checked by it beside each part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from actions.catalog.form import FormField
from actions.catalog.json_schema import Path, Problem, problems
from desktop.forms.editors import Editor
from desktop.forms.schema import ABSENT, Schema
from desktop.forms.schema_entry import Entry
from desktop.forms.schema_maker import Maker
from desktop.theme.theme import Theme


class SchemaEditor(Editor):
    """Tells a change at once and what is wrong with it; what is merely missing is told by :meth:`complete`."""

    def __init__(self, field: FormField, schema: Mapping[str, Any], theme: Theme) -> None:
        self._schema = dict(schema)
        read = Schema(self._schema)
        self.root = Entry(read.root, Maker(read, theme), title=field.title, required=field.required, bare=True)
        super().__init__(field, self.root)
        self.root.changed.connect(self._on_changed)

    def value(self) -> Any:
        return self.root.value()

    def show_value(self, value: Any) -> None:
        given = ABSENT if value is None and not _may_be_null(self._schema) else value
        if given is not ABSENT and given != self.root.value():
            self.root.show_value(given)

    def complete(self) -> str:
        """Mark everything that keeps the value from being valid, what is missing too; the first of it in words."""
        return self._judge(self._problems())

    def show_problem(self, path: Path, message: str) -> None:
        """Somebody else found something wrong inside."""
        self.root.take([Problem(path, "", None, message)])

    def describe(self, name: str, description: str) -> None:
        self.root.name("")

    def show_bad(self, bad: bool) -> None:
        """Each part shows for itself what is wrong with it."""

    def take_focus(self) -> None:
        if not self.root.take_focus(bad=True):
            self.root.take_focus()

    def _problems(self) -> list[Problem]:
        value = self.root.value()
        if value is ABSENT:
            return [Problem((), "required", True, "required")] if self.field.required else []
        return problems(self._schema, value)

    def _judge(self, found: Sequence[Problem]) -> str:
        self.root.take(found)
        refused = self.root.refusals()
        if not found and not refused:
            return ""
        return self.tr("Something in here is not right yet.")

    def _on_changed(self) -> None:
        value = self.root.value()
        wrong = self._judge([problem for problem in self._problems() if problem.keyword != "required"])
        self.changed.emit(None if value is ABSENT else value)
        if wrong:
            self.refused.emit(wrong)


def _may_be_null(schema: Mapping[str, Any]) -> bool:
    return not problems(schema, None)
