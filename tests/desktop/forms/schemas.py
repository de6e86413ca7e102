"""Schemas and values that fit them, made up at random: what a form has to draw and give back."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

NAMES = st.sampled_from(["name", "url", "maxItems", "in_dir", "x-y", "名字", "a b"])
TEXTS = st.one_of(st.sampled_from(["", "x", "two\nlines", "tab\tand café 名字"]), st.text(max_size=12))
_NUMBERS = st.floats(allow_nan=False, allow_infinity=False, width=32)
_ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**6), 10**6) | TEXTS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(NAMES, inner, max_size=2),
    max_leaves=4,
)

Pair = tuple[Any, Any]
"""A schema and a value that fits it."""


def _choice(values: list[Any]) -> st.SearchStrategy[Pair]:
    def named(value: Any, how: str) -> Pair:
        if how == "enum":
            return {"enum": values}, value
        if how == "names":
            return {"enum": values, "enumNames": [f"The {at}." for at in range(len(values))]}, value
        return {how: [{"const": one, "title": f"T{at}"} for at, one in enumerate(values)]}, value

    return st.builds(named, st.sampled_from(values), st.sampled_from(["enum", "names", "oneOf", "anyOf"]))


_DISTINCT = st.lists(st.sampled_from(["a", "b", 1, 2.5, None, True]), min_size=1, max_size=4, unique_by=repr)

LEAVES: st.SearchStrategy[Pair] = st.one_of(
    st.builds(lambda value: ({"type": "string"}, value), TEXTS.filter(bool)),
    st.sampled_from(
        [
            ({"type": "string", "format": "date"}, "2026-12-01"),
            ({"type": "string", "format": "date-time"}, "2026-12-01T10:00:00Z"),
            ({"type": "string", "format": "email"}, "a@example.org"),
            ({"type": "string", "format": "uri"}, "https://example.org/x"),
            ({"type": "string", "pattern": "^[a-z]+$", "minLength": 2, "maxLength": 9}, "abc"),
            ({"type": "string", "format": "unheard-of", "readOnly": True}, "kept"),
            ({"type": "integer", "multipleOf": 3, "minimum": 3}, 9),
            ({"type": "null"}, None),
            ({"type": ["string", "null"]}, "x"),
            ({"type": ["string", "integer", "boolean"]}, True),
            ({"type": ["string", "integer"]}, 5),
            ({"const": {"deep": [1]}}, {"deep": [1]}),
        ]
    ),
    st.builds(lambda value: ({"type": "integer"}, value), st.integers(-(2**60), 2**60)),
    st.builds(lambda value: ({"type": "number"}, value), _NUMBERS),
    st.builds(lambda value: ({"type": "boolean"}, value), st.booleans()),
    _DISTINCT.flatmap(_choice),
    st.builds(lambda value: ({}, value), _ANYTHING),
    st.builds(lambda value: ({"not": {"type": "array"}}, value), _ANYTHING.filter(lambda v: not isinstance(v, list))),
)


def composed(inner: st.SearchStrategy[Pair]) -> st.SearchStrategy[Pair]:
    """Groups, lists and alternatives of what ``inner`` makes."""
    return st.one_of(_groups(inner), _lists(inner), _tuples(inner), _dicts(inner), _wrapped(inner), _ticks())


def _groups(inner: st.SearchStrategy[Pair]) -> st.SearchStrategy[Pair]:
    def made(fields: dict[str, tuple[Pair, bool, bool]], closed: bool) -> Pair:
        schema: dict[str, Any] = {
            "type": "object",
            "properties": {name: one[0] for name, (one, _, _) in fields.items()},
            "required": [name for name, (_, needed, _) in fields.items() if needed],
        }
        if closed:
            schema["additionalProperties"] = False
        return schema, {name: one[1] for name, (one, needed, given) in fields.items() if needed or given}

    field = st.tuples(inner, st.booleans(), st.booleans())
    return st.builds(made, st.dictionaries(NAMES, field, min_size=1, max_size=4), st.booleans())


def _lists(inner: st.SearchStrategy[Pair]) -> st.SearchStrategy[Pair]:
    return st.builds(
        lambda one, count: ({"type": "array", "items": one[0]}, [one[1]] * count), inner, st.integers(0, 3)
    )


def _tuples(inner: st.SearchStrategy[Pair]) -> st.SearchStrategy[Pair]:
    def made(places: list[Pair], rest: Pair, count: int) -> Pair:
        schema = {"type": "array", "prefixItems": [one[0] for one in places], "items": rest[0] if count else False}
        return schema, [*(one[1] for one in places), *([rest[1]] * count)]

    return st.builds(made, st.lists(inner, min_size=1, max_size=3), inner, st.integers(0, 2))


def _dicts(inner: st.SearchStrategy[Pair]) -> st.SearchStrategy[Pair]:
    return st.builds(
        lambda one, names: ({"type": "object", "additionalProperties": one[0]}, dict.fromkeys(names, one[1])),
        inner,
        st.sets(NAMES, max_size=3),
    )


def _ticks() -> st.SearchStrategy[Pair]:
    values = ["a", "b", "c", 4]
    return st.builds(
        lambda chosen: ({"type": "array", "items": {"enum": values}, "uniqueItems": True}, chosen),
        st.lists(st.sampled_from(values), unique=True, max_size=4),
    )


def _wrapped(inner: st.SearchStrategy[Pair]) -> st.SearchStrategy[Pair]:
    def made(one: Pair, how: str, name: str) -> Pair:
        schema, value = one
        kind = {"title": f"Kind {name}", "type": "object", "required": ["tag", "it"]}
        return {
            "allOf": lambda: ({"allOf": [schema, {"description": "and more"}]}, value),
            "ref": lambda: ({"$ref": "#/$defs/it", "$defs": {"it": schema}}, value),
            "nullable": lambda: ({"anyOf": [schema, {"type": "null"}]}, None),
            "tagged": lambda: (
                {
                    "oneOf": [
                        {**kind, "properties": {"tag": {"const": "no"}, "it": {"type": "boolean"}}},
                        {**kind, "properties": {"tag": {"const": "yes"}, "it": schema}},
                    ]
                },
                {"tag": "yes", "it": value},
            ),
        }[how]()

    return st.builds(made, inner, st.sampled_from(["allOf", "nullable", "tagged"]), NAMES)


PAIRS = st.recursive(LEAVES, composed, max_leaves=8)

_KEYWORDS = (
    "type properties items prefixItems required enum const oneOf anyOf allOf not if then else $ref $defs default title "
    "description additionalProperties patternProperties minItems maxItems minLength maxLength minimum maximum pattern "
    "format enumNames uniqueItems dependentSchemas readOnly examples"
).split()
_ODD = st.sampled_from(["string", "object", "array", "#/$defs/x", "#", "(", "date", "", 0, -1, 1.5, True, None])
SOUP = st.recursive(
    _ODD,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(_KEYWORDS), inner, max_size=4),
    max_leaves=14,
)
"""JSON that looks like a schema and often is none."""
