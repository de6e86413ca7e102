"""The scope of a review: which change it is about, as a receipt that is stamped on the run and on its result."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from actions.git.command import GitFailed, never, run_git

SECONDS = 60.0
ChangeKind = Literal["uncommitted", "branch"]
Stopped = Callable[[], bool]


class EmptyScope(Exception):
    """The scope holds no change, or there is no repository; the text is for a person and says what to do."""


class Receipt(BaseModel):
    """What is reviewed. ``base`` and ``head`` are commit ids; both are None before the first commit.

    ``commits`` counts those between base and head (0 for uncommitted changes), ``files`` the files of the change,
    ``added`` and ``deleted`` its lines.
    """

    model_config = ConfigDict(frozen=True)

    change: ChangeKind
    base: str | None
    head: str | None
    branch: str | None = None
    commits: int = 0
    staged: int = 0
    unstaged: int = 0
    untracked: int = 0
    files: int = 0
    added: int = 0
    deleted: int = 0


@dataclass(frozen=True, slots=True)
class Scope:
    """A receipt and where its change is: ``top`` is the repository's folder, ``old`` and ``new`` name two trees.

    ``new`` None means the files on the disk, with the untracked ones.
    """

    top: Path
    receipt: Receipt
    old: str
    new: str | None

    @classmethod
    def of(cls, top: Path, receipt: Receipt) -> Scope:
        """The scope that a receipt was made of, as the repository is now. Blocks. Raises GitFailed."""
        if receipt.change == "branch":
            return cls(top, receipt, receipt.base or "", receipt.head)
        return cls(top, receipt, receipt.head or _empty_tree(_Git(top)), None)

    def diff(self, args: Sequence[str], stopped: Stopped = never, *, paths: Sequence[str] = ()) -> bytes:
        """``git diff`` with ``args`` over the scope, or over ``paths`` of it, which are taken literally.

        No program that the repository's settings name is run.
        """
        return _diff(self.top, args, self.old, self.new, stopped, paths)


def read_scope(root: Path, kind: ChangeKind, base: str | None = None, stopped: Stopped = never) -> Scope:
    """The change around ``root``: uncommitted work with untracked files, or a branch against ``base``.

    Without ``base`` a branch is compared with the default one. Reads only; the index stays as it is. Blocks; call it in
    a thread. Raises EmptyScope when there is nothing, GitFailed when git fails, GitStopped after a stop.
    """
    git = _Git(root, stopped)
    try:
        top = Path(git.line("rev-parse", "--show-toplevel"))
    except GitFailed as error:
        raise EmptyScope(
            f"There is no change to review: this folder is no git repository ({error}). Run `git init` and commit once."
        ) from error
    git = _Git(top, stopped)
    head = git.commit("HEAD")
    return _uncommitted(git, head) if kind == "uncommitted" else _branch(git, head, base)


def top_of(root: Path) -> Path:
    """The folder of the repository around ``root``. Blocks. Raises GitFailed."""
    return Path(_Git(root).line("rev-parse", "--show-toplevel"))


def head_of(root: Path) -> str | None:
    """The commit that HEAD names in the repository around ``root``, or None. Blocks. Raises GitFailed without git."""
    return _Git(root).commit("HEAD")


@dataclass(frozen=True, slots=True)
class _Git:
    top: Path
    stopped: Stopped = field(default=never)

    def line(self, *args: str) -> str:
        return os.fsdecode(run_git(self.top, args, stopped=self.stopped).strip())

    def count(self, *args: str) -> int:
        return run_git(self.top, args, seconds=SECONDS, stopped=self.stopped).count(b"\0")

    def commit(self, name: str) -> str | None:
        if name.startswith("-"):
            return None
        try:
            return self.line("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
        except GitFailed:
            return None


def _empty_tree(git: _Git) -> str:
    return git.line("hash-object", "-t", "tree", os.devnull)


def _uncommitted(git: _Git, head: str | None) -> Scope:
    old = head or _empty_tree(git)
    receipt = _receipt(git, "uncommitted", old, None, head, head)
    counts = {
        "staged": git.count("diff", "--cached", "--name-only", "-z", old),
        "unstaged": git.count("diff", "--name-only", "-z"),
        "untracked": git.count("ls-files", "-z", "--others", "--exclude-standard"),
    }
    if receipt.files == 0:
        raise EmptyScope("There is no uncommitted change to review. Change something, or review a branch.")
    return Scope(git.top, receipt.model_copy(update=counts), old, None)


def _branch(git: _Git, head: str | None, base: str | None) -> Scope:
    if head is None:
        raise EmptyScope("There is no commit on this branch yet. Commit once, or review the uncommitted changes.")
    name = base or _default_branch(git)
    if name is None or (against := git.commit(name)) is None:
        raise EmptyScope(f"There is no branch or commit {base or 'main'!r} to compare with. Name another base.")
    try:
        fork = git.line("merge-base", against, head)
    except GitFailed as error:
        raise EmptyScope(f"{name!r} and this branch have no common commit. Name another base.") from error
    receipt = _receipt(git, "branch", fork, head, fork, head)
    if receipt.files == 0:
        raise EmptyScope(f"This branch holds no change against {name!r}. Commit first, or name another base.")
    commits = int(git.line("rev-list", "--count", f"{fork}..{head}"))
    return Scope(git.top, receipt.model_copy(update={"commits": commits}), fork, head)


def _receipt(git: _Git, kind: ChangeKind, old: str, new: str | None, base: str | None, head: str | None) -> Receipt:
    try:
        branch = git.line("symbolic-ref", "--short", "HEAD")
    except GitFailed:
        branch = None
    files = added = deleted = 0
    # Without renames a row is "added, deleted, name": one NUL each.
    for row in _diff(git.top, ["--numstat", "-z", "--no-renames"], old, new, git.stopped).split(b"\0"):
        if row:
            plus, minus, _ = row.split(b"\t", 2)
            files += 1
            added += 0 if plus == b"-" else int(plus)
            deleted += 0 if minus == b"-" else int(minus)
    return Receipt(change=kind, base=base, head=head, branch=branch, files=files, added=added, deleted=deleted)


def _diff(
    top: Path, args: Sequence[str], old: str, new: str | None, stopped: Stopped, paths: Sequence[str] = ()
) -> bytes:
    # Names with odd bytes come as C strings in ASCII, whatever the user's setting.
    quoted = ("-c", "core.quotepath=on", *(("--literal-pathspecs",) if paths else ()))
    command = [*quoted, "diff", "--no-ext-diff", "--no-textconv", "--no-color", "--submodule=short", *args, old]
    if new is not None:
        return run_git(top, [*command, new, "--", *paths], seconds=SECONDS, stopped=stopped)
    with _index_with_untracked(top, stopped) as env:
        return run_git(top, [*command, "--", *paths], seconds=SECONDS, env=env, stopped=stopped)


@contextmanager
def _index_with_untracked(top: Path, stopped: Stopped) -> Generator[Mapping[str, str]]:
    """The environment of a copy of the index that knows the untracked files: one diff then shows them as new ones."""
    index = top / _Git(top, stopped).line("rev-parse", "--git-path", "index")
    with tempfile.TemporaryDirectory(prefix="sayso-index-") as folder:
        copy = Path(folder) / "index"
        if index.exists():
            # With its times: by them git knows which files it has to compare again.
            shutil.copy2(index, copy)
        env = {"GIT_INDEX_FILE": str(copy)}
        add = ["add", "--intent-to-add", "--ignore-errors", "--", "."]
        run_git(top, add, seconds=SECONDS, env=env, stopped=stopped)
        yield env


def _default_branch(git: _Git) -> str | None:
    names = ("origin/HEAD", "main", "master", "origin/main", "origin/master", "develop", "trunk")
    return next((name for name in names if git.commit(name)), None)
