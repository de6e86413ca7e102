"""JSON Schemas of actions as tools carry them: inputs without references, outputs with every answer that may come."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

from actions.catalog.projections.tool import input_schema
from actions.catalog.spec import ActionSpec

_DEFS = "#/$defs/"
_LARGEST = 64 * 1024
_ID = {"type": "string"}
_NUMBER = {"type": "integer"}
_INSTEAD: list[dict[str, Any]] = [
    {
        "type": "object",
        "properties": {"kind": {"const": "approval_pending"}, "approval_id": _ID, "action": _ID},
        "required": ["kind", "approval_id", "action"],
    },
    {
        "type": "object",
        "properties": {"kind": {"const": "result_in_file"}, "path": _ID, "bytes": _NUMBER},
        "required": ["kind", "path", "bytes"],
    },
    {
        "type": "object",
        "properties": {"code": _ID, "message": _ID, "details": {"type": "object"}},
        "required": ["code", "message"],
    },
]
"""What comes in place of the output: a person is asked first, it is too large to be sent, it was refused or failed."""


class _Recursive(Exception):
    """A definition holds itself: references stay."""


def tool_input(spec: ActionSpec) -> dict[str, Any]:
    """The input, its references written out: not every model's tool format takes them."""
    return _without(inlined(input_schema(spec)), "title")


def tool_output(spec: ActionSpec) -> dict[str, Any]:
    """What a call may answer: the output, a pending approval, where a large result lies, or an error.

    Errors too: the protocol's own TypeScript client checks whatever structured content comes, and would show its
    complaint in place of ours.
    """
    output = _without(spec.output.model_json_schema(mode="serialization"), *_IDLE)
    definitions = output.pop("$defs", None)
    whole: dict[str, Any] = {"type": "object", "anyOf": [output, *_INSTEAD]}
    return whole if definitions is None else {**whole, "$defs": definitions}


def inlined(schema: Mapping[str, Any]) -> dict[str, Any]:
    """``schema`` without ``$ref`` and ``$defs``; unchanged where it holds itself or would become very large."""
    definitions = cast("Mapping[str, Any]", schema.get("$defs") or {})
    if not definitions:
        return dict(schema)

    def walk(node: Any, inside: frozenset[str]) -> Any:
        if isinstance(node, list):
            return [walk(item, inside) for item in cast("list[Any]", node)]
        if not isinstance(node, dict):
            return node
        fields = cast("dict[str, Any]", node)
        reference = fields.get("$ref")
        if isinstance(reference, str) and reference.startswith(_DEFS):
            name = reference.removeprefix(_DEFS)
            if name in inside:
                raise _Recursive
            beside = {key: walk(value, inside) for key, value in fields.items() if key != "$ref"}
            return {**walk(definitions[name], inside | {name}), **beside}
        return {key: walk(value, inside) for key, value in fields.items() if key != "$defs"}

    try:
        found: dict[str, Any] = walk(schema, frozenset())
    except _Recursive:
        return dict(schema)
    return found if len(json.dumps(found)) <= _LARGEST else dict(schema)


_IDLE = ("title", "description", "default", "additionalProperties")
_NAMED = frozenset({"properties", "$defs", "patternProperties"})


def _without(schema: dict[str, Any], *words: str) -> dict[str, Any]:
    """``schema`` without these keywords, except where they hold a schema themselves.

    Titles are made from the names of fields: they cost tokens and tell a model nothing. Nor do descriptions and
    defaults of an output, which few clients show to one.
    """

    def walk(node: Any, *, names: bool = False) -> Any:
        if isinstance(node, list):
            return [walk(item) for item in cast("list[Any]", node)]
        if not isinstance(node, dict):
            return node
        fields = cast("dict[str, Any]", node)
        return {
            key: walk(value, names=not names and key in _NAMED)
            for key, value in fields.items()
            if names or key not in words or isinstance(value, dict)
        }

    return walk(schema)
