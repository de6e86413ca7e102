"""Sessions: start, list, talk to, stop and put away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from actions.catalog.context import ActionContext
from actions.catalog.hints import Hint, OwnSession, SessionRef, Widget
from actions.catalog.later import later
from actions.catalog.modes import effect_of_mode
from actions.catalog.options import Option, OptionRequest, option_source, select_options
from actions.catalog.predicates import truthy
from actions.catalog.say import says
from actions.catalog.spec import ActionInput, ActionOutput, Effect, Exposure, Placement, Reply, Surface, action
from actions.catalog.text import Text
from actions.catalog.titles import title_as_reference
from actions.catalog.views import SessionList, SessionView, Transcript, TurnEnd
from actions.catalog.worktree_views import WorktreeView
from actions.errors import InvalidInput, NotFound, SaysoError, SessionNotSelected

PERSON_SURFACES = [Surface.UI, Surface.VOICE]


@option_source("sessions.open")
async def open_sessions(request: OptionRequest, ctx: ActionContext) -> Sequence[Option]:
    found = await ctx.ports.sessions.list(limit=200)
    options = [
        Option(value=s.id, label=s.title, description=f"{s.provider_name}, {s.state.value}") for s in found.sessions
    ]
    return select_options(options, request)


@option_source("session.modes", needs=["session_id"])
async def session_modes(request: OptionRequest, ctx: ActionContext) -> Sequence[Option]:
    session_id = request.draft.get("session_id") or ctx.caller.session_id
    if not isinstance(session_id, str) or not session_id:
        raise SessionNotSelected("Choose a session first: its modes are the agent's own.")
    session = await ctx.ports.sessions.get(session_id)
    options = [Option(value=m.id, label=m.name, description=m.description) for m in session.modes]
    return select_options(options, request)


class ListSessions(ActionInput):
    limit: Annotated[int, Field(ge=1, le=200)] = 50
    cursor: str | None = None
    active_only: bool = False
    archived_only: bool = False
    resumable_only: bool = False
    include_preview: bool = False
    workspace: Annotated[str | None, Hint(widget=Widget.SELECT, options="workspaces.recent")] = None


@action(
    "session.list",
    title=Text("List sessions", "列出会话"),
    effect=Effect.READ,
    hot=True,
    placements=[Placement.PALETTE, Placement.VOICE_PANEL],
    say=[
        "(show|list|show me) [all] [(my|the)] sessions",
        "what sessions are (open|running)",
        "(显示|列出|查看)[所有|全部][的]会话",
        "有哪些会话",
    ],
)
async def list_sessions(inp: ListSessions, ctx: ActionContext) -> SessionList:
    """List the sessions, the most recent first."""
    return await ctx.ports.sessions.list(
        limit=inp.limit,
        cursor=inp.cursor,
        active_only=inp.active_only,
        archived_only=inp.archived_only,
        resumable_only=inp.resumable_only,
        workspace=inp.workspace,
        include_preview=inp.include_preview,
    )


class OpenSession(ActionInput):
    session_id: SessionRef

    @model_validator(mode="before")
    @classmethod
    def _title_names_it_too(cls, data: Any) -> Any:
        return title_as_reference(data)


class Opened(ActionOutput):
    opened: str


@action(
    "session.open",
    title=Text("Open a session", "打开会话"),
    effect=Effect.NONE,
    surfaces=PERSON_SURFACES,
    placements=[Placement.PALETTE],
    say=[
        "(open|show|go to|switch to|jump to) [the] session {session_id}",
        "(open|show|go to|switch to|jump to) [the] {session_id} session",
        "打开会话{session_id}",
        "(打开|切换到|转到){session_id}[这个]会话",
    ],
)
async def open_session(inp: OpenSession, ctx: ActionContext) -> Opened:
    """Bring a session to the front of the window."""
    await ctx.ports.window.call("ui.open", {"target": "session", "id": inp.session_id})
    return Opened(opened=inp.session_id)


class SpawnSession(ActionInput):
    provider: Annotated[
        str, Hint(widget=Widget.SELECT, options="providers.available", ask=Text("Which provider?", "用哪个智能体?"))
    ]
    workspace: Annotated[
        str | None,
        Hint(
            widget=Widget.SELECT,
            options="workspaces.recent",
            ask=Text("In which workspace?", "在哪个工作区?"),
            title=Text("Workspace", "工作区"),
        ),
    ] = None
    directory: Annotated[str | None, Hint(widget=Widget.PATH)] = None
    worktree: Annotated[
        bool,
        Hint(
            title=Text("In a git worktree of its own", "使用独立的 git 工作树"),
            description="A new folder and branch, apart from other work in the workspace",
        ),
    ] = False
    base: Annotated[
        str | None,
        Hint(
            widget=Widget.SELECT,
            options="git.branches",
            title=Text("Base", "基础分支"),
            description="The branch that the worktree begins from; left out, what is checked out",
            visible_when=truthy("worktree"),
        ),
    ] = None
    title: str | None = None
    initial_message: Annotated[
        str | None, Hint(widget=Widget.TEXTAREA, flag="prompt", placeholder="What should it do first?")
    ] = None
    model_id: Annotated[str | None, Hint(widget=Widget.SELECT, options="models.available")] = None
    mode_id: Annotated[str | None, Hint(widget=Widget.SELECT, options="modes.available")] = None
    permission_mode: str | None = None
    config_options: Annotated[dict[str, Any] | None, Hint(widget=Widget.JSON)] = None
    tag: str | None = None
    environment: Annotated[
        dict[str, str] | None,
        Hint(widget=Widget.JSON, description="Variables of the agent; secret:NAME is taken from the secret store"),
    ] = None
    mcp_selection: Annotated[dict[str, Any] | None, Hint(widget=Widget.JSON)] = None
    wait: Annotated[bool, Hint(description="Return when the turn of the first message has ended")] = False
    timeout_s: Annotated[float | None, Field(ge=1, le=3600), Hint(flag="timeout")] = None


def _effect_of_spawn(inp: SpawnSession) -> Effect:
    return max(effect_of_mode(inp.mode_id), effect_of_mode(inp.permission_mode), key=lambda e: e.rank)


async def _spawn_place(inp: SpawnSession, ctx: ActionContext) -> str:
    """The directory that a new session works in. Raises InvalidInput where none is named or two do not agree."""
    reference = inp.directory or inp.workspace or ctx.workspace
    if reference is None:
        raise InvalidInput("A session needs a workspace.", [{"field": "workspace", "message": "Choose a directory."}])
    workspace = await ctx.ports.workspaces.find(reference)
    if inp.workspace and inp.directory and (await ctx.ports.workspaces.find(inp.workspace)).id != workspace.id:
        raise InvalidInput(
            "The workspace and the directory do not agree.",
            [{"field": "directory", "message": f"It is not {inp.workspace}. Give one of the two."}],
        )
    return workspace.path


async def _spawn_proof(inp: SpawnSession, ctx: ActionContext) -> Mapping[str, Any]:
    """The folder that was shown when it was asked must still be that folder, and a worktree's base that commit."""
    place = await _spawn_place(inp, ctx)
    base = {"base": await ctx.ports.worktrees.base_of(place, base=inp.base)} if inp.worktree else {}
    return {"directory": place, **base}


async def _worktree_for(inp: SpawnSession, place: str, ctx: ActionContext) -> WorktreeView:
    """A new worktree, for a provider that is there: one that is not must not leave a folder behind."""
    provider = await ctx.ports.providers.get(inp.provider)
    if not provider.installed:
        raise NotFound(provider.reason or f"{provider.name} is not installed.", details={"provider": provider.id})
    first_line = next(iter((inp.initial_message or "").strip().splitlines()), "")
    return await ctx.ports.worktrees.create(place, name=inp.title or first_line or provider.name, base=inp.base)


@action(
    "session.spawn_new",
    title=Text("Start a session", "新建会话"),
    effect=Effect.EXTERNAL,
    effect_of=_effect_of_spawn,
    hot=True,
    placements=[Placement.PALETTE, Placement.SLASH],
    slash=["/new"],
    say=[
        "(start|open|create) [a] [new] {provider} session (in|for) [the] [workspace] {workspace}",
        "[a] new {provider} session (in|for) [the] [workspace] {workspace}",
        "(start|open|create) [a] [new] session with {provider} (in|for) [the] [workspace] {workspace}",
        "(start|create) [a] [new] {provider} session",
        says(
            "(start|open|create) [a] [new] {provider} session (in|with) (a|its own) worktree (of|in) [the] [workspace] "
            "{workspace}",
            worktree=True,
        ),
        says("在[工作区]{workspace}的工作树[里|中](新建|启动|开)[一个]{provider}[的]会话", worktree=True),
        "在[工作区]{workspace}[里|中](新建|启动|开)[一个]{provider}[的]会话",
        "(新建|启动)[一个]{provider}[的]会话",
    ],
    examples=[{"provider": "builtin", "workspace": "{path}", "initial_message": "Where is the login handled?"}],
    cli="session new",
    proof=_spawn_proof,
)
async def spawn_new(inp: SpawnSession, ctx: ActionContext) -> SessionView:
    """Start a new session of a provider in a workspace, with a first message if you give one."""
    if inp.config_options:
        later("Choosing config options when a session starts")
    place = await _spawn_place(inp, ctx)
    worktree = await _worktree_for(inp, place, ctx) if inp.worktree else None
    try:
        return await ctx.ports.sessions.spawn_new(
            provider=inp.provider,
            workspace=worktree.place if worktree else place,
            title=inp.title,
            mode_id=inp.mode_id or inp.permission_mode,
            model_id=inp.model_id,
            initial_message=inp.initial_message,
            environment=inp.environment,
            mcp_selection=inp.mcp_selection,
            wait=inp.wait,
            timeout_s=inp.timeout_s,
            told=ctx.progress,
        )
    except SaysoError as error:
        if worktree is not None and "session_id" not in error.details:  # nobody will work there
            await ctx.ports.worktrees.remove(worktree.id)
        raise


class OneSession(ActionInput):
    session_id: SessionRef


@action(
    "session.stop",
    title=Text("Stop a session", "停止会话"),
    effect=Effect.WRITE,
    placements=[Placement.SESSION_MENU, Placement.PALETTE],
    say=[
        "stop [the] session {session_id}",
        "stop [the] {session_id} session",
        "停止会话{session_id}",
        "停止{session_id}[这个]会话",
    ],
    cli="session stop {session_id}",
)
async def stop_session(inp: OneSession, ctx: ActionContext) -> SessionView:
    """Stop a session's agent. What was said stays, and it can be resumed."""
    return await ctx.ports.sessions.stop(inp.session_id)


@action(
    "session.archive",
    title=Text("Archive a session", "归档会话"),
    effect=Effect.WRITE,
    placements=[Placement.SESSION_MENU, Placement.PALETTE],
    say=[
        "archive [the] session {session_id}",
        "archive [the] {session_id} session",
        "put [the] session {session_id} away",
        "put away [the] session {session_id}",
        "归档会话{session_id}",
        "(归档|收起){session_id}[这个]会话",
    ],
    cli="session archive {session_id}",
)
async def archive_session(inp: OneSession, ctx: ActionContext) -> SessionView:
    """Put a session away; its agent is stopped and its transcript stays."""
    return await ctx.ports.sessions.set_archived(inp.session_id, True)


@action(
    "session.unarchive",
    title=Text("Bring a session back from the archive", "取消归档会话"),
    effect=Effect.WRITE,
    placements=[Placement.PALETTE],
    say=["unarchive [the] session {session_id}", "取消归档会话{session_id}"],
    cli="session unarchive {session_id}",
)
async def unarchive_session(inp: OneSession, ctx: ActionContext) -> SessionView:
    """Bring an archived session back into the list."""
    return await ctx.ports.sessions.set_archived(inp.session_id, False)


class PinSession(ActionInput):
    session_id: OwnSession = None
    pinned: bool = True


@action(
    "session.pin",
    title=Text("Pin a session", "置顶会话"),
    effect=Effect.WRITE,
    placements=[Placement.SESSION_MENU, Placement.PALETTE],
    say=["pin [the] session {session_id}", "置顶会话{session_id}"],
    cli="session pin {session_id}",
)
async def pin_session(inp: PinSession, ctx: ActionContext) -> SessionView:
    """Keep a session at the top of the list, or let it go."""
    return await ctx.ports.sessions.set_pinned(chosen(inp.session_id), inp.pinned)


class SendMessage(ActionInput):
    session_id: OwnSession = None
    message: Annotated[
        str, Field(min_length=1), Hint(widget=Widget.TEXTAREA, ask=Text("What should I send?", "要发送什么?"))
    ]
    model_id: str | None = None
    permission_mode: str | None = None
    wait: bool = False
    timeout_s: Annotated[float | None, Field(ge=1, le=3600), Hint(flag="timeout")] = None


@action(
    "session.message.send",
    title=Text("Send a message", "发送消息"),
    effect=Effect.EXTERNAL,
    effect_of=lambda inp: effect_of_mode(inp.permission_mode),
    hot=True,
    placements=[Placement.PALETTE],
    reply=Reply.DEFERRED,
    say=[
        "send {message} to [the] session {session_id}",
        "send {message} to [the] {session_id} session",
        "tell [the] session {session_id} to {message}",
        "tell [the] {session_id} session to {message}",
        "给会话{session_id}发送{message}",
        "(告诉|通知)会话{session_id}{message}",
    ],
    examples=[{"session_id": "{session_id}", "message": "Run the tests again."}],
    cli="session send {session_id} {message}",
)
async def send_message(inp: SendMessage, ctx: ActionContext) -> TurnEnd:
    """Send a message to a session. While a turn runs it waits in the session's queue."""
    if inp.permission_mode is not None or inp.model_id is not None:
        later("Changing model or mode together with a message")
    return await ctx.ports.sessions.send(chosen(inp.session_id), inp.message, wait=inp.wait, timeout_s=inp.timeout_s)


class SetTitle(ActionInput):
    session_id: OwnSession = None
    title: Annotated[
        str, Field(min_length=1, max_length=200), Hint(ask=Text("What is the new title?", "新标题是什么?"))
    ]


@action(
    "session.title.set",
    title=Text("Rename a session", "重命名会话"),
    effect=Effect.WRITE,
    placements=[Placement.SESSION_MENU, Placement.PALETTE],
    exposure={Surface.SESSION_AGENT: Exposure.DIRECT},
    say=[
        "rename (this|the current|the) session to {title}",
        "call this session {title}",
        "rename session {session_id} to {title}",
        "把(这个|当前)会话(重命名|改名)(为|成){title}",
        "把会话{session_id}(重命名|改名)(为|成){title}",
    ],
    cli="session title set {session_id}",
)
async def set_title(inp: SetTitle, ctx: ActionContext) -> SessionView:
    """Give a session a new title."""
    return await ctx.ports.sessions.set_title(chosen(inp.session_id), inp.title)


class SetMode(ActionInput):
    session_id: OwnSession = None
    mode_id: Annotated[
        str,
        Hint(
            widget=Widget.SELECT,
            options="session.modes",
            ask=Text("Which mode?", "哪种模式?"),
            title=Text("Mode", "模式"),
        ),
    ]


@action(
    "session.mode.set",
    title=Text("Change a session's mode", "切换会话模式"),
    effect=Effect.WRITE,
    effect_of=lambda inp: effect_of_mode(inp.mode_id),
    hot=True,
    placements=[Placement.SESSION_HEADER, Placement.PALETTE],
    say=[
        "(switch|set|put|change) [the] session {session_id} (to|into|in) {mode_id} [mode]",
        "(switch|set|put|change) [the] {session_id} session (to|into|in) {mode_id} [mode]",
        "(switch|set|put|change) (this|the current) session (to|into|in) {mode_id} [mode]",
        "(switch|change) to {mode_id} mode",
        "把会话{session_id}(切换|设置|改)(到|为|成){mode_id}[模式]",
        "把(这个|当前)会话(切换|设置|改)(到|为|成){mode_id}[模式]",
        "切换到{mode_id}模式",
    ],
    cli="session mode {session_id} {mode_id}",
)
async def set_mode(inp: SetMode, ctx: ActionContext) -> SessionView:
    """Put a session into one of its agent's modes. What the agent acknowledged is what is shown."""
    return await ctx.ports.sessions.set_mode(chosen(inp.session_id), inp.mode_id)


class SessionStatus(ActionInput):
    session_id: SessionRef
    live: bool = False


@action(
    "session.status.get",
    title=Text("Show a session's state", "查看会话状态"),
    effect=Effect.READ,
    say=[
        "what is [the] session {session_id} doing",
        "how is [the] {session_id} session doing",
        "会话{session_id}在做什么",
    ],
    cli="session show {session_id}",
)
async def get_status(inp: SessionStatus, ctx: ActionContext) -> SessionView:
    """Show what a session is doing and whether it waits for you."""
    return await ctx.ports.sessions.get(inp.session_id)


class GetTranscript(ActionInput):
    session_id: SessionRef
    cursor: Annotated[int | None, Hint(description="Events after this number")] = None
    limit: Annotated[int, Field(ge=1, le=5000)] = 500
    kinds: Annotated[list[str], Hint(separator=",", flag="kind")] = Field(default_factory=list[str])
    newest: Annotated[bool, Hint(description="The newest events, from the start of a turn on where it is near")] = False
    before: Annotated[int | None, Hint(description="With newest: events before this number")] = None


@action(
    "session.transcript.get",
    title=Text("Read a session's transcript", "查看会话记录"),
    effect=Effect.READ,
    cli="session transcript {session_id}",
)
async def get_transcript(inp: GetTranscript, ctx: ActionContext) -> Transcript:
    """Read what happened in a session, oldest first."""
    if inp.newest:
        return await ctx.ports.sessions.newest(inp.session_id, before=inp.before, limit=inp.limit, kinds=inp.kinds)
    return await ctx.ports.sessions.transcript(inp.session_id, cursor=inp.cursor, limit=inp.limit, kinds=inp.kinds)


class WaitForSession(ActionInput):
    session_id: SessionRef
    until: Annotated[Literal["idle", "attention"], Hint(flag="for")] = "idle"
    timeout_s: Annotated[float | None, Field(gt=0, le=3600), Hint(flag="timeout")] = None


@action(
    "session.wait", title=Text("Wait for a session", "等待会话"), effect=Effect.READ, cli="session wait {session_id}"
)
async def wait_for_session(inp: WaitForSession, ctx: ActionContext) -> SessionView:
    """Wait until a session is idle or needs attention. Giving up ends nothing."""
    return await ctx.ports.sessions.wait(inp.session_id, until=inp.until, timeout_s=inp.timeout_s)


class CancelTurn(ActionInput):
    session_id: OwnSession = None


@action(
    "session.turn.cancel",
    title=Text("Stop the current turn", "停止当前回合"),
    effect=Effect.WRITE,
    placements=[Placement.SESSION_HEADER, Placement.PALETTE],
    say=["(stop|cancel) (this|the current|the) turn", "(停止|取消)(当前|这个)回合"],
    cli="session cancel {session_id}",
)
async def cancel_turn(inp: CancelTurn, ctx: ActionContext) -> SessionView:
    """Stop what a session is doing now; the session stays."""
    return await ctx.ports.sessions.cancel_turn(chosen(inp.session_id))


def chosen(session_id: str | None) -> str:
    """The session that the door filled in; raises ``session_not_selected`` where it could not."""
    if session_id is None:
        raise SessionNotSelected("Name a session: nothing says which one is meant.")
    return session_id
