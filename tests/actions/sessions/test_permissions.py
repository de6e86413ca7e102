"""Permission requests of a real agent process: stored, answered once, by the agent's own words."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import select

from actions.catalog.context import Caller
from actions.errors import Ambiguous, ErrorCode, InvalidInput, NotFound, SaysoError
from actions.sessions.items import fold
from actions.sessions.permissions import choose
from actions.storage.schema import user_requests
from tests.actions.sessions.conftest import House

USER = Caller(present=True)


async def test_allowed_by_kind_and_told_by_the_agents_own_id(house: House) -> None:
    sessions = house.room.sessions
    session_id = await house.start()
    await sessions.send(session_id, "permission")
    request = await house.waiting(session_id)
    view = await sessions.get(session_id)
    assert (view.state, view.waiting_for) == ("waiting", 1)
    shown = (await house.events(session_id, "permission"))[-1].data
    assert shown["title"] == "rm -rf build"
    assert [option["id"] for option in shown["options"]] == ["go", "all", "no"]
    outcome = await sessions.respond_permission(session_id, request, decision="allow", decided_by=USER, surface="ui")
    assert (outcome.outcome, outcome.status) == ("completed", "selected")
    await sessions.wait(session_id, until="idle", timeout_s=30)
    items = fold(await house.events(session_id))
    said = next(item for item in items if item.kind == "agent").data["text"]
    assert json.loads(said) == {"outcome": "selected", "optionId": "go"}
    permission = next(item for item in items if item.kind == "permission")
    assert (permission.data["answer"]["option_id"], permission.data["answer"]["by"]) == ("go", "ui")


async def test_the_stored_row_is_what_the_inbox_shows(house: House) -> None:
    session_id = await house.start()
    await house.room.sessions.send(session_id, "permission")
    request = await house.waiting(session_id)

    query = select(user_requests).where(user_requests.c.id == request)
    row = await house.database.read(lambda db: db.execute(query).mappings().one())
    assert (row["kind"], row["state"], row["root_session_id"]) == ("permission", "open", session_id)
    assert row["fields"] == [{"path": "command", "title": "command", "value": "rm -rf build"}]
    assert row["tool_call"]["kind"] == "execute"


async def test_a_second_answer_is_refused(house: House) -> None:
    sessions = house.room.sessions
    session_id = await house.start()
    await sessions.send(session_id, "permission")
    request = await house.waiting(session_id)
    await sessions.respond_permission(session_id, request, decision="deny", decided_by=USER, surface="ui")
    with pytest.raises(SaysoError) as failure:
        await sessions.respond_permission(session_id, request, decision="allow", decided_by=USER, surface="cli")
    assert failure.value.code is ErrorCode.STALE
    await sessions.wait(session_id, until="idle", timeout_s=30)
    answers = await house.events(session_id, "permission_answer")
    assert [answer.data["option_id"] for answer in answers] == ["no"]


@pytest.mark.parametrize("quirk", ["", "plainend"])
async def test_a_cancel_answers_what_is_open_first(house: House, quirk: str) -> None:
    """Also where the agent calls the turn ended, as if nobody had cancelled it (seen: qwen 0.24)."""
    sessions = house.room.sessions
    session_id = await house.start(quirk)
    await sessions.send(session_id, "permission")
    request = await house.waiting(session_id)
    await sessions.cancel_turn(session_id)
    await sessions.wait(session_id, until="idle", timeout_s=30)
    items = fold(await house.events(session_id))
    said = next(item for item in items if item.kind == "agent").data["text"]
    assert json.loads(said) == {"outcome": "cancelled"}
    assert next(item for item in items if item.kind == "permission").data["answer"]["outcome"] == "cancelled"
    assert (await house.events(session_id, "turn_end"))[-1].data["stop_reason"] == "cancelled"
    with pytest.raises(SaysoError):
        await sessions.respond_permission(session_id, request, decision="allow", decided_by=USER, surface="ui")


async def test_several_options_of_one_kind_are_for_a_person(house: House) -> None:
    sessions = house.room.sessions
    session_id = await house.start()
    await sessions.send(session_id, "twice")
    request = await house.waiting(session_id)
    with pytest.raises(Ambiguous) as several:
        await sessions.respond_permission(session_id, None, decision="allow", decided_by=USER, surface="voice")
    assert [c["id"] for c in several.value.details["candidates"]] == ["a", "b"]
    assert f"sayso inbox answer {request} --json-input " in several.value.message
    assert '{"decision": "allow", "option_id": "a"}' in several.value.message
    await sessions.respond_permission(
        session_id, request, decision="allow", option_id="b", decided_by=USER, surface="ui"
    )
    await sessions.wait(session_id, until="idle", timeout_s=30)
    items = fold(await house.events(session_id))
    assert json.loads(next(i for i in items if i.kind == "agent").data["text"])["optionId"] == "b"
    # The call was never announced; what the request itself carried is shown.
    assert next(i for i in items if i.kind == "tool_call").data["title"] == "odd call"


async def test_a_reason_reaches_the_agent(house: House) -> None:
    sessions = house.room.sessions
    session_id = await house.start()
    await sessions.send(session_id, "permission")
    request = await house.waiting(session_id)
    await sessions.respond_permission(
        session_id, request, decision="deny", feedback="Not here.", decided_by=USER, surface="ui"
    )
    await sessions.wait(session_id, until="idle", timeout_s=30)
    texts = [event.data["text"] for event in await house.events(session_id, "user")]
    assert texts[-1].endswith("Not here.")


async def test_nothing_waits(house: House) -> None:
    session_id = await house.start()
    with pytest.raises(NotFound):
        await house.room.sessions.respond_permission(session_id, None, decision="allow", decided_by=USER, surface="ui")


def _options(*options: tuple[str, str]) -> list[dict[str, str]]:
    return [{"id": option_id, "name": option_id, "kind": kind} for option_id, kind in options]


def test_allow_never_means_always() -> None:
    with pytest.raises(Ambiguous):
        choose(_options(("always", "allow_always"), ("no", "reject_once")), "allow", None)


def test_deny_without_a_way_to_deny_cancels() -> None:
    assert choose(_options(("yes", "allow_once")), "deny", None) is None


def test_the_order_of_options_does_not_matter() -> None:
    options = _options(("no", "reject_once"), ("all", "allow_always"), ("yes", "allow_once"))
    assert (choose(options, "allow", None) or {})["id"] == "yes"
    assert (choose(options, "deny", None) or {})["id"] == "no"


def test_an_option_that_was_not_offered() -> None:
    with pytest.raises(InvalidInput):
        choose(_options(("yes", "allow_once")), "allow", "other")
