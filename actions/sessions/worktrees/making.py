"""What a new worktree will be, checked against the repository before anyone is shown it. Blocks: call in a thread."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from actions.errors import InvalidInput, SaysoError
from actions.git import worktrees as git
from actions.git.command import GitFailed, run_git
from actions.git.worktrees import Base
from actions.sessions.worktrees.naming import beside_folder, free_branch, free_folder, home_folder


@dataclass(frozen=True, slots=True)
class Plan:
    """``repository`` is the folder of the main work tree, ``prefix`` the workspace's place in it, ``source`` where the
    workspace's own work tree is.
    """

    source: Path
    repository: Path
    prefix: str
    path: Path
    branch: str
    base: Base

    def with_branch(self, branch: str) -> Plan:
        """The same with a name of the user's own. Raises InvalidInput where git does not take it or has it already."""
        _check_name(self.repository, branch, "branch")
        if branch in git.branch_names(self.repository):
            message = f"There is a branch {branch} already. Choose another name."
            raise InvalidInput(message, [{"field": "branch", "message": "exists already"}])
        return replace(self, branch=branch)


def make_plan(
    workspace: Path, *, name: str, base: str | None, prefix: str, home: Path | None, taken: Iterable[Path]
) -> Plan:
    """Where, on which branch and from which commit a worktree for ``workspace`` would be made.

    ``home`` None puts it beside the repository. Raises SaysoError, InvalidInput.
    """
    try:
        top = Path(git.text(workspace, "rev-parse", "--show-toplevel"))
        repository = git.listed(workspace)[0].path
    except GitFailed as error:
        raise InvalidInput(
            f"{workspace} is in no git repository ({error}). Run `git init` and commit once, or use no worktree.",
            [{"field": "worktree", "message": "needs a git repository"}],
        ) from error
    found = git.read_base(workspace, base)
    if found is None:
        if base is None:
            raise SaysoError(f"{repository} has no commit yet. Commit once, or start without a worktree.")
        raise InvalidInput(
            f"There is no branch or commit {base!r} in {repository}.", [{"field": "base", "message": "not found"}]
        )
    branch = free_branch(prefix, name, git.branch_names(repository))
    _check_name(repository, branch, "worktrees.branch_prefix")
    parent = home_folder(home, repository) if home is not None else beside_folder(repository)
    inside = workspace.resolve().relative_to(top.resolve()).as_posix()
    path = free_folder(parent, branch.removeprefix(prefix), taken)
    return Plan(top, repository, "" if inside == "." else inside, path, branch, found)


def notes_of(plan: Plan) -> list[str]:
    """What the new worktree lacks that the user may expect in it."""
    notes: list[str] = []
    try:
        changes = run_git(plan.source, ["status", "--porcelain", "-z", "--no-renames"], seconds=60).count(b"\0")
    except GitFailed:
        changes = 0
    if changes:
        notes.append(f"{changes} uncommitted changes stay in {plan.source}; the worktree begins from the last commit.")
    if (plan.path / ".gitmodules").exists():
        notes.append("Submodules are not fetched. Where they are needed: git submodule update --init")
    attributes = plan.path / ".gitattributes"
    if attributes.is_file() and "filter=lfs" in attributes.read_text(encoding="utf-8", errors="replace"):
        notes.append("Files of Git LFS are pointers only. Where they are needed: git lfs pull")
    return notes


def _check_name(place: Path, branch: str, field: str) -> None:
    try:
        git.text(place, "check-ref-format", "--branch", branch)
    except GitFailed as error:
        raise InvalidInput(
            f"git takes no branch named {branch!r}.", [{"field": field, "message": "not a branch name"}]
        ) from error
