"""What a rule for one tool call would be about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ScopeKind = Literal["command", "path", "host", "mcp", "tool"]


@dataclass(frozen=True, slots=True)
class Scope:
    """What a rule for this call would be about.

    ``subject`` by ``kind``: ``command`` the command line; ``path`` the resolved absolute path; ``host`` the host name;
    ``mcp`` ``server/tool``; ``tool`` empty (the tool as a whole).
    ``folder`` is where a command runs, ``roots`` are the folders that its operands belong to; empty: not known.
    ``outside`` marks a path outside the workspace: a scope of its own, never covered by a rule for the inside.
    """

    kind: ScopeKind
    subject: str
    outside: bool = False
    folder: str = ""
    roots: tuple[str, ...] = ()
