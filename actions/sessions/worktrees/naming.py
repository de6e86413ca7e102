"""What a new worktree's branch and folder are called. Pure."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable
from pathlib import Path

_LIMIT = 40


def slug(title: str) -> str:
    """A title as part of a branch name: words of any script joined by hyphens, at most 40 characters.

    Such a name is always a good one for git (git-check-ref-format(1)) and for a folder.
    """
    plain = unicodedata.normalize("NFKC", title).casefold()
    words = "".join(c if c.isalnum() else " " for c in plain).split()
    name = ""
    for word in words:
        longer = f"{name}-{word}" if name else word[:_LIMIT]
        if len(longer) > _LIMIT:
            break
        name = longer
    return name or "session"


def free_branch(prefix: str, title: str, taken: Iterable[str]) -> str:
    """``prefix`` with the title's slug, numbered where a branch has that name or stands in its way.

    Compared without case: some file systems know none. A branch ``a`` leaves no room for ``a/b``.
    """
    names = {name.casefold() for name in taken}
    if any(prefix.casefold().startswith(f"{name}/") for name in names):
        prefix = prefix.replace("/", "-")
    wanted = f"{prefix}{slug(title)}"
    branch, number = wanted, 1
    while _blocked(branch.casefold(), names):
        number += 1
        branch = f"{wanted}-{number}"
    return branch


def home_folder(root: Path, repository: Path) -> Path:
    """The folder under ``root`` for the worktrees of ``repository``; two of one name are told apart."""
    mark = hashlib.sha256(str(repository).encode()).hexdigest()[:6]
    return root / f"{repository.name or 'repository'}-{mark}"


def beside_folder(repository: Path) -> Path:
    """The folder beside ``repository`` for its worktrees."""
    return repository.with_name(f"{repository.name}.worktrees")


def free_folder(parent: Path, branch: str, taken: Iterable[Path]) -> Path:
    """A folder in ``parent`` named after the branch, where nothing is or was."""
    known = set(taken)
    wanted = branch.replace("/", "-")
    folder, number = parent / wanted, 1
    while folder in known or folder.exists() or folder.is_symlink():
        number += 1
        folder = parent / f"{wanted}-{number}"
    return folder


def _blocked(branch: str, names: set[str]) -> bool:
    return branch in names or any(name.startswith(f"{branch}/") for name in names)
