"""What the actions on git worktrees answer with."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import Field

from actions.catalog.spec import ActionOutput


class WorktreeState(StrEnum):
    CREATING = "creating"
    PRESENT = "present"
    GONE = "gone"
    """Its folder, or its repository, is not there any more, and Sayso did not take it away."""
    REMOVED = "removed"


class SessionWorktree(ActionOutput):
    """The worktree that a session works in, as its header shows it; ``repository`` is the folder it was made from."""

    id: str
    branch: str
    base: str | None
    repository: str
    state: WorktreeState


class MergeDone(ActionOutput):
    """When a worktree's branch was last merged back; ``at`` is in ms, UTC."""

    into: str
    commit: str
    at: int


class WorktreeView(ActionOutput):
    """A worktree that Sayso made: ``path`` is its folder, ``place`` where a session works in it.

    ``base`` is the branch it began from, None where that was a bare commit. ``notes`` say what it lacks.
    """

    id: str
    path: str
    place: str
    repository: str
    workspace_id: str | None
    branch: str
    base: str | None
    base_commit: str
    state: WorktreeState
    reason: str | None = None
    merged: MergeDone | None = None
    notes: list[str] = Field(default_factory=list[str])
    created: int


class WorktreeList(ActionOutput):
    worktrees: list[WorktreeView]


LossName = Literal["changed", "untracked", "stashed", "unmerged", "unfinished", "unknown"]


class LossView(ActionOutput):
    """One kind of what is in a worktree and nowhere else: how much, and at most 50 names."""

    kind: LossName
    count: int
    names: list[str]


class MergeView(ActionOutput):
    """What merging back would do, tried without touching a file. ``names``: files in conflict, or in the way."""

    kind: Literal["up_to_date", "fast_forward", "merge_commit", "conflict", "blocked"]
    possible: bool
    into: str
    into_path: str | None
    commits: int
    files: int
    added: int
    deleted: int
    names: list[str]
    reason: str | None


class WorktreeStatus(ActionOutput):
    """How a worktree stands now. It can be removed when it is ``clean``; ``losses`` say why it is not."""

    worktree: WorktreeView
    clean: bool
    losses: list[LossView]
    ignored: int
    """Files and folders that git passes over; they go with the worktree."""
    ignored_names: list[str]
    merge: MergeView | None
    sessions: list[str] = Field(default_factory=list[str])
    """The sessions that have an agent running in it."""
    summary: str
    """All of it in words."""


class WorktreeMerged(ActionOutput):
    worktree: WorktreeView
    merge: MergeView
    commit: str


class WorktreeRemoved(ActionOutput):
    worktree: WorktreeView
    branch_deleted: bool
    """False: the branch is still in the repository."""
