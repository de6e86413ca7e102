"""What review runs found: shown beside the change that they are about, and sent to a session."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field

from actions.catalog.context import ActionContext
from actions.catalog.hints import AnySession, Hint, Ref, RefKind, Widget
from actions.catalog.options import Option, OptionRequest, option_source, select_options
from actions.catalog.run_views import ReviewFindings
from actions.catalog.spec import ActionInput, Effect, Placement, action
from actions.catalog.text import Text
from actions.catalog.views import FindingsSent, RunKind, RunState
from actions.errors import SessionNotSelected


@option_source("runs.reviews")
async def finished_reviews(request: OptionRequest, ctx: ActionContext) -> Sequence[Option]:
    runs = (await ctx.ports.runs.list(status=RunState.SUCCEEDED, limit=200)).runs
    options = [
        Option(
            value=run.id,
            label=f"Review by {run.provider}",
            description=str((run.result or {}).get("summary") or run.instructions)[:80] or None,
            aliases=("the latest", "the last review", "最近一次") if at == 0 else (),
        )
        for at, run in enumerate(run for run in runs if run.kind is RunKind.REVIEW)
    ]
    return select_options(options, request)


class GetFindings(ActionInput):
    run_id: Annotated[
        str,
        Ref(RefKind.RUN),
        Hint(
            widget=Widget.SELECT,
            options="runs.reviews",
            ask=Text("Which review's findings?", "哪次审查的结果?"),
            title=Text("Review", "审查"),
        ),
    ]
    with_change: Annotated[bool, Hint(title=Text("With the change", "包括更改"))] = False


@action(
    "execution.run.findings.get",
    title=Text("Show what a review found", "查看审查结果"),
    effect=Effect.READ,
    placements=[Placement.RUN_CARD],
    say=[
        "(read|show|tell) [me] the findings [of {run_id}]",
        "what did the review find",
        "(读|念|显示)[一下]审查结果",
        "审查(发现了什么|有什么发现)",
    ],
    cli="run findings show {run_id}",
)
async def get_findings(inp: GetFindings, ctx: ActionContext) -> ReviewFindings:
    """Show what a review found, merged with the other reviews of that change: who said what, and where."""
    return await ctx.ports.runs.findings(inp.run_id, with_change=inp.with_change)


class SendFindings(ActionInput):
    run_ids: Annotated[
        list[str],
        Field(min_length=1),
        Hint(
            widget=Widget.MULTISELECT,
            options="runs.reviews",
            separator=",",
            title=Text("Reviews", "审查"),
            ask=Text("Which review's findings?", "哪次审查的结果?"),
        ),
    ]
    session_id: AnySession = None
    severity: Literal["all", "high"] = "all"
    finding_ids: Annotated[list[str], Hint(separator=",", title=Text("Only these findings", "仅这些结果"))] = Field(
        default_factory=list[str]
    )


@action(
    "execution.run.findings.send",
    title=Text("Send findings to a session", "将审查结果发送到会话"),
    effect=Effect.EXTERNAL,
    placements=[Placement.RUN_CARD, Placement.PALETTE],
    say=[
        "send (the|these) findings to [the] session {session_id}",
        "send (the findings|them) to (this|the current) session",
        "把[这些][审查]结果发(给|到)会话{session_id}",
        "把[这些][审查]结果发(给|到)(这个|当前)会话",
    ],
    cli="run findings send",
)
async def send_findings(inp: SendFindings, ctx: ActionContext) -> FindingsSent:
    """Send the findings of review runs, or some of them, to a session as a message that says which are stale."""
    if inp.session_id is None:
        raise SessionNotSelected("Name the session that should get the findings.")
    message = await ctx.ports.runs.findings_message(
        inp.run_ids, only_errors=inp.severity == "high", only=inp.finding_ids
    )
    await ctx.ports.sessions.send(inp.session_id, message.text)
    return FindingsSent(session_id=inp.session_id, sent=message.count, notes=message.notes)
