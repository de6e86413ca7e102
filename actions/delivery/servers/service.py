"""The user's servers in use, as actions call it: implements :class:`actions.catalog.server_use_ports.ServerUsePort`."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from actions.catalog.context import Progress
from actions.catalog.server_use_views import LoginState, ServerCall, ToolPreview, TrustReview
from actions.catalog.spec import Surface
from actions.delivery.desk import Seat
from actions.delivery.servers.logins import Logins
from actions.delivery.servers.preview import Preview
from actions.delivery.servers.sessions import SessionServers, not_connected, unknown_server
from actions.delivery.servers.trusting import Trusting
from actions.delivery.sources import Listing
from actions.errors import InvalidInput, NotFound, SaysoError
from actions.servers.offer.connections import Connections, Known, held_back
from actions.servers.offer.resolver import Offered, Resolver
from actions.servers.offer.selection import Selection
from actions.servers.pool.definition import Http
from actions.servers.pool.hidden import visible
from actions.servers.pool.states import ToolInfo
from actions.servers.trust.pins import Pins, find_tool

_LATEST_S = 70.0
"""Seconds that a list waits for servers at most; each has its own limit, which is shorter."""


class ServerUse:
    """Trust, preview, pins, logins, calls."""

    def __init__(
        self,
        resolver: Resolver,
        connections: Connections,
        pins: Pins,
        trusting: Trusting,
        preview: Preview,
        sessions: SessionServers,
        logins: Logins,
    ) -> None:
        self._resolver = resolver
        self._connections = connections
        self._pins = pins
        self._trusting = trusting
        self._preview = preview
        self._sessions = sessions
        self._logins = logins

    async def close(self) -> None:
        """Give up logins, and end every connection."""
        await self._logins.close()
        await self._connections.close()

    # Trust and pins

    async def trust_review(self, workspace: str | None) -> TrustReview:
        return await self._trusting.review(_folder(workspace))

    async def trust(
        self,
        workspace: str | None,
        *,
        content_hash: str | None,
        servers: Sequence[str] = (),
        environment: Sequence[str] = (),
    ) -> TrustReview:
        return await self._trusting.agree(
            _folder(workspace), content_hash=content_hash, servers=servers, environment=environment
        )

    async def withdraw_trust(self, workspace: str | None, servers: Sequence[str] = ()) -> TrustReview:
        return await self._trusting.withdraw(_folder(workspace), servers)

    async def accept_pin(self, server: str, tool: str, content_hash: str, *, workspace: str | None = None) -> None:
        """Raises ``stale`` when the tool is not what was looked at, NotFound."""
        folder = _folder(workspace)
        offered = await self._connected(folder, server)
        known = await self._connections.known(folder, server)
        if known is None or not known.connected:
            raise not_connected(server, known)
        found = find_tool(server, known.row.tools, tool)
        await self._pins.accept(offered.place, server, found, content_hash)
        self._connections.forget_pins(server)

    # Preview and lists

    async def preview(
        self, provider: str, workspace: str, selection: Mapping[str, Any] | None = None, *, wait_s: float = 0.0
    ) -> ToolPreview:
        chosen = Selection.of_json(selection)
        return await self._preview.of(provider, _folder(workspace) or Path(), chosen, wait_s=wait_s)

    async def list(self, seat: Seat, provider: str | None) -> Listing:
        """The servers of the seat's session, or of its workspace, with their usable tools; a dead one is a warning."""
        folder, servers = await self._of_seat(seat.caller.session_id, seat.workspace)
        await self._connections.want(folder, servers.values())
        await self._connections.settle(folder, servers, _LATEST_S)
        sources: dict[str, list[dict[str, Any]]] = {}
        warnings: list[dict[str, str]] = []
        for name in servers:
            known = await self._connections.known(folder, name)
            if known is None or not known.connected:
                warnings.append({"source": name, "error": not_connected(name, known).message})
                continue
            sources[name] = [_plain(tool) for tool in known.usable()]
            held = [pin for pin in known.pins.values() if not pin.usable]
            warnings += [{"source": name, "error": held_back(name, pin).message} for pin in held]
        if seat.surface is Surface.SESSION_AGENT and seat.caller.session_id is not None:
            self._sessions.listed(seat.caller.session_id, {name: len(found) for name, found in sources.items()})
        return Listing(sources, warnings)

    # Logins

    async def retry(self, server: str, *, workspace: str | None = None) -> None:
        folder = _folder(workspace)
        await self._connected(folder, server)
        await self._connections.retry(folder, server)

    async def log_in(
        self, server: str, *, workspace: str | None = None, wait_s: float = 0.0, cancel: bool = False
    ) -> LoginState:
        folder = _folder(workspace)
        offered = await self._remote(folder, server)
        key = f"{offered.place}\0{server}"
        if cancel:
            return await self._logins.cancel(key, server)
        pool = await self._connections.pool(folder, server)
        return await self._logins.begin(key, server, pool, wait_s=wait_s)

    async def log_out(self, server: str, *, workspace: str | None = None) -> LoginState:
        folder = _folder(workspace)
        await self._remote(folder, server)
        await (await self._connections.pool(folder, server)).log_out(server)
        return LoginState(server=server, state="logged_out")

    # Calls

    async def tools(self, server: str, *, session_id: str | None, workspace: str | None) -> list[dict[str, Any]]:
        _, known = await self._usable(server, session_id, workspace)
        return [_plain(tool) for tool in known.usable()]

    async def call_proof(
        self, server: str, tool: str, arguments: Mapping[str, Any], *, session_id: str | None, workspace: str | None
    ) -> Mapping[str, Any]:
        """What must be the same when a call is approved: the tool, as it was seen.

        Raises NotFound with candidates, Refused for a tool that waits to be looked at, InvalidInput for arguments that
        do not fit: nobody is asked about those.
        """
        folder, known = await self._usable(server, session_id, workspace)
        found = find_tool(server, known.row.tools, tool)
        if not (pin := known.pins[tool]).usable:
            raise held_back(server, pin)
        await asyncio.to_thread(_check, server, tool, found.input_schema, dict(arguments))
        return {"server": server, "workspace": str(folder), "tool": pin.hash}

    async def call_tool(
        self,
        server: str,
        tool: str,
        arguments: Mapping[str, Any],
        *,
        session_id: str | None,
        workspace: str | None,
        progress: Progress | None = None,
    ) -> ServerCall:
        folder, servers = await self._of_seat(session_id, workspace)
        if (offered := servers.get(server)) is None:
            raise unknown_server(server, servers)
        await self._connections.want(folder, [offered])
        result = await self._connections.call(folder, server, tool, dict(arguments), progress)
        if session_id is not None:
            self._sessions.used(session_id, server)
        return ServerCall(
            server=server,
            tool=tool,
            content=[dict(block) for block in result.content],
            structured=result.structured,
            is_error=result.is_error,
        )

    # What all of them look up

    async def _of_seat(
        self, session_id: str | None, workspace: str | None
    ) -> tuple[Path | None, Mapping[str, Offered]]:
        """The folder, and the servers that may be used there."""
        if session_id is not None:
            return await self._sessions.given(session_id)
        folder = _folder(workspace)
        return folder, {one.name: one for one in await self._resolver.resolve(folder) if one.starts}

    async def _usable(self, server: str, session_id: str | None, workspace: str | None) -> tuple[Path | None, Known]:
        folder, servers = await self._of_seat(session_id, workspace)
        if (offered := servers.get(server)) is None or offered.runs is None:
            raise unknown_server(server, servers)
        await self._connections.want(folder, [offered])
        await self._connections.settle(folder, [server], offered.runs.connect_limit)
        known = await self._connections.known(folder, server)
        if known is None or not known.connected:
            raise not_connected(server, known)
        return folder, known

    async def _connected(self, folder: Path | None, server: str) -> Offered:
        """A server that may be started here, wanted and tried once. Raises NotFound, or why it is not started."""
        offered = await self._known(folder, server)
        if not offered.starts or offered.runs is None:
            raise SaysoError(
                f"{server} is not started here. {offered.message}",
                details={"server": server, "reason": offered.reason},
            )
        await self._connections.want(folder, [offered])
        await self._connections.settle(folder, [server], offered.runs.connect_limit)
        return offered

    async def _remote(self, folder: Path | None, server: str) -> Offered:
        offered = await self._known(folder, server)
        if offered.runs is None or not isinstance(offered.runs.transport, Http):
            why = offered.message or "it is a program on this computer."
            raise InvalidInput(
                f"There is nothing to log in to at {server}: {why}",
                [{"field": "server", "message": "It has no login."}],
            )
        # What a person logs in to need not be on here; what it runs is not in question, for it runs elsewhere
        await self._connections.want(folder, [offered], even_off=True)
        return offered

    async def _known(self, folder: Path | None, server: str) -> Offered:
        offered = {one.name: one for one in await self._resolver.resolve(folder)}
        if server not in offered:
            known = [{"name": name} for name in offered]
            raise NotFound(
                f"There is no MCP server {server!r}. `sayso mcp servers` shows them.",
                details={"server": server, "candidates": known},
            )
        return offered[server]


def _folder(workspace: str | None) -> Path | None:
    return None if workspace is None else Path(workspace).resolve()


def _check(server: str, tool: str, schema: Mapping[str, Any], arguments: dict[str, Any]) -> None:
    from actions.servers.pool.schemas import Checker

    if faults := Checker(schema).faults(arguments):
        fields = [{"field": "arguments", "message": visible(fault)} for fault in faults]
        listed = "; ".join(visible(fault) for fault in faults)
        raise InvalidInput(f"The arguments of {tool} of {server} do not fit. {listed}", fields)


def _plain(tool: ToolInfo) -> dict[str, Any]:
    return {
        "name": tool.name,
        "title": tool.title,
        "description": visible(tool.description),
        "input_schema": dict(tool.input_schema),
    }
