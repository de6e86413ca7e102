"""The built-in agent's questions and plans, through the host: a real agent process with a scripted model."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from actions.catalog.context import Caller, CallerKind
from tests.actions.agent.acp.wired import environment
from tests.actions.agent.loop.stage import serve
from tests.actions.sessions.conftest import House

USER = Caller(CallerKind.WINDOW, present=True)
COLOURS = [{"label": "Red", "description": "Warm"}, {"label": "Blue"}]
ASK = {"tool": ["AskUserQuestion"], "args": {"questions": [{"question": "Which colour?", "options": COLOURS}]}}
PLAN = {"tool": ["ExitPlanMode"], "args": {"plan": "# Plan\n\n1. Paint"}}


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    scripts: dict[str, Any] = {
        "ask": [{"tool_calls": [ASK]}, {"text": "asked"}],
        "plan": [{"tool_calls": [PLAN]}, {"text": "planned"}],
    }
    server = serve(tmp_path / "llm", {"scripts": scripts})
    for name, value in environment(server).items():
        monkeypatch.setenv(name, value)
    yield
    server.process.terminate()
    server.process.wait()


async def test_ask_user_question_is_a_question_in_the_inbox(house: House, model: None) -> None:
    sessions = house.room.sessions
    view = await sessions.spawn_new(provider="builtin", workspace=str(house.workspace))
    await sessions.send(view.id, "[[ask]] please")
    await sessions.wait(view.id, until="attention", timeout_s=50)
    asked = (await house.events(view.id, "question"))[-1].data
    assert asked["message"] == "Which colour?"
    assert [option["label"] for option in asked["fields"][0]["options"]] == ["Red", "Blue"]
    await sessions.answer_user_action(None, None, {"answer": "blue"}, decided_by=USER, surface="voice")
    await sessions.wait(view.id, until="idle", timeout_s=50)
    calls = [event.data for event in await house.events(view.id, "tool_call")]
    assert any("Which colour? Blue" in str(call) for call in calls)


async def test_exit_plan_mode_is_a_plan_to_look_at(house: House, model: None) -> None:
    sessions = house.room.sessions
    view = await sessions.spawn_new(provider="builtin", workspace=str(house.workspace), mode_id="plan")
    await sessions.send(view.id, "[[plan]] please")
    await sessions.wait(view.id, until="attention", timeout_s=50)
    assert (await house.events(view.id, "permission"))[-1].data["plan"] == "# Plan\n\n1. Paint"
    outcome = await sessions.answer_user_action(
        None, None, {"decision": "request_changes", "reason": "Two coats."}, decided_by=USER, surface="ui"
    )
    assert (outcome.result or {})["kind"] == "reject_once"
    await sessions.wait(view.id, until="idle", timeout_s=50)
    calls = [event.data for event in await house.events(view.id, "tool_call")]
    assert any("Two coats." in str(call) for call in calls)
    assert (await sessions.get(view.id)).mode == "plan"
