"""How a worktree stands, in words for a person, and as the views of the catalog. Pure."""

from __future__ import annotations

import shlex
from pathlib import Path

from actions.catalog.worktree_views import LossView, MergeView, SessionWorktree, WorktreeState
from actions.errors import NotFound
from actions.git.losses import Contents, Loss, LossKind
from actions.git.merging import MergeKind, Trial
from actions.words import counted

_SHOWN = 3
_LOSSES = {
    LossKind.CHANGED: ("changed file", "changed files"),
    LossKind.UNTRACKED: ("file that git does not know yet", "files that git does not know yet"),
    LossKind.STASHED: ("stash", "stashes"),
    LossKind.UNMERGED: ("commit that is nowhere else", "commits that are nowhere else"),
    LossKind.UNFINISHED: ("unfinished operation", "unfinished operations"),
    LossKind.UNKNOWN: ("thing that cannot be judged", "things that cannot be judged"),
}


def loss_view(loss: Loss) -> LossView:
    """A loss as it is shown."""
    return LossView(kind=loss.kind.value, count=loss.count, names=list(loss.names))


def merge_view(trial: Trial) -> MergeView:
    """A tried merge as it is shown."""
    return MergeView(
        kind=trial.kind.value,
        possible=trial.possible,
        into=trial.into,
        into_path=str(trial.into_path) if trial.into_path else None,
        commits=trial.commits,
        files=trial.files,
        added=trial.added,
        deleted=trial.deleted,
        names=list(trial.names),
        reason=merge_words(trial),
    )


def in_words(losses: tuple[Loss, ...]) -> str:
    """``2 changed files (a.py, b.py) and 1 stash (...)``."""
    parts: list[str] = []
    for loss in losses:
        one, many = _LOSSES[loss.kind]
        more = ", …" if loss.count > _SHOWN else ""
        parts.append(f"{loss.count} {one if loss.count == 1 else many} ({', '.join(loss.names[:_SHOWN])}{more})")
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def contents_words(contents: Contents) -> str:
    """Whether it can be removed, and what would be lost."""
    if not contents.clean:
        return f"It cannot be removed: {in_words(contents.losses)} would be lost."
    if contents.ignored:
        return f"It can be removed. {ignored_words(contents)} would go with it."
    return "It can be removed; nothing would be lost."


def ignored_words(contents: Contents) -> str:
    """``2 files or folders that git ignores (.env, build/)``."""
    more = ", …" if contents.ignored > _SHOWN else ""
    one = "file or folder" if contents.ignored == 1 else "files or folders"
    return f"{contents.ignored} {one} that git ignores ({', '.join(contents.ignored_names[:_SHOWN])}{more})"


def merge_words(trial: Trial) -> str:
    """What the merge would do, or why it cannot be done and what to do about it."""
    names = ", ".join(trial.names[:_SHOWN]) + (", …" if len(trial.names) > _SHOWN else "")
    size = f"{counted(trial.commits, 'commit')}, {counted(trial.files, 'file')}, +{trial.added} −{trial.deleted}"
    match trial.kind:
        case MergeKind.UP_TO_DATE:
            return f"{trial.into} has everything of {trial.branch} already."
        case MergeKind.FAST_FORWARD:
            return f"{trial.into} moves forward to {trial.branch}: {size}."
        case MergeKind.MERGE_COMMIT:
            return f"A merge commit on {trial.into}: {size}."
        case MergeKind.CONFLICT:
            return (
                f"{trial.branch} and {trial.into} conflict in {names}. Merge {trial.into} into {trial.branch} there, "
                "solve it and commit."
            )
        case MergeKind.BLOCKED:
            return f"{trial.into_path} has {names} in the way. Commit that or put it away first."


def folder_gone(folder: Path, tree: SessionWorktree | None, session_id: str) -> NotFound:
    """The error for a session whose folder is not there: what became of it, and how to go on."""
    if tree is None:
        what, do = (
            f"The folder {folder} is not there any more.",
            "Put it back, or begin one elsewhere: sayso session new --workspace DIR",
        )
    else:
        removed = tree.state is WorktreeState.REMOVED
        again = f"sayso session new --workspace {shlex.quote(tree.repository)} --worktree"
        what = (
            f"The worktree of this session, {folder}, was removed."
            if removed
            else (f"The worktree of this session, {folder}, is gone: its folder was moved or deleted.")
        )
        do = f"What was said can still be read. Begin a new session: {again}"
    return NotFound(f"{what} {do}", details={"cwd": str(folder), "session_id": session_id, "reason": "folder_gone"})
