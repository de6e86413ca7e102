"""Sessions, continued: targets, models, options, queue, resume, fork, export, search, delete."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from actions.catalog.context import ActionContext
from actions.catalog.domains.session import chosen
from actions.catalog.hints import Hint, OwnSession, Ref, RefKind, SessionFilter, SessionRef, Widget
from actions.catalog.options import Option, OptionRequest, option_source, select_options
from actions.catalog.predicates import eq
from actions.catalog.spec import ActionInput, ActionOutput, Done, Effect, Placement, Surface, action
from actions.catalog.text import Text
from actions.catalog.titles import title_as_reference
from actions.catalog.views import SearchHits, SessionView, Targets
from actions.errors import SessionNotSelected


class PrimaryTarget(ActionInput):
    session_id: Annotated[SessionFilter, Hint(widget=Widget.SELECT, options="sessions.open", explicit=True)]

    @model_validator(mode="before")
    @classmethod
    def _title_names_it_too(cls, data: Any) -> Any:
        return title_as_reference(data)


@action(
    "session.target.primary.set",
    title=Text("Choose the primary session", "设置主会话"),
    effect=Effect.WRITE,
    hot=True,
    say=[
        "make [the] session {session_id} [the] primary [session]",
        "(talk|listen) to [the] session {session_id}",
        "把会话{session_id}设为主会话",
    ],
    cli="session target primary set {session_id}",
)
async def set_primary(inp: PrimaryTarget, ctx: ActionContext) -> Targets:
    """Choose the session that commands mean when they name none; null clears the choice."""
    return await ctx.ports.care.set_primary(inp.session_id)


class TrackedTargets(ActionInput):
    session_ids: Annotated[
        list[Annotated[str, Ref(RefKind.SESSION)]],
        Field(max_length=50),
        Hint(
            widget=Widget.MULTISELECT,
            options="sessions.open",
            title=Text("Sessions", "会话"),
            ask=Text("Which sessions?", "哪些会话?"),
        ),
    ]


@action(
    "session.target.tracked.set",
    title=Text("Choose the tracked sessions", "设置跟踪的会话"),
    effect=Effect.WRITE,
    say=[
        "(track|follow|watch) [the] session {session_ids}",
        "(track|follow|watch) [the] {session_ids} session",
        "[i want to] follow [the] {session_ids} session",
        "跟踪会话{session_ids}",
        "(跟踪|关注){session_ids}[这个]会话",
    ],
)
async def set_tracked(inp: TrackedTargets, ctx: ActionContext) -> Targets:
    """Choose the sessions to keep an eye on."""
    return await ctx.ports.care.set_tracked(inp.session_ids)


@option_source("session.models", needs=["session_id"])
async def session_models(request: OptionRequest, ctx: ActionContext) -> Sequence[Option]:
    session = await _session_of(request, ctx)
    option = next((o for o in session.options if "model" in (o.category, o.id)), None)
    choices = option.choices if option is not None else []
    options = [Option(value=m.id, label=m.name, description=m.description) for m in choices]
    return select_options(options, request)


class SetModel(ActionInput):
    session_id: OwnSession = None
    model_id: Annotated[
        str,
        Hint(
            widget=Widget.SELECT,
            options="session.models",
            title=Text("Model", "模型"),
            ask=Text("Which model?", "哪个模型?"),
        ),
    ]


@action(
    "session.model.set",
    title=Text("Change a session's model", "切换会话模型"),
    effect=Effect.WRITE,
    placements=[Placement.SESSION_HEADER, Placement.PALETTE],
    say=["(switch|change) [this session] to [the] model {model_id}", "切换到模型{model_id}"],
    cli="session model {session_id} {model_id}",
)
async def set_model(inp: SetModel, ctx: ActionContext) -> SessionView:
    """Choose the model that a session's agent uses. What the agent acknowledged is what is shown."""
    return await ctx.ports.care.set_model(chosen(inp.session_id), inp.model_id)


@option_source("session.options", needs=["session_id"])
async def session_options(request: OptionRequest, ctx: ActionContext) -> Sequence[Option]:
    session = await _session_of(request, ctx)
    options = [Option(value=o.id, label=o.name, description=o.description) for o in session.options]
    return select_options(options, request)


class SetConfig(ActionInput):
    session_id: OwnSession = None
    option_id: Annotated[
        str,
        Hint(
            widget=Widget.SELECT,
            options="session.options",
            title=Text("Option", "选项"),
            ask=Text("Which option?", "哪个选项?"),
        ),
    ]
    value: Annotated[bool | str, Hint(widget=Widget.JSON, title=Text("Value", "值"))]


@action(
    "session.config.set",
    title=Text("Change a session's option", "更改会话选项"),
    effect=Effect.DANGER,
    cli="session config set {session_id}",
)
async def set_config(inp: SetConfig, ctx: ActionContext) -> SessionView:
    """Change one of the options that a session's agent offers. It may make the agent ask less."""
    return await ctx.ports.care.set_option(chosen(inp.session_id), inp.option_id, inp.value)


class ResumeSession(ActionInput):
    session_id: SessionRef


@action(
    "session.resume",
    title=Text("Resume a session", "恢复会话"),
    effect=Effect.EXTERNAL,
    placements=[Placement.SESSION_MENU, Placement.PALETTE],
    say=["resume [the] session {session_id}", "resume [the] {session_id} session", "恢复会话{session_id}"],
    cli="session resume {session_id}",
)
async def resume_session(inp: ResumeSession, ctx: ActionContext) -> SessionView:
    """Start a stopped session's agent again where it left off. Where it cannot, the reason is told."""
    return await ctx.ports.care.resume(inp.session_id)


class ForkSession(ActionInput):
    session_id: OwnSession = None
    at_message: Annotated[str | None, Hint(flag="at")] = None


@action(
    "session.fork",
    title=Text("Fork a session", "复制会话分支"),
    effect=Effect.EXTERNAL,
    placements=[Placement.SESSION_MENU, Placement.SLASH],
    slash=["/fork"],
    say=["fork (this|the current) session", "复制(这个|当前)会话"],
    cli="session fork {session_id}",
)
async def fork_session(inp: ForkSession, ctx: ActionContext) -> SessionView:
    """Start a second session from where this one stands, where its agent offers that."""
    return await ctx.ports.care.fork(chosen(inp.session_id), at_message=inp.at_message)


class EditQueue(ActionInput):
    session_id: OwnSession = None
    message_id: str
    operation: Literal["edit", "move", "drop", "send_now", "steer"]
    text: Annotated[
        str | None, Hint(widget=Widget.TEXTAREA, visible_when=eq("operation", "edit"), title=Text("Text", "文本"))
    ] = None
    position: Annotated[
        int | None,
        Field(ge=0),
        Hint(visible_when=eq("operation", "move"), description="0 is the next one", title=Text("Position", "位置")),
    ] = None


@action(
    "session.queue.edit",
    title=Text("Edit the queue", "编辑队列"),
    effect=Effect.WRITE,
    cli="session queue {message_id} {operation}",
)
async def edit_queue(inp: EditQueue, ctx: ActionContext) -> SessionView:
    """Edit, move or drop a message that waits, send it now (the turn is stopped), or steer the running turn with it."""
    return await ctx.ports.care.edit_queue(
        chosen(inp.session_id), inp.message_id, inp.operation, text=inp.text, position=inp.position
    )


class ExportFormat(StrEnum):
    MARKDOWN = "markdown"
    JSONL = "jsonl"


class ExportSession(ActionInput):
    session_id: OwnSession = None
    format: ExportFormat = ExportFormat.MARKDOWN


class Exported(ActionOutput):
    format: str
    text: str


@action(
    "session.export",
    title=Text("Export a transcript", "导出会话记录"),
    effect=Effect.READ,
    placements=[Placement.SESSION_MENU],
    cli="session export {session_id}",
)
async def export_session(inp: ExportSession, ctx: ActionContext) -> Exported:
    """Export a session's transcript as Markdown or JSON Lines."""
    text = await ctx.ports.sessions.export(chosen(inp.session_id), form=inp.format)
    return Exported(format=inp.format, text=text)


class SearchSessions(ActionInput):
    query: Annotated[str, Field(min_length=1), Hint(ask=Text("Search for what?", "搜索什么?"))]
    limit: Annotated[int, Field(ge=1, le=200)] = 50


@action(
    "session.search",
    title=Text("Search transcripts", "搜索会话记录"),
    effect=Effect.READ,
    placements=[Placement.PALETTE],
    say=["search [(the|all)] (sessions|transcripts) for {query}", "(搜索|查找)[所有]会话[里的]{query}"],
    cli="session search {query}",
)
async def search_sessions(inp: SearchSessions, ctx: ActionContext) -> SearchHits:
    """Search the text of all sessions: what was said, which tools ran, what went wrong."""
    return await ctx.ports.sessions.search(inp.query, limit=inp.limit)


class DeleteSession(ActionInput):
    session_id: Annotated[
        SessionRef,
        Hint(widget=Widget.SELECT, options="sessions.open", title=Text("Session", "会话"), explicit=True),
    ]
    stop_working: Annotated[
        bool,
        Hint(title=Text("Even if it is at work", "即使正在工作"), description="A working session is stopped first"),
    ] = False


@action(
    "session.delete",
    title=Text("Delete a session for good", "永久删除会话"),
    effect=Effect.DANGER,
    placements=[Placement.SESSION_MENU],
    cli="session delete {session_id}",
)
async def delete_session(inp: DeleteSession, ctx: ActionContext) -> Done:
    """Delete a session and its transcript. It cannot be undone; archive it to keep it."""
    await ctx.ports.care.delete(inp.session_id, stop_working=inp.stop_working)
    await ctx.ports.approvals.withdraw(inp.session_id)
    return Done()


class SetWireLog(ActionInput):
    session_id: OwnSession = None
    on: bool = True


class WireLog(ActionOutput):
    on: bool
    path: str


@action(
    "session.wirelog.set",
    title=Text("Write a session's wire log", "记录会话的协议日志"),
    effect=Effect.WRITE,
    surfaces=[Surface.UI, Surface.CLI],
    placements=[Placement.SESSION_MENU],
    cli="session wirelog {session_id}",
)
async def set_wire_log(inp: SetWireLog, ctx: ActionContext) -> WireLog:
    """Write down what passes between Sayso and a session's agent, secrets masked, to see why an agent misbehaves."""
    path = await ctx.ports.care.set_wire_log(chosen(inp.session_id), inp.on)
    return WireLog(on=inp.on, path=str(path))


async def _session_of(request: OptionRequest, ctx: ActionContext) -> SessionView:
    session_id = request.draft.get("session_id") or ctx.caller.session_id
    if not isinstance(session_id, str) or not session_id:
        raise SessionNotSelected("Choose a session first: what it offers is the agent's own.")
    return await ctx.ports.sessions.get(session_id)
