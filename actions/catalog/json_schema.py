"""A value against a JSON Schema of somebody else's: what does not fit, and where. Nothing that it refers to is fetched.

The schemas are those of tools and of forms that agents and MCP servers ask with: a hostile pattern cannot hold the
caller up, and a schema that is no schema refuses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

MOST = 50
"""More problems than that tell nobody anything."""

FORMATS = {
    "email": r"[^@\s]+@[^@\s]+\.[^@\s]+",
    "uri": r"[A-Za-z][A-Za-z0-9+.\-]*:\S+",
    "date": r"\d{4}-\d{2}-\d{2}",
    "date-time": r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?([Zz]|[+\-]\d{2}:?\d{2})?",
    "time": r"\d{2}:\d{2}(:\d{2}(\.\d+)?)?([Zz]|[+\-]\d{2}:?\d{2})?",
    "uuid": r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}",
    "ipv4": r"((25[0-5]|2[0-4]\d|1?\d?\d)(\.(?!$)|$)){4}",
}
_PATTERN_SECONDS = 0.2
_BRANCHES = ("anyOf", "oneOf")

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that does not fit: ``keyword`` of the schema with its ``limit``; ``message`` is the library's, in
    English. What is missing has the path at which it would stand.
    """

    path: Path
    keyword: str
    limit: Any
    message: str


def problems(schema: Any, value: Any) -> list[Problem]:
    """Everything that keeps ``value`` from being valid, at most :data:`MOST`. Where one of several shapes is wanted,
    what is wrong with the one that comes nearest.
    """
    import jsonschema.exceptions
    from referencing.exceptions import Unresolvable

    if not isinstance(schema, (dict, bool)):
        return []
    unusable = (Unresolvable, jsonschema.exceptions.SchemaError, jsonschema.exceptions.UnknownType)
    found: dict[tuple[Path, str], Problem] = {}
    try:
        for error in _validator(cast("Any", schema)).iter_errors(value):
            for problem in _unfolded(error):
                found.setdefault((problem.path, problem.keyword), problem)
            if len(found) >= MOST:
                break
    except (RecursionError, TypeError, ValueError, AttributeError, *unusable):
        return list(found.values())
    return list(found.values())


def is_valid(schema: Any, value: Any) -> bool:
    return not problems(schema, value)


def matches(pattern: str, text: str) -> bool:
    """Whether a pattern of somebody else's is found in the text. One that is no pattern, or takes for ever, refuses
    nothing: who asked gets the text and may ask again.
    """
    import regex  # its searches can be given a limit; few forms have a pattern

    try:
        return regex.search(pattern, text, timeout=_PATTERN_SECONDS) is not None
    except (regex.error, TimeoutError):
        return True


def has_format(name: str, text: str) -> bool:
    """Whether the text has the format; one that is not known is had by every text."""
    return name not in FORMATS or re.fullmatch(FORMATS[name], text) is not None


def _validator(schema: Any) -> Any:
    import referencing
    from jsonschema import validators

    base = validators.validator_for(schema, default=validators.Draft202012Validator)
    nothing_is_fetched = cast("Any", referencing).Registry()
    return _hardened(base)(schema, registry=nothing_is_fetched, format_checker=_formats())


@lru_cache(maxsize=8)
def _hardened(base: Any) -> Any:
    """The library's checks, with patterns that have a time limit."""
    from jsonschema import validators
    from jsonschema.exceptions import ValidationError

    def pattern(_: Any, wanted: Any, instance: Any, __: Any) -> Iterator[ValidationError]:
        if isinstance(instance, str) and isinstance(wanted, str) and not matches(wanted, instance):
            yield ValidationError(f"{instance!r} does not match {wanted!r}")

    def pattern_properties(validator: Any, wanted: Any, instance: Any, _: Any) -> Iterator[ValidationError]:
        if not isinstance(instance, dict):
            return
        given = cast("dict[str, Any]", instance)
        for expression, below in cast("dict[str, Any]", wanted).items():
            for name in (name for name in given if matches(expression, name)):
                yield from validator.descend(given[name], below, path=name, schema_path=expression)

    def additional(validator: Any, wanted: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
        if not isinstance(instance, dict):
            return
        known = cast("Mapping[str, Any]", schema.get("properties") or {})
        expressions = list(cast("Mapping[str, Any]", schema.get("patternProperties") or {}))
        for name, entry in cast("dict[str, Any]", instance).items():
            if name in known or any(matches(expression, name) for expression in expressions):
                continue
            if wanted is False:
                yield ValidationError(f"{name!r} is not expected here", path=(name,))
            else:
                yield from validator.descend(entry, wanted, path=name)

    checks = {"pattern": pattern, "patternProperties": pattern_properties, "additionalProperties": additional}
    return cast("Any", validators).extend(base, checks)


@lru_cache(maxsize=1)
def _formats() -> Any:
    from jsonschema import FormatChecker

    checker = FormatChecker(formats=())
    for name in FORMATS:
        checker.checks(name)(_format_check(name))
    return checker


def _format_check(name: str) -> Callable[[object], bool]:
    return lambda value: not isinstance(value, str) or has_format(name, value)


def _unfolded(error: ValidationError, depth: int = 0) -> Iterator[Problem]:
    keyword, at = str(error.validator), tuple(error.absolute_path)
    given = cast("object", error.instance)
    if keyword in _BRANCHES and error.context and depth < 20:
        for inner in _nearest(error.context):
            yield from _unfolded(inner, depth + 1)
        return
    if keyword == "required" and isinstance(given, dict):
        for name in cast("list[Any]", error.validator_value):
            if name not in given:
                yield Problem((*at, str(name)), keyword, True, error.message)
        return
    yield Problem(at, keyword, error.validator_value, error.message)


def _nearest(context: Iterable[ValidationError]) -> list[ValidationError]:
    """The errors of that branch whose shape fits best: those that end deep say more than "is no object"."""
    branches: dict[Any, list[ValidationError]] = {}
    for error in context:
        branches.setdefault(error.schema_path[0], []).append(error)

    def distance(errors: list[ValidationError]) -> tuple[int, int]:
        wrong_kind = sum(1 for e in errors if not e.path and e.validator in ("type", "const", "enum"))
        told_apart = sum(1 for e in errors if e.validator in ("const", "enum"))
        return wrong_kind + told_apart, len(errors)

    return min(branches.values(), key=distance)
