"""How the session that hosts a run learns of its end: in its transcript, and by a message where its agent asked."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, update

from actions.catalog.views import RunState
from actions.runs.records import Due, RunRecords
from actions.runs.service import RunService
from actions.storage import schema
from actions.storage.ids import now_ms
from tests.actions.runs.conftest import Runs


async def _started(runs: Runs, session_id: str, instructions: str, *, by_agent: bool) -> str:
    started = await runs.service.start_plan(
        providers=[runs.house.provider(name="p")],
        instructions=instructions,
        workspace=runs.workspace,
        host_session_id=session_id,
        asked_by=session_id if by_agent else None,
    )
    return started.results[0].run_id or ""


async def _ends(runs: Runs, session_id: str) -> list[dict[str, Any]]:
    return [e.data for e in await runs.house.events(session_id, "notice") if e.data["code"] == "run_ended"]


async def _told(runs: Runs, session_id: str) -> list[str]:
    return [e.data["text"] for e in await runs.house.events(session_id, "user") if e.data.get("origin") == "run"]


async def test_the_end_of_a_run_that_a_person_started_is_in_the_transcript_only(runs: Runs) -> None:
    session_id = await runs.house.start()
    run_id = await _started(runs, session_id, "x", by_agent=False)
    run = await runs.service.wait(run_id, timeout_s=30)
    [end] = await runs.house.eventually(lambda: _ends(runs, session_id))
    summary = (run.result or {})["summary"]
    assert end["run_id"] == run_id
    assert end["facts"] == {"run_kind": "plan", "provider": "p", "state": "succeeded", "summary": summary}
    await runs.house.room.sessions.wait(session_id, until="idle", timeout_s=30)
    assert await _told(runs, session_id) == []


async def test_an_agent_that_did_not_wait_is_told_once_after_its_turn(runs: Runs) -> None:
    session_id, gate = await runs.house.start(), runs.house.workspace / "gate"
    await runs.house.room.sessions.send(session_id, f"until {gate}")
    run_id = await _started(runs, session_id, "x", by_agent=True)
    await runs.house.eventually(lambda: _ends(runs, session_id))
    assert await _told(runs, session_id) == [], "it may still ask in this turn"
    gate.touch()
    [said] = await runs.house.eventually(lambda: _told(runs, session_id))
    assert run_id in said
    assert "Plan run by p succeeded" in said
    await runs.house.room.sessions.wait(session_id, until="idle", timeout_s=30)
    assert len(await _told(runs, session_id)) == len(await _ends(runs, session_id)) == 1


async def test_an_agent_that_waited_or_stopped_it_is_not_told_again(runs: Runs) -> None:
    session_id, gate = await runs.house.start(), runs.house.workspace / "gate"
    await runs.house.room.sessions.send(session_id, f"until {gate}")
    run_id = await _started(runs, session_id, "x", by_agent=True)
    assert (await runs.service.wait(run_id, timeout_s=30, asked_by=session_id)).state is RunState.SUCCEEDED
    other = await runs.service.start_plan(
        providers=["p"],
        instructions=f"until {runs.house.workspace / 'other' / 'gate'}",
        workspace=runs.workspace,
        host_session_id=session_id,
        asked_by=session_id,
    )
    stopped = await runs.service.stop(other.results[0].run_id or "", asked_by=session_id)
    assert stopped.state is RunState.CANCELLED
    gate.touch()
    await runs.house.room.sessions.send(session_id, "hello", wait=True, timeout_s=30)
    assert [end["facts"]["state"] for end in await _ends(runs, session_id)] == ["succeeded", "cancelled"]
    assert await _told(runs, session_id) == []


async def test_an_agent_that_has_ended_is_not_started_for_it(runs: Runs) -> None:
    session_id, gate = await runs.house.start("resume"), runs.house.workspace / "gate"
    run_id = await _started(runs, session_id, f"until {gate}", by_agent=True)
    await runs.house.room.sessions.stop(session_id)
    gate.touch()
    await runs.service.wait(run_id, timeout_s=30)
    await runs.house.eventually(lambda: _ends(runs, session_id))
    assert (await runs.house.room.sessions.get(session_id)).state == "stopped"
    assert await _told(runs, session_id) == []
    await runs.house.room.sessions.care.resume(session_id)
    [said] = await runs.house.eventually(lambda: _told(runs, session_id))
    assert run_id in said, "it is told when somebody takes it up again"


async def _has_two(runs: Runs, session_id: str) -> bool:
    return len(await _ends(runs, session_id)) == 2


async def _later_host(runs: Runs) -> RunService:
    """What another host makes of the same database, after this one was killed."""
    room = runs.house.room
    service = RunService(
        runs.house.database,
        sessions=room.sessions,
        providers=room.providers,
        workspaces=room.workspaces,
        publish=lambda kind, data: None,
    )
    await service.reconcile()
    return service


async def test_a_later_host_tells_what_is_due_once_and_only_that(runs: Runs) -> None:
    session_id, gate = await runs.house.start("resume"), runs.house.workspace / "gate"
    sessions = runs.house.room.sessions
    await sessions.send(session_id, f"until {gate}")
    asked = await _started(runs, session_id, "x", by_agent=True)
    due = await _started(runs, session_id, "y", by_agent=True)
    under_way = await _started(runs, session_id, f"until {gate.parent / 'never' / 'gate'}", by_agent=True)
    await runs.service.wait(asked, timeout_s=30, asked_by=session_id)
    await runs.service.wait(due, timeout_s=30)
    await runs.house.eventually(lambda: _has_two(runs, session_id))
    await runs.service._handover.close()  # as a kill would end it: with the turn under way, nobody was told
    later = await _later_host(runs)
    gate.touch()
    [said] = await runs.house.eventually(lambda: _told(runs, session_id))
    assert (asked in said, due in said, under_way in said) == (False, True, True)
    assert "was interrupted" in said
    await sessions.wait(session_id, until="idle", timeout_s=30)
    assert sorted(end["run_id"] for end in await _ends(runs, session_id)) == sorted([asked, due, under_way])
    await later.close()
    again = await _later_host(runs)
    await sessions.send(session_id, "hello", wait=True, timeout_s=30)
    assert len(await _told(runs, session_id)) == 1
    assert len(await _ends(runs, session_id)) == 3
    await again.close()


async def test_what_a_killed_host_had_said_already_is_not_said_again(runs: Runs) -> None:
    session_id = await runs.house.start()
    run_id = await _started(runs, session_id, "x", by_agent=True)
    await runs.house.eventually(lambda: _told(runs, session_id))
    await runs.house.eventually(lambda: _ends(runs, session_id))
    await runs.house.room.sessions.wait(session_id, until="idle", timeout_s=30)
    records = RunRecords(runs.house.database)

    old = await _started(runs, session_id, "long ago", by_agent=False)
    await runs.service.wait(old, timeout_s=30)
    await runs.house.eventually(lambda: _has_two(runs, session_id))

    def unsettle(db: Connection) -> None:  # killed after it was said, before that was noted
        row = update(schema.runs).where(schema.runs.c.id == run_id)
        db.execute(row.values(options={"due": ["line", "agent"]}))
        row = update(schema.runs).where(schema.runs.c.id == old)
        db.execute(row.values(options={"due": ["agent"]}, ended_at=now_ms() - 8 * 24 * 3600 * 1000))

    await runs.house.database.write(unsettle)
    later = await _later_host(runs)

    async def settled() -> bool:
        return not await records.due(Due.AGENT) and not await records.due(Due.LINE)

    await runs.house.eventually(settled)
    assert (len(await _told(runs, session_id)), len(await _ends(runs, session_id))) == (1, 2)
    await later.close()
