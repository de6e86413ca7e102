"""JSON Schemas of tools, mended so that OpenAI, Anthropic and Gemini all take them.

All three want an object at the top without alternatives there, known types, and property names of a closed alphabet.
Mending only widens: what the schema allowed before it allows after, and the tool checks its own arguments anyway.
"""

from __future__ import annotations

import json
import re
from typing import Any, cast

from actions.agent.model.outgoing import scrub

_TYPES = frozenset({"object", "array", "string", "number", "integer", "boolean", "null"})
_PROPERTY = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_LONGEST = 64_000
_DEEPEST = 24
_BRANCHES = ("anyOf", "oneOf", "allOf")
_ONE = ("items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames")
_MANY = (*_BRANCHES, "prefixItems")
_NAMED = ("properties", "$defs", "definitions", "patternProperties")
_DROPPED = ("$schema", "$id", "$anchor", "$dynamicAnchor", "$dynamicRef", "$comment")

Schema = dict[str, Any]


class Unfit(Exception):
    """A schema that cannot be mended; says why, as the end of "the tool X ..."."""


def mend(schema: Any) -> Schema:
    """A copy of ``schema`` that the vendors take. Raises :class:`Unfit`."""
    copy = _plain(schema)
    if copy is True or copy is None:
        copy = {}
    if not isinstance(copy, dict):
        raise Unfit("has parameters that are no JSON Schema")
    root = cast("Schema", copy)
    mended = cast("Schema", _mend(root, root, 0))
    return _object(mended)


def _plain(schema: Any) -> Any:
    try:
        text = json.dumps(schema, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise Unfit(f"has parameters that are not JSON ({error})") from error
    if len(text) > _LONGEST:
        raise Unfit(f"has a schema of {len(text):,} characters; at most {_LONGEST:,} can be sent")
    return json.loads(scrub(json.dumps(json.loads(text), ensure_ascii=False)))


def _mend(schema: Any, root: Schema, depth: int) -> Any:
    if not isinstance(schema, dict) or depth > _DEEPEST:
        return schema if isinstance(schema, bool) else {}
    node = {key: value for key, value in cast("Schema", schema).items() if key not in _DROPPED}
    _mend_reference(node, root)
    _mend_type(node)
    for key in _ONE:
        if key in node:
            node[key] = _mend(node[key], root, depth + 1)
    for key in _MANY:
        if key in node:
            branches = cast("list[Any]", node[key] if isinstance(node[key], list) else [])
            node[key] = [_mend(branch, root, depth + 1) for branch in branches]
            if not branches:
                del node[key]
    for key in _NAMED:
        if key in node:
            named = cast("Schema", node[key] if isinstance(node[key], dict) else {})
            node[key] = {name: _mend(inner, root, depth + 1) for name, inner in named.items()}
    for name in node.get("properties", ()):
        if not _PROPERTY.fullmatch(name):
            raise Unfit(f"has a parameter named {name!r}; names are 1 to 64 letters, digits, _ . or -")
    _mend_lists(node)
    return node


def _mend_reference(node: Schema, root: Schema) -> None:
    target = node.get("$ref")
    if "$ref" in node and not (isinstance(target, str) and _resolves(target, root)):
        del node["$ref"]


def _resolves(target: str, root: Schema) -> bool:
    if not re.fullmatch(r"#/(\$defs|definitions)/[^/]+", target):
        return False
    _, kind, name = target.split("/")
    definitions = root.get(kind)
    return isinstance(definitions, dict) and name in definitions


def _mend_type(node: Schema) -> None:
    said = node.get("type")
    if isinstance(said, list):
        known = [kind for kind in cast("list[Any]", said) if isinstance(kind, str) and kind in _TYPES]
        node["type"] = known
        if not known:
            del node["type"]
    elif "type" in node and (not isinstance(said, str) or said not in _TYPES):
        del node["type"]
    if node.get("type") == "array" and "items" not in node and "prefixItems" not in node:
        node["items"] = {}


def _mend_lists(node: Schema) -> None:
    if "enum" in node and not (isinstance(node["enum"], list) and node["enum"]):
        del node["enum"]
    if "required" in node:
        properties = cast("Schema", node.get("properties", {}))
        said = cast("list[Any]", node["required"] if isinstance(node["required"], list) else [])
        node["required"] = [name for name in dict.fromkeys(map(str, said)) if name in properties]
        if not node["required"]:
            del node["required"]
    if not isinstance(node.get("description", ""), str):
        del node["description"]


def _object(schema: Schema) -> Schema:
    """An object at the top: alternatives there are taken together, none of their properties is required."""
    top = dict(schema)
    branches = [cast("Schema", b) for key in _BRANCHES for b in top.pop(key, []) if isinstance(b, dict)]
    if "$ref" in top:
        _, kind, name = str(top["$ref"]).split("/")
        if isinstance(target := top[kind][name], dict):
            branches.append(cast("Schema", target))
    for key in ("not", "if", "then", "else", "enum", "const", "$ref"):
        top.pop(key, None)
    if "object" not in top.get("type", ["object"]):
        raise Unfit("has parameters that are no object")
    properties = cast("Schema", top.get("properties", {}))
    for branch in branches:
        properties = {**cast("Schema", branch.get("properties", {})), **properties}
    return {**top, "type": "object", "properties": properties}
