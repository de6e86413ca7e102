"""What waits for a person: the inbox, approvals of actions, permissions and questions of agents."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field, model_validator

from actions.catalog.context import ActionContext
from actions.catalog.hints import AnySession, ApprovalRef, FixedOption, Hint, SessionFilter, Widget
from actions.catalog.options import Option, OptionRequest, option_source, select_options
from actions.catalog.say import says
from actions.catalog.spec import ActionInput, Effect, Placement, Surface, action
from actions.catalog.text import Text
from actions.catalog.views import ApprovalList, ApprovalView, Inbox, InboxKind, InboxRow, OutcomeView, RuleList

_DECIDERS = [Surface.UI, Surface.VOICE, Surface.CLI]
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
_CHINESE = "一二三四五六七八九十"


def position_aliases(index: int, count: int) -> tuple[str, ...]:
    """How a person points at the row ``index`` (from 0) of ``count``: first, number two, 第三个, last."""
    aliases: list[str] = []
    if index < len(_ORDINALS):
        aliases += [_ORDINALS[index], f"number {index + 1}", f"第{_CHINESE[index]}个", f"第{_CHINESE[index]}"]
    if index == count - 1:
        aliases += ["last", "latest", "newest", "最后一个", "最新的"]
    return tuple(aliases)


@option_source("approvals.open")
async def open_approvals(request: OptionRequest, ctx: ActionContext) -> Sequence[Option]:
    rows = (await ctx.ports.inbox.list()).rows
    options = [
        Option(
            value=row.id,
            label=row.summary,
            description=row.session_title,
            aliases=position_aliases(index, len(rows)),
            disabled=row.kind is not InboxKind.APPROVAL,
            reason=None
            if row.kind is InboxKind.APPROVAL
            else "An agent asks this itself: allow or deny it in the inbox.",
        )
        for index, row in enumerate(rows)
    ]
    return select_options(options, request)


class ListInbox(ActionInput):
    session_id: SessionFilter = None
    limit: Annotated[int, Field(ge=1, le=200)] = 200


@action(
    "inbox.list",
    title=Text("List what waits for you", "列出收件箱"),
    effect=Effect.READ,
    surfaces=[Surface.UI, Surface.VOICE, Surface.CLI],
    say=["what (is waiting|waits) for me", "有什么在等我"],
    cli="inbox list",
)
async def list_inbox(inp: ListInbox, ctx: ActionContext) -> Inbox:
    """List everything that waits for a person: approvals, permissions, questions and failed runs."""
    return await ctx.ports.inbox.list(session_id=inp.session_id, limit=inp.limit)


class GetInboxRow(ActionInput):
    id: str


@action(
    "inbox.get",
    title=Text("Show a request", "查看请求"),
    effect=Effect.READ,
    surfaces=[Surface.UI, Surface.VOICE, Surface.CLI],
    cli="inbox show {id}",
)
async def get_inbox_row(inp: GetInboxRow, ctx: ActionContext) -> InboxRow:
    """Show one request in full."""
    return await ctx.ports.inbox.get(inp.id)


class ListApprovals(ActionInput):
    status: str | None = None
    session_id: SessionFilter = None
    limit: Annotated[int, Field(ge=1, le=200)] = 50


@action("approval.request.list", title=Text("List approval requests", "列出审批请求"), effect=Effect.READ)
async def list_approvals(inp: ListApprovals, ctx: ActionContext) -> ApprovalList:
    """List approval requests, open or decided."""
    return await ctx.ports.approvals.list(status=inp.status, session_id=inp.session_id, limit=inp.limit)


class GetApproval(ActionInput):
    approval_id: ApprovalRef


@action("approval.request.get", title=Text("Show an approval request", "查看审批请求"), effect=Effect.READ)
async def get_approval(inp: GetApproval, ctx: ActionContext) -> ApprovalView:
    """Show an approval request with its decision and its result."""
    return await ctx.ports.approvals.get(inp.approval_id)


class CreateApproval(ActionInput):
    action_id: str
    input: Annotated[dict[str, Any], Hint(widget=Widget.JSON)]
    summary: Annotated[str, Field(min_length=1, max_length=500)]
    preview: str | None = None


@action(
    "approval.request.create",
    title=Text("Ask for an approval", "请求审批"),
    effect=Effect.NONE,
    surfaces=[Surface.UI, Surface.SESSION_AGENT, Surface.MCP, Surface.CLI],
)
async def create_approval(inp: CreateApproval, ctx: ActionContext) -> ApprovalView:
    """Ask a person to approve an action before it is run."""
    return await ctx.ports.approvals.create(action_id=inp.action_id, input=inp.input, summary=inp.summary, ctx=ctx)


class Decision(StrEnum):
    APPROVE = "approve"
    REJECT = "reject"


class Scope(StrEnum):
    ONCE = "once"
    SESSION = "session"
    ALWAYS = "always"


class DecideApproval(ActionInput):
    approval_id: Annotated[
        ApprovalRef,
        Hint(
            widget=Widget.SELECT,
            options="approvals.open",
            explicit=True,
            title=Text("Request", "请求"),
            ask=Text("Which request?", "哪个请求?"),
        ),
    ]
    decision: Annotated[
        Decision,
        Hint(
            explicit=True,
            options=(
                FixedOption("approve", Text("Approve", "批准"), aliases=("accept", "allow")),
                FixedOption("reject", Text("Reject", "拒绝"), aliases=("deny", "decline", "refuse")),
            ),
        ),
    ]
    scope: Scope = Scope.ONCE
    feedback: Annotated[str | None, Hint(widget=Widget.TEXTAREA)] = None


@action(
    "approval.request.decide",
    title=Text("Decide an approval request", "处理审批请求"),
    effect=Effect.WRITE,
    surfaces=_DECIDERS,
    decides=True,
    say=[
        says("[yes] (approve|accept) [the] {approval_id} request [in (my|the) inbox]", decision="approve"),
        says("[no] (deny|reject|decline|refuse) [the] {approval_id} request [in (my|the) inbox]", decision="reject"),
        says("(批准|同意){approval_id}[请求]", decision="approve"),
        says("(拒绝|驳回){approval_id}[请求]", decision="reject"),
    ],
)
async def decide_approval(inp: DecideApproval, ctx: ActionContext) -> OutcomeView:
    """Approve or reject a request. An approved action runs once, at once."""
    return await ctx.ports.approvals.decide(
        inp.approval_id, decision=inp.decision, scope=inp.scope, feedback=inp.feedback, ctx=ctx
    )


class DeferApproval(ActionInput):
    approval_id: ApprovalRef
    until: Annotated[int | None, Hint(description="UTC milliseconds; left out, until you come back to it")] = None


@action(
    "approval.request.defer",
    title=Text("Decide a request later", "稍后处理请求"),
    effect=Effect.WRITE,
    surfaces=_DECIDERS,
    say=["(defer|postpone) [the] {approval_id} request", "稍后处理{approval_id}[请求]"],
    cli="inbox defer {approval_id}",
)
async def defer_approval(inp: DeferApproval, ctx: ActionContext) -> ApprovalView:
    """Leave a request for later. Later is not no."""
    return await ctx.ports.approvals.defer(inp.approval_id, until=inp.until)


class NoFilter(ActionInput):
    pass


@action("approval.rule.list", title=Text("List approval rules", "列出审批规则"), effect=Effect.READ)
async def list_rules(inp: NoFilter, ctx: ActionContext) -> RuleList:
    """List the rules that release requests without asking."""
    return await ctx.ports.approvals.rules()


class RevokeRule(ActionInput):
    rule_id: str


@action(
    "approval.rule.revoke",
    title=Text("Revoke an approval rule", "撤销审批规则"),
    effect=Effect.WRITE,
    surfaces=[Surface.UI, Surface.CLI],
    placements=[Placement.PALETTE],
)
async def revoke_rule(inp: RevokeRule, ctx: ActionContext) -> RuleList:
    """Take a rule back; what it released is asked for again."""
    return await ctx.ports.approvals.revoke(inp.rule_id)


class PermissionDecision(StrEnum):
    ALLOW = "allow"
    DENY = "deny"


class RespondPermission(ActionInput):
    session_id: AnySession = None
    request_id: Annotated[str | None, Hint(title=Text("Request", "请求"))] = None
    decision: Annotated[PermissionDecision, Hint(explicit=True, ask=Text("Allow or deny?", "允许还是拒绝?"))]
    option_id: Annotated[str | None, Hint(description="The agent's own option, by id")] = None
    scope: Scope | None = None
    feedback: Annotated[str | None, Hint(widget=Widget.TEXTAREA)] = None


@action(
    "session.permission.respond",
    title=Text("Answer a permission request", "回应权限请求"),
    effect=Effect.WRITE,
    surfaces=_DECIDERS,
    decides=True,
    say=[
        says("allow (it|this|the permission)", decision="allow"),
        says("deny (it|this|the permission)", decision="deny"),
        says("允许(这个|该)权限", decision="allow"),
        says("拒绝(这个|该)权限", decision="deny"),
    ],
    cli="session permission respond {session_id}",
)
async def respond_permission(inp: RespondPermission, ctx: ActionContext) -> OutcomeView:
    """Allow or deny what an agent asks to do."""
    return await ctx.ports.sessions.respond_permission(
        inp.session_id,
        inp.request_id,
        decision=inp.decision,
        option_id=inp.option_id,
        scope=inp.scope,
        feedback=inp.feedback,
        decided_by=ctx.caller,
        surface=ctx.surface,
    )


class QuestionAnswer(ActionInput):
    question: str
    values: list[str]


class AnswerDecision(StrEnum):
    APPROVE = "approve"
    REJECT = "reject"
    REQUEST_CHANGES = "request_changes"
    DISMISS = "dismiss"


class AnswerUserAction(ActionInput):
    session_id: AnySession = None
    request_id: Annotated[str | None, Hint(title=Text("Request", "请求"))] = None
    decision: AnswerDecision | None = None
    reason: Annotated[
        str | None,
        Hint(widget=Widget.TEXTAREA, title=Text("Reason", "理由")),
    ] = None
    answer: Annotated[
        str | None, Hint(ask=Text("What is the answer?", "怎么回答?"), description="The answer to the only question")
    ] = None
    answers: Annotated[list[QuestionAnswer], Hint(widget=Widget.JSON)] = Field(default_factory=list[QuestionAnswer])
    option_id: Annotated[str | None, Hint(description="The agent's own option for a plan, by id")] = None

    @model_validator(mode="after")
    def _says_something(self) -> AnswerUserAction:
        if self.decision is None and self.answer is None and not self.answers and self.option_id is None:
            raise ValueError("give a decision or an answer")
        if self.decision is AnswerDecision.REQUEST_CHANGES and not self.reason:
            raise ValueError("say in reason what should change")
        asked = [entry.question for entry in self.answers]
        if len(asked) != len(set(asked)):
            raise ValueError("a question is answered twice")
        return self


@action(
    "session.user_action.answer",
    title=Text("Answer a question", "回答问题"),
    effect=Effect.WRITE,
    hot=True,
    decides=True,
    say=[
        "(answer|reply to) the question with {answer}",
        "(answer|reply) {answer} to the question",
        "用{answer}回答问题",
        "回答问题{answer}",
        says("approve the plan", decision="approve"),
        says("reject the plan", decision="reject"),
        says("dismiss the question", decision="dismiss"),
        says("(批准|同意)[这个|该]计划", decision="approve"),
        says("(拒绝|驳回)[这个|该]计划", decision="reject"),
        says("忽略[这个|该]问题", decision="dismiss"),
    ],
    cli="session user-action answer {session_id}",
)
async def answer_user_action(inp: AnswerUserAction, ctx: ActionContext) -> OutcomeView:
    """Answer a question or a plan that an agent put to you."""
    return await ctx.ports.sessions.answer_user_action(
        inp.session_id,
        inp.request_id,
        inp.model_dump(mode="json", exclude={"session_id", "request_id"}),
        decided_by=ctx.caller,
        surface=ctx.surface,
    )
