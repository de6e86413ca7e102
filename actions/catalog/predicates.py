"""Conditions over a partial draft: when a field is shown, required or disabled.

One evaluator serves the form, the spoken questions, the field rows of an approval and shell completion. ``eq`` is
strict: nothing is converted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, assert_never, cast


@dataclass(frozen=True, slots=True)
class Truthy:
    path: str


@dataclass(frozen=True, slots=True)
class Eq:
    path: str
    value: Any


@dataclass(frozen=True, slots=True)
class Includes:
    path: str
    value: Any


@dataclass(frozen=True, slots=True)
class Not:
    of: Predicate


@dataclass(frozen=True, slots=True)
class All:
    of: tuple[Predicate, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    of: tuple[Predicate, ...]


Predicate = Truthy | Eq | Includes | Not | All | AnyOf


def truthy(path: str) -> Predicate:
    """The value at ``path`` is there and not empty, zero or false."""
    return Truthy(path)


def eq(path: str, value: Any) -> Predicate:
    """The value at ``path`` is ``value``, of the same type."""
    return Eq(path, value)


def includes(path: str, value: Any) -> Predicate:
    """The list at ``path`` holds ``value``."""
    return Includes(path, value)


def not_(predicate: Predicate) -> Predicate:
    return Not(predicate)


def all_(*predicates: Predicate) -> Predicate:
    return All(predicates)


def any_(*predicates: Predicate) -> Predicate:
    return AnyOf(predicates)


def lookup(draft: Mapping[str, Any], path: str) -> Any:
    """The value at a dotted path of a draft, or None where any part is missing."""
    value: Any = draft
    for part in path.split("."):
        if not isinstance(value, Mapping):
            return None
        value = cast("Mapping[str, Any]", value).get(part)
    return value


def holds(predicate: Predicate, draft: Mapping[str, Any]) -> bool:
    """Evaluate a predicate over a draft."""
    match predicate:
        case Truthy(path):
            return bool(lookup(draft, path))
        case Eq(path, value):
            return _same(lookup(draft, path), value)
        case Includes(path, value):
            found = lookup(draft, path)
            if isinstance(found, str) or not isinstance(found, Sequence):
                return False
            return any(_same(item, value) for item in cast("Sequence[Any]", found))
        case Not(of):
            return not holds(of, draft)
        case All(of):
            return all(holds(part, draft) for part in of)
        case AnyOf(of):
            return any(holds(part, draft) for part in of)
        case _:
            assert_never(predicate)


def paths(predicate: Predicate) -> tuple[str, ...]:
    """Every path that a predicate reads."""
    match predicate:
        case Truthy(path) | Eq(path, _) | Includes(path, _):
            return (path,)
        case Not(of):
            return paths(of)
        case All(of) | AnyOf(of):
            return tuple(path for part in of for path in paths(part))
        case _:
            assert_never(predicate)


def as_json(predicate: Predicate | None) -> dict[str, Any] | None:
    """The predicate as data for clients in other processes; :func:`from_json` reads it back."""
    match predicate:
        case None:
            return None
        case Truthy(path):
            return {"truthy": path}
        case Eq(path, value):
            return {"eq": [path, _plain(value)]}
        case Includes(path, value):
            return {"includes": [path, _plain(value)]}
        case Not(of):
            return {"not": as_json(of)}
        case All(of):
            return {"all": [as_json(part) for part in of]}
        case AnyOf(of):
            return {"any": [as_json(part) for part in of]}
        case _:
            assert_never(predicate)


def from_json(data: Mapping[str, Any] | None) -> Predicate | None:
    """Read what :func:`as_json` wrote. Raises ValueError for an unknown shape."""
    if data is None:
        return None
    ((kind, value),) = data.items()
    match kind:
        case "truthy":
            return Truthy(value)
        case "eq":
            return Eq(value[0], value[1])
        case "includes":
            return Includes(value[0], value[1])
        case "not":
            return Not(_present(from_json(value)))
        case "all":
            return All(tuple(_present(from_json(part)) for part in value))
        case "any":
            return AnyOf(tuple(_present(from_json(part)) for part in value))
        case _:
            raise ValueError(f"unknown predicate {kind!r}")


def _present(predicate: Predicate | None) -> Predicate:
    if predicate is None:
        raise ValueError("a predicate is missing inside another")
    return predicate


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, Enum) else value


def _same(found: Any, value: Any) -> bool:
    found, value = _plain(found), _plain(value)
    return type(found) is type(value) and found == value
