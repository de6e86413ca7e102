"""The draft behind a form: values, errors and which fields count. Pure Python; the widgets only show it.

A value that was never given is absent, an emptied one is ``""`` or ``[]``, and None means None: the three stay apart,
because an action may treat "leave it" and "clear it" differently.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from actions.catalog.form import FieldState, FormField, effective_draft, field_states, missing_fields


class Draft:
    """What the user has entered so far into ``fields``."""

    def __init__(self, fields: Sequence[FormField], values: Mapping[str, Any] | None = None) -> None:
        self.fields = list(fields)
        self.errors: dict[str, str] = {}
        self._judged: set[str] = set()
        self.notes: dict[str, str] = {}
        """What a person should know about a field although nothing is wrong with its value."""
        self._by_path = {field.path: field for field in self.fields}
        self._values: dict[str, Any] = {
            field.path: field.default for field in self.fields if field.default is not None and not field.explicit
        }
        self._values.update(values or {})

    def field(self, path: str) -> FormField:
        return self._by_path[path]

    def value(self, path: str) -> Any:
        return self._values.get(path)

    def set(self, path: str, value: Any) -> None:
        """Enter a value; its old error goes."""
        self.errors.pop(path, None)
        self._judged.discard(path)
        field = self._by_path[path]
        if value in ("", []) and (field.nullable or path not in self._values) and not field.required:
            self._values.pop(path, None)  # an optional text left empty was not given
        elif value is None:
            self._values.pop(path, None)
        else:
            self._values[path] = value

    def states(self) -> dict[str, FieldState]:
        return {state.path: state for state in field_states(self.fields, self._values)}

    def values(self) -> dict[str, Any]:
        """Everything entered, for option sources and predicates."""
        return dict(self._values)

    def input(self) -> dict[str, Any]:
        """What is sent: the values of the visible fields."""
        return effective_draft(self.fields, self._values)

    def dependents(self, path: str) -> list[FormField]:
        """The fields whose options may change when ``path`` does."""
        return [field for field in self.fields if field.source and path in field.source_needs]

    def main_paths(self) -> list[str]:
        """The fields that are shown at once: those that are needed or asked for, then those that were given a value.

        A session that the host fills in by itself is not asked for. When nothing is needed, every field is a main one.
        """
        states = self.states()
        required = [
            field.path
            for field in self.fields
            if states[field.path].required or field.required_when or field.schema_from or (field.ask and not field.own)
        ]
        if not required:
            return [field.path for field in self.fields]
        given = {path for path in self._values if self._values[path] != self._by_path[path].default}
        return required + [
            field.path
            for field in self.fields
            if field.path not in required and (field.path in given or field.path in self.errors)
        ]

    def lacks_for_options(self, field: FormField) -> bool:
        """Whether the options of ``field`` depend on other fields that are all still empty, and one of them has to be
        filled in anyway. What may be left out, or is no field of this form, is for the source to judge."""
        needed = [path for path in field.source_needs if path in self._by_path]
        if any(self._values.get(path) for path in needed):
            return False
        states = self.states()
        return any(states[path].required for path in needed)

    def check(self, missing: str) -> str | None:
        """Mark the required fields that are empty with ``missing`` and return the first bad path, if any. Everything
        else is for the action to judge, anew each time: another field may have cured what it refused."""
        for path in self._judged:
            self.errors.pop(path, None)
        self._judged.clear()
        for field in missing_fields(self.fields, self._values):
            self.errors.setdefault(field.path, field.ask or missing)
        return self.first_error()

    def mark(self, path: str, error: str) -> None:
        """What its editor says of a field: an error, or nothing any more."""
        if error:
            self.errors.setdefault(path, error)
        else:
            self.errors.pop(path, None)

    def take_errors(self, errors: Sequence[Mapping[str, str]]) -> list[str]:
        """Put an ``invalid_input``'s ``{"field", "message"}`` beside the fields; returns the messages that belong to
        none of them."""
        others: list[str] = []
        for error in errors:
            name = str(error.get("field", ""))
            path = name if name in self._by_path else name.split(".", maxsplit=1)[0]
            if path in self._by_path:
                self.errors[path] = str(error.get("message", ""))
                self._judged.add(path)
            else:
                others.append(str(error.get("message", "")))
        return others

    def first_error(self) -> str | None:
        return next((field.path for field in self.fields if field.path in self.errors), None)


def parse_json(text: str) -> Any:
    """The value of a JSON field. Raises ValueError with the line and column that is wrong."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"{error.msg} (line {error.lineno}, column {error.colno})") from error


def parse_number(text: str, kind: str) -> int | float:
    """The value of a number field of ``kind`` integer or number. Raises ValueError."""
    return int(text) if kind == "integer" else float(text)
