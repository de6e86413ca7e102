"""Managed runs: review, plan and delegate, each in a child session of one provider."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field

from actions.catalog.context import ActionContext, CallerKind
from actions.catalog.hints import AnySession, FixedOption, Hint, RunRef, SessionFilter, Widget
from actions.catalog.later import later
from actions.catalog.options import Option, OptionRequest, option_source, select_options
from actions.catalog.predicates import eq
from actions.catalog.spec import ActionInput, Effect, Placement, action
from actions.catalog.text import Text
from actions.catalog.views import RunKind, RunList, RunsStarted, RunState, RunView
from actions.errors import SaysoError, SessionNotSelected


@option_source("runs.active")
async def active_runs(request: OptionRequest, ctx: ActionContext) -> Sequence[Option]:
    runs = [run for run in (await ctx.ports.runs.list(limit=200)).runs if not run.state.ended]
    options = [
        Option(value=r.id, label=f"{r.kind.value} with {r.provider}", description=r.instructions[:80] or None)
        for r in runs
    ]
    return select_options(options, request)


_PROVIDERS = Hint(
    widget=Widget.MULTISELECT,
    options="providers.available",
    flag="provider",
    title=Text("Providers", "智能体"),
    ask=Text("With which provider?", "用哪个智能体?"),
)
_INSTRUCTIONS = Hint(
    widget=Widget.TEXTAREA,
    title=Text("Instructions", "说明"),
    ask=Text("What is the task?", "要做什么?"),
)


class Retention(StrEnum):
    EPHEMERAL = "ephemeral"
    RESUMABLE = "resumable"


class RunClass(StrEnum):
    BOUNDED = "bounded"
    LONG_LIVED = "long_lived"


class PermissionMode(StrEnum):
    READ_ONLY = "read_only"
    WORKSPACE_WRITE = "workspace_write"


class _RunInput(ActionInput):
    session_id: AnySession = None
    workspace: Annotated[
        str | None,
        Hint(widget=Widget.SELECT, options="workspaces.recent", title=Text("Workspace", "工作区")),
    ] = None
    model_id: Annotated[str | None, Hint(widget=Widget.SELECT, options="models.available")] = None
    config_options: Annotated[dict[str, Any] | None, Hint(widget=Widget.JSON)] = None
    account_id: Annotated[str | None, Hint(widget=Widget.SELECT, options="accounts.available")] = None
    services: Annotated[list[str], Hint(widget=Widget.MULTISELECT, options="services.connected")] = Field(
        default_factory=list[str]
    )


class ChangeScope(StrEnum):
    UNCOMMITTED = "uncommitted"
    BRANCH = "branch"


class StartReview(_RunInput):
    providers: Annotated[
        list[str],
        Field(min_length=1),
        Hint(
            widget=Widget.MULTISELECT,
            options="providers.available",
            flag="provider",
            explicit=True,
            title=Text("Providers", "智能体"),
            ask=Text("Who should review?", "由谁来审查?"),
        ),
    ]
    instructions: Annotated[
        str,
        Hint(
            widget=Widget.TEXTAREA,
            title=Text("Instructions", "说明"),
            placeholder=Text("What to look for", "重点看什么"),
        ),
    ] = ""
    change: Annotated[
        ChangeScope,
        Hint(
            options=(
                FixedOption(
                    "uncommitted", Text("Uncommitted changes", "未提交的更改"), aliases=("my", "the uncommitted")
                ),
                FixedOption("branch", Text("Changes on a branch", "分支上的更改"), aliases=("the branch",)),
            ),
            title=Text("Change", "更改"),
        ),
    ] = ChangeScope.UNCOMMITTED
    base: Annotated[
        str | None,
        Hint(
            widget=Widget.SELECT,
            options="git.branches",
            title=Text("Base branch", "基准分支"),
            visible_when=eq("change", "branch"),
            required_when=eq("change", "branch"),
            ask=Text("Against which branch?", "与哪个分支比较?"),
        ),
    ] = None
    permission_mode: PermissionMode = PermissionMode.READ_ONLY


async def _review_proof(inp: StartReview, ctx: ActionContext) -> Mapping[str, Any]:
    """The folder and the commit that were shown when it was asked: a review of another commit is another review."""
    workspace, _ = await _place_and_providers(inp.session_id, inp.workspace, inp.providers, ctx)
    return {"directory": workspace, "head": workspace}


@action(
    "review.start",
    title=Text("Start a review run", "启动审查运行"),
    effect=Effect.EXTERNAL,
    hot=True,
    placements=[Placement.SESSION_HEADER, Placement.PALETTE, Placement.SLASH, Placement.VOICE_PANEL],
    slash=["/review"],
    say=[
        "(start|run|kick off) a review [run] [(on|of|for) (the current|this) session]",
        "(start|run|kick off) a review [run] [(on|of|for) (the current|this) session] (with|using) {providers}",
        "review (this|the current) session (with|using) {providers}",
        "review [the] {change} changes (with|using) {providers}",
        "(start|run) a review [run] (on|of|for) [the] session {session_id} (with|using) {providers}",
        "[请]用{providers}审查{change}",
        "[请]用{providers}审查(这个|当前)会话",
        "[请]用{providers}(启动|开始)[一次]审查",
        "[请](启动|开始)[一次]审查[运行]",
    ],
    examples=[{"session_id": "{session_id}", "providers": ["claude"], "change": "uncommitted"}],
    cli="run start review",
    proof=_review_proof,
)
async def start_review(inp: StartReview, ctx: ActionContext) -> RunsStarted:
    """Have one or more providers review a change in a session's workspace."""
    _refuse_what_is_to_come(inp)
    workspace, providers = await _place_and_providers(inp.session_id, inp.workspace, inp.providers, ctx)
    return await ctx.ports.runs.start_review(
        providers=providers,
        instructions=inp.instructions,
        workspace=workspace,
        host_session_id=inp.session_id,
        change=inp.change,
        base=inp.base if inp.change is ChangeScope.BRANCH else None,
        model_id=inp.model_id,
        permission_mode=inp.permission_mode,
        asked_by=_agent(ctx),
    )


async def _plan_proof(inp: StartPlan, ctx: ActionContext) -> Mapping[str, Any]:
    """The folder that was shown when it was asked must still be that folder. Raises where there is none to show."""
    workspace, _ = await _place_and_providers(inp.session_id, inp.workspace, inp.providers, ctx)
    return {"directory": workspace}


class StartPlan(_RunInput):
    providers: Annotated[list[str], _PROVIDERS] = Field(default_factory=list[str])
    instructions: Annotated[str, Field(min_length=1, max_length=20_000), _INSTRUCTIONS]
    permission_mode: PermissionMode = PermissionMode.READ_ONLY
    retention: Retention = Retention.EPHEMERAL
    run_class: RunClass = RunClass.BOUNDED


@action(
    "subagents.plan.start",
    title=Text("Start a plan run", "启动计划运行"),
    effect=Effect.EXTERNAL,
    effect_of=lambda inp: Effect.NONE if inp.permission_mode is PermissionMode.READ_ONLY else Effect.DANGER,
    hot=True,
    placements=[Placement.SESSION_HEADER, Placement.PALETTE, Placement.SLASH, Placement.VOICE_PANEL],
    slash=["/plan-run"],
    say=[
        "(start|run|kick off) a plan run",
        "(start|run|kick off) a plan run (for|to|on|about) {instructions}",
        "(start|run|kick off) a plan run with {providers} (for|to|on|about) {instructions}",
        "(make|draft|write) a plan (for|to|on) {instructions}",
        "(make|draft|write) a plan with {providers} (for|to|on) {instructions}",
        "[请](为|给){instructions}(启动|开始)[一个]计划运行",
        "[请](启动|开始)[一个]计划运行",
        "[请](启动|开始)[一个]计划运行{instructions}",
        "[请](制定|做)[一个]计划{instructions}",
        "[请]用{providers}(制定|做)[一个]计划{instructions}",
    ],
    synonyms=["planning", "draft", "计划", "规划"],
    examples=[
        {"session_id": "{session_id}", "providers": ["builtin"], "instructions": "migrate the database to postgres"}
    ],
    cli="run start plan",
    proof=_plan_proof,
)
async def start_plan(inp: StartPlan, ctx: ActionContext) -> RunsStarted:
    """Have one or more providers draft a plan for a task. They read, they change nothing."""
    _refuse_what_is_to_come(inp)
    workspace, providers = await _place_and_providers(inp.session_id, inp.workspace, inp.providers, ctx)
    return await ctx.ports.runs.start_plan(
        providers=providers,
        instructions=inp.instructions,
        workspace=workspace,
        host_session_id=inp.session_id,
        model_id=inp.model_id,
        retention=inp.retention,
        permission_mode=inp.permission_mode,
        asked_by=_agent(ctx),
    )


class StartDelegate(StartPlan):
    permission_mode: PermissionMode = PermissionMode.WORKSPACE_WRITE


@action(
    "subagents.delegate.start",
    title=Text("Start a delegate run", "启动委派运行"),
    effect=Effect.EXTERNAL,
    hot=True,
    placements=[Placement.PALETTE, Placement.SLASH],
    slash=["/delegate"],
    say=[
        "delegate {instructions} to {providers}",
        "(start|run) a delegate run (for|to) {instructions}",
        "把{instructions}委派给{providers}",
    ],
    cli="run start delegate",
    proof=_plan_proof,
)
async def start_delegate(inp: StartDelegate, ctx: ActionContext) -> RunsStarted:
    """Hand a task to one or more providers, each in a child session that may write in the workspace.

    That it can be found is not a licence: an agent's own subagents come first unless the user asked for such a run.
    """
    _refuse_what_is_to_come(inp)
    workspace, providers = await _place_and_providers(inp.session_id, inp.workspace, inp.providers, ctx)
    return await ctx.ports.runs.start_delegate(
        providers=providers,
        instructions=inp.instructions,
        workspace=workspace,
        host_session_id=inp.session_id,
        model_id=inp.model_id,
        retention=inp.retention,
        permission_mode=inp.permission_mode,
        asked_by=_agent(ctx),
    )


class StartRun(ActionInput):
    session_id: AnySession = None
    intent: RunKind
    provider: Annotated[str, Hint(widget=Widget.SELECT, options="providers.available")]
    instructions: Annotated[str, _INSTRUCTIONS] = ""
    permission_mode: PermissionMode = PermissionMode.READ_ONLY
    retention: Retention = Retention.EPHEMERAL
    run_class: RunClass = RunClass.BOUNDED
    model_id: str | None = None
    config_options: Annotated[dict[str, Any] | None, Hint(widget=Widget.JSON)] = None
    account_id: str | None = None
    services: Annotated[list[str], Hint(separator=",")] = Field(default_factory=list[str])
    display: Annotated[dict[str, str] | None, Hint(widget=Widget.JSON)] = None
    resume: str | None = None


_START = {
    RunKind.REVIEW: "review.start",
    RunKind.PLAN: "subagents.plan.start",
    RunKind.DELEGATE: "subagents.delegate.start",
}


def _meant_by_start(inp: StartRun) -> tuple[str, Mapping[str, Any]]:
    if inp.display or inp.resume:
        later("Resuming a run, or choosing how it is shown")
    given = inp.model_dump(mode="json", exclude={"intent", "provider", "display", "resume"}, exclude_none=True)
    if inp.intent is RunKind.REVIEW:
        del given["retention"], given["run_class"]
    return _START[inp.intent], {**given, "providers": [inp.provider]}


@action(
    "execution.run.start",
    title=Text("Start a run", "启动运行"),
    effect=Effect.EXTERNAL,
    stands_for=_meant_by_start,
)
async def start_run(inp: StartRun, ctx: ActionContext) -> RunsStarted:
    """Start a review, plan or delegate run with one provider, under the policy of the action that it stands for."""
    raise SaysoError(f"Start it with {_START[inp.intent]}: its own rules hold.")


class ListRuns(ActionInput):
    session_id: SessionFilter = None
    provider: Annotated[str | None, Hint(widget=Widget.SELECT, options="providers.available")] = None
    status: RunState | None = None
    limit: Annotated[int, Field(ge=1, le=200)] = 50
    cursor: str | None = None


@action(
    "execution.run.list",
    title=Text("List runs", "列出运行"),
    effect=Effect.READ,
    hot=True,
    placements=[Placement.PALETTE, Placement.SLASH],
    slash=["/runs"],
    say=["(show|list) [all] [(my|the)] runs", "(显示|列出|查看)[所有]运行"],
    cli="run list",
)
async def list_runs(inp: ListRuns, ctx: ActionContext) -> RunList:
    """List the runs, the newest first."""
    return await ctx.ports.runs.list(
        session_id=inp.session_id, provider=inp.provider, status=inp.status, limit=inp.limit, cursor=inp.cursor
    )


class GetRun(ActionInput):
    run_id: RunRef
    include_structured: bool = True


@action(
    "execution.run.get",
    title=Text("Show a run", "查看运行"),
    effect=Effect.READ,
    hot=True,
    say=[
        "how is (the|my) (run|review|plan) [run] (going|doing)",
        "(运行|审查|计划)(怎么样了|进行得怎么样|进展如何)",
    ],
    cli="run show {run_id}",
)
async def get_run(inp: GetRun, ctx: ActionContext) -> RunView:
    """Show a run's state, and its result once it has ended."""
    run = await ctx.ports.runs.get(inp.run_id, asked_by=_agent(ctx))
    if inp.include_structured or not run.result:
        return run
    return run.model_copy(update={"result": {k: v for k, v in run.result.items() if k != "structured"}})


class SendToRun(ActionInput):
    run_id: RunRef
    message: Annotated[str, Field(min_length=1), Hint(widget=Widget.TEXTAREA)]
    resume: Annotated[bool, Hint(title=Text("Take up a run that has ended", "恢复已结束的运行"))] = False


@action(
    "execution.run.send",
    title=Text("Send a message to a run", "向运行发送消息"),
    effect=Effect.EXTERNAL,
    placements=[Placement.RUN_CARD],
    cli="run send {run_id} {message}",
)
async def send_to_run(inp: SendToRun, ctx: ActionContext) -> RunView:
    """Send a message to a run's session: it waits for the end of its turn. One that has ended needs ``resume``."""
    return await ctx.ports.runs.send(inp.run_id, inp.message, resume=inp.resume)


class StopRun(ActionInput):
    run_id: RunRef


@action(
    "execution.run.stop",
    title=Text("Stop a run", "停止运行"),
    effect=Effect.WRITE,
    placements=[Placement.RUN_CARD, Placement.PALETTE],
    say=[
        "(stop|cancel|end) (the|this|the current) run [now]",
        "(stop|cancel|end) run {run_id}",
        "(停止|取消)(当前|这个)运行",
    ],
    cli="run stop {run_id}",
)
async def stop_run(inp: StopRun, ctx: ActionContext) -> RunView:
    """Stop a run and its agent."""
    return await ctx.ports.runs.stop(inp.run_id, asked_by=_agent(ctx))


class WaitForRun(ActionInput):
    run_id: RunRef
    timeout_s: Annotated[float | None, Field(gt=0), Hint(flag="timeout")] = None
    poll_ms: Annotated[int, Field(ge=100, le=60_000)] = 500


@action("execution.run.wait", title=Text("Wait for a run", "等待运行"), effect=Effect.READ, cli="run wait {run_id}")
async def wait_for_run(inp: WaitForRun, ctx: ActionContext) -> RunView:
    """Wait until a run has ended. Giving up leaves it alive."""
    return await ctx.ports.runs.wait(inp.run_id, timeout_s=inp.timeout_s, asked_by=_agent(ctx))


def _agent(ctx: ActionContext) -> str | None:
    """The session whose agent calls; None for a person, an editor or the host."""
    return ctx.caller.session_id if ctx.caller.kind is CallerKind.SESSION else None


def _refuse_what_is_to_come(inp: _RunInput) -> None:
    if inp.config_options or inp.account_id or inp.services:
        later("Choosing config options, an account or services for a run")


async def _place_and_providers(
    session_id: str | None, workspace: str | None, providers: Sequence[str], ctx: ActionContext
) -> tuple[str, list[str]]:
    """Where a run works and with whom: the session's own unless said otherwise."""
    chosen = list(dict.fromkeys(providers))
    reference = workspace or (ctx.workspace if session_id is None else None)
    if session_id is not None:
        session = await ctx.ports.sessions.get(session_id)
        return (reference or session.workspace), (chosen or [session.provider])
    if reference is None:
        raise SessionNotSelected(
            "Name a session or a workspace: nothing says where the run should work.",
            details={"fields": [{"field": "workspace", "message": "Choose where the run should work."}]},
        )
    found = await ctx.ports.workspaces.find(reference)
    return found.path, (chosen or [ctx.ports.providers.default_id()])
