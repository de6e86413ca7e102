"""The built-in agent, hosted like any other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from actions.catalog.context import Caller
from actions.errors import SaysoError
from tests.actions.agent.acp.wired import environment
from tests.actions.agent.loop.stage import serve
from tests.actions.sessions.conftest import House

# A server that names so long a time is not waited for, and the turn ends at once.
_FAULTS: dict[str, Any] = {
    name: [{"error": {"status": status, "message": "says the server", "retry_after": "600"}}]
    for name, status in {"busy": 429, "key": 401}.items()
}


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A scripted model for the agents that the host starts: it asks for two commands at once."""
    calls: list[dict[str, Any]] = [{"tool": ["Shell"], "args": {"command": f"echo {n} > {n}.txt"}} for n in "xy"]
    server = serve(tmp_path / "llm", {"scripts": {"two": [{"tool_calls": calls}, {"text": "both done"}], **_FAULTS}})
    for name, value in environment(server).items():
        monkeypatch.setenv(name, value)
    yield
    server.process.terminate()
    server.process.wait()


async def test_the_scout_answers_and_asks_before_it_writes(house: House) -> None:
    sessions = house.room.sessions
    (house.workspace / "app.py").write_text("def main():\n    return 1\n")
    view = await sessions.spawn_new(provider="builtin", workspace=str(house.workspace))
    assert view.mode == "default"
    assert {"default", "plan", "yolo", "afk"} <= {mode.id for mode in view.modes}
    await sessions.set_mode(view.id, "plan")
    end = await sessions.send(view.id, "Make main return 2", wait=True, timeout_s=50)
    assert end.stop_reason == "end_turn"
    assert "app.py" in (end.text or "")
    await sessions.set_mode(view.id, "default")
    await sessions.send(view.id, "save the plan to PLAN.md")
    request = await house.waiting(view.id)
    assert not (house.workspace / "PLAN.md").exists()
    await sessions.respond_permission(view.id, request, decision="allow", decided_by=Caller(present=True), surface="ui")
    await sessions.wait(view.id, until="idle", timeout_s=30)
    assert "app.py" in (house.workspace / "PLAN.md").read_text()
    assert await house.events(view.id, "notice", "error") == []


async def test_the_scout_takes_up_a_conversation(house: House) -> None:
    sessions = house.room.sessions
    view = await sessions.spawn_new(provider="builtin", workspace=str(house.workspace))
    await sessions.send(view.id, "hello", wait=True, timeout_s=50)
    assert (await sessions.stop(view.id)).resumable
    await sessions.send(view.id, "again", wait=True, timeout_s=50)
    assert await house.events(view.id, "notice") == []


async def test_89_a_mode_that_asks_nothing_closes_the_open_requests(house: House, model: None) -> None:
    """Case 89, through the host: what the agent takes back leaves the inbox, answered by nobody."""
    sessions = house.room.sessions
    view = await sessions.spawn_new(provider="builtin", workspace=str(house.workspace))
    await sessions.send(view.id, "[[two]] please")
    await sessions.wait(view.id, until="attention", timeout_s=50)
    await sessions.set_mode(view.id, "yolo")
    await sessions.wait(view.id, until="idle", timeout_s=50)
    assert sorted(file.name for file in house.workspace.glob("?.txt")) == ["x.txt", "y.txt"]
    answers = await house.events(view.id, "permission_answer")
    assert answers
    assert {(event.data["outcome"], event.data["by"]) for event in answers} == {("cancelled", "agent")}


async def test_a_rejection_with_words_reaches_the_model(house: House, model: None) -> None:
    sessions = house.room.sessions
    view = await sessions.spawn_new(provider="builtin", workspace=str(house.workspace))
    await sessions.send(view.id, "[[two]] please")
    answered: set[str] = set()
    while len(answered) < 2:
        await sessions.wait(view.id, until="attention", timeout_s=50)
        for event in await house.events(view.id, "permission"):
            if event.item_id is None or event.item_id in answered:
                continue
            answered.add(event.item_id)
            await sessions.respond_permission(
                view.id,
                event.item_id,
                decision="deny",
                feedback="not here",
                decided_by=Caller(present=True),
                surface="ui",
            )
    await sessions.wait(view.id, until="idle", timeout_s=50)
    said = "".join(event.data["text"] for event in await house.events(view.id, "agent"))
    assert "both done" in said


@pytest.mark.parametrize(("script", "again"), [("busy", True), ("key", False)])
async def test_a_fault_of_the_model_is_told_in_words_and_whether_to_try_again(
    house: House, model: None, script: str, again: bool
) -> None:
    view = await house.room.sessions.spawn_new(provider="builtin", workspace=str(house.workspace))
    with pytest.raises(SaysoError, match="says the server") as failed:
        await house.room.sessions.send(view.id, f"[[{script}]]", wait=True, timeout_s=50)
    assert "{" not in failed.value.message
    assert failed.value.details.get("retryable") is again
