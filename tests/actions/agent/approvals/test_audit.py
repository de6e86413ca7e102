"""The record: written late, bounded, private."""

from __future__ import annotations

import asyncio
import json
import stat
from pathlib import Path

import pytest

from actions.agent.approvals.audit import Audit
from actions.agent.approvals.decision import Decision
from tests.actions.agent.approvals.calls import BACKGROUND, wanted

YES = Decision(approved=True, decided_by="yolo")


def lines(file: Path) -> list[str]:
    return file.read_text().splitlines() if file.exists() else []


async def until_there_are(count: int, file: Path) -> None:
    async with asyncio.timeout(30):
        while len(lines(file)) < count:  # noqa: ASYNC110 - written by a task of its own
            await asyncio.sleep(0.01)


def bytes_in(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir() if path.is_file())


async def test_rows_are_written_by_a_task(tmp_path: Path) -> None:
    file = tmp_path / "new" / "audit.jsonl"
    audit = Audit(file, delay=0.01)
    audit.note("decided", wanted(call="a"), YES)
    assert lines(file) == []
    audit.note("decided", wanted(call="b"), YES)
    await until_there_are(2, file)
    assert [json.loads(line)["call"] for line in lines(file)] == ["a", "b"]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    audit.note("decided", wanted(call="c"), YES)
    await until_there_are(3, file)
    await audit.close()


async def test_close_writes_the_rest(tmp_path: Path) -> None:
    file = tmp_path / "audit.jsonl"
    audit = Audit(file, delay=60)
    audit.note("decided", wanted(source=BACKGROUND), YES)
    await audit.close()
    audit.note("stale", wanted())
    rows = [json.loads(line) for line in lines(file)]
    assert [row["event"] for row in rows] == ["decided", "stale"]
    assert (rows[0]["mode"], rows[0]["agent"], rows[0]["agent_type"]) == ("yolo", "agent-7", "coder")
    assert rows[0]["at"].endswith("Z")


async def test_memory_and_files_are_bounded(tmp_path: Path) -> None:
    file = tmp_path / "audit.jsonl"
    audit = Audit(file, limit=10_000, delay=60, waiting=10)
    for _ in range(1_000):
        audit.note("decided", wanted("x" * 5_000), YES)
        assert len(audit._rows) < 10
    await audit.close()
    assert bytes_in(tmp_path) < 40_000


def test_without_a_loop_rows_wait(tmp_path: Path) -> None:
    audit = Audit(tmp_path / "audit.jsonl")
    audit.note("decided", wanted(), YES)
    audit.flush()
    assert len(lines(tmp_path / "audit.jsonl")) == 1


def test_a_full_disk_stops_no_call(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").touch()
    audit = Audit(tmp_path / "file" / "audit.jsonl")
    audit.note("decided", wanted(), YES)
    audit.flush()
    assert "could not be written" in caplog.text


def test_a_lone_surrogate_is_written(tmp_path: Path) -> None:
    audit = Audit(tmp_path / "audit.jsonl")
    audit.note("decided", wanted("echo \ud800"), YES)
    audit.flush()
    assert json.loads(lines(tmp_path / "audit.jsonl")[0])["subject"] == "echo \ud800"
