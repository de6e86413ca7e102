"""Whatever a person does, in whatever order: the log stays whole and nothing is left behind."""

from __future__ import annotations

import asyncio
import random

import pytest
from sqlalchemy import func, select

from actions.catalog.context import Caller
from actions.errors import SaysoError
from actions.storage.schema import processes, user_requests
from tests.actions.sessions.conftest import House

WORDS = ("hello", "permission", "slow", "unended", "exit", "junk", "late", "order")


@pytest.mark.parametrize("seed", [1, 2])
async def test_any_order(house: House, seed: int) -> None:
    chance = random.Random(seed)
    sessions = house.room.sessions
    session_id = await house.start("resume")

    async def act() -> None:
        match chance.choice(("send", "send", "send", "cancel", "stop", "allow", "mode", "pause")):
            case "send":
                await sessions.send(session_id, chance.choice(WORDS))
            case "cancel":
                await sessions.cancel_turn(session_id)
            case "stop":
                await sessions.stop(session_id)
            case "allow":
                await sessions.respond_permission(
                    session_id, None, decision="allow", decided_by=Caller(present=True), surface="ui"
                )
            case "mode":
                await sessions.set_mode(session_id, chance.choice(("ask", "plan")))
            case _:
                await asyncio.sleep(0.2)

    for _ in range(12):
        # Several at once: the window, a command and a voice do not wait for each other.
        async with asyncio.timeout(40):
            for outcome in await asyncio.gather(*(act() for _ in range(3)), return_exceptions=True):
                assert outcome is None or isinstance(outcome, (SaysoError, OSError)), repr(outcome)
    await sessions.stop(session_id)

    events = await house.events(session_id)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    turns = [event for event in events if event.kind in ("turn_start", "turn_end")]
    assert [event.kind for event in turns] == ["turn_start", "turn_end"] * (len(turns) // 2)
    asked = {event.item_id for event in events if event.kind == "permission"}
    assert asked == {event.item_id for event in events if event.kind == "permission_answer"}
    shown = [e["seq"] for kind, data in house.published if kind == "transcript_did_append" for e in data["events"]]
    assert shown == [event.seq for event in events]
    alive = select(func.count()).select_from(processes).where(processes.c.ended_at.is_(None))
    waiting = select(func.count()).select_from(user_requests).where(user_requests.c.state == "open")
    for query in (alive, waiting):
        assert await house.database.read(lambda db, query=query: db.execute(query).scalar_one()) == 0
