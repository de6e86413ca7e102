"""Writes that wait for the disk are stored together; what fails in one of them is its own."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, event, func, insert, select

from actions.errors import NotFound, SaysoError
from actions.storage.database import Database
from actions.storage.schema import meta

COUNT = 40


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    database = Database(tmp_path / "sayso.db", tmp_path / "backups")
    await database.open()
    yield database
    await database.close()


def put(number: int):
    def work(db: Connection) -> int:
        db.execute(insert(meta).values(key=f"k{number}", value=number))
        if number == 7:
            raise NotFound("seven is not there")
        return number

    return work


def hold(db: Connection) -> None:
    time.sleep(0.2)


async def kept(database: Database) -> int:
    return await database.read(lambda db: db.execute(select(func.count()).select_from(meta)).scalar_one())


async def test_what_waits_is_one_commit_and_one_failure_is_its_own(database: Database) -> None:
    commits: list[Connection] = []
    assert database._engine is not None
    event.listen(database._engine, "commit", commits.append)
    before = await kept(database)
    results = await asyncio.gather(
        database.write(hold), *(database.write(put(number)) for number in range(COUNT)), return_exceptions=True
    )
    assert isinstance(results[8], NotFound)
    assert [r for at, r in enumerate(results[1:]) if at != 7] == [number for number in range(COUNT) if number != 7]
    assert await kept(database) == before + COUNT - 1
    assert len(commits) < 6, "each had a flush of its own"


async def test_a_database_that_refuses_tells_each(database: Database) -> None:
    await database.write(lambda db: db.exec_driver_sql("PRAGMA query_only = ON"))
    writes = (database.write(put(number)) for number in range(5))
    results = await asyncio.gather(*writes, return_exceptions=True)
    assert all(isinstance(result, SaysoError) for result in results)
    await database.read(lambda db: db.exec_driver_sql("PRAGMA query_only = OFF"))
    assert await database.write(put(99)) == 99


async def test_a_mistake_in_one_statement_is_not_the_others(database: Database) -> None:
    results = await asyncio.gather(
        database.write(hold),
        database.write(put(1)),
        database.write(lambda db: db.exec_driver_sql("INSERT INTO nowhere VALUES (1)")),
        database.write(put(2)),
        return_exceptions=True,
    )
    assert (results[1], results[3]) == (1, 2)
    assert "no such table" in str(results[2])


async def test_notes_are_one_commit_and_are_there_for_who_asks_after_them(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    commits: list[Connection] = []
    assert database._engine is not None
    before = await kept(database)
    event.listen(database._engine, "commit", commits.append)
    for number in range(10):
        database.note(put(number), f"number {number}")
    assert await kept(database) == before + 9
    assert len(commits) == 2, "one for the notes, one of the read"
    assert [record.getMessage() for record in caplog.records] == ["number 7 could not be recorded"]
    database.note(put(99), "the last")
    await database.close()
    await database.open()
    assert await kept(database) == before + 10
