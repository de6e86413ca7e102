"""One answer over each of the four wire formats."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from actions.agent.model.events import CallComplete, CallDelta, CallStarted, Finished, TextDelta, ThoughtDelta
from actions.agent.model.requests import Model
from tests.actions.agent.model.conftest import READ, SHELL, WIRES, Server, answer, prompt, text

Serve = Callable[[dict[str, Any]], Server]
Open = Callable[..., Model]


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


@pytest.mark.parametrize("wire", ["openai-chat", "openai-responses", "anthropic"])
@pytest.mark.parametrize("raw", ['{"command": "ls', "[" * 2000, "ls -la"])
async def test_arguments_that_are_no_json_reach_the_loop_as_they_are_and_keep_the_order(
    serve: Serve, models: Open, wire: str, raw: str
) -> None:
    good = {"tool": "ReadFile", "args": {"path": "a"}}
    server = serve({"default": {"tool_calls": [{"tool": "Shell", "raw_args": raw}, good]}})
    model = models(server.ref(wire))
    events = await answer(model, prompt("hi"))
    complete = [event.call for event in events if isinstance(event, CallComplete)]
    assert [(call.name, call.arguments) for call in complete] == [("Shell", raw), ("ReadFile", '{"path": "a"}')]
    # ... and the history with them in it can be sent again
    finished = events[-1]
    assert isinstance(finished, Finished)
    again = await answer(model, [*prompt("hi"), finished.response, *prompt("go on")])
    assert isinstance(again[-1], Finished)


@pytest.mark.parametrize("wire", WIRES)
async def test_an_unknown_tool_is_passed_on(serve: Serve, models: Open, wire: str) -> None:
    server = serve({"default": {"tool_calls": [{"tool": "Teleport", "args": {}}]}})
    events = await answer(models(server.ref(wire)), prompt("hi"))
    assert [event.call.name for event in events if isinstance(event, CallComplete)] == ["Teleport"]


@pytest.mark.parametrize("wire", WIRES)
async def test_instructions_and_tools_arrive_and_nothing_about_this_machine_does(
    serve: Serve, models: Open, wire: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    server = serve({"default": {"text": "ok"}})
    await answer(models(server.ref(wire)), prompt("hi"), [SHELL, READ], "Speak like a pirate.")
    sent = json.dumps(server.bodies[0])
    assert "Speak like a pirate." in sent
    assert '"Shell"' in sent
    assert '"ReadFile"' in sent
    assert not [name for name in server.headers[0] if name.startswith(("x-stainless", "x-goog-api-client"))]
    assert server.headers[0]["user-agent"] == "sayso"


@pytest.mark.parametrize("wire", WIRES)
async def test_a_request_without_tools(serve: Serve, models: Open, wire: str) -> None:
    server = serve({"no_tools": {"text": "A summary."}})
    assert text(await answer(models(server.ref(wire)), prompt("sum up"), [])) == "A summary."
