"""An agent that hangs is ended with its group, and taken up again where that can be."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest

from actions.sessions.process import AgentProcess, Ending, Launch
from tests.actions.sessions.conftest import SCRIPTED, House, new_room


@pytest.fixture
async def house(house: House) -> AsyncIterator[House]:
    """With a watchdog that waits a second."""
    before = house.room
    house.room = new_room(house.database, house.paths, lambda *_: None, cancel_wait=1)
    yield house
    await house.room.sessions.close()
    house.room = before


async def hangs(house: House, quirk: str) -> str:
    session_id = await house.start(quirk)
    await house.room.sessions.send(session_id, "hang after a word")
    await house.said(session_id)
    await house.room.sessions.cancel_turn(session_id)
    return session_id


@pytest.mark.parametrize("quirk", ["resume", "load"])
async def test_a_hung_agent_is_taken_up_again_by_itself(house: House, quirk: str) -> None:
    session_id = await hangs(house, quirk)
    sessions = house.room.sessions
    [error] = await house.eventually(lambda: house.events(session_id, "error"))
    assert "did not stop within 1 s and was ended" in error.data["message"]
    await house.eventually(lambda: house.is_in(session_id, "idle"))
    assert [event.data["stop_reason"] for event in await house.events(session_id, "turn_end")] == ["interrupted"]
    end = await sessions.send(session_id, "hello", wait=True, timeout_s=30)
    assert end.text == "Hello there"
    assert "replayed" not in str(await house.events(session_id, "agent"))
    assert await house.events(session_id, "notice") == []


async def _freeze(agent: psutil.Process) -> None:
    agent.send_signal(signal.SIGSTOP)
    while agent.status() != psutil.STATUS_STOPPED:  # noqa: ASYNC110 - the kernel tells nobody but its parent
        await asyncio.sleep(0.01)


async def test_a_frozen_agent_hears_a_cancel(house: House) -> None:
    session_id = await house.start()
    await house.room.sessions.send(session_id, "slow")
    await house.said(session_id)
    [agent] = [child for child in psutil.Process().children() if str(SCRIPTED) in child.cmdline()]
    await _freeze(agent)
    await house.room.sessions.cancel_turn(session_id)
    await house.room.sessions.wait(session_id, until="idle", timeout_s=30)
    assert [event.data["stop_reason"] for event in await house.events(session_id, "turn_end")] == ["cancelled"]
    assert (await house.room.sessions.send(session_id, "hello", wait=True, timeout_s=30)).text == "Hello there"


async def test_a_frozen_agent_ends_at_the_end_of_its_input(tmp_path: Path) -> None:
    """By itself and cleanly: nobody waits until it is killed."""
    argv = [sys.executable, "-c", "import sys; print('ready', flush=True); sys.stdin.read()"]
    agent = await AgentProcess.spawn(Launch(argv, tmp_path, dict(os.environ), "reader"), stderr_file=None)
    assert await agent.stdout.readline() == b"ready\n"
    await _freeze(psutil.Process(agent.identity.pid))
    assert await agent.end(eof_wait=30) == Ending(0)


async def test_a_hung_agent_that_forgot_says_so(house: House) -> None:
    session_id = await hangs(house, "load,forgets")
    await house.eventually(lambda: house.is_in(session_id, "failed"))
    view = await house.room.sessions.get(session_id)
    assert "cannot be taken up again" in (view.reason or "")


async def test_one_that_cannot_be_taken_up_stays_as_it_is(house: House) -> None:
    session_id = await hangs(house, "")
    view = await house.room.sessions.wait(session_id, until="idle", timeout_s=30)
    assert (view.state, view.resumable) == ("interrupted", False)
