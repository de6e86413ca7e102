"""What a JSON Schema is drawn as. No widget is needed for that."""

import time
from typing import Any

import pytest

from actions.catalog.json_schema import problems
from desktop.forms.schema import ABSENT, Kind, Node, Schema, words


def root(**properties: Any) -> Schema:
    return Schema({"type": "object", "properties": properties, "required": list(properties)})


def only(schema: Any, *, required: bool = True, **shared: Any) -> Node:
    read = Schema({"type": "object", "properties": {"x": schema}, "required": ["x"] if required else [], **shared})
    (found,) = read.properties(read.root)
    return found.node


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "string"}, Kind.TEXT),
        ({"pattern": "a"}, Kind.TEXT),
        ({"type": "integer"}, Kind.INTEGER),
        ({"minimum": 1}, Kind.NUMBER),
        ({"type": "boolean"}, Kind.BOOLEAN),
        ({"type": "null"}, Kind.NOTHING),
        ({"const": 3}, Kind.CHOICE),
        ({"enum": [1, "a", None]}, Kind.CHOICE),
        ({"oneOf": [{"const": 1, "title": "One"}, {"const": 2}]}, Kind.CHOICE),
        ({"type": "array", "items": {"enum": ["a", "b"]}}, Kind.CHOICES),
        ({"type": "array", "items": {"type": "string"}}, Kind.LIST),
        ({"type": "array", "items": {"enum": ["a"]}, "minItems": 2}, Kind.LIST),  # ticks cannot say it twice
        ({"prefixItems": [{"type": "string"}, {"type": "number"}]}, Kind.LIST),
        ({"type": "object"}, Kind.GROUP),
        ({"additionalProperties": {"type": "string"}}, Kind.GROUP),
        ({"type": ["string", "number"]}, Kind.VARIANTS),
        ({"anyOf": [{"type": "string"}, {"type": "object"}]}, Kind.VARIANTS),
        ({"anyOf": [{"type": "string"}]}, Kind.TEXT),
        ({"allOf": [{"type": "string"}, {"minLength": 2}]}, Kind.TEXT),
        ({"$ref": "#/$defs/text"}, Kind.TEXT),
        ({"$ref": "#/$defs/nowhere"}, Kind.ANY),
        ({"$ref": "https://example.org/schema"}, Kind.ANY),
        ({}, Kind.ANY),
        (True, Kind.ANY),
        ({"type": "date"}, Kind.ANY),
    ],
)
def test_the_kind_of_a_value(schema: Any, kind: Kind) -> None:
    defined: dict[str, Any] = {"$defs": {"text": {"type": "string"}}}
    assert only(schema, required=True, **defined).kind is kind


def test_null_is_emptiness_where_the_value_is_needed_and_a_choice_where_it_may_be_left_out() -> None:
    nullable = {"type": ["string", "null"]}
    assert (only(nullable).kind, only(nullable).nullable) == (Kind.TEXT, True)
    assert only(nullable, required=False).kind is Kind.VARIANTS
    assert only(nullable | {"default": None}, required=False).kind is Kind.TEXT
    choice = only({"anyOf": [{"enum": ["a"]}, {"type": "null"}]}, required=False)
    assert [entry.value for entry in choice.choices] == ["a", None]


def test_choices_carry_their_names() -> None:
    named = only({"enum": ["a", 2], "enumNames": ["Alpha", "Two"]})
    assert [(c.value, c.label) for c in named.choices] == [("a", "Alpha"), (2, "Two")]
    titled = only({"oneOf": [{"const": "r", "title": "Red", "description": "Like blood"}, {"const": True}]})
    assert [(c.value, c.label, c.description) for c in titled.choices] == [
        ("r", "Red", "Like blood"),
        (True, "true", ""),
    ]


def test_what_is_put_together_is_drawn_together() -> None:
    schema = Schema(
        {
            "allOf": [
                {"properties": {"a": {"type": "string"}}, "required": ["a"]},
                {"$ref": "#/$defs/more"},
            ],
            "if": {"properties": {"a": {"const": "x"}}},
            "then": {"properties": {"c": {"type": "integer"}}, "required": ["c"]},
            "else": {"properties": {"d": {"type": "boolean"}}},
            "dependentSchemas": {"b": {"properties": {"e": {"type": "number"}}}},
            "required": ["f"],
            "$defs": {"more": {"properties": {"a": {"minLength": 3}, "b": {"type": "string"}}}},
        }
    )
    found = {one.name: (one.node.kind, one.required) for one in schema.properties(schema.root)}
    assert found == {
        "a": (Kind.TEXT, True),
        "b": (Kind.TEXT, False),
        "c": (Kind.INTEGER, False),
        "d": (Kind.BOOLEAN, False),
        "e": (Kind.NUMBER, False),
        "f": (Kind.ANY, True),  # asked for and never described
    }
    assert schema.properties(schema.root)[0].node.schema["minLength"] == 3


def test_alternatives_that_only_demand_are_left_to_the_check() -> None:
    schema = Schema(
        {"type": "object", "properties": {"a": {}, "b": {}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}
    )
    assert [one.name for one in schema.properties(schema.root)] == ["a", "b"]


def test_each_alternative_has_the_shared_fields() -> None:
    schema = Schema(
        {
            "type": "object",
            "properties": {"name": {"type": "string"}},
            "oneOf": [{"properties": {"url": {"type": "string"}}}, {"properties": {"command": {"type": "string"}}}],
        }
    )
    shapes = schema.variants(schema.root)
    assert [[one.name for one in schema.properties(shape)] for shape in shapes] == [
        ["name", "url"],
        ["name", "command"],
    ]


def test_a_schema_that_contains_itself_is_read_step_by_step() -> None:
    tree = {"type": "object", "properties": {"inner": {"$ref": "#"}, "loop": {"$ref": "#/$defs/loop"}}}
    schema = Schema(tree | {"$defs": {"loop": {"$ref": "#/$defs/loop"}}})
    node = schema.root
    for _ in range(50):
        inner, loop = schema.properties(node)
        assert (inner.node.kind, loop.node.kind) == (Kind.GROUP, Kind.ANY)
        node = inner.node


def test_entries_with_free_names() -> None:
    def entries(schema: dict[str, Any]) -> Kind | None:
        read = Schema({"type": "object", **schema})
        found = read.entries(read.root)
        return None if found is None else found.kind

    assert entries({"additionalProperties": {"type": "integer"}}) is Kind.INTEGER
    assert entries({"patternProperties": {"^x": {"type": "string"}}, "additionalProperties": False}) is Kind.TEXT
    assert entries({}) is Kind.ANY
    assert entries({"properties": {"a": {}}}) is None
    assert entries({"additionalProperties": False}) is None


def test_a_default_that_its_schema_refuses_is_none() -> None:
    assert only({"type": "integer", "default": "many"}).default is ABSENT
    assert only({"type": ["string", "null"], "default": None}).default is None
    assert only({"type": ["string", "null"], "default": None}, required=False).default is ABSENT


def test_names_become_words() -> None:
    assert (words("baseBranch"), words("max_items"), words("x-y"), words("")) == ("Base branch", "Max items", "X y", "")


def test_a_check_says_where_and_what() -> None:
    schema = {
        "type": "object",
        "required": ["name"],
        "properties": {
            "name": {"type": "string"},
            "shape": {
                "oneOf": [
                    {
                        "required": ["url"],
                        "properties": {"kind": {"const": "web"}, "url": {"format": "uri", "type": "string"}},
                    },
                    {"required": ["path"], "properties": {"kind": {"const": "file"}, "path": {"type": "string"}}},
                ]
            },
        },
        "additionalProperties": False,
    }
    found = problems(schema, {"shape": {"kind": "web", "url": "nothing"}, "odd": 1})
    assert {(problem.path, problem.keyword) for problem in found} == {
        (("name",), "required"),
        (("shape", "url"), "format"),
        (("odd",), "additionalProperties"),
    }


def test_a_hostile_schema_neither_hangs_nor_fetches() -> None:
    began = time.process_time()
    problems({"type": "string", "pattern": "^(a|aa|a?)+$"}, "a" * 5_000 + "!")
    assert time.process_time() - began < 5  # the pattern alone would take for ever
    assert problems({"$ref": "http://127.0.0.1:9/schema.json"}, 1) == []
    assert problems({"type": "unheard-of"}, 1) == []
    assert problems({"minimum": "three"}, 1) == []
    assert problems("no schema", 1) == []
