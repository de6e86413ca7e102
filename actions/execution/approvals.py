"""Requests for approval: asked, decided, deferred, cancelled, waited for. Every step is stored before it is told."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection

from actions.catalog.context import Caller
from actions.catalog.ports import Ports
from actions.catalog.registry import Catalog
from actions.catalog.spec import ActionInput, ActionSpec, Effect, Surface
from actions.errors import ErrorCode, InvalidInput, NotFound, Refused, SaysoError
from actions.execution import approval as store
from actions.execution import rules
from actions.execution.approval import Approval, Scope, Status, recorded, root_of, stored_caller
from actions.execution.executing import Executor, Reconciled
from actions.execution.inputs import parse
from actions.execution.judge import Judge
from actions.execution.request import Outcome, Rejected
from actions.execution.waiting import Waiters
from actions.storage.database import Database
from actions.storage.ids import now_ms
from actions.storage.schema import approvals
from actions.tasks import TaskOwner


@dataclass(frozen=True)
class Decider:
    """Who decides, and where. ``read_back``: this very request was read aloud, its action named, and then affirmed;
    ``heard`` is what the recogniser made of it (text, confidence, answer).
    """

    caller: Caller
    surface: Surface
    read_back: bool = False
    heard: Mapping[str, Any] | None = None


def _ignore(approval_id: str, status: Status) -> None:
    """Nobody listens."""


class Approvals:
    """The approval requests of one home.

    Args:
        ports: the services that approved actions run with; a callable, since these requests are one of them.
        did_change: told of each stored step, ``(approval_id, status)``; for event streams.
    """

    def __init__(
        self,
        database: Database,
        catalog: Catalog,
        judge: Judge,
        ports: Callable[[], Ports],
        did_change: Callable[[str, Status], None] = _ignore,
    ) -> None:
        self._database = database
        self._catalog = catalog
        self._judge = judge
        self._did_change = did_change
        self._waiters = Waiters()
        self._executor = Executor(database, catalog, judge, ports, self._waiters.settle, did_change)
        self._tasks = TaskOwner("decisions")
        self._closed = False

    async def start(self) -> Reconciled:
        """Settle what the last process left behind; call it once, when every service that actions need is up."""
        found = await self._executor.start()
        for rule in await self._database.read(rules.in_force):
            await self._release(rule)
        return found

    async def close(self) -> None:
        """Stop deciding and running; what was cut off is recorded. The database must still be open."""
        self._closed = True
        await self._tasks.close()
        await self._executor.close()
        self._waiters.close()

    async def ask(
        self,
        approval: Approval,
        live: ActionInput | None = None,
        within: Callable[[Connection], Approval | None] | None = None,
    ) -> Approval:
        """Store a composed request. ``live`` is its input where that may not be stored.

        ``within`` runs first in the same transaction; a request that it returns takes the new one's place.
        """

        def work(connection: Connection) -> Approval:
            earlier = within(connection) if within is not None else None
            if earlier is None:
                store.add(connection, approval)
            return earlier or approval

        stored = await self._database.write(work)
        if stored is approval:
            if live is not None:
                self._executor.live[approval.id] = live
            self._did_change(approval.id, Status.OPEN)
        return stored

    async def get(self, approval_id: str) -> Approval:
        """One request. Raises NotFound."""
        approval = await self._database.read(lambda c: store.get(c, approval_id))
        if approval is None:
            raise NotFound(f"There is no approval request {approval_id}. `sayso inbox list` shows those that wait.")
        return approval

    async def list(self, *, status: Status | None = None, session_id: str | None = None, limit: int) -> list[Approval]:
        """Requests, the newest first; of a session and of everything that it started."""
        await self.expire()
        where: list[ColumnElement[bool]] = []
        if status is not None:
            where.append(approvals.c.status == status.value)
        if session_id is not None:
            where.append((approvals.c.session_id == session_id) | (approvals.c.root_session_id == session_id))
        return await self._database.read(lambda c: store.find(c, *where, limit=limit, newest_first=True))

    async def approve(self, approval_id: str, by: Decider, scope: Scope = Scope.ONCE) -> Outcome:
        """Say yes and run it. Again on a decided request: what was recorded.

        Goes on to its end when the caller goes away. Raises NotFound, Refused (this caller may not decide it, or this
        scope is not to be had), or ``stale`` where the request was rejected.
        """
        if self._closed:
            raise SaysoError("The host is closing. The request stays.", code=ErrorCode.HOST_UNAVAILABLE)
        task = self._tasks.start(self._approve(approval_id, by, scope), name=f"approve {approval_id}")
        found = await asyncio.shield(task)
        if isinstance(found, SaysoError):
            raise found
        return found

    async def reject(self, approval_id: str, by: Decider, feedback: str | None = None) -> Outcome:
        """Say no, with what the caller should be told. Raises as :meth:`approve`, ``stale`` where it was approved."""
        approval = await self._for_decision(approval_id, by)
        decision = _decision(by, Scope.ONCE, feedback)
        moved = await self._database.write(
            lambda c: store.move(c, approval_id, since=[Status.OPEN], to=Status.REJECTED, decision=decision)
        )
        if moved:
            outcome = Rejected(feedback or "")
            self._end(approval_id, Status.REJECTED, outcome)
            return outcome
        approval = await self.get(approval_id)
        if approval.status is not Status.REJECTED:
            raise _decided(approval)
        return recorded(approval)

    async def defer(self, approval_id: str, until: int | None = None) -> Approval:
        """Leave it for later, which is not a no: until ``until`` (UTC milliseconds), or until someone comes back."""
        await self.get(approval_id)
        moved = await self._database.write(
            lambda c: store.move(c, approval_id, since=[Status.OPEN], deferred_until=until or 0)
        )
        approval = await self.get(approval_id)
        if not moved:
            raise _decided(approval)
        self._did_change(approval_id, Status.OPEN)
        return approval

    async def cancel(self, approval_id: str) -> Approval:
        """Withdraw an undecided request; on any other it does nothing. Returns the request as it is now."""
        moved = await self._database.write(
            lambda c: store.move(c, approval_id, since=[Status.OPEN], to=Status.CANCELLED)
        )
        approval = await self.get(approval_id)
        if moved:
            self._end(approval_id, Status.CANCELLED, recorded(approval))
        return approval

    async def expire(self) -> None:
        """End the open requests whose callers set a date that has passed."""
        open_ = approvals.c.status == Status.OPEN.value
        due = await self._database.read(lambda c: store.find(c, open_, approvals.c.expires_at <= now_ms()))
        for approval in due:
            if await self._database.write(
                lambda c, id_=approval.id: store.move(c, id_, since=[Status.OPEN], to=Status.EXPIRED)
            ):
                self._end(approval.id, Status.EXPIRED, recorded(await self.get(approval.id)))

    async def wait(self, approval_id: str, timeout_s: float | None = None) -> Outcome:
        """The outcome when there is one, ``pending`` when this caller's patience ends first; that ends nothing else.

        A request with a secret that is not stored ends with the last caller that waits for it.
        """
        try:
            with self._waiters.join(approval_id) as future:
                approval = await self.get(approval_id)
                if approval.status.settled:
                    return recorded(approval)
                await asyncio.wait({future}, timeout=_until(timeout_s, approval.expires_at))
                if future.done():
                    return future.result()
        finally:
            if approval_id in self._executor.live and not self._waiters.count(approval_id):
                del self._executor.live[approval_id]
                await self.cancel(approval_id)
        await self.expire()
        return recorded(await self.get(approval_id))

    async def releases(self, approval_id: str, scope: Scope) -> list[Approval]:
        """The other open requests that approving this one with ``scope`` would release. Raises as :meth:`approve`."""
        approval = await self.get(approval_id)
        if scope is Scope.ONCE:
            return []
        return await self._covered(self._rule(approval, scope, {}), but=approval_id)

    async def releases_if_allowed(self, approval_id: str, scope: Scope) -> list[Approval] | None:
        """As :meth:`releases`; None where this scope is not to be had."""
        try:
            return await self.releases(approval_id, scope)
        except InvalidInput:
            return None

    async def rules(self) -> list[rules.Rule]:
        """Rules in force, the oldest first."""
        return await self._database.read(rules.in_force)

    async def revoke(self, rule_id: str) -> None:
        """Take a rule back. Raises NotFound when none of this id is in force."""
        if not await self._database.write(lambda c: rules.revoke(c, rule_id)):
            raise NotFound(f"There is no rule {rule_id} in force. `sayso actions run approval.rule.list` shows them.")

    async def rule_covering(
        self, action_id: str, surface: Surface, caller: Caller, effect: Effect, subject: str = ""
    ) -> rules.Rule | None:
        """The rule that answers such a call in advance, if any."""
        found = await self._database.read(lambda c: rules.in_force(c, action_id))
        root = root_of(caller)
        return next((rule for rule in found if rule.covers(action_id, surface, root, effect, subject)), None)

    async def _approve(self, approval_id: str, by: Decider, scope: Scope) -> Outcome | SaysoError:
        """As :meth:`approve`; a refusal is returned, since it is no failure of this task."""
        try:
            return await self._decide_and_run(approval_id, by, scope)
        except SaysoError as error:
            return error

    async def _decide_and_run(self, approval_id: str, by: Decider, scope: Scope) -> Outcome:
        await self.expire()
        approval = await self._for_decision(approval_id, by)
        if approval.status is Status.OPEN and not approval.decidable:
            raise Refused("Not all of what it would do can be shown, so it can be rejected but not approved.")
        decision = _decision(by, scope)
        rule = self._rule(approval, scope, decision) if scope is not Scope.ONCE else None

        def work(connection: Connection) -> bool:
            if not store.move(connection, approval_id, since=[Status.OPEN], to=Status.APPROVED, decision=decision):
                return False
            if rule is not None:
                rules.add(connection, rule)
            return True

        if not await self._database.write(work):
            return await self._again(await self.get(approval_id))
        self._did_change(approval_id, Status.APPROVED)
        outcome = await asyncio.shield(self._executor.begin(approval))
        if rule is not None:
            await self._release(rule)
        return outcome

    async def _again(self, approval: Approval) -> Outcome:
        if approval.status is Status.REJECTED:
            raise _decided(approval)
        if approval.status is Status.APPROVED or self._executor.runs(approval.id):
            return await asyncio.shield(self._executor.begin(approval))
        return recorded(approval)

    async def _for_decision(self, approval_id: str, by: Decider) -> Approval:
        approval = await self.get(approval_id)
        spec = self._catalog.get(approval.action_id)
        effect = Effect.DANGER if spec is None else self._effect(spec, approval)
        refusal = self._judge.refusal_to_decide(
            by.caller, by.surface, asked_on=approval.surface, effect=effect, read_back=by.read_back
        )
        if refusal is not None:
            raise refusal
        return approval

    def _rule(self, approval: Approval, scope: Scope, decision: dict[str, Any]) -> rules.Rule:
        spec = self._catalog.get(approval.action_id)
        if spec is None:
            raise _decided(approval)
        if scope is Scope.SESSION and root_of(approval.caller) is None:
            raise InvalidInput(
                "No session asked this, so there is none to allow it for. Approve it once or always.",
                [{"field": "scope", "message": "session needs a session that asked"}],
            )
        effect = self._effect(spec, approval)
        if self._floored(spec, approval):
            raise InvalidInput(
                f"{spec.title.in_language(approval.language)} is always asked for; it can be approved once only.",
                [{"field": "scope", "message": "once is the only scope of this action"}],
            )
        return rules.rule_for(approval, scope, effect, decision, self._subject(spec, approval))

    async def _covered(self, rule: rules.Rule, but: str | None = None) -> list[Approval]:
        where = (approvals.c.status == Status.OPEN.value, approvals.c.action_id == rule.action_id)
        found = await self._database.read(lambda c: store.find(c, *where))
        spec = self._catalog.get(rule.action_id)
        return [
            a
            for a in found
            if spec is not None
            and a.id != but
            and a.decidable
            and rule.covers(a.action_id, a.surface, root_of(a.caller), self._effect(spec, a), self._subject(spec, a))
            and not self._floored(spec, a)
        ]

    async def _release(self, rule: rules.Rule) -> None:
        """Approve by rule what the person was shown that it covers."""
        for approval in await self._covered(rule):
            decision = {"by": "rule", "rule_id": rule.id, "at": now_ms(), "scope": rule.scope.value}
            if await self._database.write(
                lambda c, id_=approval.id, d=decision: store.move(
                    c, id_, since=[Status.OPEN], to=Status.APPROVED, decision=d
                )
            ):
                self._did_change(approval.id, Status.APPROVED)
                self._executor.begin(approval)

    def _effect(self, spec: ActionSpec, approval: Approval) -> Effect:
        """The effect of the very call; one that cannot be read any more counts as danger."""
        inp = self._input(spec, approval)
        return Effect.DANGER if inp is None else spec.effect_for(inp)

    def _subject(self, spec: ActionSpec, approval: Approval) -> str:
        inp = self._input(spec, approval)
        return "" if inp is None else spec.subject(inp)

    def _floored(self, spec: ActionSpec, approval: Approval) -> bool:
        inp = self._input(spec, approval)
        return inp is None or self._judge.asking(spec, inp, approval.surface, approval.workspace).floor

    def _input(self, spec: ActionSpec, approval: Approval) -> ActionInput | None:
        if approval.live_only:
            return self._executor.live.get(approval.id)
        try:
            return parse(spec, json.loads(approval.input))
        except SaysoError:
            return None

    def _end(self, approval_id: str, status: Status, outcome: Outcome) -> None:
        self._executor.live.pop(approval_id, None)
        self._waiters.settle(approval_id, outcome)
        self._did_change(approval_id, status)


def _decision(by: Decider, scope: Scope, feedback: str | None = None) -> dict[str, Any]:
    return {
        "by": "voice" if by.surface is Surface.VOICE else "user",
        "surface": by.surface.value,
        "caller": stored_caller(by.caller),
        "at": now_ms(),
        "scope": scope.value,
        "feedback": feedback,
        **({} if by.heard is None else {"heard": dict(by.heard)}),
    }


def _decided(approval: Approval) -> SaysoError:
    return SaysoError(
        f"This request is {approval.status.value.replace('_', ' ')} already; that stands.",
        code=ErrorCode.STALE,
        details={
            "approval_id": approval.id,
            "status": approval.status.value,
            "decision": dict(approval.decision or {}),
        },
    )


def _until(timeout_s: float | None, expires_at: int | None) -> float | None:
    if expires_at is None:
        return timeout_s
    left = max(0.0, (expires_at - now_ms()) / 1000 + 0.005)
    return left if timeout_s is None else min(timeout_s, left)
