"""Which session modes ask a person at least as much as the agent's asking mode; every other one asks less."""

from __future__ import annotations

from actions.catalog.spec import Effect

ASKING_MODES = frozenset({"ask", "plan", "default", "read-only", "read_only", "readonly", "build", "code", "manual"})
"""Modes of the known agents in which writes and commands are asked for. A mode that is not here is taken to ask
less.
"""


def effect_of_mode(mode_id: str | None) -> Effect:
    """``danger`` for a mode that may ask less, ``none`` otherwise. A URL-shaped id counts by its fragment."""
    if mode_id is None:
        return Effect.NONE
    name = mode_id.rsplit("#", 1)[-1].strip().casefold()
    return Effect.NONE if name in ASKING_MODES else Effect.DANGER
