from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QListWidget, QPlainTextEdit
from pytestqt.qtbot import QtBot

from actions.catalog.form import FormField
from actions.catalog.hints import Widget
from actions.catalog.options import Option
from actions.catalog.predicates import as_json, truthy
from desktop.forms.draft import Draft
from desktop.forms.editors import FolderButton
from desktop.forms.form import FormView
from desktop.theme.theme import Theme


def _field(path: str, widget: Widget, **changes: object) -> FormField:
    values = {"title": path.title(), "type": "string", "required": False, "flag": path}
    return FormField.model_validate({"path": path, "widget": widget, **values, **changes})


def control_of(form: FormView, path: str) -> Any:
    """The widget of a field; which kind it is, is what a test is about."""
    return form.editor(path).control


@pytest.fixture
def form(qtbot: QtBot, theme: Theme) -> FormView:
    view = FormView(theme)
    qtbot.addWidget(view)
    view.resize(500, 900)
    view.show()
    return view


def test_each_editor_writes_its_kind_of_value(qtbot: QtBot, form: FormView) -> None:
    options = [{"value": "a", "label": "A"}, {"value": 2, "label": "Two"}]
    form.show_draft(
        Draft(
            [
                _field("text", Widget.TEXT),
                _field("area", Widget.TEXTAREA),
                _field("list", Widget.TEXT_LIST, type="list"),
                _field("number", Widget.NUMBER, type="integer"),
                _field("pick", Widget.SELECT, options=options),
                _field("many", Widget.MULTISELECT, type="list", options=options, max_selections=1),
                _field("on", Widget.TOGGLE, type="boolean"),
                _field("json", Widget.JSON, type="json"),
            ]
        )
    )
    control = {
        path: control_of(form, path) for path in ("text", "area", "list", "number", "pick", "many", "on", "json")
    }
    assert isinstance(control["text"], QLineEdit)
    qtbot.keyClicks(control["text"], "hello")
    assert isinstance(control["area"], QPlainTextEdit)
    control["area"].setPlainText("two\nlines")
    control["list"].setPlainText("a\n\n b ")
    qtbot.keyClicks(control["number"], "42")
    assert isinstance(control["pick"], QComboBox)
    control["pick"].setCurrentIndex(2)
    control["pick"].activated.emit(2)
    assert isinstance(control["many"], QListWidget)
    for at in (0, 1):
        control["many"].item(at).setCheckState(Qt.CheckState.Checked)
    assert isinstance(control["on"], QCheckBox)
    control["on"].click()
    control["json"].setPlainText('{"a": [1, null]}')
    assert form.draft.input() == {
        "text": "hello",
        "area": "two\nlines",
        "list": ["a", "b"],
        "number": 42,
        "pick": 2,
        "many": [2],  # one selection at most: the last one stays
        "on": True,
        "json": {"a": [1, None]},
    }


def test_text_that_is_no_value_is_an_error_beside_its_field(qtbot: QtBot, form: FormView) -> None:
    form.show_draft(Draft([_field("n", Widget.NUMBER, type="integer"), _field("j", Widget.JSON, type="json")]))
    qtbot.keyClicks(control_of(form, "n"), "4x")
    control_of(form, "j").setPlainText("{")
    assert form.draft.errors["n"] == "Enter a number."
    assert "not JSON" in form.draft.errors["j"]
    assert not form.check()


def test_an_unknown_kind_is_edited_as_json(form: FormView) -> None:
    form.show_draft(Draft([_field("x", Widget.JSON, type="json", default={"deep": [1]})]))
    assert control_of(form, "x").toPlainText() == '{\n  "deep": [\n    1\n  ]\n}'
    assert form.draft.input() == {"x": {"deep": [1]}}


def test_options_of_a_dependent_field_are_asked_for_again(qtbot: QtBot, form: FormView) -> None:
    asked: list[str] = []
    form.options_wanted.connect(asked.append)
    fields = [
        _field("provider", Widget.TEXT, required=True),
        _field("model", Widget.SELECT, source="models.available", source_needs=["provider"]),
    ]
    form.show_draft(Draft(fields, {"model": "gone"}))
    assert asked == []  # nothing to ask for while the provider is open
    qtbot.keyClicks(control_of(form, "provider"), "cl")
    assert asked == ["model", "model"]
    form.show_options(
        "model", [Option(value="m", label="M"), Option(value="d", label="D", disabled=True, reason="off")]
    )
    box = control_of(form, "model")
    assert box.currentText() == "gone (not offered now)"  # never changed behind the user's back
    assert not box.model().flags(box.model().index(2, 0)) & Qt.ItemFlag.ItemIsEnabled
    form.show_problem("model", "The provider does not answer.")
    assert form.draft.notes["model"] == "The provider does not answer."
    assert form.check()  # a source that is out of order does not forbid what the user knows


def test_a_field_is_drawn_by_what_the_chosen_option_takes(qtbot: QtBot, form: FormView) -> None:
    fields = [
        _field("tool", Widget.SELECT, source="mcp.tools", required=True),
        _field("arguments", Widget.JSON, type="json", schema_from="tool", default={}),
    ]
    form.show_draft(Draft(fields))
    town = {"type": "object", "required": ["town"], "properties": {"town": {"type": "string"}}}
    add = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}}
    form.show_options(
        "tool",
        [Option(value="weather", label="Weather", json_schema=town), Option(value="add", label="Add", json_schema=add)],
    )
    box = control_of(form, "tool")
    for at, names in ((1, ["Town"]), (2, ["A", "B"]), (1, ["Town"])):
        box.setCurrentIndex(at)
        box.activated.emit(at)
        entries: Any = form.editor("arguments")
        assert [entry.title for entry in entries.root.editor.entries().values()] == names
    assert not form.check()  # the town is needed
    town_line: Any = form.editor("arguments")
    qtbot.keyClicks(town_line.root.editor.entries()["town"].editor.control, "Oslo")
    assert form.check()
    assert form.draft.input() == {"tool": "weather", "arguments": {"town": "Oslo"}}


def test_a_workspace_that_is_not_known_yet_can_be_chosen(form: FormView) -> None:
    form.show_draft(Draft([_field("workspace", Widget.SELECT, source="workspaces.recent")]))
    form.show_options("workspace", [])
    editor = form.editor("workspace")
    chooser = editor.findChild(FolderButton)
    assert chooser is not None
    chooser.choose("/src/shop")
    assert form.draft.input() == {"workspace": "/src/shop"}
    assert control_of(form, "workspace").currentText() == "/src/shop"


def test_the_space_bar_ticks_the_first_choice_at_once(qtbot: QtBot, form: FormView) -> None:
    form.show_draft(Draft([_field("providers", Widget.MULTISELECT, source="providers.available")]))
    form.show_options("providers", [Option(value="a", label="A"), Option(value="b", label="B")])
    qtbot.keyClick(control_of(form, "providers"), Qt.Key.Key_Space)
    assert form.draft.input() == {"providers": ["a"]}


def test_an_open_list_shows_what_came_in(qtbot: QtBot, form: FormView) -> None:
    form.show_draft(Draft([_field("provider", Widget.SELECT, source="providers.available")]))
    box = control_of(form, "provider")
    box.showPopup()
    before = box.view().height()
    form.show_options("provider", [Option(value=str(n), label=str(n)) for n in range(5)])
    assert box.view().isVisible()
    qtbot.waitUntil(lambda: box.view().height() > before, timeout=30_000)
    box.hidePopup()


def test_the_first_bad_field_gets_the_focus(qtbot: QtBot, form: FormView) -> None:
    form.show_draft(Draft([_field("a", Widget.TEXT), _field("b", Widget.TEXT, required=True)]))
    assert not form.check()
    assert form.focusWidget() is control_of(form, "b")


def test_what_the_host_refuses_is_said_in_the_words_of_the_window(form: FormView) -> None:
    form.show_draft(Draft([_field("n", Widget.TEXT), _field("m", Widget.TEXT), _field("o", Widget.TEXT)]))
    refused = [
        {"field": "n", "message": "Input should be greater than or equal to 3", "keyword": "minimum", "limit": "3"},
        {"field": "m", "message": "is required", "keyword": "required"},
        {"field": "o", "message": "There is no such folder."},
    ]
    assert form.take_errors(refused) == []
    assert form.draft.errors == {"n": "At least 3.", "m": "This is needed.", "o": "There is no such folder."}


def test_predicates_hide_and_disable(form: FormView, qtbot: QtBot) -> None:
    fields = [
        _field("on", Widget.TOGGLE, type="boolean"),
        _field("more", Widget.TEXT, visible_when=as_json(truthy("on"))),
    ]
    form.show_draft(Draft(fields))
    assert not form.editor("more").isVisible()
    control_of(form, "on").click()
    assert form.editor("more").isVisible()
