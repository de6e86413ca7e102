"""A server that was started is ended, whoever is cancelled, and whatever is asked for while its owner closes."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest

from actions.servers.definitions import Scope, StoredServer
from actions.servers.offer.connections import Connections
from actions.servers.offer.resolver import Offered
from actions.servers.offer.ways import Way
from actions.servers.pool.definition import Limits
from actions.servers.pool.pool import Pool
from actions.servers.pool.starts import Starts
from actions.servers.pool.states import ServerRow, State
from actions.servers.pool.surroundings import Surroundings
from actions.servers.trust.pins import Pins
from actions.storage.database import Database
from tests.actions.servers.pool.conftest import Settled, cmdline, stdio, until


def offered(mode: str, name: str) -> Offered:
    runs = stdio(mode, name=name)
    stored = StoredServer(name, Scope.DEVICE, runs, True, "1", "", Path("mcp.json"))
    return Offered(name, stored, True, "active_by_default", "", Way.NATIVE, runs=runs)


def running(mode: str) -> list[psutil.Process]:
    return [child for child in psutil.Process().children() if cmdline(child)[-1:] == [mode]]


@pytest.fixture
async def pins(tmp_path: Path) -> AsyncIterator[Pins]:
    (tmp_path / "data").mkdir()
    database = Database(tmp_path / "data" / "sayso.db", tmp_path / "backups")
    await database.open()
    yield Pins(database)
    await database.close()


def nobody(workspace: Path | None, row: ServerRow) -> None:
    pass


async def test_a_close_that_comes_while_an_idle_server_is_ended_waits_for_its_end(tmp_path: Path, pins: Pins) -> None:
    async def around(workspace: Path | None) -> Surroundings:
        return Surroundings(dict(os.environ))

    connections = Connections(around, pins, nobody, idle_s=0.1)
    connections.hold("ses_1", None, ["stubborn"])
    await connections.want(None, [offered("ignoreeof", "stubborn")])
    await connections.settle(None, ["stubborn"], 50.0)
    (process,) = running("ignoreeof")
    connections.release("ses_1")
    await until(lambda: connections.cached(None, "stubborn") is None)  # its ending has begun, and takes two seconds
    assert process.is_running()
    await connections.close()
    assert not process.is_running()


async def test_what_is_wanted_while_everything_closes_is_not_started(tmp_path: Path, pins: Pins) -> None:
    asked, go_on = asyncio.Event(), asyncio.Event()

    async def around(workspace: Path | None) -> Surroundings:
        asked.set()
        await go_on.wait()
        return Surroundings(dict(os.environ))

    connections = Connections(around, pins, nobody)
    wanting = asyncio.create_task(connections.want(None, [offered("ok", "late")]))
    await asked.wait()
    await connections.close()
    go_on.set()
    await wanting
    assert await connections.known(None, "late") is None
    assert running("ok") == []


async def test_a_closed_pool_starts_nothing(pool: Pool) -> None:
    await pool.close()
    pool.start([stdio()])
    assert pool.snapshot() is None


async def test_a_cancelled_ending_goes_on_and_the_next_close_waits_for_it(pool: Pool, settled: Settled) -> None:
    await settled(stdio("ignoreeof"))
    (process,) = running("ignoreeof")
    ending = asyncio.create_task(pool.remove("bad"))
    for _ in range(2):
        await asyncio.sleep(0)
        ending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await ending
    await pool.close()
    assert not process.is_running()


def test_a_loop_that_ends_in_the_middle_of_an_ending_kills_what_is_left() -> None:
    found: list[psutil.Process] = []

    async def main() -> None:
        pool = Pool(Surroundings(dict(os.environ)))
        pool.start([stdio("ignoreeof")])
        await pool.wait_ready(50.0)
        found.extend(running("ignoreeof"))
        closing = asyncio.create_task(pool.close())
        await asyncio.wait({closing}, timeout=0.1)
        assert not closing.done()

    asyncio.run(main())
    (process,) = found
    assert process.wait(30.0) is None or not process.is_running()


async def test_only_some_processes_start_at_a_time() -> None:
    pool = Pool(Surroundings(dict(os.environ), starts=Starts(2, seconds=3600.0)))
    try:
        pool.start([stdio("hang", name=f"hangs{n}", limits=Limits(connect=3000.0)) for n in range(3)])
        await until(lambda: len(running("hang")) == 2)
        pool.start([stdio(name="good")])
        await until(lambda: [row.state for row in pool.snapshot().servers] == [State.CONNECTING] * 4)
        assert running("ok") == []
        await pool.remove("hangs0")
        await until(lambda: len(running("hang")) == 2)  # the third had waited longer than the good one
        await pool.remove("hangs1")
        await until(lambda: pool.snapshot().connected == 1)
    finally:
        await pool.close()


async def test_one_that_answered_lets_the_next_start() -> None:
    pool = Pool(Surroundings(dict(os.environ), starts=Starts(1, seconds=3600.0)))
    try:
        pool.start([stdio(name=f"good{n}") for n in range(3)] + [stdio("exit3", name="dead"), stdio(name="last")])
        await until(lambda: pool.snapshot().connected == 4)
    finally:
        await pool.close()


async def test_those_that_hang_hold_the_others_for_a_moment_only() -> None:
    pool = Pool(Surroundings(dict(os.environ), starts=Starts(2, seconds=0.2)))
    try:
        pool.start([stdio("hang", name=f"hangs{n}") for n in range(4)] + [stdio(name="good")])
        await until(lambda: pool.snapshot().connected == 1)
        assert len(running("hang")) == 4
    finally:
        await pool.close()
