"""The folder that a git worktree stands for: what is bound to a repository holds in its worktrees, too."""

from __future__ import annotations

from pathlib import Path


def also_known_as(folder: Path) -> Path | None:
    """The same folder in the repository's main tree, where ``folder`` is in a linked worktree of it.

    The repository must know the worktree: a ``.git`` file alone could name any repository (gitrepository-layout(5)).
    """
    for root in (folder, *folder.parents):
        link = root / ".git"
        if link.is_dir():
            return None
        if link.is_file():
            main = _main_of(link)
            return None if main is None else main / folder.relative_to(root)
    return None


def _main_of(link: Path) -> Path | None:
    try:
        kind, _, target = link.read_text(encoding="utf-8").strip().partition(": ")
        own = (link.parent / target).resolve()
        if kind != "gitdir" or own.parent.name != "worktrees" or own.parent.parent.name != ".git":
            return None
        known = Path((own / "gitdir").read_text(encoding="utf-8").strip())
        back = known if known.is_absolute() else own / known
        return own.parent.parent.parent if back.resolve() == link.resolve() else None
    except (OSError, UnicodeDecodeError, ValueError):
        return None
