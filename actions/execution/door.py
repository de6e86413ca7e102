"""The one door. Every call of an action passes it, in this order:

    known? -> available? -> valid? -> references and defaults -> asks first? -> handler -> output -> audit

What asks first becomes a request in the inbox and passes :mod:`.executing` once it is approved.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Connection

from actions.catalog.context import ActionContext
from actions.catalog.ports import Ports
from actions.catalog.registry import Catalog
from actions.catalog.spec import ActionInput, ActionSpec, Effect, Reply, Surface
from actions.errors import ErrorCode, Refused, SaysoError
from actions.execution import approval as store
from actions.execution import audit, repeats
from actions.execution.approval import Approval, recorded
from actions.execution.approvals import Approvals
from actions.execution.asking import compose
from actions.execution.borders import Chains, crosses_sessions
from actions.execution.inputs import canonical, fingerprint, has_secret, parse, resolve
from actions.execution.judge import Judge
from actions.execution.meaning import as_meant
from actions.execution.request import Completed, Failed, Outcome, Pending, Request
from actions.execution.runner import run_handler
from actions.storage.database import Database
from actions.tasks import TaskOwner

RESULT_PATIENCE_S = 20.0
"""How long a caller that needs the result waits for a decision, unless the request says otherwise."""

_log = logging.getLogger(__name__)
_UNAUDITED = frozenset({Surface.UI, Surface.CLI})


@dataclass(frozen=True)
class _Call:
    """A request that was understood: what is to run, with what, for whom."""

    request: Request
    spec: ActionSpec
    inp: ActionInput
    ctx: ActionContext
    key: str | None
    input_hash: str
    started: float

    def entry(self, outcome: Outcome, rule_id: str | None = None) -> audit.Entry:
        ms = round((time.monotonic() - self.started) * 1000)
        return audit.Entry(
            self.spec.id, self.ctx.surface, self.ctx.caller, outcome, ms, self.input_hash, rule_id=rule_id
        )


class Door:
    """Executes requests. Calls that have an effect run to their end even when the caller goes away; but those whose
    spec or request says so end with it, where nobody else can join them by a key.
    """

    def __init__(
        self,
        catalog: Catalog,
        judge: Judge,
        database: Database,
        approvals: Approvals,
        ports: Callable[[], Ports],
    ) -> None:
        self._catalog = catalog
        self._judge = judge
        self._database = database
        self._approvals = approvals
        self._ports = ports
        self._chains = Chains()
        self._tasks = TaskOwner("door")
        self._closed = False
        self._under_way: dict[str, asyncio.Task[Outcome]] = {}

    async def execute(self, request: Request) -> Outcome:
        """Run an action, or say why not. Raises nothing but CancelledError."""
        if self._closed:
            return _closing()
        started = time.monotonic()
        try:
            return await self._execute(request, started)
        except SaysoError as error:
            outcome = Failed.of(error)
            await self._audit_refusal(request, outcome, started)
            return outcome
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            return _closing()
        except Exception:  # noqa: BLE001 - the door answers; it never breaks its caller
            _log.exception("%s could not be executed", request.action_id)
            return Failed(ErrorCode.FAILED, f"{request.action_id} could not be executed. The log says more.")

    async def close(self) -> None:
        """Cancel the calls that are still running."""
        self._closed = True
        await self._tasks.close()

    async def _execute(self, request: Request, started: float) -> Outcome:
        call = await self._understand(request, started)
        if not call.spec.implemented:  # nobody is asked to approve what cannot be done
            return await self._run_once(call, None)
        asking = self._judge.asking(call.spec, call.inp, call.ctx.surface, call.ctx.workspace)
        crossing = await crosses_sessions(call.spec, call.inp, call.ctx)
        rule_id: str | None = None
        if crossing and call.spec.decides:  # a decision cannot wait for another decision
            raise Refused(
                f"{call.spec.title.in_language(call.ctx.language)}: that session is not one that you started. A person "
                "answers it: in the window, by voice, or with sayso in a terminal.",
                code=ErrorCode.PRESENT_USER_REQUIRED,
            )
        if asking.asks or crossing:
            rule = None
            if not asking.floor:
                effect, subject = call.spec.effect_for(call.inp), call.spec.subject(call.inp)
                rule = await self._approvals.rule_covering(
                    call.spec.id, call.ctx.surface, call.ctx.caller, effect, subject
                )
            if rule is None:
                return await self._ask(call)
            rule_id = rule.id
        if call.spec.effect.reads_only:
            outcome = await run_handler(call.spec, call.inp, call.ctx)
            self._audit_read(call, outcome)
            return outcome
        return await self._run_once(call, rule_id)

    async def _understand(self, request: Request, started: float) -> _Call:
        surface = self._judge.surface_of(request.surface, request.caller)
        spec = self._catalog.get(request.action_id)
        if spec is None:
            near = self._catalog.nearest(request.action_id)
            meant = f" Did you mean {', '.join(near)}?" if near else ""
            raise SaysoError(
                f"There is no action {request.action_id}.{meant}",
                code=ErrorCode.UNKNOWN_ACTION,
                details={"action": request.action_id, "candidates": near},
            )
        if (denial := self._judge.denial(spec, surface, request.workspace, request.caller)) is not None:
            raise denial
        if spec.stands_for is not None:
            return await self._understand(as_meant(spec, request), started)
        spoken = {"read_back": request.read_back, "heard": request.heard}
        extra = {name: value for name, value in spoken.items() if value is not None}
        caller = await self._chains.placed(request.caller, self._ports())
        ctx = ActionContext(
            caller, surface, self._ports(), request.workspace, request.language, extra, request.progress
        )
        inp = await resolve(spec, parse(spec, request.input), ctx)
        key = None if spec.effect.reads_only else repeats.scoped_key(request)
        return _Call(request, spec, inp, ctx, key, fingerprint(canonical(inp)), started)

    async def _run_once(self, call: _Call, rule_id: str | None) -> Outcome:
        """Run as a task of the door's; a call with the same key joins it or gets what was recorded."""
        if call.key is not None:
            key = call.key
            claim = await self._database.write(lambda c: repeats.claim(c, key, call.spec.id, call.input_hash))
            if not claim.mine:
                return await self._repeated(key, claim.outcome)
        task = self._tasks.start(self._run(call, rule_id), name=call.spec.id)
        if call.key is not None:
            key = call.key
            self._under_way[key] = task
            task.add_done_callback(lambda _: self._under_way.pop(key, None))
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if (call.spec.ends_with_caller or call.request.attached) and call.key is None:
                task.cancel()
            raise

    async def _run(self, call: _Call, rule_id: str | None) -> Outcome:
        try:
            outcome = await run_handler(call.spec, call.inp, call.ctx)
        except asyncio.CancelledError:
            await self._record(call, self._cut_off(call.spec), rule_id)
            raise
        await self._record(call, outcome, rule_id)
        return outcome

    def _cut_off(self, spec: ActionSpec) -> Failed:
        why = "The host ended" if self._closed else "Its caller went away"
        return Failed(ErrorCode.OUTCOME_UNKNOWN, f"{why} while {spec.id} ran; whether it happened is not known.")

    async def _record(self, call: _Call, outcome: Outcome, rule_id: str | None) -> None:
        """Before the caller is told where it may ask again by its key, and of what is dangerous; else the answer does
        not wait for the disk.
        """
        if call.key is None and call.spec.effect_for(call.inp) is not Effect.DANGER:
            self._note(call, outcome, rule_id)
            return

        def work(connection: Connection) -> None:
            audit.write_entry(connection, call.entry(outcome, rule_id))
            if call.key is not None:
                repeats.record(connection, call.key, outcome)

        try:
            await self._database.write(work)
        except SaysoError:
            # It happened and the caller is told so; only the note of it is missing.
            _log.exception("the outcome of %s could not be recorded", call.spec.id)

    def _note(self, call: _Call, outcome: Outcome, rule_id: str | None = None) -> None:
        entry = call.entry(outcome, rule_id)
        try:
            self._database.note(lambda c: audit.write_entry(c, entry), f"the outcome of {call.spec.id}")
        except SaysoError:
            _log.exception("the outcome of %s could not be recorded", call.spec.id)

    async def _repeated(self, key: str, outcome: Outcome | None) -> Outcome:
        if outcome is None:
            task = self._under_way.get(key)
            return _unknown() if task is None else await asyncio.shield(task)
        if isinstance(outcome, Pending):
            return recorded(await self._approvals.get(outcome.approval_id))
        return outcome

    async def _ask(self, call: _Call) -> Outcome:
        request = call.request
        patience = request.patience_s
        if patience is None:
            patience = RESULT_PATIENCE_S if call.spec.reply is Reply.WAIT else 0.0
        live = call.inp if has_secret(self._catalog.form(call.spec), call.inp) else None
        if live is not None and patience <= 0:
            raise Refused(
                "This call carries a secret, which is not stored with requests, so its caller has to wait for the "
                "decision. Call it again and wait, or store the secret first and name it.",
                details={"reason": "secret_needs_waiting_caller"},
            )
        composed = await compose(
            self._catalog, call.spec, call.inp, call.ctx, origin=request.origin, idempotency_key=call.key
        )
        approval = await self._approvals.ask(composed, live, lambda c: self._claim_request(c, call, composed))
        if patience > 0:
            return await self._approvals.wait(approval.id, patience)
        return recorded(approval)

    def _claim_request(self, connection: Connection, call: _Call, composed: Approval) -> Approval | None:
        """In the transaction that stores the request: the earlier one of the same key, or None and the key is taken."""
        pending = Pending(composed.id, composed.action_id, composed.summary)
        if call.key is not None:
            claim = repeats.claim(connection, call.key, call.spec.id, call.input_hash)
            if not claim.mine:
                earlier = claim.outcome.approval_id if isinstance(claim.outcome, Pending) else None
                found = store.get(connection, earlier) if earlier is not None else None
                if found is None:
                    raise SaysoError(_unknown().message, code=ErrorCode.OUTCOME_UNKNOWN)
                return found
            repeats.record(connection, call.key, pending)
        audit.write_entry(connection, call.entry(pending))
        return None

    def _audit_read(self, call: _Call, outcome: Outcome) -> None:
        """Reads of a person in window and terminal leave no row: they are as many as glances."""
        if isinstance(outcome, Completed) and call.ctx.surface in _UNAUDITED:
            return
        self._note(call, outcome)

    async def _audit_refusal(self, request: Request, outcome: Failed, started: float) -> None:
        ms = round((time.monotonic() - started) * 1000)
        surface = self._judge.surface_of(request.surface, request.caller)
        entry = audit.Entry(request.action_id, surface, request.caller, outcome, ms)
        try:
            await self._database.write(lambda c: audit.write_entry(c, entry))
        except SaysoError:
            _log.exception("a refusal of %s could not be recorded", request.action_id)


def _closing() -> Failed:
    return Failed(ErrorCode.HOST_UNAVAILABLE, "The host is closing. Try again when it runs.")


def _unknown() -> Failed:
    return Failed(
        ErrorCode.OUTCOME_UNKNOWN,
        "This call was begun before and its end was not recorded. Look whether it happened before you call again.",
    )
