"""Saying more to a run, with real agent processes."""

from __future__ import annotations

import asyncio

import pytest

from actions.catalog.views import RunState
from actions.errors import InvalidInput, NotFound, SaysoError
from tests.actions.runs.conftest import Runs


async def _let_go(runs: Runs, session_id: str | None) -> None:
    """Wait until the run's agent was ended, after the one turn or the further one."""
    async with asyncio.timeout(40):
        while (await runs.house.room.sessions.get(session_id or "")).state != "stopped":  # noqa: ASYNC110  # no event
            await asyncio.sleep(0.05)


async def test_a_message_to_a_run_under_way_is_its_next_turn_and_the_run_ends_with_that(runs: Runs) -> None:
    provider = runs.house.provider(name="p")
    gate = runs.house.workspace / "gate"
    result = await runs.service.start_plan(
        providers=[provider], instructions=f"until {gate}", workspace=runs.workspace, host_session_id=None
    )
    run_id = result.results[0].run_id or ""
    run = await runs.service.send(run_id, "and also this")
    assert run.state == RunState.RUNNING
    gate.touch()
    run = await runs.service.wait(run_id, timeout_s=30)
    assert run.state == RunState.SUCCEEDED, run.error
    assert (run.result or {})["text"] == "You said: and also this"
    said = [e.data["text"] for e in await runs.house.events(run.session_id or "", "user")]
    assert said[-1] == "and also this"
    assert len(said) == 2


async def test_a_run_that_has_ended_is_only_taken_up_when_that_is_said(runs: Runs) -> None:
    provider = runs.house.provider("resume", name="p")
    result = await runs.service.start_plan(
        providers=[provider], instructions="x", workspace=runs.workspace, host_session_id=None
    )
    run_id = result.results[0].run_id or ""
    before = await runs.service.wait(run_id, timeout_s=30)
    with pytest.raises(InvalidInput, match="has ended"):
        await runs.service.send(run_id, "more")
    await runs.service.send(run_id, "more", resume=True)
    await _let_go(runs, before.session_id)
    assert "You said: more" in str(await runs.house.events(before.session_id or "", "agent"))
    after = await runs.service.get(run_id)
    assert (after.state, after.result) == (before.state, before.result)


async def test_a_run_without_a_session_cannot_be_written_to(runs: Runs) -> None:
    with pytest.raises(NotFound):
        await runs.service.send("run_none", "x")
    provider = runs.house.provider("resume", name="p")
    result = await runs.service.start_plan(
        providers=[provider], instructions="x", workspace=runs.workspace, host_session_id=None
    )
    run_id = result.results[0].run_id or ""
    run = await runs.service.wait(run_id, timeout_s=30)
    await _let_go(runs, run.session_id)
    await runs.house.room.sessions.care.delete(run.session_id or "")
    kept = await runs.service.get(run_id)
    assert (kept.session_id, kept.state, kept.result) == (None, run.state, run.result), (
        "its result outlives its session"
    )
    with pytest.raises(SaysoError, match="no session to write to"):
        await runs.service.send(run_id, "x", resume=True)
