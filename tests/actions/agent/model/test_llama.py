"""A real open model answers: llama.cpp's server with SmolLM2 135M, over each format that it speaks."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest

from actions.agent.model.discover import Place, discover
from actions.agent.model.errors import ModelError, ModelErrorKind
from actions.agent.model.events import Finished, TextDelta
from actions.agent.model.ref import ModelRef
from actions.agent.model.requests import Model
from tests.actions.agent.model.conftest import READ, SHELL, answer, prompt, text
from tests.llama_server import WINDOW, installed, llama_server

pytestmark = [
    pytest.mark.agents,
    pytest.mark.timeout(180),
    pytest.mark.skipif(not installed(), reason="make agents installs the model server"),
]
Open = Callable[..., Model]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with llama_server() as address:
        yield address


def ref(url: str, wire: str) -> ModelRef:
    return ModelRef(wire, "smollm2", url if wire == "anthropic" else f"{url}/v1", "loopback")


@pytest.mark.parametrize("wire", ["openai-compatible", "openai-responses", "anthropic"])
@pytest.mark.parametrize("tools", [[], [SHELL, READ]], ids=["alone", "with tools"])
async def test_it_answers_in_pieces(url: str, models: Open, wire: str, tools: list[object]) -> None:
    model = models(ref(url, wire))
    events = [
        event
        async for event in model.stream(
            prompt("What is the capital of France? Answer in one sentence."),
            [SHELL, READ] if tools else [],
            instructions="You are a helpful assistant.",
        )
    ]
    finished = events[-1]
    assert isinstance(finished, Finished)
    assert text(events).strip()
    assert finished.response.text == text(events)
    assert len([event for event in events if isinstance(event, TextDelta)]) > 1
    assert finished.response.finish_reason in ("stop", "length", "tool_call")
    assert finished.usage.input > 10
    assert 0 < finished.usage.output <= 64
    assert finished.usage.cost_usd == 0


async def test_it_is_found_and_says_how_much_it_reads(url: str, models: Open) -> None:
    port = urlsplit(url).port
    assert port is not None
    found = await discover((Place("llama.cpp", port),))
    assert [len(server.models) for server in found] == [1]
    model = models(found[0].refs()[0])
    await model.ready()
    assert model.window == WINDOW
    assert not model.senses.image
    assert isinstance((await answer(model, prompt("Hello!"), []))[-1], Finished)


async def test_a_prompt_that_is_too_long_is_told_apart(url: str, models: Open) -> None:
    with pytest.raises(ModelError) as caught:
        await answer(models(ref(url, "openai-compatible")), prompt("word " * (WINDOW + 1000)), [])
    assert caught.value.kind is ModelErrorKind.CONTEXT_TOO_LONG


async def test_cancelling_frees_it_at_once(url: str, models: Open) -> None:
    model = models(ref(url, "openai-compatible"))
    first = asyncio.Event()

    async def listen() -> None:
        async for _ in model.stream(prompt("Tell me a long story about a dragon."), [], instructions=""):
            first.set()

    listening = asyncio.create_task(listen())
    await asyncio.wait_for(first.wait(), 60)
    begin = time.monotonic()
    listening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await listening
    assert time.monotonic() - begin < 0.2
    assert isinstance((await answer(model, prompt("Hello!"), []))[-1], Finished)
