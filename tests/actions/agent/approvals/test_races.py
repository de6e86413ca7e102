"""Random interleavings: never two decisions, never a lost waiter."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

from actions.agent.approvals.decision import Answer, ApprovalCancelled, Choice, Decision, Source, WaitTimeout
from actions.agent.approvals.desk import Decided, Deferred, DeskEvent, Requested
from actions.agent.approvals.rules import Rules
from actions.agent.approvals.runtime import Approvals
from actions.agent.approvals.state import ApprovalState
from actions.errors import NotFound
from tests.actions.agent.approvals.calls import wanted

COMMANDS = ("git status", "git status -s", "git push", "make test", "a; b")
SOURCES = (Source("turn", "1"), Source("turn", "2", "a", "coder"), Source("background", "1", "b", "explore"))
Outcome = Decision | type[BaseException]

NUMBER = st.integers(0, 7)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("ask"), st.integers(0, len(COMMANDS) - 1), st.integers(0, len(SOURCES) - 1)),
        st.tuples(st.just("resolve"), NUMBER, st.sampled_from([*Choice, "strange"])),
        st.tuples(st.just("wait"), NUMBER, st.sampled_from([None, 0.0, 0.001])),
        st.tuples(st.just("cancel call"), NUMBER, st.none()),
        st.tuples(st.just("cancel waiter"), NUMBER, st.none()),
        st.tuples(st.just("cancel source"), st.integers(0, len(SOURCES) - 1), st.none()),
        st.tuples(st.just("yolo"), st.booleans(), st.none()),
        st.tuples(st.just("afk"), st.booleans(), st.none()),
        st.tuples(st.just("plan"), st.booleans(), st.none()),
        st.tuples(st.just("turn of the loop"), st.integers(1, 3), st.none()),
        st.tuples(st.just("sleep"), st.just(0.002), st.none()),
    ),
    min_size=5,
    max_size=40,
)


@dataclass
class Run:
    """One interleaving and what came of it."""

    events: list[DeskEvent] = field(default_factory=list)
    calls: dict[str, asyncio.Task[Decision]] = field(default_factory=dict)
    waiters: list[tuple[str, asyncio.Task[Decision]]] = field(default_factory=list)
    accepted: Counter[str] = field(default_factory=Counter)
    cancelled: set[str] = field(default_factory=set)
    planning: bool = False

    def __post_init__(self) -> None:
        self.approvals = Approvals(
            state=ApprovalState(), rules=Rules(warn=lambda text: None), planning=lambda: self.planning
        )
        self.approvals.watch(self.events.append)

    def ask(self, command: int, source: int) -> None:
        call = wanted(COMMANDS[command], source=SOURCES[source], call=str(len(self.calls)))
        self.calls[call.call.id] = asyncio.create_task(self.approvals.ask(call))

    def request(self, number: int) -> str | None:
        seen = [event.request.id for event in self.events if isinstance(event, Requested)]
        return seen[number % len(seen)] if seen and number < 7 else None

    def step(self, name: str, first: int, second: object) -> None:
        match name:
            case "ask":
                assert isinstance(second, int)
                self.ask(first, second)
            case "resolve":
                request = self.request(first) or "nobody"
                if self.approvals.resolve(request, Answer(second)) and second != Choice.LATER:  # pyright: ignore[reportArgumentType]
                    self.accepted[request] += 1
            case "wait":
                assert second is None or isinstance(second, float)
                request = self.request(first) or "nobody"
                self.waiters.append((request, asyncio.create_task(self.approvals.wait(request, limit=second))))
            case "cancel call":
                if self.calls:
                    call = str(first % len(self.calls))
                    self.cancelled.add(call)
                    self.calls[call].cancel()
            case "cancel waiter":
                if self.waiters:
                    self.waiters[first % len(self.waiters)][1].cancel()
            case "cancel source":
                self.approvals.cancel_by_source(SOURCES[first].kind, SOURCES[first].id)
            case "yolo":
                self.approvals.state.set_yolo(bool(first))
            case "afk":
                self.approvals.state.set_afk_run(bool(first))
            case _:
                self.planning = bool(first)
                self.approvals.review()


async def play(steps: list[tuple[str, int, object]]) -> Run:
    run = Run()
    for name, first, second in steps:
        if name == "turn of the loop":
            for _ in range(first):
                await asyncio.sleep(0)
        elif name == "sleep":
            await asyncio.sleep(first)
        else:
            run.step(name, first, second)
    for _ in range(3):
        await asyncio.sleep(0)
    for request in run.approvals.pending():
        assert not run.calls[request.wanted.call.id].done()
    run.approvals.end()
    tasks = [*run.calls.values(), *(task for _, task in run.waiters)]
    if tasks:
        _, lost = await asyncio.wait(tasks, timeout=30)
        assert not lost
    return run


def outcome(task: asyncio.Task[Decision]) -> Outcome:
    if task.cancelled():
        return asyncio.CancelledError
    error = task.exception()
    return task.result() if error is None else type(error)


@settings(max_examples=150, deadline=None)
@given(STEPS)
def test_one_decision_each_and_nobody_is_forgotten(steps: list[tuple[str, int, object]]) -> None:
    run = asyncio.run(play(steps))
    assert run.approvals.pending() == ()
    by_request: dict[str, list[DeskEvent]] = {}
    for event in run.events:
        by_request.setdefault(event.request.id, []).append(event)
    decided: dict[str, Decision | None] = {}
    for request, events in by_request.items():
        kinds = [type(event) for event in events]
        assert kinds in ([Requested, Decided], [Requested, Deferred, Decided])
        assert isinstance(events[-1], Decided)
        decided[request] = events[-1].decision
        by_hand = events[-1].decision is not None and events[-1].decision.decided_by == "manual"
        assert run.accepted[request] == by_hand
    assert run.accepted["nobody"] == 0

    for event in run.events:
        if isinstance(event, Requested):
            decision = decided[event.request.id]
            got = outcome(run.calls[event.request.wanted.call.id])
            assert got in (
                {ApprovalCancelled, asyncio.CancelledError} if decision is None else {decision, asyncio.CancelledError}
            )
    for request, task in run.waiters:
        got = outcome(task)
        if request == "nobody":
            assert got in {NotFound, asyncio.CancelledError}
        else:
            expected = decided[request] or ApprovalCancelled
            assert got in {expected, WaitTimeout, asyncio.CancelledError}
    for call, task in run.calls.items():
        assert outcome(task) is not asyncio.CancelledError or call in run.cancelled
