"""A tool as the model is offered it."""

from __future__ import annotations

from typing import Any, cast

from actions.agent.model.events import ToolSpec
from actions.agent.toolset.tool import Tool, TypedTool


def spec_of(tool: Tool) -> ToolSpec:
    """Name, description and JSON Schema; a typed tool's schema is that of its arguments."""
    parameters = tool.parameters
    if not parameters and isinstance(tool, TypedTool):
        parameters = without_titles(cast("TypedTool[Any]", tool).params.model_json_schema())
    return ToolSpec(tool.name, tool.description, parameters or {"type": "object", "properties": {}})


def without_titles(schema: dict[str, Any]) -> dict[str, Any]:
    """``schema`` without the titles that pydantic makes of names: they cost tokens and say nothing."""
    return {
        key: _named(value) if key in ("properties", "$defs") else _inner(value)
        for key, value in schema.items()
        if not (key == "title" and isinstance(value, str))
    }


def _named(schemas: Any) -> Any:
    """Schemas by name: here ``title`` is a name like any other."""
    return {name: _inner(schema) for name, schema in schemas.items()}


def _inner(value: Any) -> Any:
    if isinstance(value, dict):
        return without_titles(cast("dict[str, Any]", value))
    if isinstance(value, list):
        return [_inner(item) for item in cast("list[Any]", value)]
    return value
