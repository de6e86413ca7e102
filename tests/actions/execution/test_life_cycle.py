"""Any order of asking, deciding, deferring, withdrawing, crashing and starting again keeps the promises.

The model beside the machine knows only what a person was told: what was approved ran once, everything else never.
"""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, multiple, rule

from actions.catalog.spec import Surface
from actions.errors import ErrorCode, SaysoError
from actions.execution import approval as store
from actions.execution.approval import Approval, Scope, Status
from actions.execution.request import Completed, Failed, Pending, Rejected
from tests.actions.execution.house import AGENT, EDITOR, OTHER_AGENT, PERSON, House, quick_folder

CALLERS = {
    "editor": (Surface.MCP, EDITOR),
    "agent": (Surface.SESSION_AGENT, AGENT),
    "other": (Surface.SESSION_AGENT, OTHER_AGENT),
}


class LifeCycle(RuleBasedStateMachine):
    """A house that is closed, or cut off in mid-step, and opened again while requests are decided in any order."""

    requests: Bundle[str] = Bundle("requests")

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.folder = tempfile.TemporaryDirectory(dir=quick_folder())
        self.house = self._opened()
        self.texts: dict[str, str] = {}
        self.told: dict[str, str] = {}
        self.count = 0

    def _opened(self) -> House:
        house = House(Path(self.folder.name))
        self.run(house.database.open())
        self.run(house.approvals.start())
        return house

    def run(self, work: Any) -> Any:
        return self.loop.run_until_complete(work)

    def attempt(self, work: Any) -> Any:
        """What it gives, or the refusal."""
        try:
            return self.run(work)
        except SaysoError as error:
            return error

    def teardown(self) -> None:
        self.run(self.house.close())
        self.loop.close()
        self.folder.cleanup()

    def now(self, id: str) -> Approval:
        return self.run(self.house.approvals.get(id))

    @rule(target=requests, who=st.sampled_from(sorted(CALLERS)))
    def ask(self, who: str) -> Any:
        surface, caller = CALLERS[who]
        self.count += 1
        text = f"line {self.count}"
        outcome = self.run(self.house.door.execute(self.house.request("note.send", surface, caller, text=text)))
        if isinstance(outcome, Completed):
            self.told[text] = "ran"
            return multiple()
        assert isinstance(outcome, Pending)
        self.texts[outcome.approval_id] = text
        return outcome.approval_id

    @rule(id=requests, scope=st.sampled_from(Scope))
    def approve(self, id: str, scope: Scope) -> None:
        before = self.now(id)
        outcome = self.attempt(self.house.approvals.approve(id, PERSON, scope))
        if isinstance(outcome, SaysoError):
            no_session = scope is Scope.SESSION and before.surface is Surface.MCP
            assert before.status is Status.REJECTED or (no_session and outcome.code is ErrorCode.INVALID_INPUT)
        elif before.status in (Status.OPEN, Status.EXECUTED):
            assert isinstance(outcome, Completed)
            self.told[self.texts[id]] = "ran"
        else:
            assert isinstance(outcome, Failed)
            assert outcome.code.value == before.status.value

    @rule(id=requests, feedback=st.text(max_size=20))
    def reject(self, id: str, feedback: str) -> None:
        before = self.now(id)
        outcome = self.attempt(self.house.approvals.reject(id, PERSON, feedback))
        if isinstance(outcome, SaysoError):
            assert outcome.code is ErrorCode.STALE
            assert before.status not in (Status.OPEN, Status.REJECTED)
            return
        assert isinstance(outcome, Rejected)
        self.told[self.texts[id]] = "rejected"

    @rule(id=requests, until=st.one_of(st.none(), st.integers(0, 2**40)))
    def defer(self, id: str, until: int | None) -> None:
        before = self.now(id)
        deferred = self.attempt(self.house.approvals.defer(id, until))
        assert isinstance(deferred, SaysoError) == (before.status is not Status.OPEN)

    @rule(id=consumes(requests))
    def cancel(self, id: str) -> None:
        before = self.now(id)
        after = self.run(self.house.approvals.cancel(id))
        if before.status is Status.OPEN:
            assert after.status is Status.CANCELLED
            self.told[self.texts[id]] = "cancelled"
        else:
            assert after.status is before.status

    @rule()
    def revoke_every_rule(self) -> None:
        for found in self.run(self.house.approvals.rules()):
            self.run(self.house.approvals.revoke(found.id))

    @rule()
    def restart(self) -> None:
        self.run(self.house.close())
        self.house = self._opened()

    @rule(id=requests)
    def crash_before_the_run(self, id: str) -> None:
        """What a host leaves that dies right after the yes was stored: the next one runs it."""
        if self._cut(id, Status.OPEN, Status.APPROVED, decision={"by": "user", "scope": "once"}):
            assert isinstance(self.run(self.house.approvals.wait(id, 10)), Completed)
            self.told[self.texts[id]] = "ran"

    @rule(id=requests)
    def crash_in_the_run(self, id: str) -> None:
        """What a host leaves that dies in a handler: never run again, and said to be unknown."""
        decision = {"by": "user", "scope": "once"}
        if self._cut(id, Status.OPEN, Status.EXECUTING, decision=decision):
            assert self.now(id).status is Status.OUTCOME_UNKNOWN
            self.told[self.texts[id]] = "unknown"

    def _cut(self, id: str, since: Status, to: Status, **values: Any) -> bool:
        moved = self.run(self.house.database.write(lambda c: store.move(c, id, since=[since], to=to, **values)))
        self.restart()
        return moved

    @invariant()
    def nothing_runs_twice_and_nothing_unasked(self) -> None:
        effects = self.house.effects
        assert len(effects) == len(set(effects))
        for text, told in self.told.items():
            assert (text in effects) == (told == "ran"), (text, told)

    @invariant()
    def rows_fit_their_state(self) -> None:
        for row in self.run(self.house.approvals.list(limit=1000)):
            match row.status:
                case Status.OPEN:
                    assert row.decision is None
                    assert row.execution is None
                case Status.EXECUTED | Status.FAILED | Status.OUTCOME_UNKNOWN | Status.STALE:
                    assert row.decision is not None
                    assert row.execution is not None
                case Status.REJECTED:
                    assert row.decision is not None
                    assert row.execution is None
                case Status.CANCELLED | Status.EXPIRED:
                    assert row.decision is None
                case Status.APPROVED | Status.EXECUTING:
                    # Released by a rule: it is being run this very moment.
                    assert row.decision is not None
                    assert row.decision["by"] == "rule"
            assert json.loads(row.input) == {"text": self.texts[row.id]}, "the input never changes"

    @invariant()
    def the_inbox_holds_what_is_open(self) -> None:
        shown = {row.id for row in self.run(self.house.inbox.list()).rows}
        open_ = self.run(self.house.approvals.list(status=Status.OPEN, limit=1000))
        assert shown == {row.id for row in open_}


LifeCycle.TestCase.settings = settings(
    max_examples=int(os.environ.get("LIFE_CYCLES", "6")),
    stateful_step_count=20,
    deadline=None,
    suppress_health_check=list(HealthCheck),  # pyright: ignore[reportArgumentType]  # its metaclass hides the members
)
TestLifeCycle = pytest.mark.timeout(600)(LifeCycle.TestCase)
