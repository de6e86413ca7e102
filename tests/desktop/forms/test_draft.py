import pytest

from actions.catalog.form import FormField
from actions.catalog.hints import Widget
from actions.catalog.predicates import as_json, eq
from desktop.forms.draft import Draft, parse_json, parse_number


def _field(path: str, **changes: object) -> FormField:
    values = {"title": path.title(), "type": "string", "widget": Widget.TEXT, "required": False, "flag": path}
    return FormField.model_validate({"path": path, **values, **changes})


def test_none_and_empty_stay_apart() -> None:
    draft = Draft([_field("a", nullable=True), _field("b", default="x")])
    draft.set("a", "")
    draft.set("b", "")
    assert draft.input() == {"b": ""}  # a was not given, b was cleared
    draft.set("a", "text")
    assert draft.input() == {"a": "text", "b": ""}


def test_defaults_come_in_and_explicit_ones_do_not() -> None:
    draft = Draft([_field("a", default="x"), _field("b", default="y", explicit=True)])
    assert draft.input() == {"a": "x"}


def test_an_invisible_field_is_not_sent() -> None:
    draft = Draft(
        [_field("change", default="branch"), _field("base", visible_when=as_json(eq("change", "branch")))],
        {"base": "main"},
    )
    assert draft.input() == {"change": "branch", "base": "main"}
    draft.set("change", "uncommitted")
    assert draft.input() == {"change": "uncommitted"}


def test_missing_values_are_named_by_their_question() -> None:
    draft = Draft([_field("a", required=True), _field("b", required=True, ask="Who?"), _field("c")])
    assert draft.check("Needed.") == "a"
    assert draft.errors == {"a": "Needed.", "b": "Who?"}
    draft.set("a", "1")
    assert "a" not in draft.errors


def test_errors_of_the_action_go_beside_their_fields() -> None:
    draft = Draft([_field("a"), _field("b", type="json", widget=Widget.JSON)])
    errors = [{"field": "b.0.c", "message": "bad"}, {"field": "z", "message": "elsewhere"}]
    assert draft.take_errors(errors) == ["elsewhere"]
    assert draft.errors == {"b": "bad"}
    assert draft.first_error() == "b"


def test_what_the_action_refused_is_judged_anew() -> None:
    draft = Draft([_field("workspace"), _field("directory"), _field("count", type="integer", widget=Widget.NUMBER)])
    draft.take_errors([{"field": "workspace", "message": "Choose a directory."}])
    draft.set("directory", "/src")  # another field cures it
    assert draft.check("Needed.") is None
    assert draft.errors == {}
    draft.errors["count"] = "Enter a number."  # what the form itself refused stays until it is mended
    assert draft.check("Needed.") == "count"


def test_dependents_are_the_sources_that_read_a_field() -> None:
    draft = Draft([_field("provider"), _field("model", source="models.available", source_needs=["provider"])])
    assert [field.path for field in draft.dependents("provider")] == ["model"]
    assert draft.dependents("model") == []


def test_options_wait_only_for_what_has_to_be_filled_in() -> None:
    model = _field("model", source="models.available", source_needs=["provider", "session"])
    server = _field("server", source="mcp.servers", source_needs=["workspace"])
    draft = Draft([_field("provider", required=True), _field("session"), model, server, _field("note")])
    assert draft.lacks_for_options(model)
    assert not draft.lacks_for_options(server)  # no field of this form: the host knows what is meant
    draft.set("session", "s1")
    assert not draft.lacks_for_options(model)
    beside = Draft([_field("workspace"), server])
    assert not beside.lacks_for_options(server)  # it may be left out


def test_what_is_no_json_or_number_says_where() -> None:
    assert parse_json('{"a": [1]}') == {"a": [1]}
    with pytest.raises(ValueError, match="line 2, column"):
        parse_json("{\n x")
    assert parse_number("3", "integer") == 3
    with pytest.raises(ValueError):
        parse_number("3.5", "integer")
