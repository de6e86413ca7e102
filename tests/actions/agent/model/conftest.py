"""A scripted model server on loopback that keeps what it was sent, and models that are pointed at it."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from pydantic_ai.messages import ModelMessage, ModelRequest, UserPromptPart

from actions.agent.model.events import Event, TextDelta, ToolSpec
from actions.agent.model.ref import ModelRef
from actions.agent.model.requests import Model, open_model

FAKE = Path(__file__).parents[3] / "fixtures" / "llm" / "fake_llm.py"
WIRES = ("openai-chat", "openai-responses", "anthropic", "google")
SHELL = ToolSpec("Shell", "Run a command", {"type": "object", "properties": {"command": {"type": "string"}}})
READ = ToolSpec("ReadFile", "Read a file", {"type": "object", "properties": {"path": {"type": "string"}}})


@dataclass
class Server:
    """A running server: ``bodies`` and ``headers`` of its POST requests, and the clients that went away early."""

    url: str
    bodies: list[Any] = field(default_factory=list[Any])
    headers: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    asked: threading.Event = field(default_factory=threading.Event)
    gone: threading.Event = field(default_factory=threading.Event)

    def ref(self, provider: str) -> ModelRef:
        base = f"{self.url}/v1" if provider.startswith("openai") else self.url
        return ModelRef(provider, "fake-model", base, "environment")


def _fresh_fake() -> Any:
    spec = importlib.util.spec_from_file_location("scripted_model_server", FAKE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules.pop("scripted_model_server", None)
    return module


@pytest.fixture
def serve() -> Iterator[Callable[[dict[str, Any]], Server]]:
    """Start a server that plays the given script; it ends with the test."""
    running: list[ThreadingHTTPServer] = []

    def start(script: dict[str, Any]) -> Server:
        fake = _fresh_fake()
        fake.STATE["script"] = script
        server = Server("")

        class Recording(fake.Handler):
            def read_body(self) -> bytes:
                raw: bytes = super().read_body()
                server.bodies.append(json.loads(raw))
                server.asked.set()
                server.headers.append({name.lower(): value for name, value in self.headers.items()})
                return raw

        def log(entry: dict[str, Any]) -> None:
            if "client_gone" in entry:
                server.gone.set()

        fake.log = log
        handler: Any = Recording
        running.append(ThreadingHTTPServer(("127.0.0.1", 0), handler))
        running[-1].daemon_threads = True
        threading.Thread(target=running[-1].serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        server.url = f"http://127.0.0.1:{running[-1].server_address[1]}"
        return server

    yield start
    for http in running:
        http.shutdown()
        http.server_close()


@pytest_asyncio.fixture
async def models() -> AsyncIterator[Callable[..., Model]]:
    """Open models that are closed with the test."""
    opened: list[Model] = []

    def open_one(ref: ModelRef, **kwargs: Any) -> Model:
        opened.append(open_model(ref, **kwargs))
        return opened[-1]

    yield open_one
    for model in opened:
        await model.aclose()


@asynccontextmanager
async def raw_server(reply: Callable[[bytes], Awaitable[bytes | list[bytes]]]) -> AsyncIterator[str]:
    """A server that answers each request head with the bytes of ``reply`` and closes. Gives its root URL."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            pieces = await reply(head)
            for piece in [pieces] if isinstance(pieces, bytes) else pieces:
                writer.write(piece)
                await writer.drain()
        finally:
            writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


def prompt(text: str) -> list[ModelMessage]:
    return [ModelRequest(parts=[UserPromptPart(text)])]


async def answer(
    model: Model, messages: list[ModelMessage], tools: list[ToolSpec] | None = None, instructions: str = "Be brief."
) -> list[Event]:
    offered = [SHELL, READ] if tools is None else tools
    return [event async for event in model.stream(messages, offered, instructions=instructions)]


def text(events: list[Event]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))
