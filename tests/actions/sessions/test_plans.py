"""A plan that an agent wants to carry out is a person's to look at, whatever the rules say."""

from __future__ import annotations

import json
from typing import Any

import pytest

from actions.catalog.context import Caller, CallerKind
from actions.errors import ErrorCode, InvalidInput, Refused
from actions.execution.approval import Scope
from actions.execution.inbox import Inbox
from actions.sessions.items import fold
from tests.actions.sessions.conftest import House

USER = Caller(CallerKind.WINDOW, present=True)


async def planned(house: House) -> tuple[str, str]:
    session_id = await house.start()
    await house.room.sessions.send(session_id, "planned")
    return session_id, await house.waiting(session_id)


async def decide(house: House, request: str | None, surface: str = "ui", **answer: Any) -> dict[str, Any]:
    outcome = await house.room.sessions.answer_user_action(None, request, answer, decided_by=USER, surface=surface)
    return outcome.result or {}


async def heard(house: House, session_id: str) -> dict[str, Any]:
    await house.room.sessions.wait(session_id, until="idle", timeout_s=30)
    return json.loads(next(item for item in fold(await house.events(session_id)) if item.kind == "agent").data["text"])


async def test_the_plan_is_shown_as_markdown(house: House) -> None:
    _, request = await planned(house)
    row = await Inbox(house.database, None, None).get(request)  # type: ignore[arg-type]  # neither holds any of it
    assert (row.kind, row.summary) == ("exit_plan", "Ready to code?")
    assert (row.detail or {})["plan"] == "# Plan\n\n1. Read\n2. Write"
    assert row.options[0].name == "Yes, and accept edits"


async def test_approved_it_asks_for_each_edit(house: House) -> None:
    session_id, request = await planned(house)
    await decide(house, request, decision="approve")
    assert await heard(house, session_id) == {"outcome": "selected", "optionId": "manual"}


async def test_approved_by_an_option_of_the_agents(house: House) -> None:
    session_id, request = await planned(house)
    await decide(house, request, option_id="auto")
    assert (await heard(house, session_id))["optionId"] == "auto"


async def test_changes_reach_the_agent_in_words(house: House) -> None:
    session_id, request = await planned(house)
    answer = await decide(house, request, decision="request_changes", reason="Write tests first.")
    assert (answer["option_id"], answer["feedback"]) == ("keep", "Write tests first.")
    await house.room.sessions.wait(session_id, until="idle", timeout_s=30)
    assert (await house.events(session_id, "user"))[-1].data["text"].endswith("Write tests first.")


async def test_rejected(house: House) -> None:
    session_id, request = await planned(house)
    await decide(house, request, decision="reject")
    assert (await heard(house, session_id))["optionId"] == "keep"


async def test_a_plan_needs_a_decision(house: House) -> None:
    _, request = await planned(house)
    for answer in ({"answer": "fine"}, {"decision": "approve", "option_id": "keep"}):
        with pytest.raises(InvalidInput):
            await decide(house, request, **answer)
    assert (await house.room.sessions.get((await house.room.sessions.list()).sessions[0].id)).waiting_for == 1


async def test_what_asks_no_more_is_not_chosen_by_voice(house: House) -> None:
    _, request = await planned(house)
    with pytest.raises(Refused) as refused:
        await decide(house, request, "voice", decision="approve", option_id="auto")
    assert refused.value.code is ErrorCode.PRESENT_USER_REQUIRED


async def test_no_rule_approves_a_plan(house: House) -> None:
    session_id, request = await planned(house)
    for scope in (Scope.SESSION, Scope.ALWAYS):
        with pytest.raises(InvalidInput):
            await house.room.sessions.respond_permission(
                None, request, decision="allow", scope=scope, decided_by=USER, surface="ui"
            )
    assert (await house.room.sessions.get(session_id)).waiting_for == 1
