"""Start, mode, stop, death and resumption of real agent processes."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from actions.catalog.views import SessionState
from actions.errors import ErrorCode, InvalidInput, NotFound, SaysoError
from actions.sessions import groups
from tests.actions.sessions.conftest import House, new_room


async def test_the_ask_mode_is_set_and_only_what_was_acknowledged_is_shown(house: House) -> None:
    view = await house.room.sessions.get(await house.start(ask_mode="ask"))
    assert (view.mode, [mode.id for mode in view.modes]) == ("ask", ["auto", "ask", "plan"])


async def test_an_agent_that_keeps_its_mode_says_so(house: House) -> None:
    session_id = await house.start("stubborn", ask_mode="ask")
    assert (await house.room.sessions.get(session_id)).mode == "auto"
    notices = await house.events(session_id, "notice")
    assert [event.data["code"] for event in notices] == ["ask_mode_not_set"]
    with pytest.raises(SaysoError):
        await house.room.sessions.set_mode(session_id, "plan")
    assert (await house.room.sessions.get(session_id)).mode == "auto"


async def test_an_update_before_the_answer_to_session_new_is_not_lost(house: House) -> None:
    session_id = await house.start("early", ask_mode="ask")
    commands = await house.seen(session_id, "commands")
    assert commands[0].data["commands"] == [{"name": "init", "description": "d"}]
    assert (await house.room.sessions.get(session_id)).mode == "ask"


async def test_an_unknown_mode_names_the_known_ones(house: House) -> None:
    session_id = await house.start()
    with pytest.raises(InvalidInput, match="auto, ask, plan"):
        await house.room.sessions.set_mode(session_id, "turbo")
    view = await house.room.sessions.set_mode(session_id, "plan")
    assert view.mode == "plan"


async def test_no_modes_no_mode_control(house: House) -> None:
    view = await house.room.sessions.get(await house.start("nomodes"))
    assert (view.mode, view.modes) == (None, [])


@pytest.mark.parametrize(
    ("quirk", "says"),
    [
        ("crash", "cannot find module 'left-pad'"),
        ("auth", "sign in"),
    ],
)
async def test_a_start_that_fails_says_why_and_stays_in_the_list(house: House, quirk: str, says: str) -> None:
    with pytest.raises(SaysoError, match=says) as failure:
        await house.start(quirk)
    view = await house.room.sessions.get(failure.value.details["session_id"])
    assert view.state == "failed"
    assert says in (view.reason or "")
    errors = await house.events(view.id, "error")
    assert says in errors[0].data["message"]


@pytest.mark.parametrize(("quirk", "limit"), [("mute", 0.7), ("rubbish", 3.0)])
async def test_a_silent_agent_is_given_up(house: House, quirk: str, limit: float) -> None:
    room = new_room(house.database, house.paths, lambda *_: None, start_timeout=limit)
    provider = house.provider(quirk)
    try:
        with pytest.raises(SaysoError) as failure:
            await room.sessions.spawn_new(provider=provider, workspace=str(house.workspace))
    finally:
        await room.sessions.close()
    assert failure.value.code is ErrorCode.TIMEOUT
    if quirk == "rubbish":
        assert "Usage: not-an-agent" in failure.value.details["stderr"]


async def test_a_row_says_how_long_its_agent_may_take_to_start(house: House) -> None:
    with pytest.raises(SaysoError, match="did not answer initialize within 1 s") as failure:
        await house.start("mute", start_limit_s="1")
    assert failure.value.code is ErrorCode.TIMEOUT


async def test_a_missing_program_names_the_fix(house: House) -> None:
    house.paths.providers_file.write_text('[providers.gone]\nname = "Gone"\ncommand = ["no-such-agent"]\n')
    with pytest.raises(NotFound, match="'no-such-agent' was not found"):
        await house.room.sessions.spawn_new(provider="gone", workspace=str(house.workspace))


async def test_a_workspace_that_vanished(house: House) -> None:
    provider = house.provider()
    gone = house.workspace.parent / "gone"
    gone.mkdir()
    await house.room.workspaces.add(str(gone))
    gone.rmdir()
    with pytest.raises(NotFound, match="not there any more"):
        await house.room.sessions.spawn_new(provider=provider, workspace=str(gone))
    assert [w.exists for w in (await house.room.workspaces.list()).workspaces if w.path == str(gone)] == [False]


async def test_an_agent_that_dies_interrupts_its_turn_and_comes_back_on_the_next_message(house: House) -> None:
    sessions = house.room.sessions
    session_id = await house.start()
    with pytest.raises(SaysoError, match="exit code 7"):
        await sessions.send(session_id, "exit", wait=True, timeout_s=30)
    view = await sessions.wait(session_id, until="idle", timeout_s=30)
    assert view.state == "interrupted"
    error = (await house.events(session_id, "error"))[0].data
    assert "out of cheese" in error["stderr"]
    assert (await house.events(session_id, "turn_end"))[-1].data["stop_reason"] == "interrupted"
    end = await sessions.send(session_id, "hello", wait=True, timeout_s=30)
    assert end.text == "Hello there"
    # It cannot take up a conversation, and says so.
    assert [n.data["code"] for n in await house.events(session_id, "notice")] == ["fresh_session"]


async def test_a_wrapper_that_is_killed_takes_the_agent_along(house: House) -> None:
    """The agent lives on as an orphan and holds the pipes open (seen: qwen 0.24)."""
    sessions = house.room.sessions
    session_id = await house.start("wrapper,resume")
    await sessions.send(session_id, "slow")
    while not await house.events(session_id, "agent"):  # noqa: ASYNC110
        await asyncio.sleep(0.02)
    wrapper, agent = [int(pid) for pid in (house.workspace / "pids").read_text().split()]
    os.kill(wrapper, signal.SIGKILL)
    view = await sessions.wait(session_id, until="idle", timeout_s=15)
    assert (view.state, view.resumable) == ("interrupted", True)
    assert not _runs(agent)
    assert (await sessions.send(session_id, "hello", wait=True, timeout_s=30)).text == "Hello there"


async def test_an_agent_that_stops_listening_is_ended(house: House) -> None:
    sessions = house.room.sessions
    session_id = await house.start()
    await sessions.send(session_id, "closestdin")
    await house.seen(session_id, "agent")
    await asyncio.sleep(0.3)  # it says so and then closes its input
    await sessions.cancel_turn(session_id)
    view = await sessions.wait(session_id, until="idle", timeout_s=30)
    assert view.state == "interrupted"


async def test_a_turn_that_ignores_cancel_costs_the_agent(house: House) -> None:
    house.room = new_room(house.database, house.paths, lambda *_: None, cancel_wait=1)
    sessions = house.room.sessions
    session_id = await house.start()
    await sessions.send(session_id, "hang")
    await house.heard("hang")  # a cancel before the prompt went out ends the turn without the agent
    await sessions.cancel_turn(session_id)
    view = await sessions.wait(session_id, until="idle", timeout_s=30)
    assert view.state == "interrupted"
    assert "did not stop within 1 s" in (view.reason or "")


@pytest.mark.parametrize(("quirk", "notices"), [("resume", []), ("load", []), ("load,forgets", ["fresh_session"])])
async def test_a_stopped_session_goes_on(house: House, quirk: str, notices: list[str]) -> None:
    sessions = house.room.sessions
    session_id = await house.start(quirk)
    await sessions.send(session_id, "hello", wait=True, timeout_s=30)
    view = await sessions.stop(session_id)
    assert (view.state, view.resumable) == ("stopped", True)
    end = await sessions.send(session_id, "again", wait=True, timeout_s=30)
    assert end.text == "You said: again"
    said = "".join(event.data["text"] for event in await house.events(session_id, "agent"))
    assert said == "Hello thereYou said: again"
    assert [n.data["code"] for n in await house.events(session_id, "notice")] == notices
    assert [event.turn for event in await house.events(session_id, "turn_end")] == [1, 2]


async def test_stopping_ends_grandchildren_that_ignore_everything(house: House) -> None:
    session_id = await house.start("family")
    pids = [int(pid) for pid in (house.workspace / "pids").read_text().split()]
    assert all(psutil.pid_exists(pid) for pid in pids)
    view = await house.room.sessions.stop(session_id)
    assert view.state == "stopped"
    assert not [pid for pid in pids if _runs(pid)]
    assert await _open_rows(house) == 0


async def test_stopping_ends_what_detached_itself(house: House) -> None:
    session_id = await house.start()
    end = await house.room.sessions.send(session_id, "daemon", wait=True, timeout_s=30)
    pid = int(end.text or "0")
    assert _runs(pid)
    assert os.getsid(pid) == pid
    await house.room.sessions.stop(session_id)
    assert not _runs(pid)


async def test_stopping_a_working_session_is_quick_and_clean(house: House) -> None:
    session_id = await house.start()
    await house.room.sessions.send(session_id, "slow")
    started = time.monotonic()
    view = await house.room.sessions.stop(session_id)
    assert view.state == "stopped"
    assert time.monotonic() - started < 15  # the turn would take 20
    assert (await house.events(session_id, "turn_end"))[-1].data["stop_reason"] == "cancelled"


async def test_a_start_that_takes_too_long_for_a_person_can_be_stopped(house: House) -> None:
    sessions = house.room.sessions
    provider = house.provider("mute")
    spawning = asyncio.ensure_future(sessions.spawn_new(provider=provider, workspace=str(house.workspace)))
    async with asyncio.timeout(30):
        while not (listed := (await sessions.list()).sessions):  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    await asyncio.sleep(0.5)
    assert listed[0].state == "starting"
    view = await sessions.stop(listed[0].id)
    assert view.state == "stopped"
    with pytest.raises(SaysoError) as stopped:
        await spawning
    assert stopped.value.code is ErrorCode.CANCELLED
    assert await _open_rows(house) == 0


async def test_a_host_that_ends_interrupts_what_is_at_work(house: House) -> None:
    sessions = house.room.sessions
    working, idle = await house.start(), await _again(house)
    await sessions.send(working, "slow")
    await house.heard("slow")
    started = time.monotonic()
    await sessions.close()
    assert time.monotonic() - started < 15  # the turn would take 20
    assert ((await sessions.get(working)).state, (await sessions.get(idle)).state) == ("interrupted", "stopped")
    assert (await house.events(working, "turn_end"))[-1].data["stop_reason"] == "interrupted"
    assert await _open_rows(house) == 0


async def test_an_archived_session_leaves_the_list_with_its_agent(house: House) -> None:
    sessions = house.room.sessions
    session_id = await house.start()
    view = await sessions.set_archived(session_id, True)
    assert (view.archived, view.state) == (True, "stopped")
    assert (await sessions.list()).sessions == []
    assert [s.id for s in (await sessions.list(archived_only=True)).sessions] == [session_id]
    assert (await sessions.set_archived(session_id, False)).archived is False


async def test_pages_of_sessions(house: House) -> None:
    sessions = house.room.sessions
    first, second = await house.start(), (await _again(house))
    page = await sessions.list(limit=1)
    assert [s.id for s in page.sessions] == [second]
    rest = await sessions.list(limit=1, cursor=page.next_cursor)
    assert ([s.id for s in rest.sessions], rest.next_cursor) == ([first], None)


async def test_a_host_that_was_killed_leaves_no_orphan(house: House, sayso_home: Path) -> None:
    """A host in a process of its own starts an agent with a child and is killed with SIGKILL; a new one cleans up."""
    provider = house.provider("family")
    await house.database.close()
    program = Path(__file__).parent / "killed_host.py"
    host = _popen(str(program), provider, str(house.workspace), SAYSO_HOME=str(sayso_home))
    assert host.stdout is not None
    told = json.loads(await asyncio.to_thread(host.stdout.readline))
    pids = [int(pid) for pid in (house.workspace / "pids").read_text().split()]
    host.send_signal(signal.SIGKILL)
    host.wait(5)
    host.stdout.close()
    assert [pid for pid in pids if _runs(pid)] == pids, "the agent was to outlive its host"
    await house.database.open()
    await house.room.sessions.reconcile()
    assert not [pid for pid in pids if _runs(pid)]
    assert await _open_rows(house) == 0
    view = await house.room.sessions.get(told["session_id"])
    assert view.state == SessionState.INTERRUPTED
    assert view.waiting_for == 0
    kinds = [event.kind for event in await house.events(view.id)]
    assert kinds[-4:] == ["permission_answer", "tool_call", "error", "turn_end"]
    assert (await house.events(view.id, "tool_call"))[-1].data == {"status": "unfinished"}


async def test_only_zombies_that_nobody_collects_are_reaped() -> None:
    child = _popen("-c", "pass")  # nobody waits for it
    reaper = groups.Reaper()
    assert child.stdout is not None
    await asyncio.to_thread(child.stdout.read)
    async with asyncio.timeout(30):
        while psutil.Process(child.pid).status() != psutil.STATUS_ZOMBIE:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    reaper.sweep()
    assert psutil.pid_exists(child.pid), "once is not enough"
    reaper.sweep()
    assert not psutil.pid_exists(child.pid)
    child.communicate()


async def test_reconcile_spares_a_stranger_with_the_same_pid(house: House) -> None:
    from sqlalchemy import insert

    from actions.storage.schema import processes

    stranger = _popen("-c", "import time; time.sleep(60)")
    try:
        started = groups.start_time(stranger.pid) or 0
        row = {"id": "prc_1", "pid": stranger.pid, "pgid": stranger.pid, "start_time": int(started * 1000) - 60_000}
        values = {**row, "session_id": "ses_x", "argv": ["x"], "purpose": "x", "started_at": 0}
        await house.database.write(lambda db: db.execute(insert(processes).values(**values)))
        await house.room.sessions.reconcile()
        assert stranger.poll() is None
        assert await _open_rows(house) == 0
    finally:
        stranger.kill()
        stranger.communicate()


def _popen(*arguments: str, **env: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True, env={**os.environ, **env})


async def _again(house: House) -> str:
    view = await house.room.sessions.spawn_new(provider="scripted", workspace=str(house.workspace))
    return view.id


async def _open_rows(house: House) -> int:
    from sqlalchemy import func, select

    from actions.storage.schema import processes

    query = select(func.count()).select_from(processes).where(processes.c.ended_at.is_(None))
    return await house.database.read(lambda db: db.execute(query).scalar_one())


def _runs(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
