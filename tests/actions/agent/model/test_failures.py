"""What goes wrong at a provider, by kind; one request each, retries are the step's."""

from __future__ import annotations

import asyncio
import json
import traceback
from collections.abc import Callable
from typing import Any

import pytest

from actions.agent.model.errors import ModelError, ModelErrorKind
from actions.agent.model.events import Event, TextDelta
from actions.agent.model.ref import ModelRef
from actions.agent.model.requests import Model, open_model
from actions.storage.secrets import Secret
from tests.actions.agent.model.conftest import SHELL, WIRES, Server, answer, prompt, raw_server, text
from tests.stopwatch import Stopwatch

Serve = Callable[[dict[str, Any]], Server]
Open = Callable[..., Model]


def failing(**error: Any) -> dict[str, Any]:
    return {"default": {"error": error, "times": 1000}}


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(
    ("error", "kind", "retryable"),
    [
        ({"status": 429}, ModelErrorKind.RATE_LIMIT, True),
        ({"status": 401, "type": "authentication_error", "code": "invalid_api_key"}, ModelErrorKind.AUTH, False),
        ({"status": 403, "type": "permission_error", "code": "PERMISSION_DENIED"}, ModelErrorKind.AUTH, False),
        ({"status": 404, "type": "not_found_error", "code": "NOT_FOUND"}, ModelErrorKind.NOT_FOUND, False),
        ({"status": 400, "type": "invalid_request_error", "code": "BAD"}, ModelErrorKind.BAD_REQUEST, False),
        ({"status": 500, "type": "api_error", "code": "INTERNAL"}, ModelErrorKind.OVERLOADED, True),
        ({"status": 503, "type": "overloaded_error", "code": "UNAVAILABLE"}, ModelErrorKind.OVERLOADED, True),
        ({"status": 408, "type": "timeout", "code": "TIMEOUT"}, ModelErrorKind.NETWORK, True),
        ({"status": 413, "type": "request_too_large", "code": "TOO_LARGE"}, ModelErrorKind.CONTEXT_TOO_LONG, False),
    ],
)
async def test_an_error_status_has_a_kind_and_one_request_was_made(
    serve: Serve, models: Open, wire: str, error: dict[str, Any], kind: ModelErrorKind, retryable: bool
) -> None:
    server = serve(failing(message="It said so.", **error))
    with pytest.raises(ModelError) as caught:
        await answer(models(server.ref(wire)), prompt("hi"))
    assert caught.value.kind is kind
    assert caught.value.retryable is retryable
    assert "It said so." in caught.value.message
    assert len(server.bodies) == 1  # the vendors' own retries are off
    assert caught.value.details["kind"] == kind.value


@pytest.mark.parametrize("wire", WIRES)
async def test_retry_after_is_read(serve: Serve, models: Open, wire: str) -> None:
    server = serve(failing(status=429, retry_after=7))
    with pytest.raises(ModelError) as caught:
        await answer(models(server.ref(wire)), prompt("hi"))
    assert caught.value.retry_after == 7


@pytest.mark.parametrize("wire", WIRES)
async def test_after_an_error_the_same_model_answers(serve: Serve, models: Open, wire: str) -> None:
    server = serve({"default": {"error": {"status": 500}, "times": 2, "then": {"text": "up again"}}})
    model = models(server.ref(wire))
    for _ in range(2):
        with pytest.raises(ModelError):
            await answer(model, prompt("hi"))
    assert text(await answer(model, prompt("hi"))) == "up again"


@pytest.mark.parametrize(
    ("wire", "code", "message"),
    [
        ("openai-chat", "context_length_exceeded", "This model's maximum context length is 8192 tokens."),
        ("openai-responses", "context_length_exceeded", "Your input exceeds the context window of this model."),
        ("anthropic", "x", "prompt is too long: 210000 tokens > 200000 maximum"),
        ("google", "INVALID_ARGUMENT", "The input token count (1200000) exceeds the maximum number of tokens allowed"),
    ],
)
async def test_a_conversation_that_is_too_long_is_told_apart(
    serve: Serve, models: Open, wire: str, code: str, message: str
) -> None:
    server = serve(failing(status=400, type="invalid_request_error", code=code, message=message))
    with pytest.raises(ModelError) as caught:
        await answer(models(server.ref(wire)), prompt("hi"))
    assert caught.value.kind is ModelErrorKind.CONTEXT_TOO_LONG


@pytest.mark.parametrize("wire", WIRES)
async def test_a_closed_connection_is_a_network_error(serve: Serve, models: Open, wire: str) -> None:
    server = serve({"default": {"drop": True, "times": 1000}})
    with pytest.raises(ModelError) as caught:
        await answer(models(server.ref(wire)), prompt("hi"))
    assert caught.value.kind is ModelErrorKind.NETWORK
    assert caught.value.retryable


@pytest.mark.parametrize("wire", WIRES)
async def test_nobody_there_names_the_fix(models: Open, wire: str) -> None:
    with pytest.raises(ModelError) as caught:
        await answer(models(ModelRef(wire, "m", "http://127.0.0.1:9/v1")), prompt("hi"))
    assert caught.value.kind is ModelErrorKind.NETWORK
    assert "Start the model server" in caught.value.message


_CHUNK = (
    b'data: {"id":"1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":%s}]}\n\n'
)
_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
_HALF = _CHUNK % b'{"role":"assistant","content":"half an"}'
_CALL = _CHUNK % b'{"tool_calls":[{"index":0,"id":"c","function":{"name":"Shell","arguments":"{\\"comm"}}]}'


@pytest.mark.parametrize(
    "reply",
    [
        _HEAD + b"Content-Length: 100000\r\n\r\n" + _HALF,  # cut: the length says more
        _HEAD + b"Connection: close\r\n\r\n" + _HALF,  # looks whole, yet nothing said the end
        _HEAD + b"Connection: close\r\n\r\n" + _CALL,
        _HEAD + b"Connection: close\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 15\r\n\r\n<html>no</html>",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 13\r\n\r\ndata: {nope\n\n",
        b"not http at all\r\n\r\n",
        b"HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: 12\r\n\r\n<h1>502</h1>",
    ],
)
async def test_half_an_answer_or_nonsense_is_an_error_that_may_be_tried_again(reply: bytes) -> None:
    async def send(head: bytes) -> bytes:
        return reply if head.startswith(b"POST") else b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"

    async with raw_server(send) as url:
        model = open_model(ModelRef("openai-compatible", "m", f"{url}/v1"))
        with pytest.raises(ModelError) as caught:
            await answer(model, prompt("hi"))
        await model.aclose()
    assert caught.value.retryable, caught.value


_MESSAGE = (
    b'{"id":"1","type":"message","role":"assistant","model":"m","content":[],'
    b'"usage":{"input_tokens":1,"output_tokens":1}}'
)
_RESPONSE = (
    b'{"id":"1","object":"response","created_at":1,"model":"m","status":"in_progress","output":[],'
    b'"parallel_tool_calls":true,"tool_choice":"auto","tools":[]}'
)
_CUT = {
    "anthropic": [
        b'{"type":"message_start","message":' + _MESSAGE + b"}",
        b'{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"c","name":"Shell","input":{}}}',
        b'{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\\"a\\":1}"}}',
    ],
    "openai-responses": [
        b'{"type":"response.created","sequence_number":0,"response":' + _RESPONSE + b"}",
        b'{"type":"response.output_text.delta","sequence_number":1,"item_id":"i","output_index":0,"content_index":0,'
        b'"delta":"half","logprobs":[]}',
    ],
    "google": [b'{"candidates":[{"content":{"role":"model","parts":[{"text":"half"}]},"index":0}]}'],
}


@pytest.mark.parametrize("wire", _CUT)
async def test_an_answer_that_just_stops_is_half_an_answer(wire: str) -> None:
    async def send(head: bytes) -> bytes:
        named = wire == "anthropic"  # its client goes by the event's name
        events = [
            (b"event: %s\n" % json.loads(event)["type"].encode() if named else b"") + b"data: " + event + b"\n\n"
            for event in _CUT[wire]
        ]
        return _HEAD + b"Connection: close\r\n\r\n" + b"".join(events)

    async with raw_server(send) as url:
        model = open_model(ModelRef(wire, "m", f"{url}/v1" if wire.startswith("openai") else url))
        with pytest.raises(ModelError) as caught:
            await answer(model, prompt("hi"))
        await model.aclose()
    assert caught.value.kind is ModelErrorKind.NETWORK


_STOP = {
    "openai-chat": [
        _CHUNK[6:-2] % b'{"content":"all"}',
        _CHUNK[6:-2].replace(b"%s", b'{},"finish_reason":"brand_new"'),
    ],
    "anthropic": [
        b'{"type":"message_start","message":' + _MESSAGE + b"}",
        b'{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"all"}}',
        b'{"type":"content_block_stop","index":0}',
        b'{"type":"message_delta","delta":{"stop_reason":"brand_new","stop_sequence":null},"usage":{"output_tokens":2}}',
        b'{"type":"message_stop"}',
    ],
    "google": [
        b'{"candidates":[{"content":{"role":"model","parts":[{"text":"all"}]},"index":0,"finishReason":"OTHER"}]}'
    ],
}


@pytest.mark.parametrize("wire", _STOP)
async def test_an_end_for_a_reason_that_nobody_knows_is_an_end(wire: str) -> None:
    async def send(head: bytes) -> bytes:
        named = wire == "anthropic"
        events = [
            (b"event: %s\n" % json.loads(event)["type"].encode() if named else b"") + b"data: " + event + b"\n\n"
            for event in _STOP[wire]
        ]
        return _HEAD + b"Connection: close\r\n\r\n" + b"".join(events)

    async with raw_server(send) as url:
        model = open_model(ModelRef(wire, "m", f"{url}/v1" if wire.startswith("openai") else url))
        events = await answer(model, prompt("hi"))
        await model.aclose()
    assert text(events) == "all"


async def test_a_key_that_the_provider_repeats_is_not_repeated(serve: Serve) -> None:
    server = serve(failing(status=401, message="Incorrect API key provided: sk-verysecret. Try another."))
    model = open_model(server.ref("openai-chat"), Secret("sk-verysecret"))
    with pytest.raises(ModelError) as caught:
        await answer(model, prompt("hi"))
    await model.aclose()
    assert server.headers[0]["authorization"] == "Bearer sk-verysecret"
    assert "verysecret" not in "".join(traceback.format_exception(caught.value))
    assert "•••. Try another." in caught.value.message


@pytest.mark.parametrize("wire", WIRES)
async def test_cancelling_closes_the_connection_at_once(serve: Serve, models: Open, wire: str) -> None:
    server = serve({"default": {"text": "word " * 2000, "chunk_delay": 0.02}})
    model = models(server.ref(wire))
    first = asyncio.Event()

    async def listen() -> None:
        async for event in model.stream(prompt("hi"), [SHELL], instructions=""):
            if isinstance(event, TextDelta):
                first.set()

    listening = asyncio.create_task(listen())
    await asyncio.wait_for(first.wait(), 40)
    begin = Stopwatch()
    listening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await listening
    assert begin.seconds < 0.2
    assert await asyncio.to_thread(server.gone.wait, 30), "the server never saw the connection close"


@pytest.mark.parametrize("wire", WIRES)
async def test_cancelling_while_the_provider_still_thinks(serve: Serve, models: Open, wire: str) -> None:
    server = serve({"default": {"delay": 3, "text": "late"}})
    model = models(server.ref(wire))
    listening = asyncio.create_task(answer(model, prompt("hi")))
    await asyncio.to_thread(server.asked.wait, 40)
    begin = Stopwatch()
    listening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await listening
    assert begin.seconds < 0.2


async def test_closing_the_generator_early_closes_the_connection(serve: Serve, models: Open) -> None:
    server = serve({"default": {"text": "word " * 2000, "chunk_delay": 0.02}})
    stream = models(server.ref("openai-chat")).stream(prompt("hi"), [SHELL], instructions="")
    heard: list[Event] = [await anext(stream)]
    await stream.aclose()
    assert heard
    assert await asyncio.to_thread(server.gone.wait, 30)


async def test_two_streams_of_one_model_do_not_mix(serve: Serve, models: Open) -> None:
    script = {"a": [{"text": "aaaa" * 20}], "b": [{"text": "bbbb" * 20}]}
    model = models(serve({"scripts": script}).ref("openai-chat"))
    both = await asyncio.gather(answer(model, prompt("[[a]]")), answer(model, prompt("[[b]]")))
    assert [text(events) for events in both] == ["aaaa" * 20, "bbbb" * 20]


def test_a_remote_endpoint_without_a_key_says_so_before_anything_is_sent() -> None:
    with pytest.raises(ModelError) as caught:
        open_model(ModelRef("anthropic", "claude-sonnet-5"))
    assert caught.value.kind is ModelErrorKind.AUTH
    assert "ANTHROPIC_API_KEY" in caught.value.message
