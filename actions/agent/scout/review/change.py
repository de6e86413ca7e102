"""The change under review: its scope, its diff, and the files that it adds lines to."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from actions.agent.scout.cancel import Cancel
from actions.agent.scout.process import GitFailed, run_git, stoppable
from actions.git.scope import ChangeKind, Receipt, Scope, read_scope

_PATCH = ("--find-renames", "--src-prefix=a/", "--dst-prefix=b/", "--inter-hunk-context=0")


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

    @property
    def is_new(self) -> bool:
        return self.old_path is None


@dataclass(frozen=True, slots=True)
class Change:
    """A scope with its files."""

    scope: Scope
    files: tuple[ChangedFile, ...]

    @property
    def top(self) -> Path:
        """The repository's folder."""
        return self.scope.top

    @property
    def receipt(self) -> Receipt:
        return self.scope.receipt

    @property
    def head(self) -> str | None:
        """The commit that holds the new files; None: they are the ones on the disk."""
        return self.scope.new

    def old_text(self, path: str, cancel: Cancel) -> str | None:
        """``path`` before the change, or None."""
        return _show(self.top, self.scope.old, path, cancel)

    def new_text(self, path: str, cancel: Cancel) -> str | None:
        """``path`` after the change, or None."""
        return self.disk_text(path) if self.head is None else _show(self.top, self.head, path, cancel)

    def disk_text(self, path: str) -> str | None:
        """``path`` as it stands on the disk, or None."""
        try:
            return (self.top / path).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return None


def read_change(root: Path, kind: ChangeKind, base: str | None, cancel: Cancel) -> Change:
    """The change in the repository around ``root``. Raises EmptyScope, GitFailed, and ScoutCancelled on a cancel."""
    with stoppable(cancel):
        scope = read_scope(root, kind, base, lambda: cancel.is_set)
        return Change(scope, _files(_decode(scope.diff(_PATCH, lambda: cancel.is_set))))


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


def _show(top: Path, commit: str, path: str, cancel: Cancel) -> str | None:
    try:
        return _decode(run_git(top, ["show", f"{commit}:{path}"], cancel))
    except GitFailed:
        return None


def _decode(data: bytes) -> str:
    return data.decode("utf-8", errors="replace")
