"""The tool that an action is for agents and editors (MCP 2025-11-25, tools)."""

from __future__ import annotations

from typing import Any

from actions.catalog.spec import ActionOutput, ActionSpec, Effect


class Tool(ActionOutput):
    """Name, title, description, schemas of input and output, and annotations from the effect."""

    name: str
    title: str
    description: str
    input_schema: dict[str, Any]
    output_schema: dict[str, Any]
    annotations: dict[str, bool]


def tool(spec: ActionSpec, language: str = "en") -> Tool:
    return Tool(
        name=spec.tool_name,
        title=spec.title.in_language(language),
        description=spec.description.in_language(language),
        input_schema=input_schema(spec),
        output_schema=spec.output.model_json_schema(mode="serialization"),
        annotations={
            "readOnlyHint": spec.effect.reads_only,
            "destructiveHint": spec.effect is Effect.DANGER,
            "idempotentHint": spec.effect.reads_only,
            "openWorldHint": spec.effect is Effect.EXTERNAL,
        },
    )


def input_schema(spec: ActionSpec) -> dict[str, Any]:
    """JSON Schema 2020-12 of the input, in snake_case."""
    return spec.input.model_json_schema(by_alias=False, mode="validation")
