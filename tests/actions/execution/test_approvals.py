"""The life of a request: every step, in order and out of order."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from actions.catalog.context import Caller
from actions.catalog.spec import Surface
from actions.errors import ErrorCode, InvalidInput, NotFound, Refused, SaysoError
from actions.execution import approval as store
from actions.execution.approval import Approval, Scope, Status
from actions.execution.approvals import Decider
from actions.execution.inputs import INPUT_LIMIT
from actions.execution.request import Completed, Failed, Pending, Rejected
from actions.policy.settings import Override, PolicySettings
from actions.storage.ids import now_ms
from actions.storage.schema import approvals
from tests.actions.execution.house import (
    AGENT,
    EDITOR,
    OTHER_AGENT,
    PERSON,
    SCRIPT,
    TERMINAL,
    WINDOW,
    House,
    open_house,
)


async def ask(
    house: House, action: str = "note.send", surface: Surface = Surface.MCP, caller: Caller = EDITOR, **given: Any
) -> Approval:
    """Have something asked, and return the open request."""
    outcome = await house.door.execute(house.request(action, surface, caller, **{"text": "x", **given}))
    assert isinstance(outcome, Pending), outcome
    return await house.approvals.get(outcome.approval_id)


async def ask_as_agent(house: House, caller: Caller = AGENT, **given: Any) -> Approval:
    return await ask(house, surface=Surface.SESSION_AGENT, caller=caller, **given)


async def status(house: House, approval: Approval) -> Status:
    return (await house.approvals.get(approval.id)).status


async def test_what_is_shown_is_what_runs(house: House) -> None:
    approval = await ask(house, text="hello\nworld")
    assert json.loads(approval.input) == {"text": "hello\nworld"}
    assert approval.fields == [
        {"path": "text", "title": "Line", "value": "hello\nworld"},
        {"path": "kind", "title": "Kind", "value": "Plain text"},
    ]
    assert approval.summary == "Send a note: hello world, Plain text"
    assert approval.decision is None
    assert approval.execution is None


async def test_titles_stand_for_ids_and_the_chain_is_kept(house: House) -> None:
    approval = await ask(house, "note.other", Surface.SESSION_AGENT, OTHER_AGENT, session_id="ses_root")
    assert approval.fields[-1]["value"] == "Title of ses_root"
    assert approval.session_id == "ses_other"
    bare = Caller(AGENT.kind, "ses_child", (), label="agent")
    child = await ask_as_agent(house, bare)
    assert child.caller == AGENT, "the host finds the root of a session that only names itself"
    assert (child.session_id, child.root_session_id) == ("ses_child", "ses_root")


async def test_invisible_fields_are_not_shown(house: House) -> None:
    approval = await ask(house, volume=3)
    assert "volume" not in [row["path"] for row in approval.fields]
    loud = await ask(house, volume=3, kind="loud")
    assert "volume" in [row["path"] for row in loud.fields]


async def test_what_cannot_be_shown_can_be_rejected_but_not_approved(house: House) -> None:
    approval = await ask(house, "note.unshown")
    assert not (await house.inbox.get(approval.id)).decidable
    with pytest.raises(Refused, match="can be rejected but not approved"):
        await house.approvals.approve(approval.id, PERSON)
    assert await house.approvals.reject(approval.id, PERSON) == Rejected("")
    shown = await ask(house, "note.unshown", kind="shown")
    assert isinstance(await house.approvals.approve(shown.id, PERSON), Completed)


async def test_an_input_that_is_too_long_is_refused(house: House) -> None:
    outcome = await house.door.execute(house.request("note.send", text="x" * INPUT_LIMIT))
    assert isinstance(outcome, Failed)
    assert outcome.code is ErrorCode.INVALID_INPUT
    assert await house.approvals.list(limit=5) == []


async def test_approve_twice_runs_once(house: House) -> None:
    approval = await ask(house)
    first, second = await asyncio.gather(
        house.approvals.approve(approval.id, PERSON), house.approvals.approve(approval.id, PERSON)
    )
    assert first == second == Completed({"lines": 1})
    assert await house.approvals.approve(approval.id, PERSON) == Completed({"lines": 1})
    assert house.effects == ["x"]
    done = await house.approvals.get(approval.id)
    assert done.status is Status.EXECUTED
    assert done.decision is not None
    assert done.execution is not None
    assert (done.decision["by"], done.decision["surface"], done.decision["scope"]) == ("user", "ui", "once")
    assert done.execution["result"] == {"lines": 1}


async def test_a_conflicting_decision_is_refused(house: House) -> None:
    approved, rejected = await ask(house), await ask(house)
    await house.approvals.approve(approved.id, PERSON)
    with pytest.raises(SaysoError, match="executed already") as refused:
        await house.approvals.reject(approved.id, PERSON)
    assert refused.value.code is ErrorCode.STALE
    assert await house.approvals.reject(rejected.id, PERSON, "no") == Rejected("no")
    assert await house.approvals.reject(rejected.id, PERSON, "another word") == Rejected("no")
    with pytest.raises(SaysoError, match="rejected already"):
        await house.approvals.approve(rejected.id, PERSON)
    assert house.effects == ["x"]


async def test_later_is_not_no(house: House) -> None:
    approval = await ask(house)
    await house.approvals.defer(approval.id)
    assert (await house.inbox.get(approval.id)).state == "deferred"
    assert await house.approvals.approve(approval.id, PERSON) == Completed({"lines": 1})
    with pytest.raises(SaysoError, match="executed already"):
        await house.approvals.defer(approval.id)


async def test_deferring_ends_by_itself(house: House) -> None:
    approval = await ask(house)
    await house.approvals.defer(approval.id, now_ms() + 2000)
    assert (await house.inbox.get(approval.id)).state == "deferred"
    await asyncio.sleep(2.05)
    assert (await house.inbox.get(approval.id)).state == "open"


async def test_a_withdrawn_request_is_never_run(house: House) -> None:
    approval = await ask(house)
    assert (await house.approvals.cancel(approval.id)).status is Status.CANCELLED
    assert (await house.approvals.cancel(approval.id)).decision is None
    outcome = await house.approvals.approve(approval.id, PERSON)
    assert isinstance(outcome, Failed)
    assert outcome.code is ErrorCode.CANCELLED
    assert house.effects == []


async def test_a_date_that_passes_ends_the_request_and_tells_who_waits(house: House) -> None:
    approval = await ask(house)
    await house.database.write(
        lambda c: c.execute(update(approvals).where(approvals.c.id == approval.id).values(expires_at=now_ms() + 80))
    )
    outcome = await house.approvals.wait(approval.id, 10)
    assert isinstance(outcome, Failed)
    assert outcome.code is ErrorCode.EXPIRED
    assert await status(house, approval) is Status.EXPIRED
    assert house.changes[-1] == (approval.id, Status.EXPIRED)


async def test_waiters_have_their_own_patience(house: House) -> None:
    approval = await ask(house)
    impatient = asyncio.ensure_future(house.approvals.wait(approval.id, 0.02))
    cancelled = asyncio.ensure_future(house.approvals.wait(approval.id))
    patient = [asyncio.ensure_future(house.approvals.wait(approval.id, 10)) for _ in range(3)]
    assert isinstance(await impatient, Pending)
    cancelled.cancel()
    await asyncio.gather(cancelled, return_exceptions=True)
    await house.approvals.approve(approval.id, PERSON)
    assert await asyncio.gather(*patient) == [Completed({"lines": 1})] * 3
    assert await house.approvals.wait(approval.id) == Completed({"lines": 1})


async def test_a_decider_that_goes_away_stops_nothing(house: House) -> None:
    approval = await ask(house, "note.slow", volume=50)
    decider = asyncio.ensure_future(house.approvals.approve(approval.id, PERSON))
    await house.effect()
    decider.cancel()
    await asyncio.gather(decider, return_exceptions=True)
    assert await house.approvals.wait(approval.id, 5) == Completed({"lines": 1})


async def test_switched_off_since(house: House) -> None:
    approval = await ask(house)
    house.settings = PolicySettings(device={"note.send": Override(enabled=False)})
    outcome = await house.approvals.approve(approval.id, PERSON)
    assert isinstance(outcome, Failed)
    assert outcome.code is ErrorCode.ACTION_DISABLED
    assert await status(house, approval) is Status.FAILED
    assert house.effects == []


async def test_another_meaning_of_the_action_is_stale(house: House) -> None:
    approval = await ask(house)
    await house.database.write(
        lambda c: c.execute(update(approvals).where(approvals.c.id == approval.id).values(spec_hash="older"))
    )
    outcome = await house.approvals.approve(approval.id, PERSON)
    assert isinstance(outcome, Failed)
    assert outcome.code is ErrorCode.STALE
    assert await status(house, approval) is Status.STALE


def git(folder: Path, *command: str) -> None:
    identity = ["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", folder, *identity, *command], check=True, capture_output=True)


@pytest.mark.parametrize("change", ["commit", "folder"])
async def test_what_it_rests_on_has_changed(tmp_path: Path, change: str) -> None:
    repo = tmp_path / "repo"
    repo.mkdir()
    git(repo, "init", "-q")
    git(repo, "commit", "-q", "--allow-empty", "-m", "one")
    async with open_house(tmp_path) as house:
        request = replace(house.request("note.stamped", text="x"), workspace=str(repo))
        fresh = await house.door.execute(request)
        old = await house.door.execute(request)
        assert isinstance(fresh, Pending)
        assert isinstance(old, Pending)
        assert isinstance(await house.approvals.approve(fresh.approval_id, PERSON), Completed)
        if change == "commit":
            git(repo, "commit", "-q", "--allow-empty", "-m", "two")
        else:
            shutil.copytree(repo, tmp_path / "copy")
            shutil.rmtree(repo)
            (tmp_path / "copy").rename(repo)
        outcome = await house.approvals.approve(old.approval_id, PERSON)
        assert isinstance(outcome, Failed)
        assert outcome.code is ErrorCode.STALE
        assert ("another commit" if change == "commit" else "made anew") in outcome.message
        assert await house.approvals.approve(old.approval_id, PERSON) == outcome
        assert len(await house.approvals.list(limit=9)) == 2


@pytest.mark.parametrize(
    ("by", "allowed"),
    [
        (Decider(WINDOW, Surface.UI), True),
        (Decider(TERMINAL, Surface.CLI), True),
        (Decider(SCRIPT, Surface.CLI), False),
        (Decider(AGENT, Surface.SESSION_AGENT), False),
        (Decider(EDITOR, Surface.MCP), False),
        (Decider(Caller(), Surface.UI), False),
        (Decider(WINDOW, Surface.VOICE), False),
        (Decider(WINDOW, Surface.VOICE, read_back=True), True),
    ],
)
async def test_who_may_decide_what_an_agent_asked(house: House, by: Decider, allowed: bool) -> None:
    approval = await ask_as_agent(house)
    if allowed:
        assert isinstance(await house.approvals.approve(approval.id, by), Completed)
        return
    for decide in (house.approvals.approve, house.approvals.reject):
        with pytest.raises(Refused) as refused:
            await decide(approval.id, by)
        assert refused.value.code is ErrorCode.PRESENT_USER_REQUIRED
    assert await status(house, approval) is Status.OPEN


async def test_what_an_editor_asked_is_not_decided_at_a_terminal(house: House) -> None:
    approval = await ask(house)
    with pytest.raises(Refused):
        await house.approvals.approve(approval.id, Decider(TERMINAL, Surface.CLI))


@pytest.mark.parametrize("action", ["note.send", "note.burn"])
async def test_danger_is_never_decided_by_voice(house: House, action: str) -> None:
    """note.burn is danger by itself, a loud note.send by its input."""
    approval = await ask(house, action, kind="loud")
    with pytest.raises(Refused, match="window"):
        await house.approvals.approve(approval.id, Decider(WINDOW, Surface.VOICE, read_back=True))


@pytest.mark.parametrize("target", ["note.decide", "approval.request.decide"])
async def test_deciding_is_never_asked_for(house: House, target: str) -> None:
    with pytest.raises(SaysoError) as refused:
        await house.ports.approvals.create(
            action_id=target,
            input={"how": "x"},
            summary="please",
            ctx=_context(house, Surface.UI, WINDOW),
        )
    assert refused.value.code in (ErrorCode.INVALID_INPUT, ErrorCode.UNKNOWN_ACTION)
    assert await house.approvals.list(limit=5) == []


def _context(house: House, surface: Surface, caller: Caller) -> Any:
    from actions.catalog.context import ActionContext

    return ActionContext(caller, surface, house.ports, str(house.folder))


async def test_a_request_made_by_hand_quotes_its_caller_but_is_not_named_by_it(house: House) -> None:
    view = await house.ports.approvals.create(
        action_id="note.burn",
        input={"text": "everything"},
        summary="harmless, trust me",
        ctx=_context(house, Surface.SESSION_AGENT, AGENT),
    )
    assert "harmless" not in view.summary
    row = await house.inbox.get(view.id)
    assert row.detail is not None
    assert row.detail["note"] == "harmless, trust me"
    assert view.surface == "session_agent"
    assert isinstance(await house.approvals.approve(view.id, PERSON), Completed)


async def test_this_session_frees_this_session_only(house: House) -> None:
    first, sibling, other = await ask_as_agent(house), await ask_as_agent(house), await ask_as_agent(house, OTHER_AGENT)
    editor = await ask(house)
    shown = await house.approvals.releases(first.id, Scope.SESSION)
    assert [a.id for a in shown] == [sibling.id]
    await house.approvals.approve(first.id, PERSON, Scope.SESSION)
    assert isinstance(await house.approvals.wait(sibling.id, 5), Completed)
    released = await house.approvals.get(sibling.id)
    assert released.decision is not None
    assert released.decision["by"] == "rule"
    assert await status(house, other) is Status.OPEN
    assert await status(house, editor) is Status.OPEN
    assert isinstance(
        await house.door.execute(house.request("note.send", Surface.SESSION_AGENT, AGENT, text="y")), Completed
    )
    assert (await ask_as_agent(house, OTHER_AGENT)).status is Status.OPEN


async def test_always_writes_a_rule_that_can_be_revoked(house: House) -> None:
    first = await ask(house)
    await house.approvals.approve(first.id, PERSON, Scope.ALWAYS)
    assert isinstance(await house.door.execute(house.request("note.send", text="y")), Completed)
    loud = await house.door.execute(house.request("note.send", text="y", kind="loud"))
    assert isinstance(loud, Pending), "the rule is not wider than what was approved"
    (rule,) = (await house.ports.approvals.rules()).rules
    assert (rule.scope, rule.action, rule.surface) == ("always", "note.send", "mcp")
    assert "any connected editor" in rule.covers
    assert (await house.ports.approvals.revoke(rule.id)).rules == []
    assert (await ask(house)).status is Status.OPEN
    with pytest.raises(NotFound):
        await house.approvals.revoke(rule.id)


async def test_under_a_floor_there_is_only_once(house: House) -> None:
    approval = await ask(house, "note.burn")
    for scope in (Scope.SESSION, Scope.ALWAYS):
        with pytest.raises(InvalidInput):
            await house.approvals.approve(approval.id, PERSON, scope)
    assert await status(house, approval) is Status.OPEN
    assert await house.approvals.rules() == []


async def test_no_session_rule_without_a_session(house: House) -> None:
    approval = await ask(house)
    with pytest.raises(InvalidInput, match="once or always"):
        await house.approvals.approve(approval.id, PERSON, Scope.SESSION)


async def test_rejecting_one_of_two_leaves_the_other(house: House) -> None:
    one, two = await ask_as_agent(house), await ask_as_agent(house)
    await house.approvals.reject(one.id, PERSON)
    assert await status(house, two) is Status.OPEN


async def test_nothing_of_this_id(house: House) -> None:
    with pytest.raises(NotFound):
        await house.approvals.approve("apr_nope", PERSON)
    with pytest.raises(NotFound):
        await house.approvals.wait("apr_nope", 1)


async def test_a_host_that_ends_in_the_middle_says_so_and_never_runs_it_again(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        approval = await ask(house, "note.slow", volume=5000)
        decider = asyncio.ensure_future(house.approvals.approve(approval.id, PERSON))
        await house.effect()
        await house.approvals.close()
        await asyncio.gather(decider, return_exceptions=True)
        assert await status(house, approval) is Status.OUTCOME_UNKNOWN
    async with open_house(tmp_path) as again:
        outcome = await again.approvals.approve(approval.id, PERSON)
        assert isinstance(outcome, Failed)
        assert outcome.code is ErrorCode.OUTCOME_UNKNOWN
        assert again.effects == ["x"]


async def test_approved_but_not_run_is_resumed_at_start(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        approval = await ask(house)
        await house.database.write(
            lambda c: store.move(c, approval.id, since=[Status.OPEN], to=Status.APPROVED, decision={"by": "user"})
        )
    async with open_house(tmp_path) as again:
        assert await again.approvals.wait(approval.id, 5) == Completed({"lines": 1})
        assert again.effects == ["x"]


async def test_open_requests_survive_a_restart(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        approval = await ask(house)
    async with open_house(tmp_path) as again:
        assert (await again.approvals.get(approval.id)) == approval
        assert await again.approvals.approve(approval.id, PERSON) == Completed({"lines": 1})
