"""What git tells beyond the files: branch, state of the working tree, and which files changed often."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from actions.agent.scout.cancel import Cancel
from actions.agent.scout.process import GitFailed, run_git

MOST_COMMITS = 500


@dataclass(slots=True)
class FileHistory:
    """Totals of one file over the commits read; ``last`` is the ISO date of the newest of them."""

    commits: int = 0
    added: int = 0
    deleted: int = 0
    last: str = ""


@dataclass(slots=True)
class History:
    """``problem`` says why there is none or only a part; None when all is well."""

    branch: str | None = None
    head: str | None = None
    commits: int = 0
    changed: int = 0
    shallow: bool = False
    problem: str | None = None
    files: dict[str, FileHistory] = field(default_factory=dict[str, FileHistory])


def read_history(root: Path, cancel: Cancel) -> History:
    """The last 500 commits that touch ``root``. Never raises for git's sake: no git is a state, not a failure."""
    history = History()
    try:
        run_git(root, ["rev-parse", "--is-inside-work-tree"], cancel)
    except GitFailed as error:
        none = "not a git repository" in str(error)
        history.problem = "this folder is not in a git repository" if none else str(error)
        return history
    history.branch = _line(root, ["symbolic-ref", "--short", "-q", "HEAD"], cancel)
    history.head = _line(root, ["rev-parse", "--short=12", "--verify", "-q", "HEAD"], cancel)
    history.shallow = _line(root, ["rev-parse", "--is-shallow-repository"], cancel) == "true"
    try:
        status = run_git(root, ["status", "--porcelain=v1", "-z", "--untracked-files=normal", "--", "."], cancel)
        history.changed = _entries(status)
    except GitFailed:
        history.problem = "git status took too long, so uncommitted changes are not counted"
    if history.head is None:
        history.problem = "the repository has no commit yet"
        return history
    try:
        log = ["log", f"-{MOST_COMMITS}", "--numstat", "--no-renames", "--no-ext-diff", "--relative", "-z"]
        out = run_git(root, [*log, "--format=%x01%cs", "HEAD", "--", "."], cancel)
    except GitFailed as error:
        history.problem = f"the history could not be read: {error}"
        return history
    _count(out, history)
    return history


def _entries(status: bytes) -> int:
    fields = iter(status.split(b"\0"))
    count = 0
    for entry in fields:
        if entry:
            count += 1
            if entry[:1] in b"RC":
                next(fields, None)
    return count


def _count(out: bytes, history: History) -> None:
    """Fold ``\\x01date`` and ``added<TAB>deleted<TAB>path`` records. Binary files have ``-`` for both numbers."""
    date = ""
    for raw in out.replace(b"\n", b"\0").split(b"\0"):
        if raw.startswith(b"\x01"):
            history.commits += 1
            date = raw[1:].decode(errors="replace")
            continue
        added, _, rest = raw.partition(b"\t")
        deleted, _, path = rest.partition(b"\t")
        if not path:
            continue
        file = history.files.setdefault(os.fsdecode(path), FileHistory())
        file.commits += 1
        file.added += int(added) if added.isdigit() else 0
        file.deleted += int(deleted) if deleted.isdigit() else 0
        file.last = max(file.last, date)


def _line(root: Path, args: list[str], cancel: Cancel) -> str | None:
    try:
        return run_git(root, args, cancel).decode(errors="replace").strip() or None
    except GitFailed:
        return None
