"""The work trees of a repository: listed, added, taken away. Blocks; call it in a thread. Raises GitFailed.

Source: git-worktree(1).
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from actions.git.command import GitFailed, run_git

CHECKOUT_SECONDS = 600.0
_ASK_SECONDS = 15.0
# Files kept by Git LFS come as pointers: getting them may take the network and a password.
_NO_DOWNLOADS = {"GIT_LFS_SKIP_SMUDGE": "1"}


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of ``git worktree list``; the first is the repository's main work tree. ``branch`` is a short name."""

    path: Path
    head: str | None = None
    branch: str | None = None
    bare: bool = False
    locked: str | None = None
    prunable: str | None = None


@dataclass(frozen=True, slots=True)
class Base:
    """What a new work tree would begin from: a commit, and the branch that named it."""

    commit: str
    branch: str | None


def listed(place: Path) -> list[Entry]:
    """The work trees of the repository around ``place``, the main one first."""
    entries: list[Entry] = []
    for block in run_git(place, ["worktree", "list", "--porcelain", "-z"], seconds=_ASK_SECONDS).split(b"\0\0"):
        facts: dict[str, str] = {}
        for line in filter(None, block.split(b"\0")):
            key, _, value = os.fsdecode(line).partition(" ")
            facts[key] = value
        if "worktree" in facts:
            entries.append(
                Entry(
                    Path(facts["worktree"]),
                    facts.get("HEAD"),
                    facts["branch"].removeprefix("refs/heads/") if "branch" in facts else None,
                    "bare" in facts,
                    facts.get("locked"),
                    facts.get("prunable"),
                )
            )
    return entries


def text(place: Path, *args: str) -> str:
    """What git says, without the end of its line."""
    return os.fsdecode(run_git(place, args, seconds=_ASK_SECONDS).strip(b"\n"))


def commit_of(place: Path, name: str) -> str | None:
    """The commit that ``name`` means there, or None."""
    if name.startswith("-"):
        return None
    try:
        return text(place, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    except GitFailed:
        return None


def branch_of(place: Path) -> str | None:
    """The branch that is checked out there, or None where HEAD is a commit."""
    try:
        return text(place, "symbolic-ref", "--quiet", "--short", "HEAD")
    except GitFailed:
        return None


def read_base(place: Path, name: str | None) -> Base | None:
    """The commit that ``name`` (default: what is checked out) stands for, or None where there is no such commit."""
    wanted = name or "HEAD"
    if (commit := commit_of(place, wanted)) is None:
        return None
    return Base(commit, name or branch_of(place))


def branch_names(place: Path) -> list[str]:
    """Every local branch."""
    return text(place, "for-each-ref", "--format=%(refname:short)", "refs/heads").splitlines()


def add(place: Path, path: Path, branch: str, commit: str) -> None:
    """Check out a new ``branch`` at ``commit`` in a new folder. What fails leaves neither folder nor branch."""
    # What is there already is somebody's, and must not be undone with what failed.
    if os.path.lexists(path):
        raise GitFailed(f"{path} exists already")
    if commit_of(place, f"refs/heads/{branch}") is not None:
        raise GitFailed(f"the branch {branch} exists already")
    command = ["worktree", "add", "--quiet", "--no-track", "-b", branch, "--", str(path), commit]
    try:
        run_git(place, command, seconds=CHECKOUT_SECONDS, env=_NO_DOWNLOADS)
    except BaseException:
        _undo(place, path, branch, commit)
        raise


def remove(place: Path, path: Path) -> None:
    """Take a clean work tree away; git itself looks once more and refuses one with changes."""
    run_git(place, ["worktree", "remove", "--", str(path)], seconds=CHECKOUT_SECONDS)


def delete_branch(place: Path, branch: str, commit: str) -> None:
    """Delete a branch that is still at ``commit``."""
    run_git(place, ["update-ref", "-d", f"refs/heads/{branch}", commit], seconds=_ASK_SECONDS)


def _undo(place: Path, path: Path, branch: str, commit: str) -> None:
    """Nobody has worked there yet: what ``add`` had begun goes."""
    for step in (["worktree", "remove", "--force", "--", str(path)], ["worktree", "prune"]):
        try:
            run_git(place, step, seconds=CHECKOUT_SECONDS)
        except GitFailed:
            continue  # there may be nothing to take away
    try:
        delete_branch(place, branch, commit)
    except GitFailed:
        return
