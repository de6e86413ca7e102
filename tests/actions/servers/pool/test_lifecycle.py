"""What outlives what: nothing outlives its owner, and an owner outlives everything."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from actions.servers.pool.definition import Limits
from actions.servers.pool.pool import Pool
from actions.servers.pool.process import EOF_WAIT
from actions.servers.pool.states import ServerError, ServerRow, State
from tests.actions.servers.pool.conftest import FIXTURES, Settled, cmdline, stdio, until
from tests.stopwatch import Stopwatch

ROOT = Path(__file__).parents[4]


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's parent-death signal")
async def test_a_server_that_ignores_everything_dies_with_a_killed_owner() -> None:
    owner = subprocess.Popen(  # noqa: ASYNC220 - waited for in a thread
        [
            sys.executable,
            str(Path(__file__).with_name("killed_owner.py")),
            str(FIXTURES / "bad_stdio.py"),
            "ignoreterm",
        ],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    try:
        assert owner.stdout is not None
        server = psutil.Process(int(await asyncio.to_thread(owner.stdout.readline)))
        assert server.is_running()
        owner.send_signal(signal.SIGKILL)
        owner.wait()
        await until(lambda: not server.is_running() or server.status() == psutil.STATUS_ZOMBIE)
    finally:
        owner.kill()
        owner.wait()
        owner.stdout.close()


@pytest.mark.parametrize("mode", ["hang", "hanginit", "listhang", "slowstart"])
async def test_closing_while_it_connects_leaves_nothing(pool: Pool, mode: str) -> None:
    pool.start([stdio(mode, limits=Limits(connect=30.0))])
    family: list[psutil.Process] = []

    def it_runs() -> bool:
        family[:] = [child for child in psutil.Process().children() if mode in cmdline(child)]
        return len(family) == 1

    await until(it_runs)
    took = Stopwatch()
    await pool.close()
    assert took.seconds < EOF_WAIT
    assert not any(process.is_running() for process in family)


async def test_close_with_a_call_under_way_ends_the_call(settled: Settled, pool: Pool) -> None:
    await settled(stdio(env={"TRACE": "1"}))
    call = asyncio.create_task(pool.call("bad", "hangcall", {}))
    await until(lambda: "hangcall" in pool.snapshot().servers[0].tail)
    await pool.close()
    with pytest.raises(ServerError):
        await asyncio.wait_for(call, 30.0)
    with pytest.raises(ServerError):
        await pool.call("bad", "ok", {})


async def test_a_first_failure_is_tried_again_after_a_while(settled: Settled, pool: Pool) -> None:
    row = await settled(stdio("exit3"))
    assert (row.state, row.starts) == (State.FAILED, 1)
    assert 1.0 < (row.retry_in or 0.0) <= 2.0
    await pool.retry("bad")
    await until(lambda: pool.snapshot().servers[0].starts == 2)


async def test_what_only_a_person_can_mend_is_not_tried_again(settled: Settled, pool: Pool) -> None:
    row = await settled(stdio("initerr"))
    assert row.retry_in is None


async def test_a_server_killed_while_idle_is_noticed_and_comes_back(settled: Settled, pool: Pool) -> None:
    row = await settled(stdio())
    os.kill(row.pid or 0, signal.SIGKILL)
    await until(lambda: pool.snapshot().servers[0].state is State.FAILED)
    assert pool.snapshot().servers[0].failure.message == "The process ended, by signal 9."
    assert (await pool.call("bad", "ok", {})).content[0]["text"] == "ok"
    assert pool.snapshot().servers[0].state is State.CONNECTED


async def test_twenty_calls_to_a_dead_server_start_it_once(settled: Settled, pool: Pool) -> None:
    row = await settled(stdio())
    os.kill(row.pid or 0, signal.SIGKILL)
    await until(lambda: pool.snapshot().servers[0].state is State.FAILED)
    results = await asyncio.gather(*(pool.call("bad", "ok", {}) for _ in range(20)))
    assert len(results) == 20
    assert pool.snapshot().servers[0].starts == 2


async def test_a_call_right_after_the_death_finds_a_new_server(settled: Settled, pool: Pool) -> None:
    row = await settled(stdio())
    os.kill(row.pid or 0, signal.SIGKILL)
    with contextlib.suppress(ServerError):  # the call may still have reached the old one
        await pool.call("bad", "ok", {})
    assert (await pool.call("bad", "ok", {})).content[0]["text"] == "ok"


async def test_healthy_servers_wait_for_no_other(pool: Pool) -> None:
    pool.start(
        [stdio("hang", name=f"hang{n}") for n in range(2)]
        + [stdio("exit3", name=f"dead{n}") for n in range(2)]
        + [stdio(name=f"good{n}") for n in range(4)]
    )
    await until(lambda: pool.snapshot().connected == 4)
    # What hangs is still waited for, what failed has been
    assert {row.state for row in pool.snapshot().servers if row.name.startswith("hang")} == {State.CONNECTING}


async def test_a_watcher_that_fails_harms_no_connection(settled: Settled, pool: Pool) -> None:
    def fail(row: ServerRow) -> None:
        raise ValueError(row.name)

    pool.watch(fail)
    assert (await settled(stdio())).state is State.CONNECTED


async def test_a_pool_without_servers_has_no_snapshot_and_closes(pool: Pool) -> None:
    assert pool.snapshot() is None
    assert await pool.wait_ready(0.1) is None
    await pool.close()
    await pool.close()


def test_without_a_server_no_library_is_loaded() -> None:
    code = (
        "import sys; from actions.agent.mcp import tools; from actions.servers.pool.pool import Pool; "
        "from actions.servers.pool.surroundings import Surroundings; Pool(Surroundings({})); "
        "print(sorted({'mcp', 'mcp_types', 'fastmcp', 'httpx2', 'anyio', 'jsonschema'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
