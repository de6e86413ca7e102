"""The change under review, read through git: a diff, never the index or the files themselves touched."""

from __future__ import annotations

import ast
import os
import shutil
import tempfile
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from actions.agent.scout.cancel import Cancel
from actions.agent.scout.process import GitFailed, run_git
from actions.agent.scout.review.findings import Receipt

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

_SECONDS = 60.0
# The repository's own settings must not run a program, colour the output or rename the prefixes.
_DIFF = (
    # Names with odd bytes come as C strings in ASCII, whatever the user's setting.
    *("-c", "core.quotepath=on", "diff", "--no-ext-diff", "--no-textconv", "--no-color", "--find-renames"),
    *("--src-prefix=a/", "--dst-prefix=b/", "--submodule=short", "--inter-hunk-context=0"),
)


class NothingToReview(Exception):
    """The scope holds no change, or there is no repository; the text is for a person and says what to do."""


@dataclass(frozen=True, slots=True)
class AddedLine:
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """One file of the change. ``path`` is the new one, ``old_path`` the one before (None for a new file)."""

    path: str
    old_path: str | None
    deleted: bool
    binary: bool
    added: tuple[AddedLine, ...]
    removed: int

    @property
    def is_new(self) -> bool:
        return self.old_path is None


@dataclass(frozen=True, slots=True)
class Change:
    """``top`` is the repository's folder, ``text`` the diff itself, ``revisions`` what to hand to ``git diff``."""

    top: Path
    receipt: Receipt
    files: tuple[ChangedFile, ...]
    text: str
    base: str
    head: str | None
    """The commit that holds the new files; None: they are the ones on the disk."""

    def old_text(self, path: str, cancel: Cancel) -> str | None:
        """``path`` before the change, or None."""
        return _show(self.top, self.base, path, cancel)

    def new_text(self, path: str, cancel: Cancel) -> str | None:
        """``path`` after the change, or None."""
        return self.disk_text(path) if self.head is None else _show(self.top, self.head, path, cancel)

    def disk_text(self, path: str) -> str | None:
        """``path`` as it stands on the disk, or None."""
        try:
            return (self.top / path).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return None


def read_change(root: Path, kind: Literal["uncommitted", "branch"], base: str | None, cancel: Cancel) -> Change:
    """The change around ``root``: uncommitted work with untracked files, or a branch against ``base``.

    Raises NothingToReview when there is none, ScoutCancelled on a cancel.
    """
    try:
        top = Path(os.fsdecode(run_git(root, ["rev-parse", "--show-toplevel"], cancel).rstrip(b"\n")))
    except GitFailed as error:
        raise NothingToReview(
            f"There is no change to review: this folder is no git repository ({error}). Run `git init` and commit once."
        ) from error
    head = _commit(top, "HEAD", cancel)
    return _uncommitted(top, head, cancel) if kind == "uncommitted" else _branch(top, head, base, cancel)


def _uncommitted(top: Path, head: str | None, cancel: Cancel) -> Change:
    base = head or _git(top, ["hash-object", "-t", "tree", os.devnull], cancel)
    staged = _count(top, ["diff", "--cached", "--name-only", "-z", base], cancel)
    unstaged = _count(top, ["diff", "--name-only", "-z"], cancel)
    untracked = _count(top, ["ls-files", "-z", "--others", "--exclude-standard"], cancel)
    with _index_with_untracked(top, cancel) as env:
        text = _decode(run_git(top, [*_DIFF, base], cancel, seconds=_SECONDS, env=env))
    if not text.strip():
        raise NothingToReview("There is no uncommitted change to review. Change something, or review a branch.")
    files = _files(text)
    receipt = _receipt("uncommitted", head, head, files, top, cancel)
    counts = {"staged": staged, "unstaged": unstaged, "untracked": untracked}
    return Change(top, receipt.model_copy(update=counts), files, text, base, None)


def _branch(top: Path, head: str | None, base: str | None, cancel: Cancel) -> Change:
    if head is None:
        raise NothingToReview("There is no commit on this branch yet. Commit once, or review the uncommitted changes.")
    name = base or _default_branch(top, cancel)
    if name is None or (against := _commit(top, name, cancel)) is None:
        raise NothingToReview(f"There is no branch or commit {base or 'main'!r} to compare with. Name another base.")
    try:
        fork = _git(top, ["merge-base", against, head], cancel)
    except GitFailed as error:
        raise NothingToReview(f"{name!r} and this branch have no common commit. Name another base.") from error
    text = _decode(run_git(top, [*_DIFF, fork, head], cancel, seconds=_SECONDS))
    if not text.strip():
        raise NothingToReview(f"This branch holds no change against {name!r}. Commit first, or name another base.")
    files = _files(text)
    commits = int(_git(top, ["rev-list", "--count", f"{fork}..{head}"], cancel))
    receipt = _receipt("branch", fork, head, files, top, cancel).model_copy(update={"commits": commits})
    return Change(top, receipt, files, text, fork, head)


@contextmanager
def _index_with_untracked(top: Path, cancel: Cancel) -> Generator[dict[str, str]]:
    """The environment of a copy of the index that knows the untracked files: one diff then shows them as new ones."""
    index = top / _git(top, ["rev-parse", "--git-path", "index"], cancel)
    with tempfile.TemporaryDirectory(prefix="sayso-review-") as folder:
        copy = Path(folder) / "index"
        if index.exists():
            # With its times: by them git knows which files it has to compare again.
            shutil.copy2(index, copy)
        env = {"GIT_INDEX_FILE": str(copy)}
        run_git(top, ["add", "--intent-to-add", "--ignore-errors", "--", "."], cancel, seconds=_SECONDS, env=env)
        yield env


def _files(text: str) -> tuple[ChangedFile, ...]:
    from unidiff.patch import PatchSet

    return tuple(_file(patched) for patched in cast("Iterable[object]", PatchSet.from_string(text)))


def _file(patched: object) -> ChangedFile:
    from unidiff.patch import PatchedFile

    assert isinstance(patched, PatchedFile)
    added = tuple(
        AddedLine(line.target_line_no, line.value.rstrip("\n"))
        for hunk in patched
        for line in hunk
        if line.is_added and line.target_line_no is not None
    )
    return ChangedFile(
        path=_unquoted(patched.path),
        old_path=None if patched.is_added_file else _unquoted((patched.source_file or "").removeprefix("a/")),
        deleted=patched.is_removed_file,
        binary=patched.is_binary_file,
        added=added,
        removed=patched.removed,
    )


def _unquoted(path: str) -> str:
    """git writes a name with odd bytes as a C string; the library leaves it so."""
    if not path.startswith('"'):
        return path
    try:
        name = _decode(ast.literal_eval("b" + path))
    except (ValueError, SyntaxError):
        return path
    return name.removeprefix("a/").removeprefix("b/")


def _receipt(
    kind: Literal["uncommitted", "branch"],
    base: str | None,
    head: str | None,
    files: Sequence[ChangedFile],
    top: Path,
    cancel: Cancel,
) -> Receipt:
    try:
        branch = _git(top, ["symbolic-ref", "--short", "HEAD"], cancel)
    except GitFailed:
        branch = None
    return Receipt(
        change=kind,
        base=base,
        head=head,
        branch=branch,
        files=len(files),
        added=sum(len(file.added) for file in files),
        deleted=sum(file.removed for file in files),
    )


def _default_branch(top: Path, cancel: Cancel) -> str | None:
    names = ("origin/HEAD", "main", "master", "origin/main", "origin/master", "develop", "trunk")
    return next((name for name in names if _commit(top, name, cancel)), None)


def _commit(top: Path, name: str, cancel: Cancel) -> str | None:
    if name.startswith("-"):
        return None
    try:
        return _git(top, ["rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"], cancel)
    except GitFailed:
        return None


def _show(top: Path, commit: str, path: str, cancel: Cancel) -> str | None:
    try:
        return _decode(run_git(top, ["show", f"{commit}:{path}"], cancel))
    except GitFailed:
        return None


def _git(top: Path, args: Sequence[str], cancel: Cancel) -> str:
    return os.fsdecode(run_git(top, args, cancel).strip())


def _count(top: Path, args: Sequence[str], cancel: Cancel) -> int:
    return run_git(top, args, cancel, seconds=_SECONDS).count(b"\0")


def _decode(data: bytes) -> str:
    return data.decode("utf-8", errors="replace")
