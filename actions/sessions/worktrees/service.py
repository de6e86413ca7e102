"""Worktrees as a service: made for a session, looked at, merged back, taken away when nothing would be lost."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from actions.catalog.worktree_views import (
    MergeDone,
    MergeView,
    WorktreeList,
    WorktreeMerged,
    WorktreeRemoved,
    WorktreeState,
    WorktreeStatus,
    WorktreeView,
)
from actions.errors import Ambiguous, InvalidInput, NotFound, SaysoError
from actions.git import worktrees as git
from actions.git.command import GitFailed
from actions.git.losses import LossKind, read_contents
from actions.git.merging import Trial, merge, try_merge
from actions.sessions.workspaces import WorkspaceService
from actions.sessions.worktrees.book import Worktree, WorktreeBook
from actions.sessions.worktrees.making import Plan, make_plan, notes_of
from actions.sessions.worktrees.reconcile import found_state
from actions.sessions.worktrees.words import (
    contents_words,
    ignored_words,
    in_words,
    loss_view,
    merge_view,
    merge_words,
)
from actions.storage.ids import Prefix, new_id, now_ms

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class WorktreeSettings:
    """``beside``: folders beside the repository, not in the home. ``prefix`` begins each branch name."""

    beside: bool = False
    prefix: str = "sayso/"


class WorktreeService:
    """Implements :class:`actions.catalog.ports.WorktreesPort`; ``folder`` holds worktrees that are kept in the home.

    One change at a time: git locks a repository only for moments, and a look must hold until what it allowed is done.
    """

    def __init__(
        self,
        book: WorktreeBook,
        workspaces: WorkspaceService,
        folder: Path,
        settings: Callable[[], WorktreeSettings],
        publish: Callable[[str, dict[str, Any]], None],
    ) -> None:
        self._book = book
        self._workspaces = workspaces
        self._folder = folder
        self._settings = settings
        self._publish = publish
        self._one_change = asyncio.Lock()

    async def reconcile(self) -> None:
        """Once, at the start of a host: bring the rows in line with ``git worktree list``."""
        await self._book.load()
        for row in self._book.all:
            if row.state is not WorktreeState.REMOVED:
                await self._settle(row)

    async def list(self, *, workspace: str | None = None, include_removed: bool = False) -> WorktreeList:
        """Worktrees, oldest first; with ``workspace``, those made from it."""
        place = await self._workspaces.known(workspace) if workspace else None
        rows = [
            row
            for row in self._book.all
            if (include_removed or row.state is not WorktreeState.REMOVED)
            and (workspace is None or (place is not None and row.workspace_id == place.id))
        ]
        return WorktreeList(worktrees=await asyncio.to_thread(lambda: [row.view for row in rows]))

    async def find(self, reference: str) -> WorktreeView:
        """By id, id prefix, branch, or a folder that it is or that lies in it. Raises NotFound, Ambiguous."""
        return self._find(reference).view

    def around(self, folder: Path) -> Worktree | None:
        """The worktree that a folder is, or lies in."""
        return self._book.around(folder)

    async def status(self, reference: str, *, into: str | None = None) -> WorktreeStatus:
        """How it stands now: what would be lost with it, and what merging it back would do. Nothing is touched."""
        row = await self._present(reference)
        contents = await asyncio.to_thread(read_contents, row.path, row.branch)
        try:
            merge = merge_view(await self._try(row, into))
        except SaysoError as cannot:
            merge = _no_merge(into or row.base or "", cannot.message)
        words = f"{contents_words(contents)} {merge.reason}"
        return WorktreeStatus(
            worktree=row.view,
            clean=contents.clean,
            losses=[loss_view(loss) for loss in contents.losses],
            ignored=contents.ignored,
            ignored_names=list(contents.ignored_names),
            merge=merge,
            summary=words,
        )

    async def plan(self, workspace: str, *, base: str | None = None, name: str = "") -> Plan:
        """What :meth:`create` would make: checked, so that what is shown is what is done.

        Raises SaysoError with what to do: no repository, no commit, no such base, a branch name git does not take.
        """
        known = [row.path for row in self._book.all]
        settings = self._settings()
        return await asyncio.to_thread(
            make_plan,
            Path(workspace),
            name=name,
            base=base,
            prefix=settings.prefix,
            home=None if settings.beside else self._folder,
            taken=known,
        )

    async def base_of(self, workspace: str, *, base: str | None = None) -> str:
        """The commit that a new worktree would begin from. Raises as :meth:`plan`."""
        return (await self.plan(workspace, base=base)).base.commit

    async def create(
        self, workspace: str, *, name: str = "", branch: str | None = None, base: str | None = None
    ) -> WorktreeView:
        """Make a worktree of the repository around ``workspace`` with a branch named after ``name``, or ``branch``.

        Runs no hook of the repository and downloads nothing. Raises SaysoError; then neither folder nor branch is left.
        """
        async with self._one_change:
            plan = await self.plan(workspace, base=base, name=name)
            if branch is not None:
                plan = await asyncio.to_thread(plan.with_branch, branch)
            source = await self._workspaces.find(workspace)
            row = Worktree(
                id=new_id(Prefix.WORKTREE),
                path=plan.path,
                repository=plan.repository,
                workspace_id=source.id,
                branch=plan.branch,
                base=plan.base.branch,
                base_commit=plan.base.commit,
                state=WorktreeState.CREATING,
                created=now_ms(),
                detail={"prefix": plan.prefix},
            )
            await self._book.add(row)
            try:
                await asyncio.to_thread(_check_out, plan)
                notes = await asyncio.to_thread(notes_of, plan)
            except (GitFailed, OSError) as error:
                await self._book.forget(row)
                raise SaysoError(
                    f"The worktree could not be made: {error}. Nothing was left behind.",
                    details={"path": str(plan.path)},
                ) from error
            row = await self._book.change(row, state=WorktreeState.PRESENT, detail={"notes": notes})
        self._changed(row)
        return await asyncio.to_thread(lambda: row.view)

    async def merge(self, reference: str, *, into: str | None = None, fast_forward: bool = True) -> WorktreeMerged:
        """Merge its branch back into ``into`` (default: its base). The worktree and its branch stay.

        Raises SaysoError, with nothing changed, when either side has uncommitted work or the two conflict.
        """
        async with self._one_change:
            row = await self._present(reference)
            trial = await self._mergeable(row, into)
            view = merge_view(trial)
            message = f"Merge branch '{trial.branch}' into {trial.into}"
            try:
                commit = await asyncio.to_thread(
                    merge, row.repository, trial, message=message, always_commit=not fast_forward
                )
            except GitFailed as error:
                raise SaysoError(f"It was not merged: {error}.", details={"reason": "git"}) from error
            done = MergeDone(into=trial.into, commit=commit, at=now_ms())
            row = await self._book.change(row, detail={"merged": done.model_dump()})
        self._changed(row)
        return WorktreeMerged(worktree=row.view, merge=view, commit=commit)

    async def remove(self, reference: str, *, keep_branch: bool = False, with_ignored: bool = False) -> WorktreeRemoved:
        """Take a worktree away that has nothing which is nowhere else. Its branch goes too where another has all of it.

        What git ignores (an .env, a build) is nowhere else either: it goes only ``with_ignored``. Raises SaysoError
        with what would be lost; then nothing has changed.
        """
        async with self._one_change:
            row = self._find(reference)
            if row.state is WorktreeState.GONE and not row.path.exists():
                row = await self._book.change(row, state=WorktreeState.REMOVED, reason="Its folder was gone already.")
                self._changed(row)
                return WorktreeRemoved(worktree=row.view, branch_deleted=False)
            row = await self._present(reference)
            await self._removable(row, with_ignored)
            try:
                deleted = await asyncio.to_thread(_take_away, row, keep_branch)
            except (GitFailed, OSError) as error:
                raise SaysoError(f"The worktree was not removed: {error}.", details={"reason": "git"}) from error
            row = await self._book.change(row, state=WorktreeState.REMOVED)
        self._changed(row)
        return WorktreeRemoved(worktree=row.view, branch_deleted=deleted)

    async def merge_proof(self, reference: str, *, into: str | None = None) -> Mapping[str, Any]:
        """The two commits that a merge was shown for. Raises as :meth:`merge` what would keep it from happening."""
        trial = await self._mergeable(await self._present(reference), into)
        return {"head": trial.head, "target": trial.target}

    async def removal_proof(self, reference: str, *, with_ignored: bool = False) -> Mapping[str, Any]:
        """The commit that a removal was shown for. Raises as :meth:`remove` what would keep it from happening."""
        row = self._find(reference)
        if row.path.exists():
            await self._removable(await self._present(reference), with_ignored)
        return {"worktree": row.id, "head": await asyncio.to_thread(_tip, row.repository, row.branch)}

    async def _mergeable(self, row: Worktree, into: str | None) -> Trial:
        trial = await self._try(row, into)
        contents = await asyncio.to_thread(read_contents, row.path, row.branch)
        kinds = (LossKind.CHANGED, LossKind.UNTRACKED, LossKind.UNFINISHED, LossKind.UNKNOWN)
        if open_work := contents.of(*kinds):
            raise SaysoError(
                f"{row.path} has {in_words(open_work)}, which a merge would leave out. Commit first.",
                details={"reason": "dirty", "losses": [loss_view(loss).model_dump() for loss in open_work]},
            )
        if not trial.possible:
            details = {"reason": trial.kind.value, "merge": merge_view(trial).model_dump()}
            raise SaysoError(merge_words(trial), details=details)
        return trial

    async def _removable(self, row: Worktree, with_ignored: bool) -> None:
        contents = await asyncio.to_thread(read_contents, row.path, row.branch)
        if not contents.clean:
            raise SaysoError(
                f"{contents_words(contents)} Keep it, merge it back, or commit and push what is in it.",
                details={"reason": "not_clean", "losses": [loss_view(loss).model_dump() for loss in contents.losses]},
            )
        if contents.ignored and not with_ignored:
            raise SaysoError(
                f"{ignored_words(contents)} would go with it and are nowhere else. Nothing was removed. "
                f"To let them go: sayso worktree remove {row.id} --with-ignored",
                details={
                    "reason": "ignored",
                    "ignored": contents.ignored,
                    "ignored_names": list(contents.ignored_names),
                    "field": "with_ignored",
                },
            )

    def _find(self, reference: str) -> Worktree:
        rows = self._book.all
        living = [row for row in rows if row.state is not WorktreeState.REMOVED]
        exact = [row for row in rows if row.id == reference] or [row for row in living if row.branch == reference]
        if not exact and "/" in reference and (at := self._book.around(Path(reference).expanduser())) is not None:
            exact = [at]
        found = exact or [row for row in living if reference and row.id.startswith(reference)]
        if len(found) > 1:
            raise Ambiguous(
                f"Several worktrees fit {reference!r}.", [{"id": row.id, "label": str(row.path)} for row in found]
            )
        if not found:
            raise NotFound(
                f"There is no worktree {reference!r}. `sayso worktree list` shows them.",
                details={"worktree": reference},
            )
        return found[0]

    async def _present(self, reference: str) -> Worktree:
        row = self._find(reference)
        if row.state is not WorktreeState.REMOVED:  # a folder may have vanished, or have come back, since the start
            row = await self._settle(row) or row
        if row.state is not WorktreeState.PRESENT:
            why = row.reason or f"The folder {row.path} is not there any more."
            raise NotFound(f"This worktree is gone. {why}", details={"worktree": row.id, "path": str(row.path)})
        return row

    async def _settle(self, row: Worktree) -> Worktree | None:
        """Store what it is in truth; None for one that never came to be."""
        found = await asyncio.to_thread(found_state, row)
        if found is None:
            await self._book.forget(row)
            return None
        if (found.state, found.reason) == (row.state, row.reason):
            return row
        row = await self._book.change(row, state=found.state, reason=found.reason)
        self._changed(row)
        return row

    async def _try(self, row: Worktree, into: str | None) -> Trial:
        target = into or row.base
        if target is None:
            raise InvalidInput(
                "This worktree began from a bare commit. Say which branch to merge into.",
                [{"field": "into", "message": "Choose a branch."}],
            )
        current = await asyncio.to_thread(git.branch_of, row.path)
        if current != row.branch:
            on = f"is on {current}" if current else "is on no branch"
            raise SaysoError(
                f"{row.path} {on}, not on {row.branch}. Switch back first: git switch {row.branch}.",
                details={"reason": "other_branch"},
            )
        try:
            return await asyncio.to_thread(try_merge, row.repository, row.branch, target)
        except GitFailed as error:
            raise SaysoError(f"Merging into {target} cannot be tried: {error}.", details={"reason": "git"}) from error

    def _changed(self, row: Worktree) -> None:
        self._publish("worktrees_did_change", {"worktree_id": row.id, "path": str(row.path), "state": row.state.value})


def _check_out(plan: Plan) -> None:
    plan.path.parent.mkdir(parents=True, exist_ok=True)
    git.add(plan.repository, plan.path, plan.branch, plan.base.commit)


def _take_away(row: Worktree, keep_branch: bool) -> bool:
    """Whether the branch went too: it does where another branch, a tag or a remote has all of it."""
    tip = git.commit_of(row.repository, f"refs/heads/{row.branch}")
    git.remove(row.repository, row.path)
    if keep_branch or tip is None or any(entry.branch == row.branch for entry in git.listed(row.repository)):
        return False
    try:
        git.delete_branch(row.repository, row.branch, tip)
    except GitFailed as error:
        _log.warning("the branch %s stays: %s", row.branch, error)
        return False
    return True


def _tip(place: Path, branch: str) -> str | None:
    try:
        return git.commit_of(place, f"refs/heads/{branch}")
    except OSError:
        return None


def _no_merge(into: str, reason: str) -> MergeView:
    return MergeView(
        kind="blocked",
        possible=False,
        into=into,
        into_path=None,
        commits=0,
        files=0,
        added=0,
        deleted=0,
        names=[],
        reason=reason,
    )
