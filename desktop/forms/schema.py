"""A JSON Schema read as what a form draws: a tree whose branches are read when they are looked at. Pure Python.

Every property appears. What no control fits is of kind ``ANY`` and edited as JSON; what a schema only checks (``not``,
conditions) draws the properties that it names and is left to the check of the whole value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from urllib.parse import unquote

from actions.catalog.json_schema import is_valid
from desktop.forms.schema_merge import merged


class _Absent:
    """No value was given; None is a value."""

    def __repr__(self) -> str:
        return "ABSENT"

    def __bool__(self) -> bool:
        return False


ABSENT: Any = _Absent()


class Kind(StrEnum):
    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    CHOICE = "choice"
    CHOICES = "choices"
    GROUP = "group"
    LIST = "list"
    VARIANTS = "variants"
    NOTHING = "nothing"
    ANY = "any"

    @property
    def small(self) -> bool:
        """Whether it is drawn by one control; the others are added when they are wanted."""
        return self not in (Kind.GROUP, Kind.LIST, Kind.VARIANTS, Kind.NOTHING)


@dataclass(frozen=True)
class Choice:
    value: Any
    label: str
    description: str = ""


@dataclass(frozen=True)
class Node:
    """One value. ``nullable``: left empty, it is null. ``null_is_absent``: null is what it is when it is left out."""

    kind: Kind
    schema: Mapping[str, Any]
    title: str = ""
    description: str = ""
    nullable: bool = False
    choices: tuple[Choice, ...] = ()
    default: Any = ABSENT
    read_only: bool = False
    null_is_absent: bool = False


@dataclass(frozen=True)
class Property:
    name: str
    node: Node
    required: bool


_TYPES = {
    "string": Kind.TEXT,
    "integer": Kind.INTEGER,
    "number": Kind.NUMBER,
    "boolean": Kind.BOOLEAN,
    "object": Kind.GROUP,
    "array": Kind.LIST,
    "null": Kind.NOTHING,
}
_TYPE_BY_KEYWORD = {
    "object": ("properties", "additionalProperties", "patternProperties", "required", "minProperties"),
    "array": ("items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"),
    "string": ("pattern", "minLength", "maxLength", "format"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
}
_ONLY_CHECKS = frozenset({"required", "not", "title", "description", "minProperties", "dependentRequired", "$comment"})
_MOST_TICKS = 40
_DEEPEST = 40


class Schema:
    """Reads one schema with everything it refers to inside itself."""

    def __init__(self, schema: Any) -> None:
        self._root: Any = schema
        self.root = self.read(schema)

    def read(self, schema: Any, name: str = "", *, required: bool = True) -> Node:
        """What to draw for ``schema``, which is that of the property ``name``."""
        try:
            flat = self._flat(schema)
            node = self._node(flat, name, required)
        except RecursionError:  # nested deeper than anybody fills in, or in a circle
            flat, node = {}, Node(Kind.ANY, {})
        default = flat.get("default", ABSENT)
        if default is not ABSENT and not is_valid(self.standing_alone(schema), default):
            default = ABSENT  # a default that its own schema refuses helps nobody
        left_out = default is None and not required and not node.nullable and _never_null(node)
        title = str(flat.get("title") or "").strip() or words(name)
        about = str(flat.get("description") or "").strip()
        return Node(
            node.kind,
            node.schema,
            title,
            "" if about == title else about,
            node.nullable,
            node.choices,
            ABSENT if left_out else default,
            flat.get("readOnly") is True,
            left_out,
        )

    def standing_alone(self, schema: Any) -> Any:
        """``schema`` with the definitions that it refers to, to check a part of the whole value by itself."""
        if not isinstance(schema, Mapping) or not isinstance(self._root, Mapping) or schema is self._root:
            return schema
        shared = {key: self._root[key] for key in ("$defs", "definitions", "$schema") if key in self._root}
        return {**shared, **schema}

    def properties(self, node: Node) -> list[Property]:
        """The named fields of a group, in the schema's order; those that are only demanded come last, as JSON."""
        given = node.schema.get("properties")
        given = given if isinstance(given, Mapping) else {}
        needed = node.schema.get("required")
        required = [str(name) for name in needed] if isinstance(needed, list) else []
        missing = {name: True for name in required if name not in given}
        return [
            Property(str(name), self.read(schema, str(name), required=name in required), name in required)
            for name, schema in {**given, **missing}.items()
            if schema is not False
        ]

    def entries(self, node: Node) -> Node | None:
        """What the entries of a group hold whose names are free; None where there are none."""
        patterns = node.schema.get("patternProperties")
        more = node.schema.get("additionalProperties", ABSENT)
        if isinstance(patterns, Mapping) and patterns:
            only = next(iter(patterns.values())) if len(patterns) == 1 and more is False else True
            return self.read(only)
        if more is False or (more is ABSENT and node.schema.get("properties")):
            return None
        return self.read(True if more is ABSENT else more)

    def first(self, node: Node) -> list[Node]:
        """The items of a list that each have a place of their own."""
        return [self.read(schema) for schema in _places(node.schema)]

    def item(self, node: Node) -> Node | None:
        """What any further item of a list holds; None where there may be none."""
        fixed = _places(node.schema)
        old = isinstance(node.schema.get("items"), list)
        rest = node.schema.get("additionalItems" if old else "items", True)
        most = node.schema.get("maxItems")
        if rest is False or (fixed and isinstance(most, int) and most <= len(fixed)):
            return None
        return self.read(rest)

    def variants(self, node: Node) -> list[Node]:
        """The shapes that a value may have."""
        return [self.read(schema) for schema in node.schema["anyOf"]]

    # how a schema is read

    def _node(self, flat: Mapping[str, Any], name: str, required: bool) -> Node:
        if "const" in flat or (isinstance(flat.get("enum"), list) and flat["enum"]):
            return Node(Kind.CHOICE, flat, choices=tuple(_listed(flat)))
        branches = flat.get("oneOf") or flat.get("anyOf")
        if isinstance(branches, list) and branches:
            return self._branches(flat, branches, required)
        types = flat.get("type")
        if isinstance(types, list):
            return self._branches(flat, [{"type": one} for one in types], required)
        kind = _TYPES.get(str(types or _guessed(flat)), Kind.ANY)
        if kind is Kind.LIST and not _places(flat):
            item = self.read(flat.get("items", True))
            least = flat.get("minItems")
            few = 0 < len(item.choices) <= _MOST_TICKS and not item.nullable
            if few and not (isinstance(least, int) and least > len(item.choices)):
                return Node(Kind.CHOICES, flat, choices=item.choices)
        return Node(kind, flat)

    def _branches(self, flat: Mapping[str, Any], branches: Sequence[Any], required: bool) -> Node:
        base = {key: value for key, value in flat.items() if key not in ("anyOf", "oneOf", "default", "type")}
        kind = {"type": flat["type"]} if isinstance(flat.get("type"), str) else {}
        inner = [self._flat(branch) for branch in branches]
        if base.get("properties") and all(branch.keys() <= _ONLY_CHECKS for branch in inner):
            return self._node({**base, **kind}, "", required)
        values = [choice for branch in inner for choice in _listed(branch)]
        null = [branch for branch in inner if branch.get("type") == "null"]
        rest = [branch for branch in inner if branch.get("type") != "null"]
        if rest and all("const" in branch or isinstance(branch.get("enum"), list) for branch in rest):
            left_out = not required and flat.get("default", ABSENT) is None
            nothing = [Choice(None, "null")] if null and not left_out else []
            return Node(Kind.CHOICE, flat, choices=(*values, *nothing))
        unnamed = {key: value for key, value in base.items() if key not in ("title", "description")}
        whole = [self._flat(merged({**unnamed, **kind}, branch)) for branch in rest]
        if len(whole) == 1 and null and not required and flat.get("default", ABSENT) is None:
            return self._node(whole[0], "", required)  # left out is as good as null
        if len(whole) == 1 and null and required:
            node = self._node(whole[0], "", required)
            if node.kind in (Kind.TEXT, Kind.INTEGER, Kind.NUMBER):
                return Node(node.kind, node.schema, nullable=True)
        if len(whole) == 1 and not null:
            return self._node(whole[0], "", required)
        left_out = not required and flat.get("default", ABSENT) is None
        nothing = [{"type": "null"}] if null and not left_out else []
        return Node(Kind.VARIANTS, {**base, "anyOf": [*whole, *nothing]})

    def _flat(self, schema: Any, seen: tuple[str, ...] = ()) -> dict[str, Any]:
        """The schema with what it refers to and what it is put together from, as one. A reference that leads in a
        circle, or nowhere, says nothing."""
        if not isinstance(schema, Mapping) or len(seen) > _DEEPEST:
            return {}
        flat: dict[str, Any] = {str(key): value for key, value in schema.items()}
        target = flat.pop("$ref", None)
        if isinstance(target, str) and target not in seen:
            flat = merged(flat, self._flat(self._at(target), (*seen, target)))
        for part in _parts(flat.pop("allOf", None)):
            flat = merged(flat, self._flat(part, (*seen, "allOf")))
        for part in self._conditional(flat):
            known = flat.get("properties")
            named = self._flat(part, (*seen, "if")).get("properties")
            if isinstance(named, Mapping):
                known = known if isinstance(known, Mapping) else {}
                flat["properties"] = {**known, **{name: one for name, one in named.items() if name not in known}}
        return flat

    def _conditional(self, flat: Mapping[str, Any]) -> Iterator[Any]:
        yield from (flat[key] for key in ("if", "then", "else") if key in flat)
        dependent = flat.get("dependentSchemas") or flat.get("dependencies")
        if isinstance(dependent, Mapping):
            yield from (part for part in dependent.values() if isinstance(part, Mapping))

    def _at(self, reference: str) -> Any:
        if not reference.startswith("#"):
            return {}
        place: Any = self._root
        for part in reference[1:].split("/")[1:]:
            key = unquote(part).replace("~1", "/").replace("~0", "~")
            if isinstance(place, Mapping):
                place = place.get(key)
            elif isinstance(place, list) and key.isdigit() and int(key) < len(place):
                place = place[int(key)]
            else:
                return {}
        return place


def words(name: str) -> str:
    """``base_branch`` and ``baseBranch`` as ``Base branch``."""
    spaced = "".join(f" {c.lower()}" if c.isupper() and i and name[i - 1].islower() else c for i, c in enumerate(name))
    text = " ".join(spaced.replace("_", " ").replace("-", " ").split())
    return text[:1].upper() + text[1:]


def _never_null(node: Node) -> bool:
    if node.kind is Kind.VARIANTS:
        return not any(isinstance(shape, Mapping) and shape.get("type") == "null" for shape in node.schema["anyOf"])
    chosen = any(choice.value is None for choice in node.choices)
    return not chosen and node.kind not in (Kind.ANY, Kind.NOTHING)


def _places(schema: Mapping[str, Any]) -> list[Any]:
    found = schema.get("prefixItems")
    if not isinstance(found, list):
        found = schema.get("items")
    return list(found) if isinstance(found, list) else []


def _parts(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list) else []


def _listed(schema: Mapping[str, Any]) -> list[Choice]:
    about = str(schema.get("description") or "")
    if "const" in schema:
        value = schema["const"]
        return [Choice(value, str(schema.get("title") or label_of(value)), about)]
    values = schema.get("enum")
    if not isinstance(values, list):
        return []
    names = schema.get("enumNames") or schema.get("x-enumNames") or schema.get("x-enum-varnames")
    labels = [str(name) for name in names] if isinstance(names, list) and len(names) == len(values) else None
    return [Choice(value, labels[at] if labels else label_of(value)) for at, value in enumerate(values)]


def label_of(value: Any) -> str:
    import json

    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _guessed(flat: Mapping[str, Any]) -> str:
    return next((kind for kind, keys in _TYPE_BY_KEYWORD.items() if any(key in flat for key in keys)), "")
