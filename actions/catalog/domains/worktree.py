"""Git worktrees: a folder and a branch of its own for a session; merged back, kept, or taken away when clean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from actions.catalog.context import ActionContext
from actions.catalog.hints import AnySession, Hint, Widget, WorkspaceRef
from actions.catalog.options import Option, OptionRequest, option_source, select_options
from actions.catalog.spec import ActionInput, Effect, Placement, action
from actions.catalog.tenants import refuse_busy, stop_sessions
from actions.catalog.text import Text
from actions.catalog.worktree_views import (
    WorktreeList,
    WorktreeMerged,
    WorktreeRemoved,
    WorktreeState,
    WorktreeStatus,
    WorktreeView,
)
from actions.errors import InvalidInput, NotFound

_WORKTREE = Hint(
    widget=Widget.SELECT,
    options="worktrees.present",
    ask=Text("Which worktree?", "哪个工作树?"),
    title=Text("Worktree", "工作树"),
    description="By id, branch or folder; left out, the session's own",
)
_INTO = Hint(
    widget=Widget.SELECT,
    options="worktrees.targets",
    title=Text("Into", "合并到"),
    description="Left out, the branch it began from",
)


@option_source("worktrees.present")
async def present_worktrees(request: OptionRequest, ctx: ActionContext) -> Sequence[Option]:
    found = await ctx.ports.worktrees.list()
    options = [
        Option(
            value=w.id,
            label=w.branch,
            description=w.path,
            aliases=(w.path,),
            disabled=w.state is not WorktreeState.PRESENT,
            reason=w.reason,
        )
        for w in found.worktrees
    ]
    return select_options(options, request)


@option_source("worktrees.targets", needs=["worktree", "session_id"])
async def merge_targets(request: OptionRequest, ctx: ActionContext) -> Sequence[Option]:
    reference, session_id = request.draft.get("worktree"), request.draft.get("session_id") or ctx.caller.session_id
    if not reference and session_id:
        reference = (await ctx.ports.sessions.get(str(session_id))).workspace
    if not reference:
        raise InvalidInput("Branches need a worktree.", [{"field": "worktree", "message": "Choose a worktree first."}])
    worktree = await ctx.ports.worktrees.find(str(reference))
    branches = await ctx.ports.workspaces.branches(worktree.repository)
    return select_options([Option(value=b, label=b) for b in branches if b != worktree.branch], request)


class OneWorktree(ActionInput):
    worktree: Annotated[str | None, _WORKTREE] = None
    session_id: AnySession = None


async def _reference(inp: OneWorktree, ctx: ActionContext) -> str:
    """The worktree that is named, else the one that the session works in."""
    if inp.worktree:
        return (await ctx.ports.worktrees.find(inp.worktree)).id
    if inp.session_id is not None:
        session = await ctx.ports.sessions.get(inp.session_id)
        if session.worktree is None:
            raise NotFound(
                f"“{session.title}” works in {session.workspace} itself, not in a worktree.",
                details={"session_id": session.id},
            )
        return session.worktree.id
    raise InvalidInput("Which worktree?", [{"field": "worktree", "message": "Choose a worktree or a session."}])


class ListWorktrees(ActionInput):
    workspace: Annotated[str | None, Hint(widget=Widget.SELECT, options="workspaces.recent")] = None
    include_removed: bool = False


@action(
    "worktree.list",
    title=Text("List worktrees", "列出工作树"),
    effect=Effect.READ,
    say=["(show|list) [all] [(my|the)] worktrees", "(显示|列出)[所有]工作树"],
    cli="worktree list",
)
async def list_worktrees(inp: ListWorktrees, ctx: ActionContext) -> WorktreeList:
    """List the git worktrees that were made for sessions."""
    return await ctx.ports.worktrees.list(workspace=inp.workspace, include_removed=inp.include_removed)


class WorktreeNow(OneWorktree):
    into: Annotated[str | None, _INTO] = None


@action(
    "worktree.status",
    title=Text("Look at a worktree", "查看工作树"),
    effect=Effect.READ,
    placements=[Placement.SESSION_MENU, Placement.PALETTE],
    say=["[(show|what is)] [the] state of the worktree of {session_id}", "查看{session_id}的工作树"],
    cli="worktree show {worktree}",
)
async def worktree_status(inp: WorktreeNow, ctx: ActionContext) -> WorktreeStatus:
    """Show what would be lost with a worktree, and what merging it back would do. Nothing is touched."""
    reference = await _reference(inp, ctx)
    status = await ctx.ports.worktrees.status(reference, into=inp.into)
    running = await ctx.ports.sessions.list(active_only=True, include_runs=True, limit=200)
    inside = [s.id for s in running.sessions if s.worktree is not None and s.worktree.id == status.worktree.id]
    return status.model_copy(update={"sessions": inside})


class CreateWorktree(ActionInput):
    workspace: WorkspaceRef
    title: Annotated[
        str | None,
        Hint(title=Text("Title", "标题"), description="The branch is named after it", placeholder="Fix the login"),
    ] = None
    branch: Annotated[str | None, Hint(title=Text("Branch", "分支"), description="A name of your own")] = None
    base: Annotated[
        str | None,
        Hint(
            widget=Widget.SELECT,
            options="git.branches",
            title=Text("Base", "基础分支"),
            description="Left out, what is checked out",
        ),
    ] = None


async def _base_proof(inp: CreateWorktree, ctx: ActionContext) -> Mapping[str, Any]:
    """The commit that was shown when it was asked must still be the one."""
    return {"base": await ctx.ports.worktrees.base_of(inp.workspace, base=inp.base)}


@action(
    "worktree.create",
    title=Text("Create a worktree", "创建工作树"),
    effect=Effect.EXTERNAL,
    placements=[Placement.PALETTE],
    say=["(create|make) a worktree (in|of) [the] [workspace] {workspace}", "在[工作区]{workspace}[里|中]创建工作树"],
    examples=[{"workspace": "{path}", "title": "Fix the login"}],
    cli="worktree create {workspace}",
    proof=_base_proof,
)
async def create_worktree(inp: CreateWorktree, ctx: ActionContext) -> WorktreeView:
    """Make a git worktree with its own branch, for a session to work in."""
    return await ctx.ports.worktrees.create(inp.workspace, name=inp.title or "", branch=inp.branch, base=inp.base)


class MergeWorktree(OneWorktree):
    into: Annotated[str | None, _INTO] = None
    merge_commit: Annotated[
        bool,
        Hint(title=Text("Always a merge commit", "总是创建合并提交"), description="Also where moving forward would do"),
    ] = False


async def _merge_proof(inp: MergeWorktree, ctx: ActionContext) -> Mapping[str, Any]:
    """Both branches must still be where they were; nobody is asked about a merge that cannot be made."""
    return await ctx.ports.worktrees.merge_proof(await _reference(inp, ctx), into=inp.into)


@action(
    "worktree.merge",
    title=Text("Merge a worktree back", "合并工作树"),
    effect=Effect.EXTERNAL,
    placements=[Placement.SESSION_MENU, Placement.PALETTE],
    say=[
        "merge [back] [the] worktree of [the] [session] {session_id}",
        "merge [the] {session_id} worktree [back]",
        "合并{session_id}的工作树",
    ],
    cli="worktree merge {worktree}",
    proof=_merge_proof,
)
async def merge_worktree(inp: MergeWorktree, ctx: ActionContext) -> WorktreeMerged:
    """Merge a worktree's branch back. Refused when either side is not clean or the two conflict."""
    return await ctx.ports.worktrees.merge(await _reference(inp, ctx), into=inp.into, fast_forward=not inp.merge_commit)


class RemoveWorktree(OneWorktree):
    keep_branch: Annotated[
        bool,
        Hint(
            title=Text("Keep the branch", "保留分支"),
            description="Else it goes too, where another branch, a tag or a remote has all of it",
        ),
    ] = False
    with_ignored: Annotated[
        bool,
        Hint(
            title=Text("Also files that git ignores", "连同 git 忽略的文件"),
            description="Such as an .env or a build; they are nowhere else. `sayso worktree show` names them",
        ),
    ] = False


async def _removal_proof(inp: RemoveWorktree, ctx: ActionContext) -> Mapping[str, Any]:
    """Nobody is asked about one that is not clean or where a session is at work."""
    worktree = await ctx.ports.worktrees.find(await _reference(inp, ctx))
    await refuse_busy(worktree.path, ctx, "Stop it first.")
    return await ctx.ports.worktrees.removal_proof(worktree.id, with_ignored=inp.with_ignored)


@action(
    "worktree.remove",
    title=Text("Remove a worktree", "删除工作树"),
    effect=Effect.DANGER,
    placements=[Placement.SESSION_MENU, Placement.PALETTE],
    say=["remove [the] worktree of [the] [session] {session_id}", "删除{session_id}的工作树"],
    cli="worktree remove {worktree}",
    proof=_removal_proof,
)
async def remove_worktree(inp: RemoveWorktree, ctx: ActionContext) -> WorktreeRemoved:
    """Remove a worktree that has nothing which is nowhere else. Refused, with what would be lost, when it is not clean.

    Files that git ignores are named, and go only with a yes that says so (``with_ignored``).

    Its sessions stay with their transcripts; idle ones are stopped first, one at work is in the way.
    """
    worktree = await ctx.ports.worktrees.find(await _reference(inp, ctx))
    await refuse_busy(worktree.path, ctx, "Stop it first.")
    present = worktree.state is WorktreeState.PRESENT
    if present:
        status = await ctx.ports.worktrees.status(worktree.id)
        if status.clean and (inp.with_ignored or not status.ignored):  # else the removal says what would be lost
            await stop_sessions(worktree.path, ctx)
    return await ctx.ports.worktrees.remove(worktree.id, keep_branch=inp.keep_branch, with_ignored=inp.with_ignored)
