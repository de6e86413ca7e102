"""Who is at the other end of a local connection: what the kernel says decides, what the caller says only narrows it.

A peer that descends from the host is an agent, or something that an agent started, whatever it claims. This is defence
in depth, not isolation from a program of the same user: see docs/security.md.
"""

from __future__ import annotations

from dataclasses import dataclass

from actions.catalog.context import Caller, CallerKind
from actions.catalog.spec import Surface
from actions.policy.surfaces import surface_of


@dataclass(frozen=True, slots=True)
class Peer:
    """What is known of a connected process. ``ancestors`` starts with its parent; ``known`` is false when it was gone
    before it could be looked at. ``terminal`` says that its standard input is an interactive terminal."""

    pid: int | None
    known: bool = False
    ancestors: tuple[int, ...] = ()
    terminal: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """What the caller says of itself."""

    surface: str | None = None
    session_id: str | None = None
    label: str = ""


def identify(peer: Peer, claim: Claim, *, host_pid: int, token_session: str | None = None) -> tuple[Surface, Caller]:
    """The surface and the caller that a connection counts as. ``token_session`` is the session that its token
    proved.
    """
    inside = not peer.known or host_pid in peer.ancestors or token_session is not None
    surface = Surface.SESSION_AGENT if inside else surface_of(claim.surface)
    if surface is Surface.SESSION_AGENT:
        chain = (token_session,) if token_session else ()
        return surface, Caller(CallerKind.SESSION, token_session, chain, False, peer.pid, claim.label)
    if surface is Surface.MCP:
        return surface, Caller(CallerKind.EDITOR, claim.session_id, (), False, peer.pid, claim.label)
    if surface is Surface.CLI:
        return surface, Caller(CallerKind.COMMAND, None, (), peer.terminal, peer.pid, claim.label)
    return surface, Caller(CallerKind.WINDOW, claim.session_id, (), True, peer.pid, claim.label)
