"""An action that stands for others is judged, asked about, run and recorded as the one that it means.

And which session a person means who names none.
"""

from __future__ import annotations

from typing import Any, cast

import pytest
from sqlalchemy import select

from actions.catalog.context import ActionContext
from actions.catalog.registry import load
from actions.catalog.spec import Effect, Surface
from actions.errors import ErrorCode
from actions.execution.approval import Status
from actions.execution.request import Completed, Failed, Pending
from actions.policy.settings import Ask, Override, PolicySettings
from actions.storage.schema import audit
from tests.actions.execution.house import AGENT, EDITOR, PERSON, TERMINAL, House


async def audited(house: House) -> list[tuple[str, str]]:
    query = select(audit.c.action_id, audit.c.outcome).order_by(audit.c.at, audit.c.id)
    return await house.database.read(lambda c: [cast("Any", tuple(row)) for row in c.execute(query)])


async def test_it_runs_as_what_it_means(house: House) -> None:
    request = house.request("note.any", Surface.CLI, TERMINAL, text="x", how="write")
    assert await house.door.execute(request) == Completed({"lines": 1})
    assert house.effects == ["x"]
    assert await audited(house) == [("note.write", "completed")]


async def test_what_is_switched_off_stays_off_under_another_name(house: House) -> None:
    house.settings = PolicySettings(device={"note.write": Override(enabled=False)})
    outcome = await house.door.execute(house.request("note.any", Surface.CLI, TERMINAL, text="x", how="write"))
    assert isinstance(outcome, Failed)
    assert outcome.code is ErrorCode.ACTION_DISABLED
    assert outcome.details["action"] == "note.write"
    assert house.effects == []
    # The others go on, until the general one is switched off itself.
    general = house.request("note.any", Surface.CLI, TERMINAL, text="x", how="danger")
    assert isinstance(await house.door.execute(general), Completed)
    house.settings = PolicySettings(device={"note.any": Override(enabled=False)})
    assert isinstance(await house.door.execute(general), Failed)


async def test_it_asks_as_what_it_means(house: House) -> None:
    """A floor of the action that is meant cannot be passed by an exception for the general name."""
    never = Override(approval={Surface.MCP: Ask.NEVER})
    house.settings = PolicySettings(device={"note.any": never, "note.burn": never})
    outcome = await house.door.execute(house.request("note.any", Surface.MCP, EDITOR, text="x", how="danger"))
    assert isinstance(outcome, Pending)
    assert outcome.action == "note.burn"
    approval = await house.approvals.get(outcome.approval_id)
    assert approval.action_id == "note.burn"
    await house.approvals.approve(approval.id, PERSON)
    assert house.effects == ["burnt x"]
    assert (await house.approvals.get(approval.id)).status is Status.EXECUTED


async def test_a_request_that_is_made_for_it_is_one_for_what_it_means(house: House) -> None:
    ctx = ActionContext(AGENT, Surface.SESSION_AGENT, house.ports, str(house.folder))
    view = await house.ports.approvals.create(
        action_id="note.any", input={"text": "x", "how": "danger"}, summary="", ctx=ctx
    )
    assert view.action == "note.burn"


async def test_an_input_that_means_nothing_is_refused(house: House) -> None:
    outcome = await house.door.execute(house.request("note.any", Surface.CLI, TERMINAL, text="x", how="nothing"))
    assert isinstance(outcome, Failed)
    assert outcome.message == "Nothing is meant by nothing."


@pytest.mark.parametrize(
    ("intent", "action", "absent"),
    [
        ("review", "review.start", {"retention", "run_class"}),
        ("plan", "subagents.plan.start", set[str]()),
        ("delegate", "subagents.delegate.start", set[str]()),
    ],
)
def test_a_run_by_its_intent_is_the_action_of_that_kind(intent: str, action: str, absent: set[str]) -> None:
    catalog = load()
    spec = catalog.specs["execution.run.start"]
    assert spec.stands_for is not None
    given = {"intent": intent, "provider": "claude", "instructions": "Do it", "session_id": "s1"}
    action_id, meant = spec.stands_for(spec.input.model_validate(given))
    assert action_id == action
    parsed = catalog.specs[action_id].input.model_validate(meant)
    assert meant["providers"] == ["claude"]
    assert not absent & meant.keys()
    assert getattr(parsed, "session_id", None) == "s1"
    wide = spec.stands_for(spec.input.model_validate({**given, "permission_mode": "workspace_write"}))
    effect = catalog.specs[wide[0]].effect_for(catalog.specs[wide[0]].input.model_validate(wide[1]))
    assert effect is (Effect.DANGER if intent == "plan" else Effect.EXTERNAL)


async def test_without_a_name_a_person_means_the_usual_session_and_a_program_none(house: House) -> None:
    """Named, then the caller's own, then the primary or last one; only people have one."""
    cast("Any", house.ports.references).usual = "ses_other"
    for surface, caller in ((Surface.CLI, TERMINAL), (Surface.SESSION_AGENT, AGENT)):
        assert isinstance(await house.door.execute(house.request("note.own", surface, caller, text="x")), Completed)
    named = house.request("note.own", Surface.CLI, TERMINAL, text="x", session_id="ses_root")
    assert isinstance(await house.door.execute(named), Completed)
    assert house.effects == ["ses_other: x", "ses_child: x", "ses_root: x"]
    program = await house.door.execute(house.request("note.own", Surface.MCP, EDITOR, text="x"))
    assert isinstance(program, Failed)
    assert program.code is ErrorCode.SESSION_NOT_SELECTED
    cast("Any", house.ports.references).usual = None
    nobody = await house.door.execute(house.request("note.own", Surface.CLI, TERMINAL, text="x"))
    assert isinstance(nobody, Failed)
    assert nobody.code is ErrorCode.SESSION_NOT_SELECTED
