"""The form model: types, widgets, defaults and predicates of a field, all from its signature."""

from __future__ import annotations

from pydantic import ValidationError

from actions.catalog.form import effective_draft, field_states, missing_fields
from actions.catalog.registry import load
from actions.catalog.spec import ActionInput, NoInput

CATALOG = load()


def form(action_id, language="en"):
    return {f.path: f for f in CATALOG.form(CATALOG.specs[action_id], language)}


def test_review_as_the_design_shows_it():
    fields = form("review.start")
    assert fields["providers"].widget == "multiselect"
    assert fields["providers"].source == "providers.available"
    assert fields["providers"].required
    assert fields["providers"].explicit
    assert fields["providers"].flag == "provider"
    assert fields["instructions"].widget == "textarea"
    assert fields["instructions"].default == ""
    assert [o.value for o in fields["change"].options] == ["uncommitted", "branch"]
    assert fields["change"].default == "uncommitted"
    assert fields["base"].nullable
    assert not fields["base"].required
    assert fields["base"].source_needs == ["workspace", "session_id"]
    assert fields["session_id"].ref == "session"
    assert fields["session_id"].own == "preferred"


def test_titles_and_questions_speak_chinese():
    fields = form("review.start", "zh_CN")
    assert fields["providers"].ask == "由谁来审查?"
    assert fields["session_id"].title == "会话"
    assert [o.label for o in fields["change"].options] == ["未提交的更改", "分支上的更改"]


def test_a_field_is_shown_and_required_by_what_the_draft_says():
    fields = list(form("review.start").values())
    states = {s.path: s for s in field_states(fields, {"change": "uncommitted"})}
    assert (states["base"].visible, states["base"].required) == (False, False)
    states = {s.path: s for s in field_states(fields, {"change": "branch"})}
    assert (states["base"].visible, states["base"].required) == (True, True)


def test_the_value_of_an_invisible_field_is_not_sent():
    fields = list(form("review.start").values())
    assert effective_draft(fields, {"change": "uncommitted", "base": "main"}) == {"change": "uncommitted"}
    assert effective_draft(fields, {"change": "branch", "base": "main"}) == {"change": "branch", "base": "main"}


def test_missing_fields_are_the_visible_required_empty_ones():
    fields = list(form("review.start").values())
    assert [f.path for f in missing_fields(fields, {})] == ["providers"]
    assert [f.path for f in missing_fields(fields, {"providers": [], "change": "branch"})] == ["providers", "base"]
    assert missing_fields(fields, {"providers": ["claude"]}) == []


def test_kinds_of_values():
    fields = form("session.spawn_new")
    kinds = {path: (f.type, f.widget) for path, f in fields.items()}
    assert kinds["wait"] == ("boolean", "toggle")
    assert kinds["timeout_s"] == ("number", "number")
    assert kinds["config_options"] == ("json", "json")
    assert kinds["directory"] == ("string", "path")
    assert kinds["provider"] == ("string", "select")
    assert form("session.list")["limit"].type == "integer"


def test_every_field_of_every_action_has_a_title_and_a_unique_flag():
    for spec in CATALOG:
        fields = CATALOG.form(spec)
        flags = [f.flag for f in fields]
        assert len(flags) == len(set(flags)), spec.id
        assert all(f.title for f in fields), spec.id


def test_inputs_take_both_spellings_and_refuse_unknown_fields():
    spec = CATALOG.specs["session.mode.set"]
    assert spec.input.model_validate({"sessionId": "a", "modeId": "plan"}).model_dump()["mode_id"] == "plan"
    assert spec.input.model_validate({"session_id": "a", "mode_id": "plan"}).model_dump()["session_id"] == "a"
    for model in (spec.input, NoInput):
        errors = []
        try:
            model.model_validate({"nonsense": 1})
        except ValidationError as error:
            errors = error.errors()
        assert any(e["loc"] == ("nonsense",) for e in errors)
    assert issubclass(spec.input, ActionInput)
