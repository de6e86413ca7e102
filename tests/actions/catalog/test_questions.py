"""Forms that agents put before a person: fields from a flat schema, answers checked against it."""

from __future__ import annotations

from typing import Any

import pytest

from actions.catalog.hints import Widget
from actions.catalog.questions import content_of, form_of, main_fields, only_question
from actions.errors import InvalidInput


def schema(*required: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required)}


COLOUR = {
    "type": "string",
    "title": "Colour",
    "oneOf": [{"const": "r", "title": "Red"}, {"const": "b", "title": "Blue"}],
}
PARTS = {"type": "array", "items": {"type": "string", "enum": ["api", "ui"]}, "minItems": 1, "maxItems": 2}
OWN = {"type": "string"}


def test_each_kind_has_its_widget() -> None:
    form = form_of(
        schema(
            "a",
            a={"type": "string", "description": "Which?"},
            b={"type": "integer", "minimum": 1, "maximum": 9, "default": 3},
            c={"type": "number"},
            d={"type": "boolean", "default": True},
            e=COLOUR,
            f=PARTS,
            g={"type": "string", "enum": ["x", "y"], "enumNames": ["Ex", "Why"], "default": "z"},
        )
    )
    assert [(f.path, f.type, f.widget) for f in form] == [
        ("a", "string", Widget.TEXT),
        ("b", "integer", Widget.NUMBER),
        ("c", "number", Widget.NUMBER),
        ("d", "boolean", Widget.TOGGLE),
        ("e", "string", Widget.SELECT),
        ("f", "list", Widget.MULTISELECT),
        ("g", "string", Widget.SELECT),
    ]
    assert [f.default for f in form] == [None, 3, None, True, None, None, None]  # a default that is no choice is none
    assert (form[0].required, form[1].required) == (True, False)
    assert form[1].description == "(1…9)"
    assert [o.label for o in form[6].options] == ["Ex", "Why"]


@pytest.mark.parametrize(
    "prop",
    [
        {"type": "object"},
        {"type": "array", "items": {"type": "object"}},
        {"type": "integer", "enum": [1, 2]},  # a choice of numbers is no choice of texts
        {"anyOf": [{"type": "string"}, {"type": "integer"}]},
        {"type": "date"},
        {},
        "text",
    ],
)
def test_what_is_no_single_value_is_asked_for_as_json(prop: Any) -> None:
    (field,) = form_of(schema(x=prop))
    assert (field.type, field.widget) == ("json", Widget.JSON)
    assert field.json_schema == (prop if isinstance(prop, dict) else {})


DEEP: dict[str, Any] = {
    "type": "object",
    "$defs": {"part": {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}}},
    "properties": {"parts": {"type": "array", "items": {"$ref": "#/$defs/part"}}, "free": {}},
}


def test_json_answers_what_is_composed_and_is_checked() -> None:
    assert content_of(DEEP, {"parts": ['[{"n": 2}]'], "free": ["just words"]}) == {
        "parts": [{"n": 2}],
        "free": "just words",
    }
    with pytest.raises(InvalidInput) as refused:
        content_of(DEEP, {"parts": ['[{"n": "two"}]']})
    assert refused.value.details["fields"][0]["field"] == "parts"
    assert "0.n" in refused.value.details["fields"][0]["message"]


def test_what_a_form_says_of_its_fields_together_is_checked() -> None:
    both = schema(a={"type": "string"}, b={"type": "string"}) | {"dependentRequired": {"a": ["b"]}}
    assert content_of(both, {"a": ["x"], "b": ["y"]}) == {"a": "x", "b": "y"}
    with pytest.raises(InvalidInput):
        content_of(both, {"a": ["x"]})


@pytest.mark.parametrize(
    ("prop", "said", "value"),
    [
        ({"type": "integer"}, ["12"], 12),
        ({"type": "integer"}, ["12345678901234567890"], 12345678901234567890),
        ({"type": "number"}, ["-0.5"], -0.5),
        ({"type": "boolean"}, ["No"], False),
        ({"type": "boolean"}, ["是"], True),
        (COLOUR, ["blue"], "b"),
        (PARTS, ["ui", "api", "ui"], ["ui", "api"]),
        ({"type": "string", "format": "email"}, ["a@b.org"], "a@b.org"),
        ({"type": "string", "pattern": "("}, ["anything"], "anything"),
    ],
)
def test_an_answer_gets_its_type(prop: dict[str, Any], said: list[str], value: Any) -> None:
    assert content_of(schema("x", x=prop), {"x": said}) == {"x": value}


@pytest.mark.parametrize(
    ("prop", "said"),
    [
        ({"type": "integer"}, ["1.5"]),
        ({"type": "integer", "minimum": 2}, ["1"]),
        ({"type": "number"}, ["nan"]),
        ({"type": "number"}, ["many"]),
        ({"type": "boolean"}, ["perhaps"]),
        (COLOUR, ["green"]),
        (COLOUR, ["red", "blue"]),
        (PARTS, ["moon"]),
        (PARTS | {"maxItems": 1}, ["api", "ui"]),
        ({"type": "string", "minLength": 3}, ["ab"]),
        ({"type": "string", "maxLength": 3}, ["abcd"]),
        ({"type": "string", "format": "date"}, ["tomorrow"]),
        ({"type": "string", "pattern": "^a"}, ["ba"]),
        ({"type": "string"}, [" "]),
    ],
)
def test_an_answer_that_does_not_fit_names_its_field(prop: dict[str, Any], said: list[str]) -> None:
    with pytest.raises(InvalidInput) as refused:
        content_of(schema("x", x=prop), {"x": said})
    assert [entry["field"] for entry in refused.value.details["fields"]] == ["x"]


def test_a_question_goes_by_name_title_or_text_and_no_other() -> None:
    asked = schema(q1=COLOUR | {"description": "Which colour?"})
    for name in ("q1", "Colour", "which colour?"):
        assert content_of(asked, {name: ["Red"]}) == {"q1": "r"}
    with pytest.raises(InvalidInput, match="Nobody asked"):
        content_of(asked, {"q2": ["Red"]})


def test_own_words_beside_a_choice() -> None:
    asked = schema(q1=COLOUR, q1_own=OWN)
    assert [field.path for field in main_fields(form_of(asked))] == ["q1"]
    assert content_of(asked, {"q1": ["teal"]}) == {"q1_own": "teal"}
    assert content_of(asked, {"q1": ["Red"], "q1_own": ["a dark one"]}) == {"q1": "r", "q1_own": "a dark one"}


def test_one_text_answers_the_only_question_or_the_only_one_that_is_needed() -> None:
    assert only_question(schema(q1=COLOUR, q1_own=OWN), "Red") == {"q1": ["Red"]}
    assert only_question(schema("a", a=OWN, b=OWN), "x") == {"a": ["x"]}
    assert only_question(schema(p=PARTS), "api and ui") == {"p": ["api", "ui"]}
    with pytest.raises(InvalidInput, match="not enough"):
        only_question(schema(a=OWN, b=OWN), "x")
