"""An "always" is kept as a rule of ours: the agent is told "once", and the rule is shown, listed and revocable."""

from __future__ import annotations

import json
from typing import Any

import pytest
from sqlalchemy import select

from actions.catalog.context import Caller, CallerKind
from actions.catalog.registry import load
from actions.errors import InvalidInput
from actions.execution import rules
from actions.execution.inbox import Inbox
from actions.sessions.items import fold
from actions.sessions.service import Child
from actions.storage.schema import audit
from tests.actions.sessions.conftest import House

USER = Caller(CallerKind.WINDOW, present=True)


async def said(house: House, session_id: str) -> list[Any]:
    """What the agent was told, oldest first."""
    await house.room.sessions.wait(session_id, until="idle", timeout_s=30)
    return [json.loads(i.data["text"]) for i in fold(await house.events(session_id)) if i.kind == "agent"]


async def asks(house: House, session_id: str, prompt: str) -> str:
    await house.room.sessions.send(session_id, prompt)
    return await house.waiting(session_id)


async def allow(house: House, request: str, **given: Any) -> dict[str, Any]:
    outcome = await house.room.sessions.respond_permission(
        None, request, decision="allow", decided_by=USER, surface="ui", **given
    )
    return outcome.result or {}


async def not_waited_for(house: House, session_id: str) -> list[str]:
    """One for each call that did not wait."""
    notices = [event.data["code"] for event in await house.events(session_id, "notice")]
    return [code for code in notices if code == "did_not_wait"]


async def in_force(house: House) -> list[rules.Rule]:
    return await house.database.read(rules.in_force)


def inbox(house: House) -> Inbox:
    return Inbox(house.database, None, load())  # type: ignore[arg-type]  # no approval of ours is looked at


async def test_always_tells_the_agent_once_and_answers_the_next_one(house: House) -> None:
    session_id = await house.start()
    answer = await allow(house, await asks(house, session_id, "command git status"), option_id="all")
    assert (answer["option_id"], answer["scope"]) == ("go", "always")
    assert await said(house, session_id) == [{"outcome": "selected", "optionId": "go"}]
    await house.room.sessions.send(session_id, "command git status --short", wait=True, timeout_s=30)
    assert len(await said(house, session_id)) == 2
    events = await house.events(session_id, "permission_answer")
    (rule,) = await in_force(house)
    assert (events[-1].data["by"], events[-1].data["rule_id"], events[-1].data["option_id"]) == ("rule", rule.id, "go")
    assert rule.in_words("").startswith("every single command that begins with: git status")
    query = select(audit).where(audit.c.action_id == "session.permission.respond")
    (row,) = await house.database.read(lambda db: db.execute(query).mappings().all())
    assert (row["session_id"], row["caller"]["rule"], row["outcome"]) == (session_id, rule.id, "completed")


@pytest.mark.parametrize("command", ["git push", "git status; rm -rf .", "git status > x", "sudo git status"])
async def test_a_rule_is_never_wider_than_its_words(house: House, command: str) -> None:
    session_id = await house.start()
    await allow(house, await asks(house, session_id, "command git status"), scope="always")
    await house.room.sessions.wait(session_id, until="idle", timeout_s=30)
    await house.room.sessions.send(session_id, f"command {command}")
    await house.room.sessions.wait(session_id, until="attention", timeout_s=30)
    assert (await house.room.sessions.get(session_id)).waiting_for == 1


async def test_it_holds_for_one_workspace_and_one_provider(house: House) -> None:
    sessions = house.room.sessions
    session_id = await house.start()
    await allow(house, await asks(house, session_id, "command git status"), scope="always")
    elsewhere = house.workspace.parent / "other"
    elsewhere.mkdir()
    for provider, folder in [("scripted", elsewhere), (house.provider(name="second"), house.workspace)]:
        view = await sessions.spawn_new(provider=provider, workspace=str(folder))
        await asks(house, view.id, "command git status")
        assert (await sessions.get(view.id)).waiting_for == 1


async def test_for_this_session_frees_its_runs_and_no_other(house: House) -> None:
    sessions = house.room.sessions
    root = await house.start()
    await allow(house, await asks(house, root, "command git status"), scope="session")
    child = await sessions.spawn_new(
        provider="scripted", workspace=str(house.workspace), child=Child("run_1", root, root)
    )
    await sessions.send(child.id, "command git status", wait=True, timeout_s=30)
    other = await sessions.spawn_new(provider="scripted", workspace=str(house.workspace))
    await asks(house, other.id, "command git status")
    assert (await sessions.get(other.id)).waiting_for == 1


async def test_a_revoked_rule_asks_again(house: House) -> None:
    session_id = await house.start()
    await allow(house, await asks(house, session_id, "command git status"), scope="always")
    (rule,) = await in_force(house)
    await house.database.write(lambda db: rules.revoke(db, rule.id))
    await asks(house, session_id, "command git status")
    assert (await house.room.sessions.get(session_id)).waiting_for == 1


async def test_what_else_would_go_is_shown_and_goes(house: House) -> None:
    session_id = await house.start()
    await house.room.sessions.send(session_id, "commands git status;git status -s;make")

    async def three() -> list[str]:
        return [event.item_id or "" for event in await house.events(session_id, "permission")]

    while len(requests := await three()) < 3:
        await house.room.sessions.wait(session_id, until="attention", timeout_s=30)
    row = await inbox(house).get(requests[0])
    detail = row.detail or {}
    assert row.releases == ["git status -s"]
    assert detail["rules"]["always"].startswith("every single command that begins with: git status")
    assert [entry["id"] for entry in detail["scopes"]["always"]] == [requests[1]]
    await allow(house, requests[0], scope="always")
    assert (await house.room.sessions.get(session_id)).waiting_for == 1
    await house.room.sessions.respond_permission(None, requests[2], decision="deny", decided_by=USER, surface="ui")
    assert await said(house, session_id) == [["go", "go", "no"]]
    by = [event.data["by"] for event in await house.events(session_id, "permission_answer")]
    assert by == ["ui", "rule", "ui"]


async def test_what_cannot_be_told_is_no_rule(house: House) -> None:
    session_id = await house.start()
    request = await asks(house, session_id, "command make && git push")
    with pytest.raises(InvalidInput, match="own option: all"):
        await allow(house, request, scope="always")
    assert "rules" not in ((await inbox(house).get(request)).detail or {})
    answer = await allow(house, request, option_id="all")  # named, it goes to the agent as it is
    assert answer["option_id"] == "all"
    assert await in_force(house) == []


async def test_without_an_option_to_allow_once_there_is_no_rule(house: House) -> None:
    session_id = await house.start()
    request = await asks(house, session_id, "twice")  # two options of the kind allow_once
    with pytest.raises(InvalidInput):
        await allow(house, request, option_id="a", scope="always")


async def test_an_option_that_lasts_is_not_for_once(house: House) -> None:
    session_id = await house.start()
    request = await asks(house, session_id, "command git status")
    with pytest.raises(InvalidInput, match="lasts"):
        await allow(house, request, option_id="all", scope="once")


async def test_the_same_call_asked_twice_is_one_request(house: House) -> None:
    session_id = await house.start()
    request = await asks(house, session_id, "doubled")
    assert (await house.room.sessions.get(session_id)).waiting_for == 1
    await allow(house, request)
    assert await said(house, session_id) == [["go", "go"]]
    assert len(await house.events(session_id, "permission")) == 1


async def test_an_agent_that_does_not_wait_is_told_on(house: House) -> None:
    session_id = await house.start(ask_mode="ask")
    request = await asks(house, session_id, "hasty")
    told = await house.eventually(lambda: not_waited_for(house, session_id))  # the call's end comes after the request
    assert told == ["did_not_wait"]
    await allow(house, request)
