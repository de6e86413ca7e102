"""Plan mode beats yolo and rules."""

from __future__ import annotations

import pytest

from actions.agent.approvals.decision import Choice, Wanted
from actions.agent.toolset.asking import Scope
from actions.catalog.spec import Effect
from tests.actions.agent.approvals.calls import SessionDesk, wanted, write

FETCH = wanted(tool="FetchURL", effect=Effect.EXTERNAL, scope=Scope("host", "docs.example.org"))
MCP = wanted(tool="x__open", effect=Effect.EXTERNAL, scope=Scope("mcp", "x/open"))


async def _rule_for(desk: SessionDesk, call: Wanted) -> None:
    task, request = await desk.ask(call)
    desk.answer(request, Choice.SESSION)
    await task


@pytest.mark.parametrize("yolo", [False, True])
async def test_writing_is_refused(desk: SessionDesk, yolo: bool) -> None:
    desk.approvals.state.set_yolo(yolo)
    assert desk.approvals.refusal(write("/srv/a.txt")) is None
    desk.planning[0] = True
    refusal = desk.approvals.refusal(write("/srv/a.txt"))
    assert refusal is not None
    assert "ExitPlanMode" in refusal
    assert desk.approvals.refusal(write("/state/plan.md", plan_file=True)) is None
    assert desk.approvals.refusal(wanted("ls")) is None


@pytest.mark.parametrize("call", [wanted("git status"), MCP], ids=["Shell", "MCP"])
async def test_shell_and_mcp_ask_each_time(desk: SessionDesk, call: Wanted) -> None:
    await _rule_for(desk, call)
    desk.planning[0] = True
    assert desk.approvals.fast(call) is None
    desk.approvals.state.set_yolo(True)
    assert desk.approvals.fast(call) is None
    rules = desk.approvals.rules.listed()
    task, request = await desk.ask(call)
    assert request.releases == ()
    desk.answer(request, Choice.ALWAYS)
    assert (await task).approved
    assert desk.approvals.rules.listed() == rules
    assert desk.approvals.fast(call) is None


async def test_reading_the_web_keeps_its_host_rules(desk: SessionDesk) -> None:
    await _rule_for(desk, FETCH)
    desk.planning[0] = True
    assert desk.approvals.fast(FETCH) is not None


async def test_unattended_nobody_can_be_asked(desk: SessionDesk) -> None:
    desk.planning[0] = True
    task, _ = await desk.ask(wanted())
    desk.approvals.state.set_afk_run(True)
    decision = await task
    assert (decision.approved, decision.decided_by) == (False, "afk")
    assert "ExitPlanMode" in decision.feedback
    assert "nobody" in (desk.approvals.refusal(wanted()) or "")


async def test_yolo_releases_nothing_while_planning(desk: SessionDesk) -> None:
    desk.planning[0] = True
    task, request = await desk.ask(wanted())
    desk.approvals.state.set_yolo(True)
    assert desk.approvals.pending() == (request,)
    desk.planning[0] = False
    desk.approvals.state.tell()
    assert (await task).decided_by == "yolo"


async def test_a_rule_releases_nothing_that_plan_mode_holds(desk: SessionDesk) -> None:
    _, fetch = await desk.ask(FETCH)
    shell, held = await desk.ask(wanted("git status"))
    desk.planning[0] = True
    desk.answer(fetch, Choice.SESSION)
    assert desk.approvals.pending() == (held,)
    assert not shell.done()
