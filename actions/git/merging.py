"""Merging one branch into another: tried without touching a file, then done as it was tried.

The merge commit is made from the very tree that the trial gave, so that the work tree only moves forward to it and can
never be left in the middle of a conflict. Blocks; call it in a thread. Raises GitFailed.
Source: git-merge-tree(1), git-commit-tree(1).
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from actions.git.command import GitFailed, run_git
from actions.git.losses import work_in
from actions.git.worktrees import CHECKOUT_SECONDS, commit_of, listed, text

_SECONDS = 120.0
_NO_DOWNLOADS = {"GIT_LFS_SKIP_SMUDGE": "1"}


class MergeKind(StrEnum):
    """What a merge would do."""

    UP_TO_DATE = "up_to_date"
    FAST_FORWARD = "fast_forward"
    MERGE_COMMIT = "merge_commit"
    CONFLICT = "conflict"
    BLOCKED = "blocked"


@dataclass(frozen=True, slots=True)
class Trial:
    """The outcome of a merge that was only tried.

    ``into_path`` is the work tree where the target is checked out, None where it is nowhere. ``names`` are the files in
    conflict, or what is in the way.
    """

    kind: MergeKind
    branch: str
    into: str
    head: str
    target: str
    tree: str | None = None
    into_path: Path | None = None
    files: int = 0
    added: int = 0
    deleted: int = 0
    commits: int = 0
    names: tuple[str, ...] = ()
    reason: str | None = None

    @property
    def possible(self) -> bool:
        return self.kind in (MergeKind.FAST_FORWARD, MergeKind.MERGE_COMMIT)


def try_merge(place: Path, branch: str, into: str) -> Trial:
    """What merging ``branch`` into ``into`` would give; no file, no index and no branch is touched.

    Raises GitFailed where one of the two is no local branch.
    """
    head, target = _tip(place, branch), _tip(place, into)
    into_path = next((entry.path for entry in listed(place) if entry.branch == into), None)
    trial = Trial(MergeKind.UP_TO_DATE, branch, into, head, target, into_path=into_path)
    if branch == into or _is_ancestor(place, head, target):
        return trial
    tree, conflicts = _merged_tree(place, target, head)
    trial = replace(trial, commits=int(text(place, "rev-list", "--count", f"{target}..{head}")))
    if conflicts:
        return replace(trial, kind=MergeKind.CONFLICT, names=conflicts)
    files, added, deleted = _figures(place, target, tree)
    trial = replace(trial, tree=tree, files=files, added=added, deleted=deleted)
    if into_path is not None and (names := _in_the_way(into_path, target, tree)):
        return replace(trial, kind=MergeKind.BLOCKED, names=names)
    forward = _is_ancestor(place, target, head)
    return replace(trial, kind=MergeKind.FAST_FORWARD if forward else MergeKind.MERGE_COMMIT)


def merge(place: Path, trial: Trial, *, message: str, always_commit: bool = False) -> str:
    """Do what ``trial`` showed; gives the commit that the target is then at.

    Raises GitFailed when the target moved meanwhile, when its work tree is not clean any more, or without a name to
    commit under; nothing has changed then.
    """
    commit = trial.head
    if trial.kind is MergeKind.MERGE_COMMIT or always_commit:
        parents = ("-p", trial.target, "-p", trial.head)
        commit = text(place, "commit-tree", *parents, "-m", message, str(trial.tree))
    if _tip(place, trial.branch) != trial.head or _tip(place, trial.into) != trial.target:
        raise GitFailed("one of the branches moved meanwhile")
    if trial.into_path is None:
        reference = f"refs/heads/{trial.into}"
        run_git(place, ["update-ref", "-m", message, reference, commit, trial.target], seconds=_SECONDS)
        return commit
    if names := _in_the_way(trial.into_path, trial.target, str(trial.tree)):
        raise GitFailed(f"{trial.into_path} is not clean any more: {', '.join(names[:5])}")
    command = ["merge", "--ff-only", "--no-autostash", "--quiet", commit]
    run_git(trial.into_path, command, seconds=CHECKOUT_SECONDS, env=_NO_DOWNLOADS)
    return commit


def _tip(place: Path, branch: str) -> str:
    if (commit := commit_of(place, f"refs/heads/{branch}")) is None:
        raise GitFailed(f"there is no local branch {branch}")
    return commit


def _is_ancestor(place: Path, older: str, newer: str) -> bool:
    try:
        run_git(place, ["merge-base", "--is-ancestor", older, newer], seconds=_SECONDS)
    except GitFailed as error:
        if error.returncode == 1:
            return False
        raise
    return True


def _merged_tree(place: Path, target: str, head: str) -> tuple[str, tuple[str, ...]]:
    """The tree of the merge, and the files in conflict."""
    command = ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", target, head]
    try:
        out = run_git(place, command, seconds=_SECONDS)
    except GitFailed as error:
        if error.returncode != 1 or not error.output:
            raise
        out = error.output
    tree, *names = [os.fsdecode(part) for part in out.split(b"\0") if part]
    return tree, tuple(dict.fromkeys(names))


def _figures(place: Path, old: str, new: str) -> tuple[int, int, int]:
    files = added = deleted = 0
    command = ["diff-tree", "-r", "-z", "--numstat", "--no-renames", "--no-ext-diff", "--no-textconv", old, new]
    for row in filter(None, run_git(place, command, seconds=_SECONDS).split(b"\0")):
        plus, minus, _ = row.split(b"\t", 2)
        files += 1
        added += 0 if plus == b"-" else int(plus)
        deleted += 0 if minus == b"-" else int(minus)
    return files, added, deleted


def _in_the_way(path: Path, target: str, tree: str) -> tuple[str, ...]:
    """What makes the target's work tree unfit: its changes, and files of nobody where the merge would put its own."""
    names = [name for loss in work_in(path) for name in loss.names]
    added = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", "--diff-filter=A", target, tree]
    for row in filter(None, run_git(path, added, seconds=_SECONDS).split(b"\0")):
        name = os.fsdecode(row)
        if os.path.lexists(path / name):
            names.append(name)
    return tuple(names)
