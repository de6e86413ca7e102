"""Requests, answers and those who wait (cases 19 to 24, 31 to 33, 58 to 61, 63, 89)."""

from __future__ import annotations

import asyncio

import pytest

from actions.agent.approvals.decision import Answer, ApprovalCancelled, Choice, Decision, Source, WaitTimeout
from actions.agent.approvals.desk import Decided, DeskEvent, Requested
from actions.agent.toolset.asking import Scope
from actions.catalog.spec import Effect
from actions.errors import NotFound
from tests.actions.agent.approvals.calls import BACKGROUND, TURN, SessionDesk, wanted, write


async def test_19_approve(desk: SessionDesk) -> None:
    """Case 19."""
    task, request = await desk.ask(wanted())
    assert desk.answer(request, Choice.ONCE)
    assert await task == Decision(approved=True, decided_by="manual", feedback="")
    assert desk.approvals.pending() == ()


@pytest.mark.parametrize("source", [TURN, BACKGROUND], ids=["turn", "background"])
async def test_20_no_limit_waits_for_ever(desk: SessionDesk, source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    """Case 20: no timer is set at all, for the call nor for another waiter."""
    timers: list[object] = []
    monkeypatch.setattr(asyncio.get_running_loop(), "call_later", lambda *args: timers.append(args))
    task, request = await desk.ask(wanted(source=source))
    other = asyncio.create_task(desk.approvals.wait(request.id))
    for _ in range(100):
        await asyncio.sleep(0)
    assert timers == []
    assert not task.done()
    assert not other.done()


async def test_21_a_limit_is_the_waiters_own(desk: SessionDesk) -> None:
    """Case 21."""
    task, request = await desk.ask(wanted())
    with pytest.raises(WaitTimeout):
        await desk.approvals.wait(request.id, limit=0.05)
    assert desk.approvals.pending() == (request,)
    assert desk.answer(request, Choice.ONCE)
    assert (await task).approved


async def test_22_two_waiters_one_limit(desk: SessionDesk) -> None:
    """Case 22."""
    task, request = await desk.ask(wanted())
    patient = asyncio.create_task(desk.approvals.wait(request.id))
    with pytest.raises(WaitTimeout):
        await desk.approvals.wait(request.id, limit=0.02)
    desk.answer(request, Choice.ONCE)
    assert await patient == await task


async def test_a_limit_of_nothing_passes_at_once(desk: SessionDesk) -> None:
    _, request = await desk.ask(wanted())
    with pytest.raises(WaitTimeout):
        await desk.approvals.wait(request.id, limit=0)


async def test_23_cancel_by_source(desk: SessionDesk) -> None:
    """Case 23: exact match, pending only, the count; requested then cancelled."""
    task, request = await desk.ask(wanted())
    other, _ = await desk.ask(wanted(source=Source("turn", "turn-10")))
    assert desk.approvals.cancel_by_source("background", "turn-1") == 0
    assert desk.approvals.cancel_by_source("turn", "turn-1") == 1
    assert desk.approvals.cancel_by_source("turn", "turn-1") == 0
    with pytest.raises(ApprovalCancelled):
        await task
    assert [event for event in desk.events if event.request is request] == [Requested(request), Decided(request, None)]
    assert not other.done()


async def test_24_events_carry_the_source(desk: SessionDesk) -> None:
    """Case 24."""
    await desk.ask(wanted(source=BACKGROUND))
    source = desk.events[0].request.wanted.source
    assert (source.kind, source.id, source.agent_id, source.agent_type) == ("background", "task-1", "agent-7", "coder")


async def test_31_approved_once_is_manual(desk: SessionDesk) -> None:
    """Case 31; no rule comes of it."""
    task, request = await desk.ask(wanted())
    desk.answer(request, Choice.ONCE)
    assert (await task).decided_by == "manual"
    assert desk.approvals.rules.listed() == ()
    assert desk.approvals.fast(wanted()) is None


async def test_32_approved_for_the_session(desk: SessionDesk) -> None:
    """Case 32."""
    task, request = await desk.ask(wanted())
    desk.answer(request, Choice.SESSION)
    (rule,) = desk.approvals.rules.listed()
    assert await task == Decision(approved=True, decided_by="manual", rule=rule.id)
    assert not rule.always
    assert (rule.tool, rule.effect, rule.pattern.words) == ("Shell", Effect.DANGER, ("make", "test"))
    assert desk.approvals.fast(wanted()) == Decision(approved=True, decided_by="rule", rule=rule.id)
    assert desk.kinds() == ["Requested", "Decided"]


async def test_33_a_rule_leaves_one_audit_row(desk: SessionDesk) -> None:
    """Case 33."""
    _, request = await desk.ask(wanted(call="first"))
    desk.answer(request, Choice.SESSION)
    decision = desk.approvals.fast(wanted("make test -j2", call="second"))
    assert decision is not None
    rows = [row for row in desk.rows() if row["call"] == "second"]
    assert [(row["mode"], row["approved"], row["rule"]) for row in rows] == [("rule", True, decision.rule)]
    assert len(desk.events) == 2


async def test_58_the_second_answer_is_refused(desk: SessionDesk) -> None:
    """Case 58; an unknown id as well."""
    task, request = await desk.ask(wanted())
    assert desk.answer(request, Choice.REJECT, " not now ")
    assert not desk.answer(request, Choice.ONCE)
    assert not desk.approvals.resolve("nobody", Answer(Choice.ONCE))
    assert await task == Decision(approved=False, decided_by="manual", feedback="not now")
    assert desk.kinds() == ["Requested", "Decided"]


async def test_59_requests_are_shown_in_order(desk: SessionDesk) -> None:
    """Case 59."""
    asked = [(await desk.ask(wanted(call=f"call-{n}")))[1] for n in range(3)]
    assert [event.request for event in desk.events] == asked
    assert desk.approvals.pending() == tuple(asked)


async def test_60_the_client_is_gone(desk: SessionDesk) -> None:
    """Case 60."""
    tasks = [(await desk.ask(wanted(call=f"call-{n}")))[0] for n in range(3)]
    assert desk.approvals.end() == 3
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(result) for result in results] == [ApprovalCancelled] * 3
    assert [event.decision for event in desk.events if isinstance(event, Decided)] == [None] * 3


async def test_61_shutdown_ends_foreground_requests(desk: SessionDesk) -> None:
    """Case 61."""
    front, _ = await desk.ask(wanted())
    back, request = await desk.ask(wanted(source=BACKGROUND))
    assert desk.approvals.end("turn") == 1
    with pytest.raises(ApprovalCancelled):
        await front
    assert desk.approvals.pending() == (request,)
    assert not back.done()


async def test_63_a_rule_for_git_status(desk: SessionDesk) -> None:
    """Case 63."""
    _, request = await desk.ask(wanted("git status"))
    desk.answer(request, Choice.ALWAYS)
    decision = desk.approvals.fast(wanted("git status -s"))
    assert decision is not None
    assert decision.decided_by == "rule"
    for command in ("git push", "git statusx", "git status; rm -rf /", "git status && git push"):
        assert desk.approvals.fast(wanted(command)) is None, command


async def test_the_request_says_what_a_rule_would_release(desk: SessionDesk) -> None:
    _, request = await desk.ask(wanted("git status"))
    _, same = await desk.ask(wanted("git status -s", source=BACKGROUND))
    await desk.ask(wanted("git push"))
    assert len(request.releases) == 1
    assert "begins with: git status" in request.releases[0]
    assert desk.approvals.also_released(request.id) == (same,)
    assert desk.approvals.also_released("nobody") == ()


async def test_a_rule_releases_what_is_pending_from_any_source(desk: SessionDesk) -> None:
    first, request = await desk.ask(wanted("git status"))
    second, _ = await desk.ask(wanted("git status -s", source=BACKGROUND))
    third, push = await desk.ask(wanted("git push"))
    desk.answer(request, Choice.SESSION)
    rule = (await first).rule
    assert rule is not None
    assert await second == Decision(approved=True, decided_by="rule", rule=rule)
    assert desk.approvals.pending() == (push,)
    assert not third.done()
    assert [row["mode"] for row in desk.rows()] == ["manual", "rule"]


async def test_89_yolo_releases_what_is_pending(desk: SessionDesk) -> None:
    """Case 89."""
    tasks = [(await desk.ask(call))[0] for call in (wanted(), write("/tmp/x", outside=True))]
    desk.approvals.state.set_yolo(True)
    assert [(await task).decided_by for task in tasks] == ["yolo", "yolo"]


@pytest.mark.parametrize("run_only", [True, False])
async def test_afk_releases_what_is_pending(desk: SessionDesk, run_only: bool) -> None:
    task, _ = await desk.ask(wanted())
    desk.approvals.state.set_afk_run(True) if run_only else desk.approvals.state.set_afk(True)
    assert (await task).decided_by == "afk"


async def test_an_unknown_answer_is_a_rejection(desk: SessionDesk) -> None:
    task, request = await desk.ask(wanted())
    answer = Answer("allow_everything")  # pyright: ignore[reportArgumentType] - what a strange client may send
    assert desk.approvals.resolve(request.id, answer)
    assert not (await task).approved


async def test_later_keeps_the_request_open(desk: SessionDesk) -> None:
    task, request = await desk.ask(wanted())
    assert not desk.approvals.deferred(request.id)
    assert desk.answer(request, Choice.LATER)
    assert desk.answer(request, Choice.LATER)
    assert desk.approvals.deferred(request.id)
    assert desk.kinds() == ["Requested", "Deferred"]
    assert desk.approvals.pending() == (request,)
    desk.answer(request, Choice.ONCE)
    assert (await task).approved
    assert not desk.answer(request, Choice.LATER)


async def test_waiting_afterwards(desk: SessionDesk) -> None:
    """On a resolved request at once, on a cancelled one an error, on an unknown one another."""
    _, done = await desk.ask(wanted())
    desk.answer(done, Choice.ONCE)
    _, gone = await desk.ask(wanted())
    desk.approvals.end()
    assert (await desk.approvals.wait(done.id)).approved
    with pytest.raises(ApprovalCancelled):
        await desk.approvals.wait(gone.id)
    with pytest.raises(NotFound):
        await desk.approvals.wait("nobody")


async def test_a_cancelled_waiter_leaves_the_others(desk: SessionDesk) -> None:
    task, request = await desk.ask(wanted())
    waiters = [asyncio.create_task(desk.approvals.wait(request.id)) for _ in range(2)]
    await asyncio.sleep(0)
    waiters[0].cancel()
    await asyncio.sleep(0)
    assert waiters[0].cancelled()
    desk.answer(request, Choice.ONCE)
    assert await waiters[1] == await task


async def test_a_cancelled_call_takes_its_request_with_it(desk: SessionDesk) -> None:
    task, request = await desk.ask(wanted())
    waiter = asyncio.create_task(desk.approvals.wait(request.id))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    with pytest.raises(ApprovalCancelled):
        await waiter
    assert desk.approvals.pending() == ()
    assert desk.events[-1] == Decided(request, None)
    assert [row["event"] for row in desk.rows()] == ["cancelled"]


async def test_an_answer_and_a_cancel_in_the_same_turn_of_the_loop(desk: SessionDesk) -> None:
    """The answer came first: the request stays answered, the call is cancelled all the same."""
    task, request = await desk.ask(wanted())
    desk.answer(request, Choice.ONCE)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [event for event in desk.events if isinstance(event, Decided)] == [
        Decided(request, Decision(approved=True, decided_by="manual"))
    ]


async def test_a_watcher_that_answers_at_once(desk: SessionDesk) -> None:
    """Each watcher sees the events in the order they happened, also when one of them causes the next."""

    def answer(event: DeskEvent) -> None:
        if isinstance(event, Requested):
            desk.answer(event.request, Choice.ONCE)

    desk.approvals.watch(answer)
    late: list[DeskEvent] = []
    stop = desk.approvals.watch(late.append)
    assert (await desk.approvals.ask(wanted())).approved
    assert [type(event) for event in late] == [Requested, Decided]
    stop()
    await desk.approvals.ask(wanted())
    assert len(late) == 2


async def test_a_failing_watcher_stops_nothing(desk: SessionDesk, caplog: pytest.LogCaptureFixture) -> None:
    def fail(event: DeskEvent) -> None:
        raise ValueError(type(event).__name__)

    desk.approvals.watch(fail)
    late: list[DeskEvent] = []
    desk.approvals.watch(late.append)
    task, request = await desk.ask(wanted())
    desk.answer(request, Choice.ONCE)
    assert (await task).approved
    assert len(late) == 2
    assert "watcher failed" in caplog.text


async def test_decided_requests_are_dropped(desk: SessionDesk) -> None:
    for _ in range(1_000):
        task, request = await desk.ask(wanted())
        desk.answer(request, Choice.ONCE)
        await task
    inside = desk.approvals._desk
    assert len(inside._open) == 0
    assert len(inside._decided) <= 256


async def test_outside_of_a_call_it_is_refused(desk: SessionDesk) -> None:
    desk.approvals.state.set_yolo(True)
    assert desk.approvals.refusal(wanted(call="")) is not None
    assert desk.approvals.refusal(wanted()) is None


async def test_a_child_asks_under_its_own_source(desk: SessionDesk) -> None:
    child = desk.approvals.child(Source("turn", "sub-1", "agent-1", "explore"))
    task = asyncio.create_task(child.ask(wanted()))
    await asyncio.sleep(0)
    (request,) = desk.approvals.pending()
    assert request.wanted.source == Source("turn", "sub-1", "agent-1", "explore")
    assert desk.approvals.cancel_by_source("turn", "turn-1") == 0
    assert desk.answer(request, Choice.SESSION)
    assert (await task).approved
    assert desk.approvals.fast(wanted()) is not None
    assert child.fast(wanted()) is not None


async def test_a_source_set_from_outside_is_kept(desk: SessionDesk) -> None:
    child = desk.approvals.child(Source("turn", "sub-1", "agent-1", "explore"))
    grandchild = Source("background", "sub-2", "agent-2", "coder")
    task = asyncio.create_task(child.ask(wanted(source=grandchild)))
    await asyncio.sleep(0)
    (request,) = desk.approvals.pending()
    assert request.wanted.source == grandchild
    assert child.cancel_by_source("background", "sub-2") == 1
    with pytest.raises(ApprovalCancelled):
        await task


async def test_parent_and_child_share_the_switches(desk: SessionDesk) -> None:
    child = desk.approvals.child(BACKGROUND)
    task = asyncio.create_task(child.ask(wanted()))
    await asyncio.sleep(0)
    child.state.set_yolo(True)
    assert (await task).decided_by == "yolo"
    assert [type(event) for event in desk.events] == [Requested, Decided]


async def test_a_stale_approval_is_recorded(desk: SessionDesk) -> None:
    desk.approvals.stale(write("/srv/a.txt"))
    (row,) = desk.rows()
    assert (row["event"], row["subject"]) == ("stale", "/srv/a.txt")


async def test_a_chain_gets_no_rule(desk: SessionDesk) -> None:
    """Answered for always it counts once: nothing is offered, nothing is stored."""
    task, request = await desk.ask(wanted("git status && git push"))
    assert request.releases == ()
    desk.answer(request, Choice.ALWAYS)
    assert await task == Decision(approved=True, decided_by="manual")
    assert desk.approvals.rules.listed() == ()


async def test_a_rule_is_for_one_tool_and_one_effect(desk: SessionDesk) -> None:
    _, request = await desk.ask(wanted(tool="search", effect=Effect.EXTERNAL, scope=Scope("mcp", "x/search")))
    desk.answer(request, Choice.SESSION)

    def asks(server: str, tool: str = "search", effect: Effect = Effect.EXTERNAL) -> bool:
        call = wanted(tool=tool, effect=effect, scope=Scope("mcp", f"{server}/search"))
        return desk.approvals.fast(call) is None

    assert not asks("x")
    assert asks("y")
    assert asks("x", tool="other")
    assert asks("x", effect=Effect.DANGER)


async def test_87_a_write_that_never_asks_itself(desk: SessionDesk) -> None:
    """Case 87, the gate's part: with nothing switched on and no rule, effect write needs a person."""
    assert desk.approvals.fast(wanted(tool="Quiet", effect=Effect.WRITE, scope=Scope("tool", ""))) is None
