"""Two JSON Schemas that must both hold, as one to draw. Only the form reads it; the check goes by the original."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

_HIGHEST = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_LOWEST = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")


def merged(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """What both say. The words of ``one`` win; a property of both is what both say of it."""
    result = dict(one)
    for key, value in other.items():
        if key not in result:
            result[key] = value
        elif result[key] != value:
            result[key] = _join(key)(result[key], value)
    return result


def _join(key: str) -> Callable[[Any, Any], Any]:
    if key in ("properties", "patternProperties", "$defs", "definitions"):
        return _properties
    if key in _HIGHEST:
        return lambda a, b: max(a, b) if _numbers(a, b) else a
    if key in _LOWEST:
        return lambda a, b: min(a, b) if _numbers(a, b) else a
    return {
        "required": lambda a, b: [*_list(a), *(name for name in _list(b) if name not in _list(a))],
        "enum": lambda a, b: [value for value in _list(a) if value in _list(b)] or a,
        "type": _types,
        "items": _both,
        "additionalProperties": lambda a, b: False if a is False or b is False else _both(a, b),
        "readOnly": lambda a, b: bool(a or b),
    }.get(key, lambda a, _: a)


def _properties(a: Any, b: Any) -> Any:
    if not isinstance(a, Mapping) or not isinstance(b, Mapping):
        return a
    return {name: _both(a[name], b[name]) if name in a and name in b else one for name, one in {**a, **b}.items()}


def _both(a: Any, b: Any) -> Any:
    if a is True or a == b:
        return b
    return a if b is True else {"allOf": [a, b]}


def _types(a: Any, b: Any) -> Any:
    ours, theirs = _list(a), _list(b)
    shared = [kind for kind in ours if kind in theirs or (kind == "integer" and "number" in theirs)]
    shared += ["integer"] if "integer" in theirs and "number" in ours and "integer" not in shared else []
    return shared[0] if len(shared) == 1 else shared or a


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _numbers(*values: Any) -> bool:
    return all(isinstance(value, int | float) for value in values)
