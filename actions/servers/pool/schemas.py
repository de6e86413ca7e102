"""What servers say of their tools: read entry by entry, so that a bad one hides no other, and checked against."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, cast

from jsonschema.exceptions import SchemaError, ValidationError
from jsonschema.validators import Draft202012Validator, validator_for
from referencing import Registry
from referencing.exceptions import Unresolvable

from actions.servers.pool.states import SkippedTool, ToolInfo

_DEEPEST = 100


class ToolReader:
    """Keeps what it found out about a schema: servers with thousands of tools repeat theirs."""

    def __init__(self) -> None:
        self._known: dict[str, str | None] = {}

    def read(self, entries: Iterable[object]) -> tuple[tuple[ToolInfo, ...], tuple[SkippedTool, ...], tuple[str, ...]]:
        """The usable tools, the others with the reason, and warnings. Takes time: not for the event loop."""
        tools: dict[str, ToolInfo] = {}
        skipped: list[SkippedTool] = []
        warnings: list[str] = []
        for number, entry in enumerate(entries, 1):
            tool = self._tool(entry, number)
            if isinstance(tool, ToolInfo) and tool.name in tools:
                tool = SkippedTool(tool.name, "another tool of this server has the same name")
            if isinstance(tool, SkippedTool):
                skipped.append(tool)
                continue
            if tool.output_schema is not None and (wrong := self._wrong(tool.output_schema)) is not None:
                warnings.append(f"The output schema of {tool.name} is not used: {wrong}.")
                tool = ToolInfo(tool.name, tool.description, tool.input_schema, tool.title, None, tool.annotations)
            tools[tool.name] = tool
        return tuple(tools.values()), tuple(skipped), tuple(warnings)

    def _tool(self, entry: object, number: int) -> ToolInfo | SkippedTool:
        if not isinstance(entry, dict):
            return SkippedTool(f"(entry {number})", "it is not an object")
        tool = cast("dict[str, Any]", entry)
        name = tool.get("name")
        if not isinstance(name, str) or not name.strip():
            return SkippedTool(f"(entry {number})", "it has no name")
        schema = tool.get("inputSchema")
        if not isinstance(schema, dict):
            return SkippedTool(
                name, "it has no input schema" if schema is None else "its input schema is not an object"
            )
        schema = cast("dict[str, Any]", schema)
        if schema.get("type", "object") != "object":
            kind = json.dumps(schema["type"], default=str)[:40]
            return SkippedTool(name, f"its input schema is of type {kind}, not an object")
        if (wrong := self._wrong(schema)) is not None:
            return SkippedTool(name, f"its input schema cannot be used: {wrong}")
        return ToolInfo(
            name=name,
            description=_text(tool.get("description")),
            input_schema=schema,
            title=_text(tool.get("title")) or None,
            output_schema=_object(tool.get("outputSchema")),
            annotations=_object(tool.get("annotations")),
        )

    def _wrong(self, schema: Mapping[str, Any]) -> str | None:
        """What is wrong with a schema; None when it can be used. Nothing that it refers to is fetched."""
        try:
            key = json.dumps(schema, sort_keys=True)
        except (ValueError, RecursionError):
            return "it is nested too deeply"
        if key not in self._known:
            self._known[key] = _fault(schema)
        return self._known[key]


class Checker:
    """Checks values against one schema. Nothing that the schema refers to is fetched."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        kind = validator_for(dict(schema), default=Draft202012Validator)
        self._validator = kind(dict(schema), registry=Registry())

    def faults(self, value: object, limit: int = 5) -> list[str]:
        """What does not fit, each with its place; empty when all does."""
        try:
            found = islice(self._validator.iter_errors(cast("Any", value)), limit)
            return [_fault_text(error) for error in found]
        except (Unresolvable, RecursionError) as error:
            return [f"it cannot be checked: {type(error).__name__}"]


def _fault_text(error: ValidationError) -> str:
    where = ".".join(str(part) for part in error.absolute_path)
    text = error.message if len(error.message) <= 200 else f"{error.message[:80]} ... {error.message[-100:]}"
    return f"{where}: {text}" if where else text


def _fault(schema: Mapping[str, Any]) -> str | None:
    try:
        foreign = _foreign_reference(schema, 0)
        if foreign is not None:
            return f"it refers to {foreign[:200]}, which is not fetched"
        validator_for(schema, default=Draft202012Validator).check_schema(dict(schema))
    except SchemaError as error:
        where = "/".join(str(part) for part in error.absolute_path)
        return f"{error.message[:200]}{f' (at {where})' if where else ''}"
    except RecursionError:
        return "it is nested too deeply"
    return None


def _foreign_reference(value: object, depth: int) -> str | None:
    """The first ``$ref`` that leaves the schema."""
    if depth > _DEEPEST:
        raise RecursionError
    if isinstance(value, dict):
        content = cast("dict[str, object]", value)
        for key in ("$ref", "$dynamicRef"):
            if isinstance(target := content.get(key), str) and not target.startswith("#"):
                return target
        children: Iterable[object] = content.values()
    elif isinstance(value, list):
        children = cast("list[object]", value)
    else:
        return None
    return next((found for child in children if (found := _foreign_reference(child, depth + 1)) is not None), None)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _object(value: object) -> dict[str, Any] | None:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None
