"""What makes a session the child of a run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Child:
    """Whose it is, where its requests surface, and the id that it is to have, where that was promised already."""

    run_id: str
    parent_session_id: str | None = None
    root_session_id: str | None = None
    session_id: str | None = None
