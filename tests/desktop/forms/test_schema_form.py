"""A form drawn from a JSON Schema: every property appears, and what is shown is given back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from jsonschema.validators import validator_for
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from actions.catalog.json_schema import problems
from actions.catalog.projections.tool import input_schema
from actions.catalog.registry import load
from desktop.forms.schema import ABSENT, Kind, Schema
from desktop.forms.schema_entry import Entry
from desktop.forms.schema_group import GroupEditor
from desktop.forms.schema_leaves import JsonEditor
from desktop.forms.schema_list import ListEditor
from desktop.forms.schema_maker import Maker
from desktop.forms.schema_variants import VariantsEditor
from desktop.theme.theme import Theme
from tests.desktop.forms.schemas import PAIRS, SOUP

REAL = json.loads((Path(__file__).parents[2] / "fixtures" / "mcp" / "tool_schemas.json").read_text(encoding="utf-8"))


def drawn(schema: Any, theme: Theme, *, required: bool = True) -> Entry:
    read = Schema(schema)
    return Entry(read.root, Maker(read, theme), title="it", required=required, bare=True)


def group(entry: Entry) -> GroupEditor:
    assert isinstance(entry.editor, GroupEditor)
    return entry.editor


def named(entry: Entry, name: str) -> Entry:
    return group(entry).entries()[name]


def control(entry: Entry) -> Any:
    assert entry.editor is not None
    return entry.editor.control


def press(entry: QWidget, text: str) -> None:
    next(b for b in entry.findChildren(QPushButton) if b.text() == text and not b.isHidden()).click()


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(PAIRS)
def test_any_value_that_fits_is_shown_and_given_back(theme: Theme, pair: tuple[Any, Any]) -> None:
    schema, value = pair
    jsonschema.Draft202012Validator(schema).validate(value)
    entry = drawn(schema, theme)
    entry.show_value(value)
    assert entry.value() == value
    assert not entry.refusals()
    jsonschema.Draft202012Validator(schema).validate(entry.value())
    entry.deleteLater()


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(SOUP)
def test_no_schema_is_too_odd_to_be_drawn(theme: Theme, schema: Any) -> None:
    entry = drawn(schema, theme)
    entry.take(problems(schema, entry.value()))
    entry.show_value({"name": [1, {"a": None}]})
    assert entry.value() == {"name": [1, {"a": None}]}  # whatever the schema says, what is there is kept
    entry.deleteLater()


def test_a_schema_in_a_circle_or_without_an_end_is_edited_as_json(theme: Theme) -> None:
    deep: dict[str, Any] = {"type": "string"}
    for _ in range(5_000):
        deep = {"anyOf": [deep]}
    circle = {"$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}]}}, "$ref": "#/$defs/a"}
    for schema in (deep, circle):
        assert isinstance(drawn(schema, theme).editor, JsonEditor)


def tool_schemas() -> list[tuple[str, dict[str, Any]]]:
    ours = [(spec.id, input_schema(spec)) for spec in load()]
    return [*ours, *((f"{server}.{name}", schema) for server, tools in REAL.items() for name, schema in tools.items())]


@pytest.mark.parametrize(("name", "schema"), [pytest.param(*one, id=one[0]) for one in tool_schemas()])
def test_every_property_of_a_real_tool_appears(theme: Theme, name: str, schema: dict[str, Any]) -> None:
    entry = drawn(schema, theme)
    shown = group(entry).entries()
    assert list(shown) == list(schema.get("properties") or {})
    for path, prop in (schema.get("properties") or {}).items():
        assert shown[path].required == (path in (schema.get("required") or []))
        assert shown[path].title
        about = prop.get("description", "").strip()
        assert not about or about in (shown[path].node.description, shown[path].title)
    entry.show_value(sample(schema, schema))
    assert {one.node.kind for one in entry.findChildren(JsonEditor)} <= {Kind.ANY}  # all else has a control of its own
    assert problems(schema, entry.value()) == []
    validator_for(schema)(schema).validate(entry.value())
    entry.deleteLater()


def sample(schema: Any, root: dict[str, Any], depth: int = 0) -> Any:
    """A value that fits, with every property that is needed and, near the top, every other one."""
    if not isinstance(schema, dict) or not schema:
        return {"any": [1]}
    if "$ref" in schema:
        place: Any = root
        for part in schema["$ref"].removeprefix("#/").split("/"):
            place = place[part]
        return sample(place, root, depth + 1)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][-1]
    for branches in ("anyOf", "oneOf"):
        if branches in schema:
            return sample(schema[branches][0], root, depth)
    for part in schema.get("allOf", ()):
        return sample(part, root, depth)
    match schema.get("type"):
        case "object" | None:
            needed = schema.get("required", [])
            found = {
                name: sample(one, root, depth + 1)
                for name, one in schema.get("properties", {}).items()
                if name in needed or depth < 2
            }
            more = schema.get("additionalProperties")
            return found | ({"key": sample(more, root, depth + 1)} if isinstance(more, dict) and not found else {})
        case "array":
            return [sample(schema.get("items", {}), root, depth + 1)] * max(schema.get("minItems", 1), 1)
        case "integer" | "number":
            low = schema.get("minimum", schema.get("exclusiveMinimum", 0) + 1)
            return max(low, 1) if schema.get("maximum", 10) >= 1 else schema["maximum"]
        case "boolean":
            return True
        case "null":
            return None
        case _:
            formats = {"uri": "https://example.org", "email": "a@example.org", "date": "2026-12-01"}
            text = formats.get(schema.get("format", ""), "text")
            return text * max(1, schema.get("minLength", 0) // len(text) + 1) if "minLength" in schema else text


SERVER: dict[str, Any] = {
    "type": "object",
    "required": ["name", "way"],
    "properties": {
        "name": {"type": "string", "minLength": 3},
        "way": {
            "oneOf": [
                {"title": "Command", "required": ["command"], "properties": {"command": {"type": "string"}}},
                {"title": "Address", "required": ["url"], "properties": {"url": {"type": "string", "format": "uri"}}},
            ]
        },
        "env": {"type": "object", "additionalProperties": {"type": "string"}},
        "ports": {"type": "array", "items": {"type": "integer", "maximum": 65535}},
        "on": {"type": "boolean"},
        "parts": {"type": "array", "items": {"enum": ["api", "ui"]}},
        "free": {},
    },
}


def test_a_form_is_filled_in_by_hand(qtbot: QtBot, theme: Theme) -> None:
    entry = drawn(SERVER, theme)
    qtbot.addWidget(entry)
    entry.show()
    QTest.keyClicks(control(named(entry, "name")), "shop")
    way = named(entry, "way").editor
    assert isinstance(way, VariantsEditor)
    box = named(entry, "way").findChild(QComboBox)
    assert isinstance(box, QComboBox)
    assert [box.itemText(at) for at in range(box.count())] == ["Choose…", "Command", "Address"]
    box.setCurrentIndex(2)
    box.activated.emit(2)
    url = [line for line in way.findChildren(QLineEdit) if line.isVisible()]
    QTest.keyClicks(url[0], "https://x.example")
    press(named(entry, "env"), "Add")
    press(named(entry, "env"), "Add an entry")
    key, value = (line for line in named(entry, "env").findChildren(QLineEdit) if line.isVisible())
    QTest.keyClicks(key, "TOKEN")
    QTest.keyClicks(value, "abc")
    press(named(entry, "ports"), "Add")
    ports = named(entry, "ports").editor
    assert isinstance(ports, ListEditor)
    for number in ("80", "443"):
        ports._add.click()
        QTest.keyClicks(control(ports.entries()[len(ports.entries()) - 1]), number)
    control(named(entry, "on")).setCurrentIndex(2)
    ticks = control(named(entry, "parts"))
    assert isinstance(ticks, QListWidget)
    ticks.item(1).setCheckState(Qt.CheckState.Checked)
    control(named(entry, "free")).setPlainText('{"a": null}')
    assert entry.value() == {
        "name": "shop",
        "way": {"url": "https://x.example"},
        "env": {"TOKEN": "abc"},
        "ports": [80, 443],
        "on": False,
        "parts": ["ui"],
        "free": {"a": None},
    }


def test_what_is_left_alone_is_left_out(theme: Theme) -> None:
    entry = drawn({"type": "object", "properties": SERVER["properties"]}, theme)
    assert entry.value() == {}
    assert drawn({"type": "object", "properties": {}}, theme, required=False).value() is ABSENT


def test_defaults_are_there_from_the_start(theme: Theme) -> None:
    schema = {"properties": {"n": {"type": "integer", "default": 5}, "b": {"type": "boolean", "default": False}}}
    assert drawn(schema, theme).value() == {"n": 5, "b": False}


def test_a_null_that_means_nothing_more_than_left_out_is_an_empty_field(theme: Theme) -> None:
    schema = {"properties": {"t": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None}}}
    entry = drawn(schema, theme)
    assert isinstance(control(named(entry, "t")), QLineEdit)
    entry.show_value({"t": None})
    assert isinstance(control(named(entry, "t")), QLineEdit)
    assert entry.value() == {}


def test_an_emptied_text_is_cleared_and_not_left_out(theme: Theme) -> None:
    entry = drawn({"properties": {"a": {"type": "string"}, "b": {"type": "string"}}}, theme)
    entry.show_value({"a": "x"})
    line = control(named(entry, "a"))
    line.clear()
    assert entry.value() == {"a": ""}


def test_entries_are_moved_and_removed(qtbot: QtBot, theme: Theme) -> None:
    entry = drawn({"type": "array", "items": {"type": "string"}}, theme)
    qtbot.addWidget(entry)
    entry.show_value(["a", "b", "c"])
    editor = entry.editor
    assert isinstance(editor, ListEditor)
    editor._move(editor.entries()[2])
    assert entry.value() == ["a", "c", "b"]
    tools = [tool for tool in editor.findChildren(QToolButton) if tool.isEnabled()]
    assert [tool.accessibleName() for tool in tools] == [
        "Remove: Entry 1",
        "Move up: Entry 2",
        "Remove: Entry 2",
        "Move up: Entry 3",
        "Remove: Entry 3",
    ]
    editor._remove(editor.entries()[0])
    assert entry.value() == ["c", "b"]
    for _ in range(2):
        editor._remove(editor.entries()[0])
    assert entry.value() == []  # emptied, not left out


def test_a_group_that_contains_itself_grows_on_demand(qtbot: QtBot, theme: Theme) -> None:
    tree = {
        "$ref": "#/$defs/node",
        "$defs": {
            "node": {
                "type": "object",
                "required": ["name"],
                "properties": {"name": {"type": "string"}, "next": {"$ref": "#/$defs/node"}},
            }
        },
    }
    entry = drawn(tree, theme)
    qtbot.addWidget(entry)
    press(named(entry, "next"), "Add")
    QTest.keyClicks(control(named(named(entry, "next"), "name")), "leaf")
    assert entry.value() == {"next": {"name": "leaf"}}
    press(named(entry, "next"), "Remove")
    assert entry.value() == {}


def test_what_no_control_can_show_is_edited_as_json(theme: Theme) -> None:
    entry = drawn({"properties": {"n": {"type": "integer"}, "t": {"type": "string"}}}, theme)
    entry.show_value({"n": "many", "t": {"a": 1}, "unknown": [1]})
    assert isinstance(named(entry, "n").editor, JsonEditor)
    assert isinstance(named(entry, "t").editor, JsonEditor)
    assert entry.value() == {"n": "many", "t": {"a": 1}, "unknown": [1]}


def test_what_is_wrong_stands_beside_its_part(qtbot: QtBot, theme: Theme) -> None:
    entry = drawn(SERVER, theme)
    qtbot.addWidget(entry)
    entry.show()
    entry.show_value({"name": "x", "way": {"url": "nowhere"}, "ports": [80, 70000]})
    entry.take(problems(SERVER, entry.value()))
    assert named(entry, "name")._error.text() == "At least 3 characters."
    ports = named(entry, "ports").editor
    assert isinstance(ports, ListEditor)
    assert [one._error.text() for one in ports.entries().values()] == ["", "At most 65535."]
    assert control(named(entry, "name")).accessibleDescription() == "At least 3 characters."
    assert entry.take_focus(bad=True)
    assert entry.focusWidget() is control(named(entry, "name"))


def test_text_that_is_no_value_is_refused(theme: Theme) -> None:
    entry = drawn({"properties": {"n": {"type": "integer"}, "j": {}}}, theme)
    control(named(entry, "n")).setText("4x")
    control(named(entry, "j")).setPlainText("{")
    assert entry.refusals()[0] == "Enter a whole number."
    assert "not JSON" in entry.refusals()[1]


def test_a_text_gets_room_for_several_lines(qtbot: QtBot, theme: Theme) -> None:
    entry = drawn({"properties": {"t": {"type": "string"}}}, theme)
    qtbot.addWidget(entry)
    entry.show()
    line = control(named(entry, "t"))
    QTest.keyClicks(line, "one")
    QTest.keyClick(line, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    area = control(named(entry, "t"))
    assert isinstance(area, QPlainTextEdit)
    QTest.keyClicks(area, "two")
    assert entry.value() == {"t": "one\ntwo"}


def test_every_control_has_a_name(qtbot: QtBot, theme: Theme) -> None:
    entry = drawn(SERVER, theme)
    qtbot.addWidget(entry)
    entry.show_value({"name": "x", "way": {"url": "u:x"}, "ports": [1], "env": {"A": "b"}, "free": 1})
    kinds = (QLineEdit, QComboBox, QListWidget, QPlainTextEdit, QCheckBox)
    for widget in (one for kind in kinds for one in entry.findChildren(kind) if one.parent() is not None):
        if not isinstance(widget.parent(), QComboBox):
            assert widget.accessibleName(), widget
    assert control(named(entry, "name")).accessibleName() == "it, Name, required"


def test_each_kind_has_an_editor(theme: Theme) -> None:
    maker = Maker(Schema({}), theme)
    for kind in Kind:
        node = Schema({"anyOf": [{"type": "string"}, {"type": "integer"}]}).root
        made = maker(node if kind is Kind.VARIANTS else type(node)(kind, {}), True, 0)
        made.deleteLater()
