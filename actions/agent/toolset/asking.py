"""What a tool says about a call before it runs: the words, the preview, and what a rule could cover."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

from actions.agent.toolset.results import Display, Location

ScopeKind = Literal["command", "path", "host", "mcp", "tool"]


@dataclass(frozen=True, slots=True)
class Scope:
    """What a rule for this call would be about.

    ``subject`` by ``kind``: ``command`` the command line; ``path`` the resolved absolute path; ``host`` the host name;
    ``mcp`` ``server/tool``; ``tool`` empty (the tool as a whole).
    ``outside`` marks a path outside the workspace: a scope of its own, never covered by a rule for the inside.
    """

    kind: ScopeKind
    subject: str
    outside: bool = False


@dataclass(frozen=True, slots=True)
class Ask:
    """The words and the preview of one call.

    ``still_true`` is asked after the approval and right before the run: False makes the approval stale and nothing runs
    (a file that changed since its diff was shown). ``plan_file`` marks the one write that plan mode lets through.
    """

    summary: str
    scope: Scope
    preview: tuple[Display, ...] = ()
    locations: tuple[Location, ...] = ()
    still_true: Callable[[], Awaitable[bool]] | None = None
    plan_file: bool = False
