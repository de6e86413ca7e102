"""What would be lost with a work tree: everything in it that is nowhere else. What cannot be told counts as lost.

Blocks; call it in a thread. Source: git-status(1), porcelain version 2.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path

from actions.git.command import GitFailed, run_git
from actions.git.worktrees import branch_of, commit_of, text

_SECONDS = 60.0
_SHOWN = 50
_OPERATIONS = {
    "MERGE_HEAD": "a merge",
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "BISECT_LOG": "a bisection",
    "sequencer": "a sequence of picks",
}


class LossKind(StrEnum):
    """Why a work tree is not clean."""

    CHANGED = "changed"
    UNTRACKED = "untracked"
    STASHED = "stashed"
    UNMERGED = "unmerged"
    UNFINISHED = "unfinished"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Loss:
    """One kind of what would be lost: how much of it, and at most 50 of its names (files, commits, reasons)."""

    kind: LossKind
    count: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Contents:
    """What is in a work tree and nowhere else; ``ignored`` counts what git was told to pass over, and is deleted."""

    losses: tuple[Loss, ...]
    ignored: int = 0
    ignored_names: tuple[str, ...] = ()

    def of(self, *kinds: LossKind) -> tuple[Loss, ...]:
        return tuple(loss for loss in self.losses if loss.kind in kinds)

    @property
    def clean(self) -> bool:
        return not self.losses


def read_contents(path: Path, branch: str | None) -> Contents:
    """Look at the work tree in ``path`` whose own branch is ``branch``. Never raises: what fails is an unknown loss."""
    losses: list[Loss] = []
    ignored: list[str] = []
    untold: dict[str, None] = {}
    looks: tuple[Callable[[], list[Loss]], ...] = (
        partial(_changes, path),
        partial(_unfinished, path),
        partial(_hidden, path),
        partial(_submodules, path),
        partial(_stashes, path, branch),
        partial(_own, path, branch),
    )
    for look in looks:
        try:
            found = look()
        except (GitFailed, OSError) as error:
            untold[str(error)] = None
        else:
            losses += [loss for loss in found if loss.kind is not LossKind.UNKNOWN]
            untold |= dict.fromkeys(name for loss in found if loss.kind is LossKind.UNKNOWN for name in loss.names)
    try:
        ignored = _ignored(path)
        untold |= dict.fromkeys(name for loss in _repositories_in(path, ignored) for name in loss.names)
    except (GitFailed, OSError) as error:
        untold[str(error)] = None
    losses += _some(LossKind.UNKNOWN, list(untold))
    return Contents(tuple(losses), len(ignored), tuple(ignored[:_SHOWN]))


def work_in(path: Path) -> tuple[Loss, ...]:
    """The part of it that a merge would get in the way of: changes to known files and unfinished operations."""
    return tuple(loss for loss in (*_changes(path), *_unfinished(path)) if loss.kind is not LossKind.UNTRACKED)


def _loss(kind: LossKind, names: list[str]) -> Loss:
    return Loss(kind, len(names), tuple(names[:_SHOWN]))


def _some(kind: LossKind, names: list[str]) -> list[Loss]:
    return [_loss(kind, names)] if names else []


def _changes(path: Path) -> list[Loss]:
    changed: list[str] = []
    untracked: list[str] = []
    command = ["status", "--porcelain=v2", "-z", "--untracked-files=all", "--ignore-submodules=none", "--no-renames"]
    for row in filter(None, run_git(path, command, seconds=_SECONDS).split(b"\0")):
        kind, _, rest = os.fsdecode(row).partition(" ")
        if kind == "?":
            untracked.append(rest)
        elif kind in ("1", "u"):
            changed.append(rest.split(" ", 7 if kind == "1" else 9)[-1])
        elif kind != "!":
            changed.append(rest)
    return [*_some(LossKind.CHANGED, changed), *_some(LossKind.UNTRACKED, untracked)]


def _unfinished(path: Path) -> list[Loss]:
    folder = Path(text(path, "rev-parse", "--absolute-git-dir"))
    found = {words for name, words in _OPERATIONS.items() if os.path.lexists(folder / name)}
    return _some(LossKind.UNFINISHED, sorted(found))


def _hidden(path: Path) -> list[Loss]:
    """Files that git was told not to look at (``assume-unchanged``, ``skip-worktree``) may have changed unseen."""
    unseen: list[str] = []
    for row in filter(None, run_git(path, ["ls-files", "-v", "-z"], seconds=_SECONDS).split(b"\0")):
        tag, name = chr(row[0]), os.fsdecode(row[2:])
        if (tag.islower() or tag == "S") and os.path.lexists(path / name):
            unseen.append(f"{name} (git was told not to look at it)")
    return _some(LossKind.UNKNOWN, unseen)


def _submodules(path: Path) -> list[Loss]:
    """A submodule that was fetched here has its repository here: with branches and stashes of its own."""
    rows = run_git(path, ["ls-files", "--stage", "-z"], seconds=_SECONDS).split(b"\0")
    names = [os.fsdecode(row.split(b"\t", 1)[1]) for row in rows if row.startswith(b"160000 ")]
    return _some(
        LossKind.UNKNOWN, [f"{n} (a submodule with a repository)" for n in names if (path / n / ".git").exists()]
    )


def _stashes(path: Path, branch: str | None) -> list[Loss]:
    """Stashes belong to the repository; by its words and by its parent one is known to be of this branch."""
    rows = text(path, "stash", "list", "--format=%gd%x00%P%x00%gs").splitlines()
    if not rows:
        return []
    unique = set(_own_commits(path, branch))
    mine: list[str] = []
    for row in rows:
        name, parents, subject = row.split("\0", 2)
        of_branch = branch is not None and subject.startswith((f"WIP on {branch}:", f"On {branch}:"))
        nowhere = subject.startswith(("WIP on (no branch):", "On (no branch):"))
        if of_branch or nowhere or parents.split(" ")[0] in unique:
            mine.append(f"{name}: {subject}")
    return _some(LossKind.STASHED, mine)


def _own(path: Path, branch: str | None) -> list[Loss]:
    commits = _own_commits(path, branch)
    words = [text(path, "show", "--no-patch", "--format=%h %s", commit) for commit in commits[:_SHOWN]]
    return [Loss(LossKind.UNMERGED, len(commits), tuple(words))] if commits else []


def _own_commits(path: Path, branch: str | None) -> list[str]:
    """Commits that no other branch, no tag and no remote has."""
    heads = [commit_of(path, "HEAD"), commit_of(path, f"refs/heads/{branch}") if branch else None]
    current = branch_of(path)
    own = {name for name in (branch, current) if name}
    excluded = [f"--exclude={name}" for name in sorted(own)]
    tips = [head for head in heads if head]
    if not tips:
        return []
    command = ["rev-list", *tips, "--not", *excluded, "--branches", "--tags", "--remotes"]
    return run_git(path, command, seconds=_SECONDS).decode().split()


def _ignored(path: Path) -> list[str]:
    command = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"]
    return [os.fsdecode(row) for row in run_git(path, command, seconds=_SECONDS).split(b"\0") if row]


def _repositories_in(path: Path, ignored: list[str]) -> list[Loss]:
    """Repositories of their own inside folders that git passes over."""
    found: list[str] = []
    for name in ignored:
        for folder, inside, files in os.walk(path / name):
            if ".git" in inside or ".git" in files:
                found.append(f"{os.path.relpath(folder, path)} (a repository of its own)")
                inside.clear()
    return _some(LossKind.UNKNOWN, found)
