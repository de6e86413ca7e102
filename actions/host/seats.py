"""Who sits at an MCP endpoint or calls a tool: proven by the kernel or a token, with the session that they act for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from actions.catalog.context import Caller, CallerKind
from actions.catalog.hints import RefKind
from actions.catalog.ports import ReferencesPort, SessionsPort
from actions.catalog.spec import Surface
from actions.delivery.desk import Seat
from actions.errors import NotFound, Refused
from actions.policy.presence import Claim, Peer, identify


class SessionOf(Protocol):
    """The hosted session that a process belongs to, by its ancestors or by the token that it shows."""

    def __call__(self, peer: Peer, token: str | None, /) -> str | None: ...


class Seats:
    """Finds the seat of a session, and of a process that connected."""

    def __init__(
        self, host_pid: int, session_of: SessionOf, sessions: SessionsPort, references: Callable[[], ReferencesPort]
    ) -> None:
        self._host_pid = host_pid
        self._session_of = session_of
        self._sessions = sessions
        self._references = references

    async def of_session(self, session_id: str) -> Seat | None:
        """The seat of a session's agent; None for a session that is not there."""
        try:
            session = await self._sessions.get(session_id)
        except NotFound:
            return None
        caller = Caller(CallerKind.SESSION, session_id, (session_id,), label="its tools")
        return Seat(Surface.SESSION_AGENT, caller, session.workspace)

    async def of_peer(self, peer: Peer, claim: Claim, token: str | None, workspace: str | None = None) -> Seat:
        """The seat of a connected process, and the session that it names, by an id or an unambiguous beginning of one.

        An agent's process has its own session, and no other: raises Refused when it names one. Raises NotFound or
        Ambiguous for a session that cannot be told.
        """
        proven = self._session_of(peer, token)
        surface, caller = identify(peer, claim, host_pid=self._host_pid, token_session=proven)
        named = claim.session_id
        if named is not None:
            named = await self._references().resolve(RefKind.SESSION, named)
            if surface is Surface.SESSION_AGENT and named != caller.session_id:
                raise Refused("An agent calls the tools of its own session. Leave the session id out.")
            caller = replace(caller, session_id=named)
        if caller.session_id is not None:
            session = await self._sessions.get(caller.session_id)
            workspace = workspace or session.workspace
        return Seat(surface, caller, workspace)
