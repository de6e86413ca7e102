"""Both eras of the protocol, and what is remembered of a server that knows only the old one."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from actions.servers.pool import link
from actions.servers.pool.definition import ServerDefinition, Stdio
from actions.servers.pool.eras import KEEP, Eras
from actions.servers.pool.pool import Pool
from actions.servers.pool.states import ServerError, State
from actions.servers.pool.surroundings import Surroundings
from tests.actions.servers.pool.conftest import FIXTURES, Settled, stdio


async def test_a_modern_server_is_spoken_to_in_its_own_way(settled: Settled, pool: Pool) -> None:
    row = await settled(stdio("", script="modern_stdio.py"))
    assert (row.state, row.protocol, row.modern) == (State.CONNECTED, "2026-07-28", True)
    assert (row.server_info, row.instructions) == ("modern 3", "Be kind.")
    assert (await pool.call("bad", "ok", {})).content[0]["text"] == "ok"
    with pytest.raises(ServerError, match="wants to ask the user something"):
        await pool.call("bad", "wants_input", {})


async def test_a_fastmcp_server_is_connected_in_either_era(settled: Settled, pool: Pool) -> None:
    row = await settled(ServerDefinition("f", Stdio(sys.executable, (str(FIXTURES / "blocking.py"),))))
    assert [tool.name for tool in row.tools] == ["block", "noisy", "child", "ask"]
    for tool, said in (("block", "done"), ("noisy", "ok"), ("child", "ok")):
        arguments = {"seconds": 0} if tool == "block" else {}
        assert (await pool.call("f", tool, arguments)).content[0]["text"] == said
    assert (await pool.call("f", "ask", {})).is_error


async def test_a_modern_server_whose_start_is_slow_is_waited_for(
    settled: Settled, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "PROBE_LIMIT", 0.3)
    row = await settled(stdio("1.5", script="modern_stdio.py"))
    assert (row.state, row.modern) == (State.CONNECTED, True)


async def test_a_server_that_was_old_and_is_modern_now_is_asked_at_once(pool: Pool, settled: Settled) -> None:
    definition = stdio("", script="modern_stdio.py")
    eras = pool._around.eras  # what an earlier version of it left behind
    for _ in range(2):
        eras.note_old(definition)
    assert eras.is_old(definition)
    assert (await settled(definition)).modern


@pytest.mark.parametrize("mode", ["discover_hang", "discover_die"])
async def test_the_next_process_knows_too(tmp_path: Path, mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link, "PROBE_LIMIT", 2.0)
    asked: list[bool] = []
    for n in range(6):
        logs = tmp_path / f"logs{n}"
        pool = Pool(Surroundings(dict(os.environ), eras=Eras(tmp_path / "eras.json"), logs=logs))
        pool.start([stdio(mode, env={"TRACE": "1"})])
        row = (await pool.wait_ready(30.0)).servers[0]
        assert row.state is State.CONNECTED
        await pool.close()
        asked.append("server/discover" in (logs / "bad.log").read_text())
        if not asked[-1]:  # a machine under load may be too slow to be sure the first time
            break
    assert (asked[:2], asked[-1]) == ([True, True], False), "once may have been a slow day"
    assert "bad_stdio" not in (tmp_path / "eras.json").read_text()


def test_a_server_is_asked_again_after_a_week(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "eras.json"
    Eras(file).note_old(stdio("ok"))
    assert not Eras(file).is_old(stdio("ok"))
    Eras(file).note_old(stdio("ok"))
    assert Eras(file).is_old(stdio("ok"))
    assert not Eras(file).is_old(stdio("junk"))
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + KEEP + 1.0)
    assert not Eras(file).is_old(stdio("ok"))


@pytest.mark.parametrize("content", [b"", b"[]", b'{"x": "y"}', b"\xff"])
def test_a_damaged_memory_is_no_memory(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "eras.json"
    file.write_bytes(content)
    assert not Eras(file).is_old(stdio("ok"))
