"""Which rows the session list has, in which order. Pure Python."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from actions.catalog.views import SessionView


@dataclass(frozen=True)
class Group:
    """The heading of a workspace."""

    path: str
    name: str
    count: int


def group_rows(
    sessions: Iterable[SessionView], query: str = "", *, archived: bool = False
) -> list[Group | SessionView]:
    """Headings and their sessions: pinned first, then by last activity; a workspace ranks by its newest session.

    The sessions of runs are left out, and those that are archived, or with ``archived`` all others. ``query`` filters
    by title, provider, folder and branch.
    """
    wanted = [s for s in sessions if s.archived == archived and s.kind == "user" and _fits(s, query)]
    by_workspace: dict[str, list[SessionView]] = {}
    for session in sorted(wanted, key=lambda s: (not s.pinned, -s.last_activity, s.id)):
        by_workspace.setdefault(_home(session), []).append(session)
    groups = sorted(by_workspace.values(), key=_newest, reverse=True)
    rows: list[Group | SessionView] = []
    for group in groups:
        first = group[0]
        rows.append(Group(_home(first), _name(_home(first)), len(group)))
        rows.extend(group)
    return rows


def _newest(group: Sequence[SessionView]) -> int:
    return max(session.last_activity for session in group)


def _home(session: SessionView) -> str:
    """The folder that it belongs to: one in a worktree belongs to the repository that the worktree was made from."""
    return session.workspace if session.worktree is None else session.worktree.repository


def _name(path: str) -> str:
    return PurePath(path).name or path


def _fits(session: SessionView, query: str) -> bool:
    branch = "" if session.worktree is None else session.worktree.branch
    text = f"{session.title} {session.provider_name} {session.workspace} {branch}".casefold()
    return all(word in text for word in query.casefold().split())
