"""Agents that an earlier host left behind."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import insert, select

from actions.sessions import groups
from actions.sessions.ledger import ProcessLedger
from actions.storage.database import Database
from actions.storage.schema import processes

STUBBORN = "import signal, sys, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(300)"
COUNT = 6


@pytest.fixture
def stubborn() -> Iterator[list[subprocess.Popen[bytes]]]:
    """Processes that ignore SIGTERM, each the leader of its group."""
    started = [
        subprocess.Popen([sys.executable, "-c", STUBBORN], stdout=subprocess.PIPE, start_new_session=True)
        for _ in range(COUNT)
    ]
    for process in started:
        assert process.stdout is not None
        process.stdout.readline()
    yield started
    for process in started:
        process.kill()
        process.communicate()


async def test_orphans_that_ignore_everything_are_ended_at_once_not_one_after_the_other(
    tmp_path: Path, stubborn: list[subprocess.Popen[bytes]]
) -> None:
    database = Database(tmp_path / "sayso.db", tmp_path / "backups")
    await database.open()
    rows = [
        {
            "id": f"prc_{number}", "pid": process.pid, "pgid": process.pid, "session_id": f"ses_{number}",
            "argv": ["x"], "start_time": round((groups.start_time(process.pid) or 0) * 1000),
            "purpose": "x", "started_at": 0,
        }
        for number, process in enumerate(stubborn)
    ]  # fmt: skip
    await database.write(lambda db: db.execute(insert(processes), rows))
    begun = time.monotonic()
    reconciled = await ProcessLedger(database).reconcile(term_wait=2)
    took = time.monotonic() - begun
    assert sorted(reconciled.ended) == sorted(row["session_id"] for row in rows)
    assert all(process.poll() is not None for process in stubborn)
    assert took < COUNT * 2, "they were waited for one after the other"
    reasons = await database.read(lambda db: db.execute(select(processes.c.end_reason)).scalars().all())
    assert reasons == ["orphan_ended"] * COUNT
    await database.close()
