"""The inbox: every kind that waits, at the right session, in the right order."""

from __future__ import annotations

from typing import Any

from sqlalchemy import insert

from actions.catalog.spec import Surface
from actions.catalog.views import InboxKind
from actions.execution.inbox import FAILED_RUNS_SHOWN_MS, grouped
from actions.execution.request import Pending
from actions.storage.ids import now_ms
from actions.storage.schema import runs, sessions, user_requests
from tests.actions.execution.house import AGENT, EDITOR, House


async def add_session(house: House, id: str, **values: Any) -> None:
    row = {"id": id, "provider": "builtin", "state": "idle", "title": f"Title of {id}"}
    times = dict.fromkeys(("created_at", "updated_at", "last_activity_at"), now_ms())
    await house.database.write(lambda c: c.execute(insert(sessions).values(**row, **times, **values)))


async def add_request(house: House, id: str, kind: str, **values: Any) -> None:
    row = {"id": id, "kind": kind, "summary": f"{kind} {id}", "state": "open", "created_at": now_ms(), **values}
    await house.database.write(lambda c: c.execute(insert(user_requests).values(**row)))


async def add_run(house: House, id: str, state: str, age_ms: int = 0, **values: Any) -> None:
    row = {"id": id, "kind": "plan", "provider": "builtin", "state": state, "created_at": now_ms() - age_ms, **values}
    await house.database.write(lambda c: c.execute(insert(runs).values(**row)))


async def ask(house: House, surface: Surface, caller: Any) -> str:
    outcome = await house.door.execute(house.request("note.send", surface, caller, text="x"))
    assert isinstance(outcome, Pending)
    return outcome.approval_id


async def test_all_kinds_in_the_order_in_which_they_came(house: House) -> None:
    await add_session(house, "ses_root")
    await add_request(house, "req_1", "permission", session_id="ses_child", root_session_id="ses_root", created_at=10)
    await add_request(house, "req_2", "question", session_id="ses_root", created_at=20)
    await add_request(house, "req_3", "exit_plan", session_id="ses_root", created_at=30)
    await add_request(house, "req_4", "permission", session_id="ses_root", created_at=5, state="answered")
    asked = await ask(house, Surface.SESSION_AGENT, AGENT)
    await add_run(house, "run_1", "failed", host_session_id="ses_root", error={"code": "failed", "message": "it broke"})
    await add_run(house, "run_2", "succeeded")
    await add_run(house, "run_3", "failed", age_ms=FAILED_RUNS_SHOWN_MS + 1000)

    rows = (await house.inbox.list()).rows

    assert [(row.id, row.kind) for row in rows[:3]] == [
        ("req_1", InboxKind.PERMISSION),
        ("req_2", InboxKind.QUESTION),
        ("req_3", InboxKind.EXIT_PLAN),
    ]
    assert {(row.id, row.kind) for row in rows[3:]} == {
        (asked, InboxKind.APPROVAL),
        ("run_1", InboxKind.FAILED_RUN),
    }
    assert {row.session_id for row in rows} == {"ses_root"}
    assert {row.session_title for row in rows} == {"Title of ses_root"}
    assert next(row for row in rows if row.id == "run_1").summary == "it broke"


async def test_one_row_a_session_the_strongest_reason_first(house: House) -> None:
    await add_request(house, "req_1", "question", session_id="ses_a", created_at=1)
    await add_request(house, "req_2", "permission", session_id="ses_a", created_at=9)
    await add_request(house, "req_3", "question", session_id="ses_b", created_at=2)
    await add_request(house, "req_4", "permission", session_id="ses_c", created_at=3)
    asked = await ask(house, Surface.MCP, EDITOR)

    groups = grouped((await house.inbox.list()).rows)

    assert [(g.session_id, g.reason.value, len(g.rows)) for g in groups] == [
        ("ses_c", "permission", 1),
        ("ses_a", "permission", 2),
        (None, "approval", 1),
        ("ses_b", "question", 1),
    ]
    await house.approvals.defer(asked)
    assert grouped((await house.inbox.list()).rows)[-1].session_id is None, "what was deferred comes last"


async def test_a_session_sees_what_its_children_ask(house: House) -> None:
    asked = await ask(house, Surface.SESSION_AGENT, AGENT)
    await add_request(house, "req_1", "permission", session_id="ses_other")
    rows = (await house.inbox.list(session_id="ses_root")).rows
    assert [row.id for row in rows] == [asked]
    assert rows[0].asked_by == "agent"
    assert rows[0].detail is not None
    assert rows[0].detail["asking_session_id"] == "ses_child"


async def test_a_row_says_what_a_wider_scope_would_release(house: House) -> None:
    first = await ask(house, Surface.SESSION_AGENT, AGENT)
    second = await ask(house, Surface.SESSION_AGENT, AGENT)
    row = await house.inbox.get(first)
    assert row.releases == ["Send a note: x, Plain text"]
    assert row.detail is not None
    assert [r["id"] for r in row.detail["scopes"]["session"]] == [second]
    editors = await house.inbox.get(await ask(house, Surface.MCP, EDITOR))
    assert editors.detail is not None
    assert list(editors.detail["scopes"]) == ["always"], "no session asked, so there is none to allow it for"
