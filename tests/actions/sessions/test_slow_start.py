"""An agent that does not answer: everybody is told what is waited for, and everybody can end it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import psutil
import pytest

from actions.errors import ErrorCode, SaysoError
from tests.actions.sessions.conftest import House, new_room


@pytest.fixture
async def hasty(house: House) -> AsyncIterator[House]:
    """A house that says after half a second what others say after ten."""
    house.room = new_room(
        house.database, house.paths, lambda kind, data: house.published.append((kind, data)), patience=0.5
    )
    yield house
    await house.room.sessions.close()


def _agents() -> list[psutil.Process]:
    return [child for child in psutil.Process().children() if "scripted.py" in " ".join(child.cmdline())]


async def test_a_session_that_waits_for_its_agent_says_so_and_is_stopped(hasty: House) -> None:
    sessions, heard = hasty.room.sessions, asyncio.Queue[tuple[float, str]]()
    spawning = asyncio.ensure_future(
        sessions.spawn_new(
            provider=hasty.provider("mute"),
            workspace=str(hasty.workspace),
            told=lambda done, total, words: heard.put_nowait((done, words or "")),
        )
    )
    seconds, words = await asyncio.wait_for(heard.get(), 30)
    assert seconds >= 0.5
    [listed] = (await sessions.list()).sessions
    shown = await sessions.get(listed.id)
    published = [data["session"]["reason"] for kind, data in hasty.published if kind == "session_did_change"]
    for told in (words, listed.reason, shown.reason, published[-1]):
        assert told is not None
        assert told.startswith("Still starting: waits for the answer of Scripted (scripted) to initialize, ")
    assert (listed.state, shown.state) == ("starting", "starting")
    view = await sessions.stop(listed.id)
    assert (view.state, view.reason) == ("stopped", "Stopped by you.")
    with pytest.raises(SaysoError) as stopped:
        await spawning
    assert stopped.value.code is ErrorCode.CANCELLED
    assert not _agents()


async def test_a_start_that_was_slow_says_nothing_of_it_any_more(hasty: House) -> None:
    heard: list[str] = []
    view = await hasty.room.sessions.spawn_new(
        provider=hasty.provider("dawdles"),
        workspace=str(hasty.workspace),
        told=lambda done, total, words: heard.append(words or ""),
    )
    assert (view.state, view.reason) == ("idle", None)
    assert heard


async def test_who_leaves_before_the_agent_is_ready_ends_it(house: House) -> None:
    sessions = house.room.sessions
    spawning = asyncio.ensure_future(
        sessions.spawn_new(provider=house.provider("mute"), workspace=str(house.workspace))
    )
    await house.eventually(lambda: asyncio.to_thread(_agents))
    spawning.cancel()
    with pytest.raises(asyncio.CancelledError):
        await spawning
    [view] = (await sessions.list()).sessions
    assert view.state == "stopped"
    assert view.reason == "It was given up before its agent was ready. Send a message to start it."
    assert not _agents()


async def test_a_check_says_what_it_waits_for_and_ends_with_who_asked(hasty: House) -> None:
    heard = asyncio.Queue[str]()
    provider = hasty.provider("mute")
    checking = asyncio.ensure_future(
        hasty.room.providers.check(provider, told=lambda done, total, words: heard.put_nowait(words or ""))
    )
    assert "to initialize" in await asyncio.wait_for(heard.get(), 30)
    assert _agents()
    checking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await checking
    assert not _agents()
