"""Whether an agent asks: its mode is confirmed or the session is marked, and one that acts unasked is told of."""

from __future__ import annotations

import asyncio

import pytest

from actions.catalog.context import Caller, CallerKind
from actions.catalog.views import SessionView
from actions.errors import SaysoError
from actions.sessions.transcript import TranscriptLog
from tests.actions.sessions.conftest import House

USER = Caller(CallerKind.WINDOW, present=True)


async def codes(house: House, session_id: str) -> list[str]:
    return [event.data["code"] for event in await house.events(session_id, "notice")]


async def view_of(house: House, quirks: str = "", **row: str) -> SessionView:
    return await house.room.sessions.get(await house.start(quirks, **row))


@pytest.mark.parametrize("quirks", ["", "options"])
async def test_a_mode_that_was_confirmed_leaves_no_mark(house: House, quirks: str) -> None:
    view = await view_of(house, quirks, ask_mode="plan")
    assert (view.mode, view.marks) == ("plan", [])


@pytest.mark.parametrize(
    ("quirks", "mode"),
    [
        ("stubborn", "auto"),  # refuses
        ("deaf", "auto"),  # accepts, and says that it is in another mode
        ("options,deaf", "ask"),  # accepts, and its state stays as it was
        ("nomodes", None),  # has none
    ],
)
async def test_a_mode_that_was_not_confirmed_is_not_assumed(house: House, quirks: str, mode: str | None) -> None:
    view = await view_of(house, quirks, ask_mode="plan")
    assert (view.mode, view.marks) == (mode, ["ask_mode_not_set"])
    assert await codes(house, view.id) == ["ask_mode_not_set"]


async def test_an_agent_that_leaves_its_mode_by_itself_is_marked_until_it_is_set_right(house: House) -> None:
    sessions = house.room.sessions
    session_id = await house.start("flips", ask_mode="ask")
    async with asyncio.timeout(50):
        while not (view := await sessions.get(session_id)).marks:  # noqa: ASYNC110 - nothing to wait on
            await asyncio.sleep(0.02)
    assert (view.mode, view.marks) == ("auto", ["ask_mode_not_set"])
    assert (await sessions.set_mode(session_id, "ask")).marks == []


async def test_a_mode_that_a_person_chose_is_no_mark(house: House) -> None:
    session_id = await house.start(ask_mode="ask")
    view = await house.room.sessions.set_mode(session_id, "auto")
    assert (view.mode, view.marks) == ("auto", [])


async def test_a_choice_that_the_agent_does_not_confirm_fails(house: House) -> None:
    session_id = await house.start("options,deaf")
    with pytest.raises(SaysoError, match="did not confirm 'Plan' as its mode; it is 'Ask' still"):
        await house.room.sessions.set_mode(session_id, "plan")


@pytest.mark.parametrize(("quirks", "marks"), [("options", []), ("options,deaf", ["option_not_set"])])
async def test_an_option_that_belongs_to_asking_is_confirmed_too(house: House, quirks: str, marks: list[str]) -> None:
    provider = house.provider(quirks)
    with house.paths.providers_file.open("a") as file:
        file.write(f'[providers.{provider}.options]\nweb = true\neffort = "high"\n')
    view = await house.room.sessions.spawn_new(provider=provider, workspace=str(house.workspace))
    assert view.marks == marks
    assert {option.id: option.value for option in view.options}["web"] is (not marks)


async def test_one_that_never_asks_says_so_from_the_start(house: House) -> None:
    view = await view_of(house, asks="never")
    assert view.marks == ["never_asks"]
    assert await codes(house, view.id) == ["asks_never"]


@pytest.mark.parametrize("row", [{"ask_mode": "ask"}, {"asks": "client"}])
async def test_what_was_done_unasked_is_marked_for_good(house: House, row: dict[str, str]) -> None:
    sessions = house.room.sessions
    session_id = await house.start("resume", **row)
    for _ in range(2):
        await sessions.send(session_id, "unasked", wait=True, timeout_s=50)
    assert await codes(house, session_id) == ["did_not_ask"], "it is said once"
    await sessions.stop(session_id)
    await sessions.send(session_id, "hello", wait=True, timeout_s=50)
    assert (await sessions.get(session_id)).marks == ["did_not_ask"]
    assert await TranscriptLog(house.database).last_turn(session_id) == 3


@pytest.mark.parametrize(
    ("row", "mode"), [({"asks": "escalated"}, None), ({"asks": "never"}, None), ({"ask_mode": "ask"}, "auto")]
)
async def test_where_it_need_not_ask_nothing_is_said(house: House, row: dict[str, str], mode: str | None) -> None:
    session_id = await house.start(**row)
    if mode is not None:
        await house.room.sessions.set_mode(session_id, mode)
    await house.room.sessions.send(session_id, "unasked", wait=True, timeout_s=50)
    assert "did_not_ask" not in await codes(house, session_id)


async def test_one_that_asked_once_is_not_said_not_to_ask(house: House) -> None:
    sessions = house.room.sessions
    session_id = await house.start(ask_mode="ask")
    await sessions.send(session_id, "permission")
    request_id = await house.waiting(session_id)
    await sessions.respond_permission(session_id, request_id, decision="allow", decided_by=USER, surface="ui")
    await sessions.wait(session_id, until="idle", timeout_s=50)
    assert (await sessions.get(session_id)).marks == []
