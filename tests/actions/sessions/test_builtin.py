"""The built-in agent, hosted like any other."""

from __future__ import annotations

from actions.catalog.context import Caller
from tests.actions.sessions.conftest import House


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
    await sessions.wait(view.id, until="idle", timeout_s=20)
    assert "app.py" in (house.workspace / "PLAN.md").read_text()
    assert await house.events(view.id, "notice", "error") == []


async def test_the_scout_takes_up_a_conversation(house: House) -> None:
    sessions = house.room.sessions
    view = await sessions.spawn_new(provider="builtin", workspace=str(house.workspace))
    await sessions.send(view.id, "hello", wait=True, timeout_s=50)
    assert (await sessions.stop(view.id)).resumable
    await sessions.send(view.id, "again", wait=True, timeout_s=50)
    assert await house.events(view.id, "notice") == []
