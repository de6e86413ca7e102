"""The newest part of a long transcript, and what was before it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import insert

from actions.sessions.events import Draft, Kind
from actions.sessions.transcript import LeftOpen, TranscriptLog
from actions.storage.database import Database
from actions.storage.schema import sessions


@pytest.fixture
async def log(tmp_path: Path) -> AsyncIterator[TranscriptLog]:
    database = Database(tmp_path / "sayso.db", tmp_path / "backups")
    await database.open()
    values = {"provider": "builtin", "title": "", "state": "idle"}
    times = {"created_at": 1, "updated_at": 1, "last_activity_at": 1}
    rows = [{"id": name, **values, **times} for name in ("one", "other")]
    await database.write(lambda db: db.execute(insert(sessions), rows))
    yield TranscriptLog(database)
    await database.close()


async def fill(log: TranscriptLog, session_id: str, *sizes: int) -> None:
    """A turn of each size, its start and end counted."""
    for turn, size in enumerate(sizes, start=1):
        said = [Draft(Kind.AGENT, {"text": f"{turn}.{at}"}, f"m{turn}.{at}") for at in range(size - 2)]
        drafts = [Draft(Kind.TURN_START, {}), *said, Draft(Kind.TURN_END, {"stop_reason": "end_turn"})]
        await log.append(session_id, drafts, turn=turn)


async def test_a_page_begins_with_a_turn_where_one_is_near(log: TranscriptLog) -> None:
    await fill(log, "one", 10, 10, 10)
    await fill(log, "other", 50)
    assert [event.seq for event in await log.newest("one", limit=5)] == list(range(21, 31))
    assert [event.seq for event in await log.newest("one", limit=10)] == list(range(21, 31))
    assert [event.seq for event in await log.newest("one", limit=12)] == list(range(11, 31))
    assert [event.seq for event in await log.newest("one", limit=5, before=21)] == list(range(11, 21))
    assert [event.seq for event in await log.newest("one", limit=500)] == list(range(1, 31))
    assert await log.newest("one", limit=5, before=1) == []


async def test_a_turn_that_began_far_away_is_cut(log: TranscriptLog) -> None:
    await fill(log, "one", 100)
    assert [event.seq for event in await log.newest("one", limit=10)] == list(range(91, 101))
    assert [event.seq for event in await log.newest("one", limit=10, before=15)] == list(range(1, 15))


async def test_the_newest_of_a_kind(log: TranscriptLog) -> None:
    await fill(log, "one", 10, 10, 10)
    assert [event.seq for event in await log.newest("one", limit=2, kinds=["turn_end"])] == [20, 30]


async def test_only_a_turn_without_an_end_is_open(log: TranscriptLog) -> None:
    assert await log.left_open("one") is None
    await fill(log, "one", 4)
    assert await log.left_open("one") is None
    call = Draft(Kind.TOOL_CALL, {"title": "one", "status": "in_progress"}, "c1")
    done = Draft(Kind.TOOL_CALL, {"title": "two", "status": "completed"}, "c2")
    later = Draft(Kind.TOOL_CALL, {"output": "x"}, "c1")
    await log.append("one", [Draft(Kind.TURN_START, {}), call, done, later], turn=2)
    assert await log.left_open("one") == LeftOpen(2, ("c1",))
    await log.append("one", [Draft(Kind.TURN_END, {"stop_reason": "end_turn"})], turn=2)
    assert await log.left_open("one") is None
