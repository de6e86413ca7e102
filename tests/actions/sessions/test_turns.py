"""A prompt to a real agent process: what is stored, what is shown, how it ends."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

import pytest
from sqlalchemy import Connection

from actions.errors import ErrorCode, InvalidInput, SaysoError
from actions.sessions.items import Item, fold, last_message
from tests.actions.sessions.conftest import House


async def test_a_turn_is_stored_and_answered(house: House) -> None:
    session_id = await house.start()
    end = await house.room.sessions.send(session_id, "hello", wait=True, timeout_s=30)
    assert (end.stop_reason, end.text) == ("end_turn", "Hello there")
    events = await house.events(session_id)
    assert [event.kind for event in events] == ["mode", "turn_start", "user", "agent", "turn_end"]
    assert [event.seq for event in events] == [1, 2, 3, 4, 5]
    view = await house.room.sessions.get(session_id)
    assert (view.state, view.mode, view.title) == ("idle", "auto", "hello")


async def test_what_is_published_was_stored_before(house: House) -> None:
    session_id = await house.start()
    await house.room.sessions.send(session_id, "hello", wait=True, timeout_s=30)
    shown = [event for kind, data in house.published if kind == "transcript_did_append" for event in data["events"]]
    stored = [event.model_dump(mode="json") for event in await house.events(session_id)]
    assert shown == stored


async def test_updates_keep_their_order(house: House) -> None:
    session_id = await house.start()
    end = await house.room.sessions.send(session_id, "order", wait=True, timeout_s=30)
    assert end.text == "".join(f"{number}," for number in range(300))


async def test_a_flood_is_stored_in_few_events(house: House) -> None:
    session_id = await house.start()
    end = await house.room.sessions.send(session_id, "flood", wait=True, timeout_s=40)
    assert end.text == "x" * 20_000
    assert len(await house.events(session_id, "agent")) < 500


async def test_rubbish_on_stdout_is_passed_over(house: House) -> None:
    session_id = await house.start()
    end = await house.room.sessions.send(session_id, "junk", wait=True, timeout_s=30)
    assert end.text == "after junk"


async def test_a_lot_of_stderr_does_not_hold_the_agent(house: House) -> None:
    session_id = await house.start()
    end = await house.room.sessions.send(session_id, "stderr", wait=True, timeout_s=30)
    assert end.text == "still here"
    log = house.paths.logs / f"{session_id}.log"
    assert log.read_text().endswith("last words\n")


async def test_what_the_protocol_does_not_know_is_no_crash(house: House) -> None:
    session_id = await house.start()
    end = await house.room.sessions.send(session_id, "unknown", wait=True, timeout_s=30)
    assert end.stop_reason == "a_reason_of_the_future"
    assert end.text == "[hologram]fine"


async def test_a_second_prompt_waits_and_is_seen_waiting(house: House) -> None:
    sessions = house.room.sessions
    session_id = await house.start()
    first = await sessions.send(session_id, "slow")
    second = await sessions.send(session_id, "hello")
    assert (first.queued, second.queued) == (False, True)
    assert [message.text for message in (await sessions.get(session_id)).queue] == ["hello"]
    await sessions.cancel_turn(session_id)
    await sessions.wait(session_id, until="idle", timeout_s=30)
    # A cancel stops; it does not start what comes next.
    assert [message.text for message in (await sessions.get(session_id)).queue] == ["hello"]
    await sessions.send(session_id, "third", wait=True, timeout_s=30)
    texts = [event.data["text"] for event in await house.events(session_id, "user")]
    assert texts == ["slow", "hello", "third"]


async def test_a_call_that_never_ends_is_ended_with_its_turn(house: House) -> None:
    session_id = await house.start()
    await house.room.sessions.send(session_id, "unended", wait=True, timeout_s=30)
    items = fold(await house.events(session_id))
    assert [item.data["status"] for item in items if item.id == "u1"] == ["unfinished"]


async def test_a_late_update_still_counts(house: House) -> None:
    session_id = await house.start()
    await house.room.sessions.send(session_id, "late", wait=True, timeout_s=30)

    async def late() -> Item:
        return next(item for item in fold(await house.events(session_id)) if item.id == "l1")

    async with asyncio.timeout(30):
        while (call := await late()).data["status"] != "completed":  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    assert (call.data["status"], call.data["output"]) == ("completed", "late output")


async def test_acting_without_asking_is_said_once(house: House) -> None:
    session_id = await house.start(ask_mode="ask")
    for _ in range(2):
        await house.room.sessions.send(session_id, "unasked", wait=True, timeout_s=30)
    notices = [event.data["code"] for event in await house.events(session_id, "notice")]
    assert notices == ["did_not_ask"]


async def test_waiting_too_short_ends_nothing(house: House) -> None:
    session_id = await house.start()
    with pytest.raises(SaysoError) as failure:
        await house.room.sessions.send(session_id, "slow", wait=True, timeout_s=0.2)
    assert failure.value.code is ErrorCode.TIMEOUT
    assert (await house.room.sessions.get(session_id)).state == "working"


async def test_an_empty_message_is_refused(house: House) -> None:
    session_id = await house.start()
    with pytest.raises(InvalidInput):
        await house.room.sessions.send(session_id, "  \n")


async def test_the_environment_is_the_one_we_built(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY_OF_ANOTHER_TOOL", "secret")
    monkeypatch.setenv("https_proxy", "http://proxy.example:3128")
    session_id = await house.start()
    end = await house.room.sessions.send(session_id, "env", wait=True, timeout_s=30)
    env = json.loads(end.text or "")
    assert "A_KEY_OF_ANOTHER_TOOL" not in env
    assert env["https_proxy"] == "http://proxy.example:3128"
    assert env["SAYSO_SESSION_ID"] == session_id
    assert env["SAYSO_TOKEN"] == f"token-{session_id}"


async def test_items_join_the_pieces(house: House) -> None:
    session_id = await house.start()
    await house.room.sessions.send(session_id, "order", wait=True, timeout_s=30)
    events = await house.events(session_id)
    whole = fold(events)
    # Folding page by page, with an overlap, gives the same.
    half = len(events) // 2
    assert fold(events[half - 1 :], fold(events[:half])) == whole
    assert last_message(whole, 1).startswith("0,1,2,")


async def test_a_full_disk_loses_nothing(house: House, caplog: pytest.LogCaptureFixture) -> None:
    """SQLite's own limit stands for the disk; the error is the same."""
    session_id = await house.start()

    def limit(pages: int) -> Callable[[Connection], object]:
        return lambda db: db.exec_driver_sql(f"PRAGMA max_page_count = {pages}").scalar()

    await house.database.write(limit(1))  # SQLite raises it to what is in use
    await house.room.sessions.send(session_id, "flood")
    async with asyncio.timeout(30):
        while "disk is full" not in caplog.text:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    await asyncio.sleep(0.5)
    assert (await house.room.sessions.get(session_id)).state == "working"
    await house.database.write(limit(1_000_000))
    await house.room.sessions.wait(session_id, until="idle", timeout_s=30)
    said = "".join(event.data["text"] for event in await house.events(session_id, "agent"))
    assert said == "x" * 20_000


async def test_a_start_that_cannot_be_stored_does_not_block_the_next_one(house: House) -> None:
    sessions = house.room.sessions
    session_id = await house.start("resume")
    await sessions.stop(session_id)
    await house.database.write(lambda db: db.exec_driver_sql("PRAGMA query_only = ON"))
    with pytest.raises(SaysoError, match="cannot be written"):
        await sessions.send(session_id, "hello")
    await house.database.read(lambda db: db.exec_driver_sql("PRAGMA query_only = OFF"))
    end = await sessions.send(session_id, "hello", wait=True, timeout_s=30)
    assert end.text == "Hello there"
