"""What an agent keeps of a session itself: deleted with it, and open in one process at a time."""

from __future__ import annotations

from pathlib import Path

import pytest

from actions.agent.session.store import SessionStore
from actions.errors import SaysoError
from actions.sessions.link import Ears
from tests.actions.sessions.conftest import House


def test_a_kept_session_is_open_once(tmp_path: Path) -> None:
    store = SessionStore(tmp_path)
    first = store.create("/work")
    with pytest.raises(SaysoError, match="open in another process") as refused:
        store.open(first.id).lock()
    assert refused.value.details["reason"] == "in_use"
    with pytest.raises(SaysoError, match="open in another process"):
        store.delete(first.id)
    copy = store.fork(first.id)
    assert copy.id != first.id
    first.close()
    again = store.open(first.id)
    again.lock()
    again.append("state", title="mine")
    again.close()
    store.delete(first.id)
    assert [head.id for head in store.list()] == [copy.id]
    store.delete(first.id)
    copy.close()


async def test_an_agent_that_offers_to_forget_is_asked_to(house: House) -> None:
    sessions = house.room.sessions
    session_id = await house.start("delete")
    await sessions.care.delete(session_id)
    assert (house.workspace / "pids.deleted").read_text() == "agent-session-1\n"
    assert list(house.paths.logs.glob(f"{session_id}.*")) == []


async def test_an_agent_that_cannot_be_asked_does_not_keep_a_session_from_being_deleted(house: House) -> None:
    sessions = house.room.sessions
    session_id = await house.start("delete")
    house.paths.providers_file.write_text("")
    await sessions.care.delete(session_id)
    assert (await sessions.list()).sessions == []


async def test_the_built_in_agent_forgets_and_does_not_open_a_session_twice(house: House) -> None:
    sessions = house.room.sessions
    view = await sessions.spawn_new(provider="builtin", workspace=str(house.workspace))
    await sessions.send(view.id, "hello", wait=True, timeout_s=50)
    kept = list((house.paths.state / "agent" / "sessions").glob("*.jsonl"))
    assert len(kept) == 1
    provider = await house.room.providers.require("builtin")
    deaf = Ears(lambda incoming: None, lambda: None, lambda: None)
    second = await house.room.launcher.connect(provider, house.workspace, session_id="ses_second", ears=deaf)
    try:
        for take_up in (second.connection.load_session, second.connection.resume_session):
            with pytest.raises(SaysoError, match="open in another process"):
                await take_up(kept[0].stem, str(house.workspace), [])
    finally:
        await house.room.launcher.end(second, "done")
    await sessions.care.delete(view.id)
    assert list((house.paths.state / "agent" / "sessions").glob("*")) == []
