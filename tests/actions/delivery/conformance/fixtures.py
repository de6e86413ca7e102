"""What the conformance suite asks a server for by name: its tools, resources and prompts, beside our own tools.

Each returns what the suite's description of the scenario says (`conformance list`, MCP 2025-11-25).
"""

from __future__ import annotations

import asyncio
import base64
import struct
import zlib
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext

Context = ServerRequestContext[Any, Any]
_NOTHING: dict[str, Any] = {"type": "object", "properties": {}}
_TEXT = {"type": "text", "text": "This is a simple text response for testing."}


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


_RED_DOT = (
    b"\x89PNG\r\n\x1a\n"
    + _chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
    + _chunk(b"IDAT", zlib.compress(b"\x00\xff\x00\x00"))
    + _chunk(b"IEND", b"")
)
PNG = base64.b64encode(_RED_DOT).decode()
WAV = base64.b64encode(
    b"RIFF" + struct.pack("<I", 38) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 8000, 16000, 2, 16)
    + b"data" + struct.pack("<IH", 2, 0)
).decode()  # fmt: skip
_IMAGE = {"type": "image", "data": PNG, "mimeType": "image/png"}


def _resource(uri: str, kind: str, text: str) -> dict[str, Any]:
    return {"type": "resource", "resource": {"uri": uri, "mimeType": kind, "text": text}}


CONTENT: dict[str, list[dict[str, Any]]] = {
    "test_simple_text": [_TEXT],
    "test_image_content": [_IMAGE],
    "test_audio_content": [{"type": "audio", "data": WAV, "mimeType": "audio/wav"}],
    "test_embedded_resource": [
        _resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")
    ],
    "test_multiple_content_types": [
        {"type": "text", "text": "Multiple content types test:"},
        _IMAGE,
        _resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ],
}
_INPUTS: dict[str, dict[str, Any]] = {
    "test_tool_with_logging": _NOTHING,
    "test_tool_with_progress": _NOTHING,
    "test_error_handling": _NOTHING,
    "test_reconnection": _NOTHING,
    "test_sampling": {"type": "object", "properties": {"prompt": {"type": "string"}}, "required": ["prompt"]},
    "test_elicitation": {"type": "object", "properties": {"message": {"type": "string"}}, "required": ["message"]},
    "test_elicitation_sep1034_defaults": _NOTHING,
    "test_elicitation_sep1330_enums": _NOTHING,
    "json_schema_2020_12_tool": {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {"type": "object", "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}
        },
        "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}},
        "additionalProperties": False,
    },
}
TOOLS = [
    {"name": name, "description": f"The suite's {name}.", "inputSchema": schema}
    for name, schema in {**dict.fromkeys(CONTENT, _NOTHING), **_INPUTS}.items()
]
NAMES = frozenset(str(tool["name"]) for tool in TOOLS)

_ASKED_FOR = {
    "test_elicitation": {
        "type": "object",
        "properties": {"username": {"type": "string"}, "email": {"type": "string"}},
        "required": ["username", "email"],
    },
    "test_elicitation_sep1034_defaults": {
        "type": "object",
        "properties": {
            "name": {"type": "string", "default": "John Doe"},
            "age": {"type": "integer", "default": 30},
            "score": {"type": "number", "default": 95.5},
            "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
            "verified": {"type": "boolean", "default": True},
        },
    },
    "test_elicitation_sep1330_enums": {
        "type": "object",
        "properties": {
            "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
            "titledSingle": {
                "type": "string",
                "oneOf": [{"const": f"value{n}", "title": f"Option {n}"} for n in (1, 2, 3)],
            },
            "legacyEnum": {
                "type": "string",
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"],
            },
            "untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
            "titledMulti": {
                "type": "array",
                "items": {"anyOf": [{"const": f"value{n}", "title": f"Choice {n}"} for n in (1, 2, 3)]},
            },
        },
    },
}


async def call(ctx: Context, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Run one of the suite's tools."""
    if name in CONTENT:
        return {"content": CONTENT[name]}
    if name == "test_error_handling":
        text = "This tool intentionally returns an error for testing"
        return {"content": [{"type": "text", "text": text}], "isError": True}
    if name == "test_tool_with_logging":
        for text in ("Tool execution started", "Tool processing data", "Tool execution completed"):
            await ctx.session.send_log_message("info", text, related_request_id=ctx.request_id)
            await asyncio.sleep(0.05)
    elif name == "test_tool_with_progress":
        for done in (0, 50, 100):
            await ctx.session.report_progress(done, 100)
            await asyncio.sleep(0.05)
    elif name == "test_reconnection":
        if ctx.close_sse_stream is not None:
            await ctx.close_sse_stream()
        await asyncio.sleep(0.2)
    elif name == "test_sampling":
        said = types.SamplingMessage(role="user", content=types.TextContent(type="text", text=arguments["prompt"]))
        answer = await ctx.session.create_message([said], max_tokens=100, related_request_id=ctx.request_id)
        return _said(f"LLM response: {answer.content}")
    elif name in _ASKED_FOR:
        message = arguments.get("message", "Please fill this in.")
        found = await ctx.session.elicit_form(message, _ASKED_FOR[name], related_request_id=ctx.request_id)
        return _said(f"Elicitation completed: action={found.action}, content={found.content}")
    return _said(f"{name} is done.")


def _said(text: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}]}


RESOURCES = [
    {"uri": "test://static-text", "name": "Static text", "description": "A text.", "mimeType": "text/plain"},
    {"uri": "test://static-binary", "name": "Static image", "description": "An image.", "mimeType": "image/png"},
    {"uri": "test://watched-resource", "name": "Watched", "description": "It changes.", "mimeType": "text/plain"},
]
TEMPLATES = [
    {
        "uriTemplate": "test://template/{id}/data",
        "name": "Template",
        "description": "Data of an id.",
        "mimeType": "application/json",
    }
]


def read(uri: str) -> dict[str, Any]:
    """One of the suite's resources."""
    if uri == "test://static-binary":
        return {"uri": uri, "mimeType": "image/png", "blob": PNG}
    if uri.startswith("test://template/"):
        identity = uri.removeprefix("test://template/").removesuffix("/data")
        text = f'{{"id": "{identity}", "templateTest": true, "data": "Data for ID: {identity}"}}'
        return {"uri": uri, "mimeType": "application/json", "text": text}
    return {"uri": uri, "mimeType": "text/plain", "text": "This is the content of the static text resource."}


PROMPTS = [
    {"name": "test_simple_prompt", "description": "A prompt without arguments."},
    {
        "name": "test_prompt_with_arguments",
        "description": "A prompt with two arguments.",
        "arguments": [
            {"name": "arg1", "description": "The first.", "required": True},
            {"name": "arg2", "description": "The second.", "required": True},
        ],
    },
    {
        "name": "test_prompt_with_embedded_resource",
        "description": "A prompt with a resource.",
        "arguments": [{"name": "resourceUri", "description": "Which.", "required": True}],
    },
    {"name": "test_prompt_with_image", "description": "A prompt with an image."},
]


def prompt(name: str, arguments: dict[str, str]) -> list[dict[str, Any]]:
    """The contents of one of the suite's prompts."""
    if name == "test_prompt_with_arguments":
        text = f"Prompt with arguments: arg1='{arguments['arg1']}', arg2='{arguments['arg2']}'"
        return [{"type": "text", "text": text}]
    if name == "test_prompt_with_embedded_resource":
        embedded = _resource(arguments["resourceUri"], "text/plain", "Embedded resource content for testing.")
        return [embedded, {"type": "text", "text": "Please process the embedded resource above."}]
    if name == "test_prompt_with_image":
        return [_IMAGE, {"type": "text", "text": "Please analyze the image above."}]
    return [{"type": "text", "text": "This is a simple prompt for testing."}]
