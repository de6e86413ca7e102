"""Surfaces as they arrive from outside: whatever is not known is treated as an agent."""

from __future__ import annotations

from actions.catalog.spec import Surface


def surface_of(name: str | None) -> Surface:
    """The surface of a name; an unknown or missing one is ``session_agent``, which may do the least."""
    try:
        return Surface(name) if name is not None else Surface.SESSION_AGENT
    except ValueError:
        return Surface.SESSION_AGENT
