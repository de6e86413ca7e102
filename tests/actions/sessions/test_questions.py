"""Questions of a real agent process: a form in the inbox, answers checked by its schema, and every other end."""

from __future__ import annotations

import json
from typing import Any

import pytest
from sqlalchemy import insert, select

from actions.catalog.context import Caller, CallerKind
from actions.errors import Ambiguous, ErrorCode, InvalidInput, NotFound, Refused, SaysoError
from actions.sessions.items import fold
from actions.sessions.service import Child
from actions.storage.schema import user_requests
from tests.actions.sessions.conftest import House

USER = Caller(CallerKind.WINDOW, present=True)


async def ask(house: House, word: str = "question") -> tuple[str, str]:
    """A session whose agent asks, and the request."""
    session_id = await house.start()
    await house.room.sessions.send(session_id, word)
    await house.room.sessions.wait(session_id, until="attention", timeout_s=30)
    return session_id, (await house.events(session_id, "question"))[-1].item_id or ""


async def answer(house: House, request: str | None, **given: Any) -> dict[str, Any]:
    caller, surface = given.pop("caller", USER), given.pop("surface", "ui")
    session_id = given.pop("session_id", None)
    outcome = await house.room.sessions.answer_user_action(
        session_id, request, given, decided_by=caller, surface=surface
    )
    return outcome.result or {}


async def heard(house: House, session_id: str) -> dict[str, Any]:
    """What the agent was told."""
    await house.room.sessions.wait(session_id, until="idle", timeout_s=30)
    return json.loads(next(item for item in fold(await house.events(session_id)) if item.kind == "agent").data["text"])


async def test_a_question_waits_for_a_person_and_its_answer_reaches_the_agent(house: House) -> None:
    session_id, request = await ask(house)
    view = await house.room.sessions.get(session_id)
    assert (view.state, view.waiting_for) == ("waiting", 1)
    query = select(user_requests).where(user_requests.c.id == request)
    row = await house.database.read(lambda db: db.execute(query).mappings().one())
    assert (row["kind"], row["state"], row["summary"]) == ("question", "open", "Which colour?")
    assert [option["name"] for option in row["options"]] == ["Red", "Blue"]
    await answer(house, request, answer="Blue")
    assert await heard(house, session_id) == {"action": "accept", "content": {"q1": "blue"}}
    item = next(item for item in fold(await house.events(session_id)) if item.kind == "question")
    assert (item.data["answer"]["content"], item.data["answer"]["by"]) == ({"q1": "blue"}, "ui")


async def test_own_words_go_where_the_form_takes_them(house: House) -> None:
    session_id, request = await ask(house)
    await answer(house, request, answer="somewhere between green and teal")
    assert await heard(house, session_id) == {
        "action": "accept",
        "content": {"q1_own": "somewhere between green and teal"},
    }


async def test_a_form_is_filled_in_by_name_or_title_and_typed(house: House) -> None:
    session_id, request = await ask(house, "form")
    answers = [
        {"question": "Name", "values": ["shop"]},
        {"question": "ratio", "values": ["0.5"]},
        {"question": "Fast", "values": ["yes"]},
        {"question": "colour", "values": ["Red"]},
        {"question": "parts", "values": ["api", "docs"]},
    ]
    await answer(house, request, answers=answers)
    assert (await heard(house, session_id))["content"] == {
        "name": "shop",
        "port": 8080,
        "ratio": 0.5,
        "fast": True,
        "colour": "red",
        "parts": ["api", "docs"],
    }


async def test_what_does_not_fit_the_schema_is_refused_and_the_question_stays(house: House) -> None:
    session_id, request = await ask(house, "form")
    answers = [
        {"question": "name", "values": ["x"]},
        {"question": "port", "values": ["70000"]},
        {"question": "parts", "values": ["api", "moon"]},
    ]
    with pytest.raises(InvalidInput) as refused:
        await answer(house, request, answers=answers)
    assert {entry["field"] for entry in refused.value.details["fields"]} == {"name", "port", "parts", "colour"}
    assert (await house.room.sessions.get(session_id)).waiting_for == 1
    await answer(house, request, decision="dismiss")


@pytest.mark.parametrize(
    ("decision", "action", "outcome"), [("reject", "decline", "declined"), ("dismiss", "cancel", "dismissed")]
)
async def test_a_question_may_be_declined_or_dismissed(house: House, decision: str, action: str, outcome: str) -> None:
    session_id, request = await ask(house)
    assert (await answer(house, request, decision=decision))["outcome"] == outcome
    assert await heard(house, session_id) == {"action": action}


async def test_a_reason_for_declining_reaches_the_agent(house: House) -> None:
    session_id, request = await ask(house)
    await answer(house, request, decision="reject", reason="Choose yourself.")
    await house.room.sessions.wait(session_id, until="idle", timeout_s=30)
    assert (await house.events(session_id, "user"))[-1].data["text"].endswith("Choose yourself.")


async def test_a_cancel_answers_the_question_first(house: House) -> None:
    session_id, request = await ask(house)
    await house.room.sessions.cancel_turn(session_id)
    assert await heard(house, session_id) == {"action": "cancel"}
    with pytest.raises(SaysoError, match="the turn was cancelled") as late:
        await answer(house, request, answer="Red")
    assert late.value.code is ErrorCode.STALE


async def test_a_second_answer_is_refused(house: House) -> None:
    session_id, request = await ask(house)
    await answer(house, request, answer="Red")
    with pytest.raises(SaysoError, match="answered already") as second:
        await answer(house, request, answer="Blue")
    assert second.value.code is ErrorCode.STALE
    assert (await heard(house, session_id))["content"] == {"q1": "red"}


async def test_an_answer_to_an_agent_that_is_gone(house: House) -> None:
    session_id, request = await ask(house)
    await house.room.sessions.stop(session_id)
    with pytest.raises(SaysoError, match=r"the agent ended|turn was cancelled") as gone:
        await answer(house, request, answer="Red")
    assert gone.value.code is ErrorCode.STALE


async def test_an_answer_to_a_session_that_was_deleted(house: House) -> None:
    with pytest.raises(NotFound, match="may have been deleted"):
        await answer(house, "req_gone", answer="Red")


async def test_a_field_that_is_made_of_others_is_answered_as_json(house: House) -> None:
    session_id = await house.start()
    await house.room.sessions.send(session_id, "deep")
    await house.room.sessions.wait(session_id, until="attention", timeout_s=30)
    given = [{"question": "hosts", "values": ['[{"name": "a"}, {"name": "b"}]']}]
    await answer(house, None, answers=given)
    assert (await heard(house, session_id))["content"] == {"hosts": [{"name": "a"}, {"name": "b"}]}


async def test_an_address_that_cannot_be_shown_is_not_left_waiting(house: House) -> None:
    session_id = await house.start()
    await house.room.sessions.send(session_id, "url", wait=True, timeout_s=30)
    assert await heard(house, session_id) == {"action": "cancel"}


async def test_the_only_question_needs_no_name_and_several_need_one(house: House) -> None:
    first, _ = await ask(house)
    await answer(house, None, answer="Red")
    assert (await heard(house, first))["action"] == "accept"
    sessions = house.room.sessions
    for _ in range(2):
        view = await sessions.spawn_new(provider="scripted", workspace=str(house.workspace))
        await sessions.send(view.id, "question")
        await sessions.wait(view.id, until="attention", timeout_s=30)
    with pytest.raises(Ambiguous):
        await answer(house, None, answer="Red")


async def test_a_question_of_a_run_shows_at_its_root(house: House) -> None:
    sessions = house.room.sessions
    root = await house.start()
    child = await sessions.spawn_new(
        provider="scripted", workspace=str(house.workspace), child=Child("run_1", root, root)
    )
    await sessions.send(child.id, "question")
    await sessions.wait(root, until="attention", timeout_s=30)
    assert (await sessions.get(root)).waiting_for == 1
    await answer(house, None, session_id=root, answer="Red")
    assert (await heard(house, child.id))["content"] == {"q1": "red"}


async def test_an_agent_never_answers_for_itself_or_for_who_started_it(house: House) -> None:
    sessions = house.room.sessions
    root, of_root = await ask(house)
    child = await sessions.spawn_new(
        provider="scripted", workspace=str(house.workspace), child=Child("run_1", root, root)
    )
    await sessions.send(child.id, "question")
    await sessions.wait(child.id, until="attention", timeout_s=30)
    of_child = (await house.events(child.id, "question"))[-1].item_id or ""
    agent = {"surface": "session_agent"}
    parent, itself = Caller(CallerKind.SESSION, root), Caller(CallerKind.SESSION, child.id)
    for caller, request, session_id in [
        (itself, of_child, child.id),
        (itself, of_root, root),
        (parent, of_root, root),
        (Caller(CallerKind.SESSION), of_child, child.id),
        (Caller(CallerKind.UNKNOWN), of_child, child.id),
    ]:
        for surface in ("session_agent", "mcp"):
            with pytest.raises(Refused) as refused:
                await answer(house, request, session_id=session_id, caller=caller, surface=surface, answer="Red")
            assert refused.value.code is ErrorCode.PRESENT_USER_REQUIRED
    assert (await sessions.get(root)).waiting_for == 2
    await answer(house, of_child, session_id=root, caller=parent, **agent, answer="Red")
    item = next(item for item in fold(await house.events(child.id)) if item.kind == "question")
    assert item.data["answer"]["by"] == "session_agent"


async def test_an_agent_names_the_session_that_it_answers(house: House) -> None:
    """Else the border between sessions, which looks at the named session, would be passed by leaving it out."""
    asking, request = await ask(house)
    other = await house.room.sessions.spawn_new(provider="scripted", workspace=str(house.workspace))
    caller = Caller(CallerKind.SESSION, other.id)
    with pytest.raises(InvalidInput):
        await answer(house, request, session_id=other.id, caller=caller, surface="session_agent", answer="Red")
    await answer(house, request, session_id=asking, caller=caller, surface="session_agent", answer="Red")


async def test_a_question_does_not_outlive_the_host_and_does_not_notify_again(house: House) -> None:
    session_id = await house.start()
    await house.room.sessions.stop(session_id)
    row = {"id": "req_old", "kind": "question", "session_id": session_id, "summary": "Which colour?", "state": "open"}
    asked = {"message": "Which colour?", "schema": {"type": "object", "properties": {}}}
    values = {**row, "root_session_id": session_id, "asked": asked, "created_at": 1}
    await house.database.write(lambda db: db.execute(insert(user_requests).values(**values)))  # a host was killed here
    before = len(house.published)
    await house.room.sessions.reconcile()
    assert [kind for kind, _ in house.published[before:]] == []
    with pytest.raises(SaysoError, match="the host was started again"):
        await answer(house, "req_old", answer="Red")
    assert (await house.events(session_id, "question_answer"))[-1].data["by"] == "host_restart"
