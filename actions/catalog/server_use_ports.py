"""The port of what sessions get of the user's MCP servers: trust, preview, pins, logins, calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from actions.catalog import server_use_views as u
from actions.catalog.context import Progress


class ServerUsePort(Protocol):
    """``workspace`` is a folder; None is the device alone."""

    async def trust_review(self, workspace: str | None) -> u.TrustReview:
        """What the servers of a workspace's file would run, and what of it a person agreed to."""
        ...

    async def trust(
        self,
        workspace: str | None,
        *,
        content_hash: str | None,
        servers: Sequence[str] = (),
        environment: Sequence[str] = (),
    ) -> u.TrustReview:
        """Agree to what was looked at. Raises ``stale`` with the review when that is not what is there."""
        ...

    async def withdraw_trust(self, workspace: str | None, servers: Sequence[str] = ()) -> u.TrustReview: ...

    async def preview(
        self, provider: str, workspace: str, selection: Mapping[str, Any] | None = None, *, wait_s: float = 0.0
    ) -> u.ToolPreview:
        """What a session would get. Servers connect in the background; ``wait_s`` waits until each was tried once."""
        ...

    async def accept_pin(self, server: str, tool: str, content_hash: str, *, workspace: str | None = None) -> None: ...

    async def retry(self, server: str, *, workspace: str | None = None) -> None: ...

    async def log_in(
        self, server: str, *, workspace: str | None = None, wait_s: float = 0.0, cancel: bool = False
    ) -> u.LoginState:
        """Begin a login, or tell how the one that was begun stands."""
        ...

    async def log_out(self, server: str, *, workspace: str | None = None) -> u.LoginState: ...

    async def tools(self, server: str, *, session_id: str | None, workspace: str | None) -> list[dict[str, Any]]:
        """The tools of a server that may be called here: ``{name, title, description, input_schema}``. Raises why there
        are none to list.
        """
        ...

    async def call_proof(
        self, server: str, tool: str, arguments: Mapping[str, Any], *, session_id: str | None, workspace: str | None
    ) -> Mapping[str, Any]:
        """What must be the same when a call is approved; raises what keeps it from happening."""
        ...

    async def call_tool(
        self,
        server: str,
        tool: str,
        arguments: Mapping[str, Any],
        *,
        session_id: str | None,
        workspace: str | None,
        progress: Progress | None = None,
    ) -> u.ServerCall:
        """Call a tool of a server that this session, or this workspace, gets, as it was seen and accepted. Who is
        cancelled cancels the call at the server.
        """
        ...
