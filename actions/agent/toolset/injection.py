"""Building a tool from a table of instances by type: what the constructor's annotations ask for, it gets.

Positional parameters are dependencies, keyword-only ones the tool's own options.
"""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Mapping
from typing import Any, TypeVar, Union

from pydantic import TypeAdapter, ValidationError

T = TypeVar("T")
Table = Mapping[Any, object]
"""Instance by type. A key is the very type that constructors name, a Protocol too; subclasses are not looked for."""


class CannotBuild(Exception):
    """The constructor asks for something that nobody has; the text names it."""


def build(cls: type[T], table: Table, options: Mapping[str, Any]) -> T:
    """An instance of ``cls``: dependencies from ``table``, keyword-only parameters from ``options``.

    A parameter with a default keeps it when its type is not in the table; injection stops at the first keyword-only
    parameter. Options are checked against their annotations. Raises :class:`CannotBuild`, and what the constructor
    raises.
    """
    if cls.__init__ is object.__init__:
        _refuse_unknown(cls, options, ())
        return cls()
    wanted = list(inspect.signature(cls.__init__).parameters.values())[1:]
    given = _dependencies(cls, wanted, table)
    own = {parameter.name: parameter for parameter in wanted if parameter.kind is parameter.KEYWORD_ONLY}
    if not any(parameter.kind is parameter.VAR_KEYWORD for parameter in wanted):
        _refuse_unknown(cls, options, own)
    missing = [name for name, one in own.items() if one.default is one.empty and name not in options]
    if missing:
        raise CannotBuild(f"the option {missing[0]!r} has to be given")
    checked = {
        name: _checked(cls, own[name], value, table) if name in own else value for name, value in options.items()
    }
    return cls(*given, **checked)


def _dependencies(cls: type, parameters: list[inspect.Parameter], table: Table) -> list[object]:
    given: list[object] = []
    for parameter in parameters:
        if parameter.kind not in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            break
        if parameter.annotation is parameter.empty:
            if parameter.default is parameter.empty:
                raise CannotBuild(f"the parameter {parameter.name!r} has no type, so nothing can be given to it")
            given.append(parameter.default)
            continue
        wanted = _without_none(_annotation(cls, parameter, table))
        if wanted in table:
            given.append(table[wanted])
        elif parameter.default is not parameter.empty:
            given.append(parameter.default)
        else:
            raise CannotBuild(f"the parameter {parameter.name!r} needs a {_name(wanted)}, which this agent has not")
    return given


def _annotation(cls: type, parameter: inspect.Parameter, table: Table) -> Any:
    """The type that is meant, written as text or not. A name imported for type checkers only is looked for in the
    table."""
    constructor = inspect.unwrap(cls.__init__)
    names = {_name(kind): kind for kind in table} | getattr(constructor, "__globals__", {})
    holder = types.SimpleNamespace(__annotations__={parameter.name: parameter.annotation})
    try:
        return typing.get_type_hints(holder, globalns=names)[parameter.name]
    except (NameError, AttributeError, SyntaxError, TypeError) as error:
        text = f"the type {parameter.annotation!r} of the parameter {parameter.name!r} cannot be resolved"
        raise CannotBuild(f"{text}: {error}") from error


def _without_none(annotation: Any) -> Any:
    """``X`` of ``X | None``; everything else as it is."""
    if typing.get_origin(annotation) not in (Union, types.UnionType):
        return annotation
    kinds = [kind for kind in typing.get_args(annotation) if kind is not type(None)]
    return kinds[0] if len(kinds) == 1 else annotation


def _checked(cls: type, parameter: inspect.Parameter, value: Any, table: Table) -> Any:
    if parameter.annotation is parameter.empty:
        return value
    try:
        return TypeAdapter[Any](_annotation(cls, parameter, table)).validate_python(value)
    except ValidationError as error:
        raise CannotBuild(f"the option {parameter.name!r}: {error.errors()[0]['msg']}") from error


def _refuse_unknown(cls: type, options: Mapping[str, Any], own: typing.Collection[str]) -> None:
    unknown = sorted(set(options) - set(own))
    if unknown:
        known = ", ".join(sorted(own)) or "none"
        raise CannotBuild(f"there is no option {unknown[0]!r}; {cls.__name__} has: {known}")


def _name(kind: Any) -> str:
    return getattr(kind, "__name__", str(kind))
