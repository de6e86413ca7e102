"""Connections that the host keeps: one a server and workspace, none in the way of another, none left over."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from actions.errors import NotFound, Refused
from actions.servers.definitions import Scope, StoredServer
from actions.servers.offer.connections import Connections
from actions.servers.offer.resolver import Offered
from actions.servers.offer.ways import Way
from actions.servers.pool.definition import Limits, ServerDefinition, Stdio
from actions.servers.pool.states import ServerRow, State
from actions.servers.pool.surroundings import Surroundings
from actions.servers.trust.pins import Pinned, Pins
from actions.storage.database import Database

FIXTURES = Path(__file__).parents[3] / "fixtures" / "mcp"


def offered(name: str, mode: str = "ok", connect: float = 15.0) -> Offered:
    runs = ServerDefinition(name, Stdio(sys.executable, (str(FIXTURES / "bad_stdio.py"), mode)), Limits(connect, 5.0))
    stored = StoredServer(name, Scope.DEVICE, runs, True, "1", "", Path("mcp.json"))
    return Offered(name, stored, True, "active_by_default", "", Way.NATIVE, runs=runs)


@pytest.fixture
async def connections(tmp_path: Path) -> AsyncIterator[Connections]:
    database = Database(tmp_path / "data" / "sayso.db", tmp_path / "backups")
    (tmp_path / "data").mkdir()
    await database.open()

    async def around(workspace: Path | None) -> Surroundings:
        return Surroundings(dict(os.environ), cwd=workspace, logs=tmp_path / "logs")

    def changed(workspace: Path | None, row: ServerRow) -> None:
        pass

    made = Connections(around, Pins(database), changed, idle_s=0.2)
    yield made
    await made.close()
    assert running(tmp_path) == []
    await database.close()


def running(started_in: Path) -> list[int]:
    """The servers that this test started: they run in its folder."""
    children = psutil.Process().children(recursive=True)
    return [
        child.pid
        for child in children
        if str(FIXTURES) in " ".join(_of(child, "cmdline") or []) and _of(child, "cwd") == str(started_in)
    ]


def _of(process: psutil.Process, what: str) -> Any:
    try:
        return getattr(process, what)()
    except psutil.Error:
        return None


async def until(condition: object, seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():  # type: ignore[operator] # a plain callable
        assert time.monotonic() < deadline
        await asyncio.sleep(0.02)


async def test_the_healthy_are_there_while_another_hangs(connections: Connections, tmp_path: Path) -> None:
    servers = [offered("good"), offered("hangs", "hang"), offered("dead", "exit3")]
    await connections.want(tmp_path, servers)
    connections.hold("ses_1", tmp_path, ["good", "hangs", "dead"])
    await connections.settle(tmp_path, ["good", "dead"], 30.0)
    good, hangs = await connections.known(tmp_path, "good"), await connections.known(tmp_path, "hangs")
    dead = await connections.known(tmp_path, "dead")
    assert good is not None
    assert hangs is not None
    assert dead is not None
    assert (good.connected, len(good.usable()), hangs.loading) == (True, 19, True)
    assert dead.row.state is State.FAILED
    assert dead.row.failure is not None
    assert (dead.row.failure.exit_code, dead.row.failure.tail.strip()) == (3, "FATAL: missing API_KEY")
    began = time.monotonic()
    await connections.settle(tmp_path, ["hangs"], 0.1)
    assert time.monotonic() - began < 5
    result = await connections.call(tmp_path, "good", "ok", {})
    assert result.content[0]["text"] == "ok"
    assert await connections.known(tmp_path / "other", "good") is None


async def test_what_nobody_holds_is_ended_and_what_a_session_holds_stays(
    connections: Connections, tmp_path: Path
) -> None:
    await connections.want(tmp_path, [offered("kept"), offered("loose")])
    connections.hold("ses_1", tmp_path, ["kept"])
    await connections.settle(tmp_path, ["kept", "loose"], 30.0)
    await until(lambda: len(running(tmp_path)) == 1)
    assert await connections.known(tmp_path, "kept") is not None
    assert await connections.known(tmp_path, "loose") is None
    connections.release("ses_1")
    await until(lambda: running(tmp_path) == [])
    with pytest.raises(NotFound):
        await connections.call(tmp_path, "kept", "ok", {})


async def test_another_definition_is_another_process(connections: Connections, tmp_path: Path) -> None:
    connections.hold("ses_1", tmp_path, ["one"])
    await connections.want(tmp_path, [offered("one")])
    await connections.settle(tmp_path, ["one"], 30.0)
    first = await connections.known(tmp_path, "one")
    await connections.want(tmp_path, [offered("one", "oldver")])
    await connections.settle(tmp_path, ["one"], 30.0)
    second = await connections.known(tmp_path, "one")
    assert first is not None
    assert second is not None
    assert first.row.pid != second.row.pid
    assert len(running(tmp_path)) == 1


async def test_a_tool_that_comes_while_it_runs_is_held_back(connections: Connections, tmp_path: Path) -> None:
    connections.hold("ses_1", tmp_path, ["good"])
    await connections.want(tmp_path, [offered("good")])
    await connections.settle(tmp_path, ["good"], 30.0)
    assert await connections.known(tmp_path, "good") is not None
    await connections.call(tmp_path, "good", "changed", {})  # adds a tool and says so

    async def grown() -> bool:
        known = await connections.known(tmp_path, "good")
        return known is not None and len(known.row.tools) == 20

    deadline = time.monotonic() + 30
    while not await grown():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.05)
    known = await connections.known(tmp_path, "good")
    assert known is not None
    (new,) = [pin for pin in known.pins.values() if not pin.usable]
    assert (new.pinned, known.held, len(known.usable())) == (Pinned.NEW, True, 19)
    with pytest.raises(Refused) as refused:
        await connections.call(tmp_path, "good", new.tool, {})
    assert refused.value.details["reason"] == "pin_new"
    assert (await connections.call(tmp_path, "good", "ok", {})).content


async def test_a_server_that_may_not_run_is_not_started(connections: Connections, tmp_path: Path) -> None:
    await connections.want(tmp_path, [replace(offered("good"), selected=False, reason="not_trusted")])
    assert await connections.known(tmp_path, "good") is None
    assert running(tmp_path) == []
