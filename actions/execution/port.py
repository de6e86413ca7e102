"""The approvals as handlers see them: the catalog's port over :class:`.approvals.Approvals`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from actions.catalog import views as v
from actions.catalog.context import ActionContext
from actions.catalog.registry import Catalog
from actions.errors import ErrorCode, InvalidInput, SaysoError
from actions.execution.approval import Approval, Scope, Status
from actions.execution.approvals import Approvals, Decider
from actions.execution.asking import compose
from actions.execution.inputs import has_secret, parse, resolve
from actions.execution.judge import Judge
from actions.execution.request import Completed, Failed, Outcome, Pending, Rejected


class ApprovalsForHandlers:
    """Implements ``ApprovalsPort``. Who decides, and on which surface, is taken from the context."""

    def __init__(self, approvals: Approvals, catalog: Catalog, judge: Judge) -> None:
        self._approvals = approvals
        self._catalog = catalog
        self._judge = judge

    async def list(
        self, *, status: str | None = None, session_id: str | None = None, limit: int = 50
    ) -> v.ApprovalList:
        """The newest first. Raises InvalidInput for an unknown status."""
        known = {s.value for s in Status}
        if status is not None and status not in known:
            why = f"one of {', '.join(sorted(known))}"
            raise InvalidInput(f"No request has the status {status}.", [{"field": "status", "message": why}])
        wanted = Status(status) if status is not None else None
        found = await self._approvals.list(status=wanted, session_id=session_id, limit=limit)
        return v.ApprovalList(requests=[self._view(approval) for approval in found])

    async def get(self, approval_id: str) -> v.ApprovalView:
        return self._view(await self._approvals.get(approval_id))

    async def create(
        self, *, action_id: str, input: Mapping[str, Any], summary: str, ctx: ActionContext
    ) -> v.ApprovalView:
        """Ask for an action. It must be available to this caller, and its input valid, before any row is written."""
        spec = self._catalog.get(action_id)
        if spec is None:
            raise SaysoError(f"There is no action {action_id}.", code=ErrorCode.UNKNOWN_ACTION)
        if (denial := self._judge.denial(spec, ctx.surface, ctx.workspace, ctx.caller)) is not None:
            raise denial
        if spec.stands_for is not None:
            meant, given = spec.stands_for(parse(spec, input))
            return await self.create(action_id=meant, input=given, summary=summary, ctx=ctx)
        inp = await resolve(spec, parse(spec, input), ctx)
        if has_secret(self._catalog.form(spec), inp):
            raise InvalidInput(f"{action_id} carries a secret here, which is not stored. Call the action itself.")
        approval = await compose(self._catalog, spec, inp, ctx, origin={}, note=summary)
        return self._view(await self._approvals.ask(approval))

    async def decide(
        self, approval_id: str, *, decision: str, scope: str = "once", feedback: str | None = None, ctx: ActionContext
    ) -> v.OutcomeView:
        read_back = ctx.extra.get("read_back") == approval_id
        by = Decider(ctx.caller, ctx.surface, read_back, ctx.extra.get("heard"))
        if decision == "approve":
            outcome = await self._approvals.approve(approval_id, by, Scope(scope))
        else:
            outcome = await self._approvals.reject(approval_id, by, feedback)
        approval = await self._approvals.get(approval_id)
        return outcome_view(outcome, approval_id, approval.status)

    async def withdraw(self, session_id: str) -> None:
        for approval in await self._approvals.list(status=Status.OPEN, session_id=session_id, limit=1000):
            await self._approvals.cancel(approval.id)

    async def defer(self, approval_id: str, *, until: int | None = None) -> v.ApprovalView:
        return self._view(await self._approvals.defer(approval_id, until))

    async def rules(self) -> v.RuleList:
        return v.RuleList(
            rules=[
                v.RuleView(
                    id=rule.id,
                    action=rule.action_id,
                    scope="session" if rule.scope is Scope.SESSION else "always",
                    session_id=rule.session_id,
                    surface=rule.surface.value,
                    created=rule.created_at,
                    covers=rule.in_words(self._title(rule.action_id)),
                )
                for rule in await self._approvals.rules()
            ]
        )

    async def revoke(self, rule_id: str) -> v.RuleList:
        await self._approvals.revoke(rule_id)
        return await self.rules()

    def _view(self, approval: Approval) -> v.ApprovalView:
        return v.ApprovalView(
            id=approval.id,
            status=approval.status.value,
            action=approval.action_id,
            title=self._title(approval.action_id, approval.language),
            summary=approval.summary,
            fields=[v.FieldRow.model_validate(row) for row in approval.fields],
            input=json.loads(approval.input),
            surface=approval.surface.value,
            asked_by=asked_by(approval),
            caller_chain=list(approval.caller.chain),
            session_id=approval.session_id,
            created=approval.created_at,
            updated=approval.updated_at,
            deferred_until=approval.deferred_until,
            decision=dict(approval.decision) if approval.decision else None,
            execution=dict(approval.execution) if approval.execution else None,
        )

    def _title(self, action_id: str, language: str = "en") -> str:
        spec = self._catalog.get(action_id)
        return action_id if spec is None else spec.title.in_language(language)


def asked_by(approval: Approval) -> str:
    """Who asked, in a few words: the caller's label, else the session, else the surface."""
    caller = approval.caller
    return caller.label or caller.session_id or approval.surface.value


def outcome_view(outcome: Outcome, approval_id: str, status: Status) -> v.OutcomeView:
    """An outcome as the result of the action that led to it."""
    match outcome:
        case Completed(data):
            return v.OutcomeView(outcome="completed", id=approval_id, status=status.value, result=dict(data))
        case Pending():
            return v.OutcomeView(outcome="pending", id=approval_id, status=status.value)
        case Rejected():
            return v.OutcomeView(outcome="rejected", id=approval_id, status=status.value)
        case Failed(code, message):
            error = v.RunError(code=code.value, message=message)
            return v.OutcomeView(outcome="failed", id=approval_id, status=status.value, error=error)
