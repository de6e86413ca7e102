"""What is sent: every provider must take it, whatever is in the conversation."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest
from pydantic_ai.messages import (
    BinaryContent,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from actions.agent.model.events import CallComplete, Finished
from actions.agent.model.outgoing import outgoing, scrub
from actions.agent.model.requests import Model
from actions.agent.tools.needs import ModelSenses
from tests.actions.agent.model.conftest import READ, WIRES, Server, answer, prompt

Serve = Callable[[dict[str, Any]], Server]
Open = Callable[..., Model]
OK = {"default": {"text": "ok"}}
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def called(result: Any, name: str = "ReadFile") -> list[ModelMessage]:
    return [
        *prompt("look"),
        ModelResponse(parts=[ToolCallPart(name, '{"path": "a"}', "call_1")]),
        ModelRequest(parts=[ToolReturnPart(name, result, "call_1")]),
    ]


@pytest.mark.parametrize(
    ("said", "sent"),
    [
        ("plain", "plain"),
        ("caf\u00e9 \U0001f600", "caf\u00e9 \U0001f600"),
        ("a\ud800b", "a\ufffdb"),
        ("\udcff", "\ufffd"),
        ("\ud83d\ude00", "\U0001f600"),
        ("\x00", "\x00"),
    ],
)
def test_lone_surrogates_are_replaced_and_nothing_else(said: str, sent: str) -> None:
    assert scrub(said) == sent


@pytest.mark.parametrize("wire", WIRES)
async def test_surrogates_anywhere_do_not_stop_a_request(serve: Serve, models: Open, wire: str) -> None:
    server = serve(OK)
    messages = called("file\udce9name")
    messages.insert(0, ModelRequest(parts=[UserPromptPart("bad \ud800 prompt")]))
    messages.insert(1, ModelResponse(parts=[ThinkingPart("th\ud800"), TextPart("an\ud800swer")]))
    messages.append(ModelResponse(parts=[ToolCallPart("ReadFile", '{"path": "\ud800"}', "call_2")]))
    messages.append(ModelRequest(parts=[ToolReturnPart("ReadFile", {"out": ["\udcff"]}, "call_2")]))
    events = await answer(models(server.ref(wire)), messages, instructions="be \ud800 kind")
    assert isinstance(events[-1], Finished)
    assert "\ufffd" in json.dumps(server.bodies[0], ensure_ascii=False)


@pytest.mark.parametrize("wire", WIRES)
async def test_empty_answers_are_left_out(serve: Serve, models: Open, wire: str) -> None:
    server = serve(OK)
    messages: list[ModelMessage] = [
        *prompt("one"),
        ModelResponse(parts=[]),
        *prompt("two"),
        ModelResponse(parts=[TextPart("")]),
        *prompt("three"),
        ModelResponse(parts=[TextPart("  \n")]),
        *prompt("four"),
        ModelResponse(parts=[ThinkingPart("Hm.", signature="c2ln", provider_name=wire)]),  # cut at its limit
        *prompt("five"),
    ]
    events = await answer(models(server.ref(wire)), messages)
    assert isinstance(events[-1], Finished)
    body = server.bodies[0]
    turns = body.get("messages") or body.get("input") or body.get("contents")
    assert not [turn for turn in turns if turn.get("role") in ("assistant", "model")]


@pytest.mark.parametrize("wire", WIRES)
async def test_images_reach_a_model_that_sees(serve: Serve, models: Open, wire: str) -> None:
    server = serve(OK)
    image = BinaryContent(PIXEL, media_type="image/png")
    model = models(server.ref(wire))
    model.senses = ModelSenses(image=True)
    messages = [ModelRequest(parts=[UserPromptPart(["what is this?", image])]), *called(["a picture:", image])[1:]]
    assert isinstance((await answer(model, messages))[-1], Finished)
    sent = json.dumps(server.bodies[0]).replace("-", "+").replace("_", "/")  # Gemini: URL-safe alphabet
    assert sent.count(base64.b64encode(PIXEL).decode()) == 2
    assert "a picture:" in sent


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("data", [b"", b"no picture", b"<svg/>", PIXEL + b"x" * 4_000_000])
async def test_what_is_no_picture_never_goes_out_as_one(serve: Serve, models: Open, wire: str, data: bytes) -> None:
    """The provider would refuse it, and with it every later request of the conversation."""
    server = serve(OK)
    messages: list[ModelMessage] = [
        ModelRequest(parts=[UserPromptPart(["look", BinaryContent(data, media_type="image/png")])])
    ]
    await answer(models(server.ref(wire)), messages)
    assert "left out" in json.dumps(server.bodies[0])
    assert len(json.dumps(server.bodies[0])) < 20_000


async def test_a_picture_goes_out_as_what_it_is(serve: Serve, models: Open) -> None:
    server = serve(OK)
    message = ModelRequest(parts=[UserPromptPart(["look", BinaryContent(PIXEL, media_type="image/jpeg")])])
    await answer(models(server.ref("anthropic")), [message])
    assert '"image/png"' in json.dumps(server.bodies[0])
    assert '"image/jpeg"' not in json.dumps(server.bodies[0])


@pytest.mark.parametrize("wire", WIRES)
async def test_a_model_that_does_not_see_gets_a_line_of_text(serve: Serve, models: Open, wire: str) -> None:
    server = serve(OK)
    image = BinaryContent(PIXEL, media_type="image/png")
    model = models(server.ref(wire))
    model.senses = ModelSenses()
    messages = [ModelRequest(parts=[UserPromptPart(["what is this?", image])]), *called(["a picture:", image])[1:]]
    assert isinstance((await answer(model, messages))[-1], Finished)
    sent = json.dumps(server.bodies[0]).replace("-", "+").replace("_", "/")
    assert base64.b64encode(PIXEL).decode() not in sent
    assert sent.count("image/png, 70 bytes: left out") == 2


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(
    "mime",
    [
        "application/pdf", "application/zip", "audio/wav", "audio/ogg", "video/mp4", "image/svg+xml", "image/tiff",
        "text/plain",
    ],
)  # fmt: skip
async def test_no_kind_of_file_stops_a_request(serve: Serve, models: Open, wire: str, mime: str) -> None:
    server = serve(OK)
    model = models(server.ref(wire))
    model.senses = ModelSenses(image=True, audio=True, video=True)
    file = BinaryContent(b"words in it", media_type=mime)
    messages = [ModelRequest(parts=[UserPromptPart(["what is this?", file])]), *called(["a file:", file])[1:]]
    assert isinstance((await answer(model, messages))[-1], Finished)
    sent = json.dumps(server.bodies[0])
    if mime == "text/plain":
        assert sent.count("words in it") == 2
    if mime in ("application/zip", "image/tiff"):
        assert sent.count(f"{mime}, 11 bytes: left out") == 2


def test_the_context_itself_is_never_changed() -> None:
    messages = called("x\ud800")
    before = repr(messages)
    sent = outgoing(messages, {"ReadFile": "other"}, frozenset())
    assert repr(messages) == before
    assert [part.tool_name for part in sent[1].parts if isinstance(part, ToolCallPart)] == ["other"]
    assert [part.tool_name for part in sent[2].parts if isinstance(part, ToolReturnPart)] == ["other"]


@pytest.mark.parametrize("wire", WIRES)
async def test_a_name_that_vendors_refuse_goes_out_and_comes_back_under_another(
    serve: Serve, models: Open, wire: str
) -> None:
    name = "my.server__tool/with spaces and " + "a very long tail " * 5
    tool = type(READ)(name, "Odd", READ.parameters)
    server = serve({"default": {"tool_calls": [{"match": "my_server", "args": {"path": "x"}}]}})
    events = await answer(models(server.ref(wire)), called("fine", name), [READ, tool])
    assert [event.call.name for event in events if isinstance(event, CallComplete)] == [name]
    finished = events[-1]
    assert isinstance(finished, Finished)
    assert [part.tool_name for part in finished.response.tool_calls] == [name]
    assert name not in json.dumps(server.bodies[0])


def test_a_tool_s_name_that_cannot_be_encoded_goes_out_with_a_replacement() -> None:
    """Else every later request of the session failed, as the name stays in the conversation."""
    from pydantic_ai.messages import ModelRequest, ModelResponse, ToolCallPart, ToolReturnPart

    said = ModelResponse(parts=[ToolCallPart("\ud83d Bad", "{}", "c1")])
    told = ModelRequest(parts=[ToolReturnPart("\ud83d Bad", "There is no such tool.", "c1")])
    for message in outgoing([said, told], {}, frozenset()):
        (part,) = message.parts
        assert getattr(part, "tool_name", None) == "\ufffd Bad"
