"""One answer over each of the four wire formats."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from pydantic_ai.messages import ModelMessage, ModelRequest, UserPromptPart

from actions.agent.model.events import (
    CallComplete,
    CallDelta,
    CallStarted,
    Event,
    Finished,
    TextDelta,
    ThoughtDelta,
    ToolSpec,
)
from actions.agent.model.ref import ModelRef
from actions.agent.model.requests import Model
from tests.actions.agent.model.conftest import WIRES, Server

SHELL = ToolSpec("Shell", "Run a command", {"type": "object", "properties": {"command": {"type": "string"}}})
READ = ToolSpec("ReadFile", "Read a file", {"type": "object", "properties": {"path": {"type": "string"}}})
Serve = Callable[[dict[str, Any]], Server]
Open = Callable[[ModelRef], Model]


def prompt(text: str) -> list[ModelMessage]:
    return [ModelRequest(parts=[UserPromptPart(text)])]


async def answer(model: Model, messages: list[ModelMessage]) -> list[Event]:
    return [event async for event in model.stream(messages, [SHELL, READ], instructions="Be brief.")]


def text(events: list[Event]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


@pytest.mark.parametrize("wire", WIRES)
async def test_text_and_thought_come_in_pieces(serve: Serve, models: Open, wire: str) -> None:
    server = serve({"default": {"thought": "Let me think about it.", "text": "Hello there, this is the answer."}})
    events = await answer(models(server.ref(wire)), prompt("hi"))
    assert text(events) == "Hello there, this is the answer."
    assert len([event for event in events if isinstance(event, TextDelta)]) == 3  # pieces of 12 characters
    thought = "".join(event.text for event in events if isinstance(event, ThoughtDelta))
    # The responses format shows no reasoning
    assert thought == ("" if wire == "openai-responses" else "Let me think about it.")
    finished = events[-1]
    assert isinstance(finished, Finished)
    assert (finished.usage.input, finished.usage.output, finished.usage.total) == (100, 20, 120)
    assert finished.response.text == "Hello there, this is the answer."


@pytest.mark.parametrize("wire", WIRES)
async def test_parallel_calls_come_in_order(serve: Serve, models: Open, wire: str) -> None:
    calls = [{"tool": "Shell", "args": {"command": "ls"}}, {"tool": "ReadFile", "args": {"path": "ü.txt"}}]
    server = serve({"default": {"text": "Both.", "tool_calls": calls}})
    events = await answer(models(server.ref(wire)), prompt("hi"))
    started = [event for event in events if isinstance(event, CallStarted)]
    complete = [event.call for event in events if isinstance(event, CallComplete)]
    assert [event.name for event in started] == ["Shell", "ReadFile"]
    assert [event.id for event in started] == [call.id for call in complete]
    assert len({call.id for call in complete}) == 2
    assert [json.loads(call.arguments) for call in complete] == [{"command": "ls"}, {"path": "ü.txt"}]
    pieces = "".join(event.text for event in events if isinstance(event, CallDelta))
    assert pieces == "".join(call.arguments for call in complete)
    finished = events[-1]
    assert isinstance(finished, Finished)
    assert [part.tool_call_id for part in finished.response.tool_calls] == [call.id for call in complete]
