"""Which session modes ask a person at least as much as the agent's asking mode; every other one asks less."""

from __future__ import annotations

from actions.catalog.spec import Effect

ASKING_MODES = frozenset(
    {
        *("ask", "plan", "default", "read-only", "read_only", "readonly", "build", "code", "manual"),
        "workspace-write",  # codex: in its sandbox, asking to leave it
        "https://agentclientprotocol.com/protocol/session-modes#agent",  # copilot; codex' `agent` asks a model instead
    }
)
"""Modes of the known agents in which writes and commands are asked for. A mode that is not here is taken to ask
less.
"""


def effect_of_mode(mode_id: str | None) -> Effect:
    """``danger`` for a mode that may ask less, ``none`` otherwise. A URL-shaped id counts by its fragment too."""
    if mode_id is None:
        return Effect.NONE
    name = mode_id.strip().casefold()
    return Effect.NONE if {name, name.rsplit("#", 1)[-1]} & ASKING_MODES else Effect.DANGER
