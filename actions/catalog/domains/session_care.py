"""Sessions, continued: targets, models, options, queue, resume, fork, export, search, delete."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from actions.catalog.context import ActionContext
from actions.catalog.domains.session import PERSON_SURFACES, chosen, title_as_reference
from actions.catalog.hints import Hint, OwnSession, SessionFilter, SessionRef, Widget
from actions.catalog.later import later
from actions.catalog.spec import ActionInput, ActionOutput, Done, Effect, Placement, action
from actions.catalog.text import Text
from actions.catalog.views import SearchHits, SessionView


class PrimaryTarget(ActionInput):
    session_id: Annotated[SessionFilter, Hint(widget=Widget.SELECT, options="sessions.open", explicit=True)]

    @model_validator(mode="before")
    @classmethod
    def _title_names_it_too(cls, data: Any) -> Any:
        return title_as_reference(data)


class Targets(ActionOutput):
    primary: str | None = None
    tracked: list[str] = Field(default_factory=list[str])


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
    implemented=False,
)
async def set_primary(inp: PrimaryTarget, ctx: ActionContext) -> Targets:
    """Choose the session that commands mean when they name none; null clears the choice."""
    later("Choosing a primary session")


class TrackedTargets(ActionInput):
    session_ids: Annotated[
        list[str],
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
    implemented=False,
)
async def set_tracked(inp: TrackedTargets, ctx: ActionContext) -> Targets:
    """Choose the sessions to keep an eye on."""
    later("Tracking sessions")


class SetModel(ActionInput):
    session_id: OwnSession = None
    model_id: Annotated[
        str, Hint(widget=Widget.SELECT, options="models.available", ask=Text("Which model?", "哪个模型?"))
    ]


@action(
    "session.model.set",
    title=Text("Change a session's model", "切换会话模型"),
    effect=Effect.WRITE,
    placements=[Placement.SESSION_HEADER, Placement.PALETTE],
    say=["(switch|change) [this session] to [the] model {model_id}", "切换到模型{model_id}"],
    implemented=False,
)
async def set_model(inp: SetModel, ctx: ActionContext) -> SessionView:
    """Choose the model that a session's agent uses."""
    later("Choosing a session's model")


class SetConfig(ActionInput):
    session_id: OwnSession = None
    option_id: str
    value: Annotated[Any, Hint(widget=Widget.JSON)]


@action(
    "session.config.set",
    title=Text("Change a session's option", "更改会话选项"),
    effect=Effect.DANGER,
    implemented=False,
)
async def set_config(inp: SetConfig, ctx: ActionContext) -> SessionView:
    """Change one of the options that a session's agent offers. It may make the agent ask less."""
    later("Changing an agent's options")


class ResumeSession(ActionInput):
    session_id: SessionRef


@action(
    "session.resume",
    title=Text("Resume a session", "恢复会话"),
    effect=Effect.EXTERNAL,
    placements=[Placement.SESSION_MENU, Placement.PALETTE],
    say=["resume [the] session {session_id}", "resume [the] {session_id} session", "恢复会话{session_id}"],
    implemented=False,
)
async def resume_session(inp: ResumeSession, ctx: ActionContext) -> SessionView:
    """Start a stopped session's agent again where it left off."""
    later("Resuming a session by itself (sending a message to it does)")


class ForkSession(ActionInput):
    session_id: OwnSession = None
    at_message: Annotated[str | None, Hint(flag="at")] = None


@action(
    "session.fork",
    title=Text("Fork a session", "复制会话分支"),
    effect=Effect.EXTERNAL,
    surfaces=PERSON_SURFACES,
    placements=[Placement.SESSION_MENU, Placement.SLASH],
    slash=["/fork"],
    say=["fork (this|the current) session", "复制(这个|当前)会话"],
    implemented=False,
)
async def fork_session(inp: ForkSession, ctx: ActionContext) -> SessionView:
    """Start a second session from a point of this one."""
    later("Forking a session")


class EditQueue(ActionInput):
    session_id: OwnSession = None
    message_id: str
    operation: Literal["edit", "move", "drop", "send_now"]
    text: str | None = None
    position: int | None = None


@action("session.queue.edit", title=Text("Edit the queue", "编辑队列"), effect=Effect.WRITE, implemented=False)
async def edit_queue(inp: EditQueue, ctx: ActionContext) -> SessionView:
    """Edit, move, drop or send a message that waits in a session's queue."""
    later("Editing the queue")


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
    session_id: Annotated[SessionRef, Hint(widget=Widget.SELECT, options="sessions.open", explicit=True)]


@action(
    "session.delete",
    title=Text("Delete a session for good", "永久删除会话"),
    effect=Effect.DANGER,
    placements=[Placement.SESSION_MENU],
    implemented=False,
)
async def delete_session(inp: DeleteSession, ctx: ActionContext) -> Done:
    """Delete a session and its transcript. It cannot be undone; archive it to keep it."""
    chosen(inp.session_id)
    later("Deleting a session")
