"""The one door: what passes, what is refused and how, what is asked for."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy import Connection, select

from actions.catalog.context import ActionContext, Caller
from actions.catalog.spec import Surface
from actions.errors import ErrorCode, SaysoError
from actions.execution.approval import Scope, Status
from actions.execution.approvals import Decider
from actions.execution.request import Completed, Failed, Outcome, Pending, Rejected, outcome_from_json
from actions.policy.settings import Ask, Override, PolicySettings
from actions.storage.schema import audit
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


def failed(outcome: Outcome) -> Failed:
    assert isinstance(outcome, Failed), outcome
    return outcome


def pending(outcome: Outcome) -> Pending:
    assert isinstance(outcome, Pending), outcome
    return outcome


async def audit_rows(house: House) -> list[tuple[str, str, str | None]]:
    query = select(audit.c.action_id, audit.c.outcome, audit.c.code).order_by(audit.c.at, audit.c.id)
    return await house.database.read(lambda c: [tuple(row) for row in c.execute(query)])


async def test_a_call_that_needs_no_approval_runs_and_is_audited(house: House) -> None:
    outcome = await house.door.execute(house.request("note.send", Surface.CLI, TERMINAL, text="hello"))
    assert outcome == Completed({"lines": 1})
    assert house.effects == ["hello"]
    assert await audit_rows(house) == [("note.send", "completed", None)]


async def test_camel_case_and_spaces_are_taken(house: House) -> None:
    request = house.request("note.own", Surface.SESSION_AGENT, AGENT, text="  x  ", sessionId="ses_r")
    assert isinstance(await house.door.execute(request), Completed)
    assert house.effects == ["ses_root: x"]


async def test_an_unknown_action_names_what_was_meant(house: House) -> None:
    outcome = failed(await house.door.execute(house.request("note.sent", text="x")))
    assert outcome.code is ErrorCode.UNKNOWN_ACTION
    assert "note.send" in outcome.message


async def test_every_bad_field_is_named(house: House) -> None:
    request = house.request("note.send", Surface.UI, WINDOW, volume="loud", txt="x")
    outcome = failed(await house.door.execute(request))
    assert outcome.code is ErrorCode.INVALID_INPUT
    assert {f["field"] for f in outcome.details["fields"]} == {"text", "volume", "txt"}
    assert house.effects == []


async def test_a_disabled_action_is_refused_with_its_reason_and_leaves_no_request(house: House) -> None:
    house.settings = PolicySettings(device={"note.send": Override(enabled=False)})
    outcome = failed(await house.door.execute(house.request("note.send", text="x")))
    assert outcome.code is ErrorCode.ACTION_DISABLED
    assert "switched off" in outcome.message
    assert await house.approvals.list(limit=10) == []


async def test_nobody_is_asked_for_what_cannot_be_done_yet(house: House) -> None:
    outcome = failed(await house.door.execute(house.request("note.later", how="x")))
    assert outcome.code is ErrorCode.NOT_IMPLEMENTED
    assert (await house.inbox.list()).rows == []


async def test_a_surface_it_does_not_have(house: House) -> None:
    house.settings = PolicySettings(device={"note.send": Override(surfaces_off=frozenset({Surface.MCP}))})
    assert failed(await house.door.execute(house.request("note.send", text="x"))).code is ErrorCode.ACTION_DISABLED
    outcome = await house.door.execute(house.request("note.send", Surface.CLI, TERMINAL, text="x"))
    assert isinstance(outcome, Completed)


async def test_a_missing_session_is_the_callers_own(house: House) -> None:
    await house.door.execute(house.request("note.own", Surface.SESSION_AGENT, AGENT, text="x"))
    assert house.effects == ["ses_child: x"]
    outcome = failed(await house.door.execute(house.request("note.own", Surface.CLI, TERMINAL, text="x")))
    assert outcome.code is ErrorCode.SESSION_NOT_SELECTED


async def test_references_are_resolved_or_refused(house: House) -> None:
    ambiguous = failed(
        await house.door.execute(house.request("note.other", Surface.UI, WINDOW, text="x", session_id="ses_"))
    )
    assert ambiguous.code is ErrorCode.AMBIGUOUS
    assert len(ambiguous.details["candidates"]) == 3
    missing = failed(
        await house.door.execute(house.request("note.other", Surface.UI, WINDOW, text="x", session_id="nope"))
    )
    assert missing.code is ErrorCode.NOT_FOUND


@pytest.mark.parametrize(
    ("how", "code", "words"),
    [
        ("known", ErrorCode.NOT_FOUND, "Write it again"),
        ("unknown", ErrorCode.FAILED, "did not foresee"),
        ("exit", ErrorCode.FAILED, "did not foresee"),
        ("output", ErrorCode.FAILED, "does not fit"),
    ],
)
async def test_a_handler_that_fails_is_told_without_its_inside(
    house: House, how: str, code: ErrorCode, words: str
) -> None:
    outcome = failed(await house.door.execute(house.request("note.trouble", Surface.CLI, TERMINAL, how=how)))
    assert outcome.code is code
    assert words in outcome.message
    assert "secret detail" not in json.dumps(outcome.as_json())
    assert (await audit_rows(house))[-1] == ("note.trouble", "failed", code.value)


async def test_an_editors_call_waits_in_the_inbox_and_runs_once_approved(house: House) -> None:
    outcome = pending(await house.door.execute(house.request("note.send", text="hello")))
    assert house.effects == []
    (row,) = (await house.inbox.list()).rows
    assert (row.id, row.summary, row.state) == (outcome.approval_id, "Send a note: hello, Plain text", "open")
    assert await house.approvals.approve(outcome.approval_id, PERSON) == Completed({"lines": 1})
    assert house.effects == ["hello"]
    assert (await house.inbox.list()).rows == []
    assert house.changes == [
        (outcome.approval_id, s) for s in (Status.OPEN, Status.APPROVED, Status.EXECUTING, Status.EXECUTED)
    ]


async def test_a_caller_that_needs_the_result_gets_it(house: House) -> None:
    call = asyncio.ensure_future(house.door.execute(house.request("note.needed", text="x")))
    row = await house.asked()
    await house.approvals.approve(row.id, PERSON)
    assert await call == Completed({"lines": 1})


async def test_patience_that_ends_leaves_the_request(house: House) -> None:
    outcome = pending(await house.door.execute(house.request("note.needed", text="x", patience_s=0.05)))
    assert (await house.approvals.get(outcome.approval_id)).status is Status.OPEN


async def test_rejection_reaches_the_caller_with_its_words(house: House) -> None:
    call = asyncio.ensure_future(house.door.execute(house.request("note.needed", text="x")))
    row = await house.asked()
    await house.approvals.reject(row.id, PERSON, "not here")
    assert await call == Rejected("not here")
    assert house.effects == []


async def test_an_input_that_does_more_asks_more(house: House) -> None:
    """note.send may be allowed for editors, but a loud one is danger, which always asks."""
    house.settings = PolicySettings(device={"note.send": Override(approval={Surface.MCP: Ask.NEVER})})
    assert isinstance(await house.door.execute(house.request("note.send", text="x")), Completed)
    assert isinstance(await house.door.execute(house.request("note.send", text="x", kind="loud")), Pending)


async def test_an_unknown_caller_is_treated_as_an_agent(house: House) -> None:
    outcome = await house.door.execute(house.request("note.send", Surface.UI, Caller(), text="x"))
    approval = await house.approvals.get(pending(outcome).approval_id)
    assert approval.surface is Surface.SESSION_AGENT


async def test_a_script_may_not_decide(house: House) -> None:
    refused = failed(await house.door.execute(house.request("note.decide", Surface.CLI, SCRIPT, how="x")))
    assert refused.code is ErrorCode.PRESENT_USER_REQUIRED
    assert isinstance(await house.door.execute(house.request("note.decide", Surface.CLI, TERMINAL, how="x")), Completed)


async def test_a_key_runs_a_call_once(house: House) -> None:
    request = house.request("note.write", Surface.CLI, TERMINAL, text="x", idempotency_key="k1")
    first = await house.door.execute(request)
    assert await house.door.execute(request) == first == Completed({"lines": 1})
    assert house.effects == ["x"]
    other = house.request("note.write", Surface.CLI, TERMINAL, text="y", idempotency_key="k1")
    outcome = failed(await house.door.execute(other))
    assert outcome.code is ErrorCode.INVALID_INPUT
    assert outcome.details["fields"][0]["field"] == "idempotency_key"
    elsewhere = house.request("note.write", Surface.MCP, EDITOR, text="y", idempotency_key="k1")
    assert isinstance(await house.door.execute(elsewhere), Completed)


async def test_two_calls_at_once_with_one_key_are_one(house: House) -> None:
    request = house.request("note.slow", Surface.CLI, TERMINAL, text="x", volume=100, idempotency_key="k")
    outcomes = await asyncio.gather(*(house.door.execute(request) for _ in range(5)))
    assert set(map(str, outcomes)) == {str(Completed({"lines": 1}))}
    assert house.effects == ["x"]


async def test_a_key_of_a_gated_call_names_one_request(house: House) -> None:
    request = house.request("note.send", text="x", idempotency_key="k")
    first, second = await asyncio.gather(house.door.execute(request), house.door.execute(request))
    assert pending(first).approval_id == pending(second).approval_id
    assert len((await house.inbox.list()).rows) == 1
    await house.approvals.approve(pending(first).approval_id, PERSON)
    assert await house.door.execute(request) == Completed({"lines": 1})
    assert house.effects == ["x"]


async def test_a_caller_that_goes_away_does_not_stop_an_effect(house: House) -> None:
    request = house.request("note.slow", Surface.CLI, TERMINAL, text="x", volume=50, idempotency_key="k")
    call = asyncio.ensure_future(house.door.execute(request))
    await house.effect()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert await house.door.execute(request) == Completed({"lines": 1})


async def test_a_host_that_closes_says_so_and_records_what_it_cut_off(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        request = house.request("note.slow", Surface.CLI, TERMINAL, text="x", volume=5000, idempotency_key="k")
        call = asyncio.ensure_future(house.door.execute(request))
        await house.effect()
        await house.door.close()
        assert failed(await call).code is ErrorCode.HOST_UNAVAILABLE
        assert failed(await house.door.execute(request)).code is ErrorCode.HOST_UNAVAILABLE
    async with open_house(tmp_path) as again:
        assert failed(await again.door.execute(request)).code is ErrorCode.OUTCOME_UNKNOWN
        assert again.effects == ["x"]


async def test_an_agent_on_a_foreign_session_needs_a_yes(house: House) -> None:
    own_tree = house.request("note.other", Surface.SESSION_AGENT, AGENT, text="x", session_id="ses_root")
    assert isinstance(await house.door.execute(own_tree), Completed)
    foreign = house.request("note.other", Surface.SESSION_AGENT, OTHER_AGENT, text="x", session_id="ses_root")
    asked = pending(await house.door.execute(foreign))
    await house.approvals.approve(asked.approval_id, PERSON, Scope.SESSION)
    assert isinstance(await house.door.execute(foreign), Completed)
    by_person = house.request("note.other", Surface.UI, WINDOW, text="x", session_id="ses_other")
    assert isinstance(await house.door.execute(by_person), Completed)


async def test_reads_of_a_person_leave_no_row_and_those_of_an_agent_do(house: House) -> None:
    await house.door.execute(house.request("note.read", Surface.UI, WINDOW, how=""))
    await house.door.execute(house.request("note.read", Surface.SESSION_AGENT, AGENT, how=""))
    assert await audit_rows(house) == [("note.read", "completed", None)]


async def test_a_secret_is_never_stored_and_its_caller_must_wait(house: House) -> None:
    token = "hunter2" * 4
    told = failed(await house.door.execute(house.request("note.secret", token=token)))
    assert told.details["reason"] == "secret_needs_waiting_caller"

    call = asyncio.ensure_future(house.door.execute(house.request("note.secret", token=token, patience_s=20)))
    row = await house.asked()
    assert row.fields[0].value == "•••"
    assert isinstance(await house.approvals.approve(row.id, PERSON), Completed)
    assert isinstance(await call, Completed)
    assert house.effects == ["got 28 characters"]

    gone = pending_or_cancelled(await house.door.execute(house.request("note.secret", token=token, patience_s=0.05)))
    assert gone is ErrorCode.CANCELLED
    stored = b"".join(f.read_bytes() for f in house.folder.glob("sayso.db*"))
    assert b"hunter2" not in stored


def pending_or_cancelled(outcome: Outcome) -> ErrorCode | None:
    return outcome.code if isinstance(outcome, Failed) else None


@pytest.mark.parametrize(
    "outcome",
    [
        Completed({"a": 1}),
        Pending("apr_1", "note.send", "Send"),
        Rejected("no"),
        Failed(ErrorCode.STALE, "gone", {"x": [1]}),
    ],
)
def test_outcomes_survive_json(outcome: Outcome) -> None:
    assert outcome_from_json(json.loads(json.dumps(outcome.as_json()))) == outcome


async def test_a_change_of_the_rules_is_asked_in_the_window_that_called_it_and_then_done(house: House) -> None:
    outcome = pending(await house.door.execute(house.request("note.rules", Surface.UI, WINDOW, how="looser")))
    assert house.effects == []
    assert await house.approvals.approve(outcome.approval_id, PERSON, Scope.ONCE) == Completed({"lines": 1})
    assert house.effects == ["rules: looser"]
    no = pending(await house.door.execute(house.request("note.rules", Surface.UI, WINDOW, how="none")))
    await house.approvals.reject(no.approval_id, PERSON, None)
    assert house.effects == ["rules: looser"]


async def test_no_agent_changes_the_rules_by_any_way(house: House) -> None:
    for surface, caller in (
        (Surface.SESSION_AGENT, AGENT),
        (Surface.MCP, EDITOR),
        (Surface.CLI, SCRIPT),
        (Surface.VOICE, WINDOW),
    ):
        outcome = failed(await house.door.execute(house.request("note.rules", surface, caller, how="looser")))
        assert outcome.code is ErrorCode.PRESENT_USER_REQUIRED
        with pytest.raises(SaysoError) as refused:
            await house.ports.approvals.create(
                action_id="note.rules",
                input={"how": "looser"},
                summary="please",
                ctx=ActionContext(caller, surface, house.ports, str(house.folder)),
            )
        assert refused.value.code is ErrorCode.PRESENT_USER_REQUIRED
    # An agent that says it is the window is none, and cannot decide what the window asked.
    forged = failed(await house.door.execute(house.request("note.rules", Surface.UI, AGENT, how="looser")))
    assert forged.code is ErrorCode.INVALID_INPUT
    asked = pending(await house.door.execute(house.request("note.rules", Surface.UI, WINDOW, how="looser")))
    with pytest.raises(SaysoError):
        await house.approvals.approve(asked.approval_id, Decider(AGENT, Surface.SESSION_AGENT), Scope.ONCE)
    with pytest.raises(SaysoError):
        await house.approvals.approve(asked.approval_id, Decider(WINDOW, Surface.VOICE, True), Scope.ONCE)
    assert house.effects == []


@asynccontextmanager
async def a_slow_disk(house: House) -> AsyncIterator[None]:
    """Nothing is stored in here."""
    begun, go_on = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def hold(connection: Connection) -> None:
        loop.call_soon_threadsafe(begun.set)
        go_on.wait(60.0)

    held = asyncio.create_task(house.database.write(hold))
    await begun.wait()
    try:
        yield
    finally:
        go_on.set()
        await held


async def test_a_call_without_a_key_is_answered_before_the_disk_has_its_row(house: House) -> None:
    async with a_slow_disk(house):
        request = house.request("note.send", Surface.CLI, TERMINAL, text="at once")
        outcome = await asyncio.wait_for(house.door.execute(request), 30.0)
        assert outcome == Completed({"lines": 1})
    assert await audit_rows(house) == [("note.send", "completed", None)]


async def test_what_was_answered_has_its_row_when_the_home_is_closed(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house, a_slow_disk(house):
        await asyncio.wait_for(house.door.execute(house.request("note.send", Surface.CLI, TERMINAL, text="last")), 30.0)
        closing = asyncio.create_task(house.door.close())
        await asyncio.sleep(0)
    await closing
    async with open_house(tmp_path) as house:
        assert await audit_rows(house) == [("note.send", "completed", None)]


@pytest.mark.parametrize("more", [{"idempotency_key": "k"}, {"kind": "loud"}], ids=["keyed", "danger"])
async def test_a_call_with_a_key_and_one_of_danger_are_stored_first(house: House, more: dict[str, str]) -> None:
    async with a_slow_disk(house):
        request = house.request("note.send", Surface.CLI, TERMINAL, text="first", **more)
        call = asyncio.create_task(house.door.execute(request))
        done, _ = await asyncio.wait({call}, timeout=0.2)
        assert not done
    assert await call == Completed({"lines": 1})
