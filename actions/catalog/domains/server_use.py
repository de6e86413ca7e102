"""What sessions get of the user's MCP servers: trust, pins, logins, the preview, and calls through Sayso."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field

from actions.catalog.context import ActionContext
from actions.catalog.hints import Hint, OwnSession, Ref, RefKind, Widget, WorkspaceRef
from actions.catalog.options import Option, OptionRequest, option_source, select_options
from actions.catalog.server_use_views import LoginState, ServerCall, ToolPreview, TrustReview
from actions.catalog.spec import ActionInput, Done, Effect, Placement, Reply, Surface, action
from actions.catalog.text import Text
from actions.catalog.views import SessionView
from actions.errors import InvalidInput, SessionNotSelected

_PERSON = [Surface.UI, Surface.CLI]
_SERVER = Hint(
    widget=Widget.SELECT,
    options="mcp.servers",
    title=Text("Server", "服务器"),
    ask=Text("Which server?", "哪个服务器?"),
)
_WORKSPACE = Hint(
    widget=Widget.SELECT,
    options="workspaces.recent",
    title=Text("Workspace", "工作区"),
    description="Left out: what is of this device alone",
)
_HASH = Hint(explicit=True, description="Of what was looked at")

AnyWorkspace = Annotated[str | None, Ref(RefKind.WORKSPACE), _WORKSPACE]


@option_source("mcp.preview", needs=["provider", "workspace", "selection"])
async def preview_options(request: OptionRequest, ctx: ActionContext) -> Sequence[Option]:
    """The servers that a session can take or leave, as the preview knows them now."""
    draft = request.draft
    provider, workspace = draft.get("provider"), draft.get("workspace") or ctx.workspace
    missing = [name for name, value in (("provider", provider), ("workspace", workspace)) if not value]
    if missing:
        fields = [{"field": name, "message": "Choose it first."} for name in missing]
        raise InvalidInput(f"The preview needs a {' and a '.join(missing)}.", fields)
    found = await ctx.ports.workspaces.find(str(workspace))
    preview = await ctx.ports.server_use.preview(str(provider), found.path, draft.get("selection"))
    options = [
        Option(
            value=server.name,
            label=server.title or server.name,
            description=f"{server.state}, {server.tools} tools" if server.selected else server.message,
            disabled=not server.selectable,
            reason=None if server.selectable else server.message or server.reason,
        )
        for server in preview.servers
    ]
    return select_options(options, request)


class OneServer(ActionInput):
    server: Annotated[str, _SERVER]
    workspace: AnyWorkspace = None


class LogIn(OneServer):
    wait_s: Annotated[float, Field(ge=0, le=300), Hint(description="Seconds to wait for the person")] = 0.0
    cancel: Annotated[bool, Hint(description="Give up the login that was begun")] = False


@action(
    "mcp.servers.login",
    title=Text("Log in to an MCP server", "登录 MCP 服务器"),
    effect=Effect.EXTERNAL,
    surfaces=_PERSON,
)
async def login_server(inp: LogIn, ctx: ActionContext) -> LoginState:
    """Log in to an MCP server in the browser.

    Gives the page to open, and how the login stands; call it again to hear more. The login stays with Sayso: no agent
    and no other server is given it.
    """
    return await ctx.ports.server_use.log_in(inp.server, workspace=inp.workspace, wait_s=inp.wait_s, cancel=inp.cancel)


@action(
    "mcp.servers.logout",
    title=Text("Log out of an MCP server", "退出 MCP 服务器"),
    effect=Effect.DANGER,
    surfaces=_PERSON,
)
async def logout_server(inp: OneServer, ctx: ActionContext) -> LoginState:
    """Forget an MCP server's login."""
    return await ctx.ports.server_use.log_out(inp.server, workspace=inp.workspace)


@action(
    "mcp.servers.retry",
    title=Text("Try an MCP server again", "重试 MCP 服务器"),
    effect=Effect.EXTERNAL,
    surfaces=_PERSON,
)
async def retry_server(inp: OneServer, ctx: ActionContext) -> Done:
    """Connect again to a server that failed."""
    await ctx.ports.server_use.retry(inp.server, workspace=inp.workspace)
    return Done()


class ReviewTrust(ActionInput):
    workspace: AnyWorkspace = None


@action(
    "mcp.trust.get",
    title=Text("Show what a workspace's servers would run", "查看工作区服务器将运行的内容"),
    effect=Effect.READ,
    surfaces=_PERSON,
    cli="mcp trusted {workspace}",
)
async def review_trust(inp: ReviewTrust, ctx: ActionContext) -> TrustReview:
    """Show what the servers of a workspace's file would run, and what of it you agreed to."""
    return await ctx.ports.server_use.trust_review(inp.workspace)


class TrustWorkspace(ActionInput):
    workspace: AnyWorkspace = None
    content_hash: Annotated[str | None, _HASH] = None
    servers: Annotated[list[str], Hint(separator=",", description="Left out: all of them")] = Field(
        default_factory=list[str]
    )
    allow_env: Annotated[
        list[str], Hint(separator=",", explicit=True, description="Variables that can change which program runs")
    ] = Field(default_factory=list[str])
    withdraw: Annotated[bool, Hint(description="Take it back")] = False


@action(
    "mcp.trust",
    title=Text("Trust a workspace's servers", "信任工作区的服务器"),
    effect=Effect.DANGER,
    surfaces=_PERSON,
)
async def trust_workspace(inp: TrustWorkspace, ctx: ActionContext) -> TrustReview:
    """Let a workspace's own MCP servers run, as they are now.

    The yes is for what was looked at, and is asked for again when that changes.
    """
    use = ctx.ports.server_use
    if inp.withdraw:
        return await use.withdraw_trust(inp.workspace, inp.servers)
    return await use.trust(inp.workspace, content_hash=inp.content_hash, servers=inp.servers, environment=inp.allow_env)


class PreviewTools(ActionInput):
    provider: Annotated[str, Hint(widget=Widget.SELECT, options="providers.available")]
    workspace: WorkspaceRef
    selection: Annotated[
        dict[str, Any] | None,
        Hint(widget=Widget.JSON, description="managed, include, exclude, through_sayso"),
    ] = None
    wait_s: Annotated[float, Field(ge=0, le=120), Hint(description="Seconds to wait for servers that connect")] = 0.0


@action("mcp.preview", title=Text("Preview a session's tools", "预览会话的工具"), effect=Effect.READ)
async def preview_tools(inp: PreviewTools, ctx: ActionContext) -> ToolPreview:
    """Show exactly the tools that a session would get.

    Servers connect in the background: what is connected is shown at once, whatever the others do.
    """
    return await ctx.ports.server_use.preview(inp.provider, inp.workspace, inp.selection, wait_s=inp.wait_s)


class AcceptPin(OneServer):
    tool: str
    content_hash: Annotated[str, _HASH]


@action(
    "mcp.pin.accept",
    title=Text("Accept a changed tool", "接受已更改的工具"),
    effect=Effect.DANGER,
    surfaces=_PERSON,
)
async def accept_pin(inp: AcceptPin, ctx: ActionContext) -> Done:
    """Accept a tool whose definition has changed, as it is now."""
    await ctx.ports.server_use.accept_pin(inp.server, inp.tool, inp.content_hash, workspace=inp.workspace)
    return Done()


class SelectServers(ActionInput):
    session_id: OwnSession = None
    selection: Annotated[
        dict[str, Any] | None, Hint(widget=Widget.JSON, description="managed, include, exclude, through_sayso")
    ] = None


@action(
    "session.mcp.set",
    title=Text("Choose a session's MCP servers", "选择会话的 MCP 服务器"),
    effect=Effect.WRITE,
    surfaces=_PERSON,
    placements=[Placement.SESSION_MENU],
    cli="session mcp set {session_id}",
)
async def select_servers(inp: SelectServers, ctx: ActionContext) -> SessionView:
    """Choose which of your MCP servers a session takes and leaves, from its agent's next start on.

    Left empty, it takes what is on in its workspace.
    """
    if inp.session_id is None:
        raise SessionNotSelected("Name a session: nothing says which one is meant.")
    return await ctx.ports.sessions.set_mcp_selection(inp.session_id, inp.selection)


@option_source("mcp.tools", needs=["server", "workspace", "session_id"])
async def tool_options(request: OptionRequest, ctx: ActionContext) -> Sequence[Option]:
    """The tools of a server that may be called here, each with what it takes."""
    if not (server := request.draft.get("server")):
        raise InvalidInput("Choose a server first.", [{"field": "server", "message": "Choose it first."}])
    found = await ctx.ports.server_use.tools(
        str(server), session_id=ctx.caller.session_id, workspace=request.draft.get("workspace") or ctx.workspace
    )
    options = [
        Option(
            value=tool["name"],
            label=tool["title"] or tool["name"],
            description=str(tool["description"]).split("\n")[0][:200] or None,
            json_schema=tool["input_schema"],
        )
        for tool in found
    ]
    return select_options(options, request)


class CallTool(ActionInput):
    server: Annotated[str, _SERVER]
    tool: Annotated[
        str,
        Hint(
            widget=Widget.SELECT, options="mcp.tools", ask=Text("Which tool?", "哪个工具?"), title=Text("Tool", "工具")
        ),
    ]
    arguments: Annotated[dict[str, Any], Hint(widget=Widget.JSON, schema_from="tool")] = Field(
        default_factory=dict[str, Any]
    )


async def _as_seen(inp: CallTool, ctx: ActionContext) -> Mapping[str, Any]:
    """Nobody is asked about a tool that is not there, and a yes is for the tool as it was then."""
    return await ctx.ports.server_use.call_proof(
        inp.server, inp.tool, inp.arguments, session_id=ctx.caller.session_id, workspace=ctx.workspace
    )


@action(
    "mcp.tool.call",
    title=Text("Use a tool of an MCP server", "使用 MCP 服务器的工具"),
    effect=Effect.EXTERNAL,
    surfaces=[Surface.SESSION_AGENT, Surface.UI, Surface.CLI],
    reply=Reply.WAIT,
    proof=_as_seen,
    subject_of=lambda inp: f"{inp.server}/{inp.tool}",
    ends_with_caller=True,
)
async def call_tool(inp: CallTool, ctx: ActionContext) -> ServerCall:
    """Call a tool of one of the user's MCP servers that this session gets."""
    return await ctx.ports.server_use.call_tool(
        inp.server,
        inp.tool,
        inp.arguments,
        session_id=ctx.caller.session_id,
        workspace=ctx.workspace,
        progress=ctx.progress,
    )
