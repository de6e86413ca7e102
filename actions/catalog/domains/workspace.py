"""Workspaces: the directories that agents work in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from actions.catalog.context import ActionContext
from actions.catalog.hints import Hint, Widget, WorkspaceRef
from actions.catalog.options import Option, OptionRequest, option_source, select_options
from actions.catalog.spec import ActionInput, Effect, NoInput, Placement, Surface, action
from actions.catalog.tenants import refuse_busy, stop_sessions
from actions.catalog.text import Text
from actions.catalog.views import WorkspaceList, WorkspaceView
from actions.errors import InvalidInput


@option_source("workspaces.recent")
async def recent_workspaces(request: OptionRequest, ctx: ActionContext) -> Sequence[Option]:
    found = await ctx.ports.workspaces.list()
    options = [
        Option(
            value=w.path,
            label=w.name,
            description=w.path,
            aliases=(w.id,),
            disabled=not w.exists,
            reason=None if w.exists else "The directory is gone.",
        )
        for w in found.workspaces
    ]
    return select_options(options, request)


@option_source("git.branches", needs=["workspace", "session_id"])
async def git_branches(request: OptionRequest, ctx: ActionContext) -> Sequence[Option]:
    workspace = request.draft.get("workspace") or ctx.workspace
    session_id = request.draft.get("session_id") or ctx.caller.session_id
    if not workspace and session_id:
        workspace = (await ctx.ports.sessions.get(str(session_id))).workspace
    if not workspace:
        raise InvalidInput(
            "Branches need a workspace.", [{"field": "workspace", "message": "Choose a workspace first."}]
        )
    found = await ctx.ports.workspaces.find(str(workspace))
    return select_options([Option(value=b, label=b) for b in await ctx.ports.workspaces.branches(found.path)], request)


@option_source("workspace.files", needs=["workspace", "session_id"])
async def workspace_files(request: OptionRequest, ctx: ActionContext) -> Sequence[Option]:
    """The files that a message may mean: the best for what was typed."""
    workspace = request.draft.get("workspace") or ctx.workspace
    if session_id := request.draft.get("session_id"):
        workspace = (await ctx.ports.sessions.get(str(session_id))).workspace
    if not workspace:
        raise InvalidInput("Files need a workspace.", [{"field": "workspace", "message": "Choose a workspace first."}])
    found = await ctx.ports.workspaces.files(str(workspace), request.query, most=min(request.limit, 50))
    return [Option(value=file, label=file) for file in found]


class AddWorkspace(ActionInput):
    path: Annotated[str, Hint(widget=Widget.PATH, ask=Text("Which directory?", "哪个目录?"))]
    name: str | None = None


@action(
    "workspace.add",
    title=Text("Add a workspace", "添加工作区"),
    effect=Effect.WRITE,
    placements=[Placement.PALETTE],
    examples=[{"path": "{path}"}],
    cli="workspace add {path}",
)
async def add_workspace(inp: AddWorkspace, ctx: ActionContext) -> WorkspaceView:
    """Register a directory that agents may work in."""
    return await ctx.ports.workspaces.add(inp.path, name=inp.name)


@action(
    "workspace.list",
    title=Text("List workspaces", "列出工作区"),
    effect=Effect.READ,
    say=["(show|list) [all] [(my|the)] workspaces", "(显示|列出)[所有]工作区"],
    cli="workspace list",
)
async def list_workspaces(inp: NoInput, ctx: ActionContext) -> WorkspaceList:
    """List the registered workspaces."""
    return await ctx.ports.workspaces.list()


class OneWorkspace(ActionInput):
    workspace: WorkspaceRef


@action(
    "workspace.open",
    title=Text("Open a workspace", "打开工作区"),
    effect=Effect.NONE,
    surfaces=[Surface.UI, Surface.VOICE],
    placements=[Placement.PALETTE],
    say=["(open|show|go to) [the] workspace {workspace}", "打开工作区{workspace}"],
)
async def open_workspace(inp: OneWorkspace, ctx: ActionContext) -> WorkspaceView:
    """Show a workspace's sessions."""
    found = await ctx.ports.workspaces.find(inp.workspace)
    await ctx.ports.window.call("ui.open", {"target": "workspace", "id": found.id})
    return found


class TrustWorkspace(OneWorkspace):
    trusted: Annotated[
        bool,
        Hint(title=Text("Trust it", "信任"), description="Off takes the trust back"),
    ] = True


@action(
    "workspace.trust",
    title=Text("Trust a workspace", "信任工作区"),
    effect=Effect.WRITE,
    effect_of=lambda inp: Effect.DANGER if inp.trusted else Effect.WRITE,
    placements=[Placement.PALETTE],
    say=["trust [the] workspace {workspace}", "信任工作区{workspace}"],
    cli="workspace trust {workspace}",
)
async def trust_workspace(inp: TrustWorkspace, ctx: ActionContext) -> WorkspaceView:
    """Tell agents with a trust of their own that you trust a directory and its worktrees: what lies there may run.

    It holds from the next start of an agent. The servers of a workspace's own .mcp.json are trusted apart from this.
    """
    workspace = await ctx.ports.workspaces.find(inp.workspace)
    return await ctx.ports.workspaces.trust(workspace.id, trusted=inp.trusted)


class RemoveWorkspace(OneWorkspace):
    stop_sessions: Annotated[
        bool,
        Hint(title=Text("Stop its sessions", "停止其会话"), description="Also those that are at work"),
    ] = False


async def _nobody_at_work(inp: RemoveWorkspace, ctx: ActionContext) -> Mapping[str, Any]:
    """Nobody is asked about a removal that is in a session's way."""
    workspace = await ctx.ports.workspaces.find(inp.workspace)
    if not inp.stop_sessions:
        await refuse_busy(workspace.path, ctx, "Stop it first, or say with stop_sessions that it is to be stopped.")
    return {"workspace": workspace.id}


@action(
    "workspace.remove",
    title=Text("Remove a workspace", "移除工作区"),
    effect=Effect.DANGER,
    placements=[Placement.PALETTE],
    say=["(remove|forget) [the] workspace {workspace}", "移除工作区{workspace}"],
    cli="workspace remove {workspace}",
    proof=_nobody_at_work,
)
async def remove_workspace(inp: RemoveWorkspace, ctx: ActionContext) -> WorkspaceView:
    """Forget a workspace. Its directory is not touched.

    Its sessions stay with their transcripts and are stopped; one at work is in the way unless it may be stopped.
    """
    await _nobody_at_work(inp, ctx)
    workspace = await ctx.ports.workspaces.find(inp.workspace)
    await stop_sessions(workspace.path, ctx)
    return await ctx.ports.workspaces.remove(workspace.id)
