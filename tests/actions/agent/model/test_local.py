"""Servers on this machine: found, offered, asked for their window and senses."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit

import pytest

from actions.agent.model.discover import PLACES, Found, Place, answers, discover
from actions.agent.model.facts import ask_local
from actions.agent.model.ref import ModelRef
from actions.agent.model.requests import open_model
from actions.agent.model.usage import Usage
from actions.agent.model.vendors import http_client
from actions.agent.tools.needs import ModelSenses
from actions.storage.secrets import Secret
from tests.actions.agent.model.conftest import raw_server
from tests.stopwatch import Stopwatch


def pages(**by_path: Any) -> Callable[[bytes], Awaitable[bytes]]:
    """Answers GET and POST by path (``_`` for ``/``) with JSON, else with 404."""

    async def reply(head: bytes) -> bytes:
        path = head.split(b" ")[1].decode()
        found = by_path.get(path.strip("/").replace("/", "_"))
        if found is None:
            return b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
        body = found if isinstance(found, bytes) else json.dumps(found).encode()
        return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n" % len(body) + body

    return reply


def port(url: str) -> int:
    number = urlsplit(url).port
    assert number is not None
    return number


OPENAI = {"object": "list", "data": [{"id": "small"}, {"id": "large"}]}
OLLAMA = {"models": [{"name": "qwen3:8b"}, {"name": "llama3.2"}]}


def test_the_usual_ports() -> None:
    assert {place.server: place.port for place in PLACES} == {
        "Ollama": 11434,
        "llama.cpp": 8080,
        "LM Studio": 1234,
        "vLLM": 8000,
    }


async def test_servers_are_found_with_their_models() -> None:
    async with raw_server(pages(api_tags=OLLAMA)) as ollama, raw_server(pages(v1_models=OPENAI)) as llama:
        places = (Place("Ollama", port(ollama), "/api/tags"), Place("llama.cpp", port(llama)), Place("vLLM", 9))
        found = await discover(places)
    assert found == [
        Found("Ollama", f"{ollama}/v1", ("qwen3:8b", "llama3.2")),
        Found("llama.cpp", f"{llama}/v1", ("small", "large")),
    ]
    assert found[0].refs()[0] == ModelRef("ollama", "qwen3:8b", f"{ollama}/v1", "loopback")
    assert str(found[1].refs()[1]) == "openai-compatible:large"


@pytest.mark.parametrize(
    "page",
    [
        [],
        {},
        {"data": []},
        {"data": "x"},
        {"data": [1, {"id": 2}, {}]},
        b"<html>",
        b"\xff\xfe",
        b"[" * 200_000,
        b'{"data": [{"id": "%s"}]}' % (b"x" * 2_000_000),
    ],
)
async def test_something_else_on_the_port_is_no_model_server(page: Any) -> None:
    async with raw_server(pages(v1_models=page)) as url:
        assert await discover((Place("llama.cpp", port(url)),)) == []


async def test_a_silent_server_costs_no_more_than_its_limit() -> None:
    async def never(head: bytes) -> bytes:
        await asyncio.sleep(20)
        return b""

    async with raw_server(never) as one, raw_server(never) as two:
        begin = Stopwatch()
        found = await discover((Place("llama.cpp", port(one)), Place("vLLM", port(two))))
        spent = begin.seconds
    assert found == []
    assert spent < 1.5  # 0.3 s each, side by side, on a busy machine


async def test_whether_an_agreed_server_is_there() -> None:
    async with raw_server(pages()) as url:
        assert await answers(ModelRef("openai-compatible", "m", f"{url}/v1", "loopback"))
    assert not await answers(ModelRef("openai-compatible", "m", f"{url}/v1", "loopback"))
    assert not await answers(ModelRef("openai", "m", "https://api.openai.com/v1"))


PROPS = {"default_generation_settings": {"n_ctx": 16384}, "modalities": {"vision": True, "audio": False}}
SHOW = {"parameters": 'stop "x"\nnum_ctx    12000', "capabilities": ["completion", "tools", "vision"]}
STUDIO = {"data": [{"id": "m", "type": "vlm", "max_context_length": 131072, "loaded_context_length": 7000}]}
LIMITED = {"data": [{"id": "m", "max_model_len": 40960}]}


@pytest.mark.parametrize(
    ("provider", "served", "expected"),
    [
        ("openai-compatible", {"props": PROPS}, (16384, ModelSenses(image=True))),
        ("openai", {"props": PROPS}, (16384, ModelSenses(image=True))),
        ("openai-compatible", {"v1_models": LIMITED}, (40960, ModelSenses())),
        ("openai-compatible", {"api_v0_models": STUDIO}, (7000, ModelSenses(image=True))),
        ("openai-compatible", {"v1_models": OPENAI}, None),
        ("openai-compatible", {"v1_models": {"data": [None, 3]}}, None),
        ("openai-compatible", {}, None),
        ("ollama", {"api_show": SHOW}, (12000, ModelSenses(image=True))),
        ("ollama", {"api_show": {"capabilities": ["completion"]}}, (4096, ModelSenses())),
        ("ollama", {}, None),
    ],
)
async def test_a_server_here_says_how_much_it_reads(provider: str, served: dict[str, Any], expected: Any) -> None:
    async with raw_server(pages(**served)) as url, http_client() as client:
        assert await ask_local(ModelRef(provider, "m", f"{url}/v1"), client) == expected


@pytest.mark.parametrize(
    ("ref", "window", "image"),
    [
        (ModelRef("anthropic", "claude-sonnet-4-5"), 200_000, True),
        (ModelRef("google", "gemini-2.5-flash"), 1_048_576, True),
        (ModelRef("openai", "gpt-5"), 400_000, True),
        (ModelRef("openai", "gpt-of-tomorrow"), 128_000, True),
        (ModelRef("openai-compatible", "own", "https://llm.example.org/v1"), 32_000, False),
        (ModelRef("openai-compatible", "own", "http://127.0.0.1:8080/v1"), 8_192, False),
    ],
)
async def test_windows_and_senses_of_models_elsewhere(ref: ModelRef, window: int, image: bool) -> None:
    model = open_model(ref, Secret("k"))
    assert (model.window, model.senses.image) == (window, image)
    await model.aclose()


def test_usage_adds_up_and_an_unknown_price_stays_unknown() -> None:
    one, two = Usage(10, 2, 5, Decimal("0.5")), Usage(1, 1, 0, None)
    assert one + one == Usage(20, 4, 10, Decimal("1.0"))
    assert one + two == Usage(11, 3, 5, Decimal("0.5"))
    assert (two + two).cost_usd is None
    assert one.total == 12


def test_a_price_is_worked_out_from_the_table() -> None:
    from pydantic_ai.messages import ModelResponse, TextPart
    from pydantic_ai.usage import RequestUsage

    from actions.agent.model.usage import usage_of

    used = RequestUsage(input_tokens=1_000_000, output_tokens=100_000)
    response = ModelResponse(
        parts=[TextPart("x")], usage=used, model_name="claude-haiku-4-5", provider_name="anthropic"
    )
    assert usage_of(response).cost_usd == Decimal("1.5")  # 1 USD a million in, 5 USD a million out
    assert usage_of(response, local=True).cost_usd == Decimal(0)
    response.model_name = "nobody-knows-me"
    assert usage_of(response).cost_usd is None
