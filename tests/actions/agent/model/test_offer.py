"""One odd tool must not cost the others."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actions.agent.model.errors import ModelError
from actions.agent.model.events import Finished, ToolSpec
from actions.agent.model.offer import wire_name
from actions.agent.model.requests import Model
from actions.agent.model.schemas import Unfit, mend
from tests.actions.agent.model.conftest import SHELL, WIRES, Server, answer, prompt, raw_server

Serve = Callable[[dict[str, Any]], Server]
Open = Callable[..., Model]


def deep(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"x": schema}}
    return schema


@pytest.mark.parametrize(
    ("schema", "mended"),
    [
        ({}, {"type": "object", "properties": {}}),
        (None, {"type": "object", "properties": {}}),
        ({"type": "object"}, {"type": "object", "properties": {}}),
        ({"type": "any"}, {"type": "object", "properties": {}}),
        ({"$schema": "x", "$id": "y", "type": "object"}, {"type": "object", "properties": {}}),
        (
            {"type": "object", "properties": {"a": {"type": "array"}, "b": {"type": "file"}}, "required": ["a", "z"]},
            {"type": "object", "properties": {"a": {"type": "array", "items": {}}, "b": {}}, "required": ["a"]},
        ),
        (
            {"anyOf": [{"properties": {"a": {"type": "string"}}, "required": ["a"]}, {"properties": {"b": {}}}]},
            {"type": "object", "properties": {"a": {"type": "string"}, "b": {}}},
        ),
        (
            {"properties": {"a": {"$ref": "#/$defs/gone"}, "b": {"$ref": "https://example.org/x"}}},
            {"type": "object", "properties": {"a": {}, "b": {}}},
        ),
        (
            {"$ref": "#/$defs/A", "$defs": {"A": {"type": "object", "properties": {"a": {"type": "integer"}}}}},
            {
                "$defs": {"A": {"type": "object", "properties": {"a": {"type": "integer"}}}},
                "type": "object",
                "properties": {"a": {"type": "integer"}},
            },
        ),
        (
            {"properties": {"a": {"enum": [], "required": True, "description": 7, "type": ["string", "x"]}}},
            {"type": "object", "properties": {"a": {"type": ["string"]}}},
        ),
        (
            {"properties": {"a": {"description": "\ud800"}}},
            {"type": "object", "properties": {"a": {"description": "\ufffd"}}},
        ),
        ({"properties": []}, {"type": "object", "properties": {}}),
    ],
)
def test_a_schema_is_mended(schema: Any, mended: dict[str, Any]) -> None:
    assert mend(schema) == mended


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        ({"type": "array"}, "no object"),
        ({"type": "string"}, "no object"),
        ("nonsense", "no JSON Schema"),
        ({"properties": {"a b": {}}}, "'a b'"),
        ({"properties": {"": {}}}, "''"),
        ({"default": float("nan")}, "not JSON"),
        ({"default": object()}, "not JSON"),
        ({"description": "x" * 70_000}, "70,0"),
        (deep(100_000), "not JSON"),
    ],
)
def test_a_schema_that_cannot_be_mended_says_why(schema: Any, why: str) -> None:
    with pytest.raises(Unfit, match=re.escape(why)):
        mend(schema)


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "properties", "items", "$ref", "anyOf", "required", "enum", "$defs", "a", "not"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(_json)
def test_whatever_comes_it_is_mended_or_refused(schema: Any) -> None:
    try:
        mended = mend(schema)
    except Unfit:
        return
    assert mended["type"] == "object"
    assert isinstance(mended["properties"], dict)
    json.dumps(mended, ensure_ascii=False).encode()


@given(st.text(st.characters(), max_size=100))
def test_a_wire_name_is_one_that_all_vendors_take(name: str) -> None:
    assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]{0,63}", wire_name(name))
    assert wire_name(name) == wire_name(name)


def test_names_that_differ_stay_apart_and_good_ones_stay_themselves() -> None:
    assert wire_name("server__tool-1") == "server__tool-1"
    assert len({wire_name(name) for name in ("a.b", "a/b", "a b", "a_b")}) == 4


@pytest.mark.parametrize("wire", WIRES)
async def test_bad_tools_are_left_out_with_one_warning_each(serve: Serve, models: Open, wire: str) -> None:
    server = serve({"default": {"text": "ok"}})
    warnings: list[str] = []
    bad = [
        ToolSpec("arrays", "Takes a list", {"type": "array"}),
        ToolSpec("spaces", "Odd", {"type": "object", "properties": {"a b": {}}}),
        ToolSpec("Shell", "A second one", {}),
    ]
    model = models(server.ref(wire), warn=warnings.append)
    for _ in range(2):
        assert isinstance((await answer(model, prompt("hi"), [SHELL, *bad]))[-1], Finished)
    assert [warning.split()[2] for warning in warnings] == ["arrays", "spaces", "Shell"]
    sent = json.dumps(server.bodies[1])
    assert '"Shell"' in sent
    assert "arrays" not in sent


@pytest.mark.parametrize("wire", WIRES)
async def test_recursive_schemas_are_sent(serve: Serve, models: Open, wire: str) -> None:
    server = serve({"default": {"text": "ok"}})
    tree = {
        "type": "object",
        "properties": {"root": {"$ref": "#/$defs/Node"}},
        "$defs": {
            "Node": {
                "type": "object",
                "properties": {"kids": {"type": "array", "items": {"$ref": "#/$defs/Node"}}},
            }
        },
    }
    warnings: list[str] = []
    model = models(server.ref(wire), warn=warnings.append)
    assert isinstance((await answer(model, prompt("hi"), [ToolSpec("tree", "A tree", tree)]))[-1], Finished)
    assert warnings == []


@pytest.mark.parametrize(
    "complaint",
    [
        "Invalid schema for function 'odd': schema must be fine",
        "tools.1.custom.input_schema: JSON schema is invalid",
        "Invalid 'tools[1].function.parameters': no",
        "* GenerateContentRequest.tools[0].function_declarations[1].parameters: missing field",
    ],
)
async def test_a_tool_that_the_provider_blames_is_left_out_and_the_request_sent_again(complaint: str) -> None:
    from actions.agent.model.ref import ModelRef
    from actions.agent.model.requests import open_model

    asked: list[int] = []
    body = json.dumps({"error": {"message": complaint, "type": "invalid_request_error"}}).encode()
    chunk = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    good = json.dumps({**chunk, "choices": [{"index": 0, "delta": {"content": "ok"}, "finish_reason": "stop"}]})

    async def reply(head: bytes) -> bytes:
        if not head.startswith(b"POST"):
            return b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
        length = re.search(rb"content-length: (\d+)", head.lower())
        assert length is not None
        asked.append(int(length[1]))
        if len(asked) == 1:
            return b"HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n" + body
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
        return head + b"data: " + good.encode() + b"\n\ndata: [DONE]\n\n"

    warnings: list[str] = []
    async with raw_server(reply) as url:
        model = open_model(ModelRef("openai-compatible", "m", f"{url}/v1"), warn=warnings.append)
        events = await answer(model, prompt("hi"), [SHELL, ToolSpec("odd", "Odd", {"type": "object"})])
        await model.aclose()
    assert isinstance(events[-1], Finished)
    assert asked[1] < asked[0]  # one tool less
    assert len(warnings) == 1
    assert warnings[0].startswith("The tool odd was refused")


async def test_a_complaint_about_no_tool_is_passed_on(serve: Serve, models: Open) -> None:
    server = serve({"default": {"error": {"status": 400, "message": "messages: wrong"}, "times": 1000}})
    with pytest.raises(ModelError):
        await answer(models(server.ref("openai-chat")), prompt("hi"))
    assert len(server.bodies) == 1
