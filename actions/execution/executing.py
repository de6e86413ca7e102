"""Running what was approved: once, whatever happens in between.

    approved  --recheck-->  executing  --handler-->  executed | failed
                (claim, stored before the handler is called)   (stored before anyone is told)

A process that dies between the two leaves ``executing``: whether the effect happened is not known, so start-up says
``outcome_unknown`` and never runs it again. One that dies before the claim leaves ``approved``: start-up resumes it.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Connection

from actions.catalog.context import ActionContext
from actions.catalog.ports import Ports
from actions.catalog.registry import Catalog
from actions.catalog.spec import ActionInput, ActionSpec
from actions.errors import ErrorCode, SaysoError
from actions.execution import approval as store
from actions.execution import audit, proofs
from actions.execution.approval import Approval, Status, execution_record, recorded
from actions.execution.inputs import fingerprint, parse
from actions.execution.judge import Judge
from actions.execution.request import Completed, Failed, Outcome
from actions.execution.runner import run_handler
from actions.storage.database import Database
from actions.storage.schema import approvals
from actions.tasks import TaskOwner

_log = logging.getLogger(__name__)

_UNKNOWN = Failed(
    ErrorCode.OUTCOME_UNKNOWN,
    "Sayso ended while this ran, so whether it happened is not known. Look before you ask for it again.",
)


@dataclass(frozen=True)
class Reconciled:
    """What start-up found: requests it resumes, and requests whose outcome cannot be known."""

    resumed: tuple[str, ...]
    unknown: tuple[str, ...]


class Executor:
    """Runs approved requests as tasks of its own: a decider who goes away stops nothing.

    ``did_settle`` is called once a request's end is stored, ``did_change`` after every stored step.
    """

    def __init__(
        self,
        database: Database,
        catalog: Catalog,
        judge: Judge,
        ports: Callable[[], Ports],
        did_settle: Callable[[str, Outcome], None],
        did_change: Callable[[str, Status], None],
    ) -> None:
        self._database = database
        self._catalog = catalog
        self._judge = judge
        self._ports = ports
        self._did_settle = did_settle
        self._did_change = did_change
        self._tasks = TaskOwner("approvals")
        self._running: dict[str, asyncio.Task[Outcome]] = {}
        self.live: dict[str, ActionInput] = {}
        """Inputs that hold a secret: never stored, gone with the process."""

    async def start(self) -> Reconciled:
        """Settle what the last process left: resume the approved, mark the executing as unknown."""

        def work(connection: Connection) -> tuple[list[Approval], list[Approval]]:
            unknown = store.find(connection, approvals.c.status == Status.EXECUTING.value)
            for row in unknown:
                store.move(
                    connection,
                    row.id,
                    since=[Status.EXECUTING],
                    to=Status.OUTCOME_UNKNOWN,
                    execution=execution_record(_UNKNOWN, 0),
                )
                audit.write_entry(connection, _entry(row, _UNKNOWN, 0))
            for row in store.find(connection, approvals.c.status == Status.OPEN.value):
                if row.live_only:
                    store.move(connection, row.id, since=[Status.OPEN], to=Status.CANCELLED)
            return store.find(connection, approvals.c.status == Status.APPROVED.value), unknown

        approved, unknown = await self._database.write(work)
        for approval in unknown:
            self._settled(approval.id, Status.OUTCOME_UNKNOWN, _UNKNOWN)
        for approval in approved:
            self.begin(approval)
        return Reconciled(tuple(a.id for a in approved), tuple(a.id for a in unknown))

    async def close(self) -> None:
        """Cancel what runs; a handler that was cut off is recorded as outcome_unknown."""
        await self._tasks.close()

    def begin(self, approval: Approval) -> asyncio.Task[Outcome]:
        """Run an approved request, or join the run of it that is under way."""
        if (running := self._running.get(approval.id)) is not None:
            return running
        task = self._tasks.start(self._execute(approval), name=approval.id)
        self._running[approval.id] = task
        task.add_done_callback(lambda _: self._running.pop(approval.id, None))
        return task

    def runs(self, approval_id: str) -> bool:
        return approval_id in self._running

    async def _execute(self, approval: Approval) -> Outcome:
        try:
            spec, inp, ctx = await self._recheck(approval)
        except SaysoError as error:
            status = Status.STALE if error.code is ErrorCode.STALE else Status.FAILED
            return await self._end(approval, Status.APPROVED, status, Failed.of(error), 0)
        if not await self._claim(approval.id):
            return await self._as_recorded(approval.id)
        self._did_change(approval.id, Status.EXECUTING)
        started = time.monotonic()
        try:
            outcome = await run_handler(spec, inp, ctx)
        except asyncio.CancelledError:
            await self._end(approval, Status.EXECUTING, Status.OUTCOME_UNKNOWN, _UNKNOWN, _ms_since(started))
            raise
        return await self._end(approval, Status.EXECUTING, _status_after(outcome), outcome, _ms_since(started))

    async def _recheck(self, approval: Approval) -> tuple[ActionSpec, ActionInput, ActionContext]:
        """What was true when it was asked must be true now. Raises ``stale``, or policy's refusal."""
        spec = self._catalog.get(approval.action_id)
        if spec is None or spec.hash != approval.spec_hash:
            raise _stale(f"{approval.action_id} is not the action that was asked for any more.")
        ctx = ActionContext(approval.caller, approval.surface, self._ports(), approval.workspace, approval.language)
        if (denial := self._judge.denial(spec, approval.surface, approval.workspace, approval.caller)) is not None:
            raise denial
        inp = self._input(spec, approval)
        if spec.proof is not None:
            try:
                now = await proofs.observe(await spec.proof(inp, ctx))
            except SaysoError as error:
                raise _stale(error.message) from error
            if (change := proofs.difference(approval.staleness, now)) is not None:
                raise _stale(change)
        return spec, inp, ctx

    def _input(self, spec: ActionSpec, approval: Approval) -> ActionInput:
        if approval.live_only:
            if (live := self.live.pop(approval.id, None)) is None:
                raise _stale("It carried a secret that is not stored, and its caller no longer waits.")
            return live
        try:
            return parse(spec, json.loads(approval.input))
        except SaysoError as error:
            raise _stale(error.message) from error

    async def _claim(self, approval_id: str) -> bool:
        """Store that it begins. Cancelled meanwhile, it is given back: the handler was not called."""
        try:
            return await self._database.write(
                lambda c: store.move(c, approval_id, since=[Status.APPROVED], to=Status.EXECUTING)
            )
        except asyncio.CancelledError:
            await self._database.write(
                lambda c: store.move(c, approval_id, since=[Status.EXECUTING], to=Status.APPROVED)
            )
            raise

    async def _end(
        self, approval: Approval, since: Status, to: Status, outcome: Completed | Failed, ms: int
    ) -> Outcome:
        def work(connection: Connection) -> None:
            record = execution_record(outcome, ms)
            if store.move(connection, approval.id, since=[since], to=to, execution=record):
                audit.write_entry(connection, _entry(approval, outcome, ms))

        try:
            await self._database.write(work)
        except SaysoError:
            # Whoever waits is told what happened. The row says "executing" until start-up makes it outcome_unknown.
            _log.exception("the outcome of %s could not be stored", approval.id)
        self._settled(approval.id, to, outcome)
        return outcome

    async def _as_recorded(self, approval_id: str) -> Outcome:
        row = await self._database.read(lambda c: store.get(c, approval_id))
        return recorded(row) if row is not None else _UNKNOWN

    def _settled(self, approval_id: str, status: Status, outcome: Outcome) -> None:
        self.live.pop(approval_id, None)
        self._did_settle(approval_id, outcome)
        self._did_change(approval_id, status)


def _entry(approval: Approval, outcome: Outcome, ms: int) -> audit.Entry:
    return audit.Entry(
        approval.action_id,
        approval.surface,
        approval.caller,
        outcome,
        ms,
        input_hash=fingerprint(approval.input),
        approval_id=approval.id,
    )


def _status_after(outcome: Completed | Failed) -> Status:
    if isinstance(outcome, Completed):
        return Status.EXECUTED
    return Status.OUTCOME_UNKNOWN if outcome.code is ErrorCode.OUTCOME_UNKNOWN else Status.FAILED


def _ms_since(started: float) -> int:
    return round((time.monotonic() - started) * 1000)


def _stale(why: str) -> SaysoError:
    return SaysoError(f"{why} Ask again.", code=ErrorCode.STALE)
