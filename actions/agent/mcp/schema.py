"""A server's schema as providers take it: one that they refuse would make them refuse the whole request."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

_COMBINING = ("anyOf", "oneOf", "allOf", "not", "enum", "const", "if", "then", "else")


def for_model(schema: Mapping[str, Any]) -> dict[str, Any]:
    """``schema`` with ``type: object`` and properties at the top, and nothing there that combines schemas.

    What is taken away there is said in the description instead; arguments are still checked against all of it.
    """
    shown = _resolved(dict(schema))
    combined = {key: shown.pop(key) for key in _COMBINING if key in shown}
    shown.pop("$schema", None)
    shown.pop("$id", None)
    shown["type"] = "object"
    if not isinstance(shown.get("properties"), dict):
        shown["properties"] = _merged(combined)
    if combined:
        said = json.dumps(combined, ensure_ascii=False)[:1000]
        shown["description"] = f"{shown.get('description', '')} The arguments also have to fit: {said}".strip()
    return shown


def _resolved(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema that a reference at the top leads to, within the same document; its definitions stay beside it."""
    for _ in range(10):
        reference = schema.get("$ref")
        if not isinstance(reference, str) or not reference.startswith("#/"):
            return schema
        target: object = schema
        for step in reference[2:].split("/"):
            key = step.replace("~1", "/").replace("~0", "~")
            target = cast("dict[str, object]", target).get(key) if isinstance(target, dict) else None
        if not isinstance(target, dict):
            return schema
        kept = {key: schema[key] for key in ("$defs", "definitions", "description") if key in schema}
        schema = {**kept, **cast("dict[str, Any]", target)}
    return schema


def _merged(combined: Mapping[str, Any]) -> dict[str, Any]:
    """All properties that any branch names, so that the model knows of them."""
    found: dict[str, Any] = {}
    for key in ("allOf", "anyOf", "oneOf"):
        for branch in combined.get(key) or ():
            if isinstance(branch, dict) and isinstance(
                properties := cast("dict[str, Any]", branch).get("properties"), dict
            ):
                found |= cast("dict[str, Any]", properties)
    return found
