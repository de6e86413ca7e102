"""The database file: made, kept, migrated, refused, set aside; and what a cancelled or failed write leaves."""

from __future__ import annotations

import asyncio
import hashlib
import os
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from sqlalchemy import Connection, func, insert, select, text

from actions.errors import ErrorCode, SaysoError
from actions.storage import opening, schema
from actions.storage.database import Database
from actions.storage.migrations import known_revisions, upgrade

DUMPS = Path(__file__).parents[2] / "fixtures" / "databases"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "sayso.db"


@pytest.fixture
async def database(file: Path) -> AsyncIterator[Database]:
    database = Database(file, file.parent / "backups")
    await database.open()
    yield database
    await database.close()


def add_note(key: str) -> Callable[[Connection], None]:
    def write(connection: Connection) -> None:
        connection.execute(insert(schema.meta).values(key=key, value={"at": 1}))

    return write


def count_notes(connection: Connection) -> int:
    return connection.execute(select(func.count()).select_from(schema.meta)).scalar_one()


def open_and_count(file: Path) -> tuple[tuple[opening.Notice, ...], int]:
    async def run() -> tuple[tuple[opening.Notice, ...], int]:
        database = Database(file, file.parent / "backups")
        await database.open()
        try:
            return database.notices, await database.read(count_notes)
        finally:
            await database.close()

    return asyncio.run(run())


def restore(file: Path, revision: str) -> dict[str, list[tuple[object, ...]]]:
    connection = sqlite3.connect(file)
    connection.executescript((DUMPS / f"{revision}.sql").read_text())
    connection.close()
    return rows_of(file)


def rows_of(file: Path) -> dict[str, list[tuple[object, ...]]]:
    connection = sqlite3.connect(file)
    try:
        names = [r[0] for r in connection.execute("SELECT name FROM sqlite_master WHERE type='table' ORDER BY name")]
        return {n: sorted(connection.execute(f"SELECT * FROM {n}").fetchall(), key=repr) for n in names}
    finally:
        connection.close()


def shape_of(file: Path) -> dict[str, object]:
    """Tables, columns, keys and indexes as SQLite itself reports them."""
    connection = sqlite3.connect(file)
    try:
        names = [r[0] for r in connection.execute("SELECT name FROM sqlite_master WHERE type='table' ORDER BY name")]
        shape: dict[str, object] = {}
        for name in names:
            indexes = sorted(row[1] for row in connection.execute(f"PRAGMA index_list({name})"))
            shape[name] = (
                connection.execute(f"PRAGMA table_info({name})").fetchall(),
                sorted(connection.execute(f"PRAGMA foreign_key_list({name})").fetchall()),
                {i: connection.execute(f"PRAGMA index_xinfo({i})").fetchall() for i in indexes},
                sorted(
                    " ".join(row[0].split())
                    for row in connection.execute(
                        "SELECT sql FROM sqlite_master WHERE type='index' AND tbl_name=? AND sql NOT NULL", (name,)
                    )
                ),
            )
        return shape
    finally:
        connection.close()


def test_a_fresh_database_keeps_what_is_written_and_is_private(file: Path) -> None:
    async def first() -> None:
        database = Database(file, file.parent / "backups")
        await database.open()
        await database.write(add_note("a"))
        await database.close()

    async def second() -> int:
        database = Database(file, file.parent / "backups")
        await database.open()
        try:
            assert await database.read(lambda c: c.execute(text("PRAGMA journal_mode")).scalar_one()) == "wal"
            assert await database.read(lambda c: c.execute(text("PRAGMA synchronous")).scalar_one()) == 2
            assert await database.read(lambda c: c.execute(text("PRAGMA foreign_keys")).scalar_one()) == 1
            return await database.read(count_notes)
        finally:
            await database.close()

    asyncio.run(first())
    assert asyncio.run(second()) == 1
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


async def test_a_write_that_fails_stores_nothing(database: Database) -> None:
    def half(connection: Connection) -> None:
        connection.execute(insert(schema.meta).values(key="half", value=None))
        raise LookupError("in the middle")

    with pytest.raises(LookupError, match="in the middle"):
        await database.write(half)
    assert await database.read(count_notes) == 0


async def test_a_cancelled_caller_does_not_undo_its_write(database: Database) -> None:
    started, go_on = threading.Event(), threading.Event()

    def slow(connection: Connection) -> None:
        started.set()
        assert go_on.wait(5)
        connection.execute(insert(schema.meta).values(key="slow", value=None))

    task = asyncio.get_running_loop().create_task(database.write(slow))
    assert await asyncio.to_thread(started.wait, 5)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    go_on.set()
    assert await database.read(count_notes) == 1


async def test_closing_finishes_what_was_handed_over(file: Path) -> None:
    database = Database(file, file.parent / "backups")
    await database.open()
    writes = [asyncio.get_running_loop().create_task(database.write(add_note(str(i)))) for i in range(20)]
    await asyncio.sleep(0)
    await database.close()
    await asyncio.gather(*writes)
    await database.close()
    assert len(rows_of(file)["meta"]) == 20
    with pytest.raises(SaysoError) as refused:
        await database.read(count_notes)
    assert refused.value.code is ErrorCode.HOST_UNAVAILABLE


async def test_a_foreign_key_is_held_and_events_go_with_their_session(database: Database) -> None:
    def fill(connection: Connection) -> None:
        connection.execute(
            insert(schema.sessions).values(
                id="ses_1", provider="builtin", state="idle", created_at=1, updated_at=1, last_activity_at=1
            )
        )
        connection.execute(
            insert(schema.transcript_events).values(session_id="ses_1", seq=0, kind="text", payload={}, created_at=1)
        )

    await database.write(fill)
    await database.write(lambda c: c.execute(schema.sessions.delete()))
    assert await database.read(lambda c: c.execute(select(schema.transcript_events)).all()) == []


def test_the_newest_migration_leads_to_the_schema_of_the_code(tmp_path: Path) -> None:
    made, migrated = tmp_path / "made.db", tmp_path / "migrated.db"
    opening.prepare(made, tmp_path / "backups")
    upgrade(migrated, "head")
    assert shape_of(made) == shape_of(migrated)
    assert rows_of(made)["alembic_version"] == rows_of(migrated)["alembic_version"] == [(schema.REVISION,)]


def test_every_earlier_revision_has_a_populated_dump() -> None:
    assert {f.stem for f in DUMPS.glob("*.sql")} == known_revisions() - {schema.REVISION}


@pytest.mark.parametrize("revision", sorted(known_revisions() - {schema.REVISION}))
def test_a_populated_database_is_backed_up_and_migrated_with_every_row(file: Path, revision: str) -> None:
    before = restore(file, revision)
    assert sum(map(len, before.values())) > 50

    (notice,) = opening.prepare(file, file.parent / "backups")

    after = rows_of(file)
    assert after.pop("alembic_version") == [(schema.REVISION,)]
    kept = {name: rows for name, rows in before.items() if name != "alembic_version"}
    assert {name: _without_new_columns(after[name], rows) for name, rows in kept.items()} == kept
    assert notice.kind == "database_migrated"
    assert rows_of(notice.path) == before
    assert stat.S_IMODE(notice.path.stat().st_mode) == 0o600


def _without_new_columns(after: list[tuple[object, ...]], before: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
    """A revision adds columns at the end, empty."""
    width = len(before[0]) if before else None
    assert all(value is None for row in after for value in row[width:])
    return sorted((row[:width] for row in after), key=repr)


def test_a_migration_that_fails_leaves_the_old_database(file: Path) -> None:
    before = restore(file, "0001")
    connection = sqlite3.connect(file)
    connection.execute("CREATE TABLE idempotency (surprise)")  # the second statement of 0002 will hit this
    connection.commit()
    connection.close()
    with pytest.raises(SaysoError, match="already exists"):
        opening.prepare(file, file.parent / "backups")
    after = rows_of(file)
    assert after.pop("idempotency") == []
    assert after == before


def test_the_newest_five_backups_are_kept(file: Path) -> None:
    restore(file, "0001")
    made = [opening.back_up(file, file.parent / "backups", "0001") for _ in range(7)]
    assert sorted((file.parent / "backups").iterdir()) == sorted(made[2:])


def test_a_newer_database_is_refused_and_untouched(file: Path) -> None:
    opening.prepare(file, file.parent / "backups")
    connection = sqlite3.connect(file)
    connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.commit()
    connection.close()
    before = hashlib.sha256(file.read_bytes()).digest()
    with pytest.raises(SaysoError, match="newer Sayso") as refused:
        opening.prepare(file, file.parent / "backups")
    assert refused.value.details["revision"] == "9999"
    assert hashlib.sha256(file.read_bytes()).digest() == before
    assert [f.name for f in file.parent.iterdir() if f.is_file()] == ["sayso.db"]


@pytest.mark.parametrize("damage", ["text", "header", "middle", "cut", "foreign"])
def test_a_corrupt_database_is_set_aside_and_a_new_one_made(file: Path, damage: str) -> None:
    restore(file, "0001")
    opening.prepare(file, file.parent / "backups")
    content = bytearray(file.read_bytes())
    match damage:
        case "text":
            content = bytearray(b"this was never a database\n" * 400)
        case "header":
            content[:16] = b"\0" * 16
        case "middle":
            content[4096 : len(content) - 4096] = os.urandom(len(content) - 8192)
        case "cut":
            del content[len(content) // 2 :]
        case _:
            other = file.with_name("other.db")
            connection = sqlite3.connect(other)
            connection.execute("CREATE TABLE somebody_elses (x)")
            connection.commit()
            connection.close()
            content = bytearray(other.read_bytes())
    file.write_bytes(content)

    (notice,), notes = open_and_count(file)
    assert notice.kind == "database_set_aside"
    assert notice.path.read_bytes() == bytes(content)
    assert str(notice.path) in notice.message
    assert notes == 0


def test_an_empty_file_is_a_fresh_start(file: Path) -> None:
    file.touch()
    assert open_and_count(file) == ((), 0)


def test_a_folder_in_the_place_of_the_file_is_said(file: Path) -> None:
    file.mkdir()
    with pytest.raises(SaysoError, match="is a folder"):
        open_and_count(file)


async def test_a_full_disk_is_said_and_nothing_is_half_stored(database: Database) -> None:
    """A limit on the number of pages makes SQLite itself report SQLITE_FULL."""

    def fill(connection: Connection) -> None:
        connection.exec_driver_sql("PRAGMA max_page_count = 1")
        for i in range(2000):
            connection.execute(insert(schema.meta).values(key=f"k{i}", value={"blob": "x" * 5000}))

    with pytest.raises(SaysoError, match="disk is full"):
        await database.write(fill)
    assert await database.read(count_notes) == 0


def test_alembic_is_imported_only_for_a_migration(tmp_path: Path) -> None:
    program = (
        "import sys, pathlib\n"
        "from actions.storage import opening\n"
        "folder = pathlib.Path(sys.argv[1])\n"
        "opening.prepare(folder / 'a.db', folder / 'backups')\n"
        "opening.prepare(folder / 'a.db', folder / 'backups')\n"
        "print('alembic' in sys.modules)\n"
    )
    answer = subprocess.run([sys.executable, "-c", program, tmp_path], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "False"


def test_a_host_killed_in_mid_write_loses_nothing_that_was_stored(file: Path) -> None:
    program = (
        "import asyncio, os, signal, sys, pathlib\n"
        "from sqlalchemy import insert\n"
        "from actions.storage import schema\n"
        "from actions.storage.database import Database\n"
        "async def main():\n"
        "    db = Database(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[1]).parent / 'backups')\n"
        "    await db.open()\n"
        "    await db.write(lambda c: c.execute(insert(schema.meta).values(key='kept', value=None)))\n"
        "    def die(c):\n"
        "        c.execute(insert(schema.meta).values(key='lost', value=None))\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "    await db.write(die)\n"
        "asyncio.run(main())\n"
    )
    killed = subprocess.run([sys.executable, "-c", program, file], check=False)
    assert killed.returncode == -9
    assert opening.prepare(file, file.parent / "backups") == ()
    assert [row[0] for row in rows_of(file)["meta"]] == ["kept"]
