"""What a stored worktree is in truth, by its folder and by ``git worktree list``. Blocks; call it in a thread."""

from __future__ import annotations

from dataclasses import dataclass

from actions.catalog.worktree_views import WorktreeState
from actions.git import worktrees as git
from actions.git.command import GitFailed
from actions.sessions.worktrees.book import Worktree


@dataclass(frozen=True, slots=True)
class Found:
    """The state as it is, and why it is so."""

    state: WorktreeState
    reason: str | None = None


def found_state(row: Worktree) -> Found | None:
    """None for one whose making was cut off before there was anything.

    A worktree is gone when its folder is, or when git knows it no more; a repository that cannot be asked changes
    nothing where the folder is still there.
    """
    there = row.path.is_dir()
    try:
        entries = git.listed(row.repository)
    except (GitFailed, OSError) as error:
        if there:
            return Found(row.state, f"Its repository could not be asked: {error}")
        return None if _unborn(row) else Found(WorktreeState.GONE, f"The repository {row.repository} is gone.")
    real = row.path.resolve()
    entry = next((entry for entry in entries if entry.path == row.path or entry.path.resolve() == real), None)
    if entry is not None and there:
        return Found(WorktreeState.PRESENT)
    if _unborn(row) and not there:
        return None
    if there:
        return Found(WorktreeState.GONE, f"git knows {row.path} no more. To mend it: git worktree repair")
    moved = next((entry.path for entry in entries if entry.branch == row.branch and entry.path.is_dir()), None)
    if moved is not None:
        return Found(WorktreeState.GONE, f"Its branch {row.branch} is checked out in {moved} now.")
    return Found(WorktreeState.GONE, f"The folder {row.path} is gone; its branch {row.branch} may be there.")


def _unborn(row: Worktree) -> bool:
    return row.state is WorktreeState.CREATING
