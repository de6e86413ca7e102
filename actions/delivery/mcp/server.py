"""The MCP server of one seat: its tools and their calls, in the handshake era and in the stateless one alike.

Source: MCP 2025-11-25 and 2026-07-28, lifecycle, tools, progress, cancellation.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from typing import Any, cast

import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel.server import NotificationOptions, Server
from mcp.server.models import InitializationOptions
from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcp.shared.exceptions import MCPError, NoBackChannelError
from mcp.shared.subscriptions import ToolsListChanged

from actions.delivery.desk import CALL, Seat, ToolDesk
from actions.delivery.mcp.progress import reporting
from actions.delivery.results import ResultFiles, is_large, server_result, tool_result

_REMEMBERED = 8
_log = logging.getLogger(__name__)
_Context = ServerRequestContext[Any, Any]

Seen = Callable[[str, str], None]
"""``(what, client)``: a client said ``hello`` or asked for the ``list``; ``client`` is its name and version."""


class SeatServer(Server[Any]):
    """One seat's server. ``seen`` is told of each handshake and of each list of tools; it must not block."""

    def __init__(self, desk: ToolDesk, seat: Seat, files: ResultFiles, *, version: str, seen: Seen) -> None:
        self._bus = InMemorySubscriptionBus()
        # Looked up before a call to check headers that none of our tools declares: none is spared a list of all tools.
        super().__init__(
            "sayso",
            version=version,
            title="Sayso",
            get_tool_input_schema=lambda name: None,
            cache_hints={"tools/list": CacheHint()},
            on_subscriptions_listen=ListenHandler(self._bus),
        )
        self._desk = desk
        self._seat = seat
        self._files = files
        self._seen = seen
        self._clients: deque[ServerSession] = deque(maxlen=_REMEMBERED)
        self._shaped: dict[str, tuple[list[dict[str, Any]], HandlerResult]] = {}
        self.middleware = [self._notice]
        self.add_request_handler("tools/list", types.PaginatedRequestParams, self._list)
        self.add_request_handler("tools/call", types.CallToolRequestParams, self._call)
        self.add_notification_handler("notifications/initialized", types.NotificationParams, self._initialized)

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
    ) -> InitializationOptions:
        self.instructions = self._desk.instructions()
        changes = notification_options or NotificationOptions(tools_changed=True)
        return super().create_initialization_options(changes, experimental_capabilities, extensions)

    async def tools_changed(self) -> None:
        """Tell every client that its list of tools is another one now; one that is gone is forgotten."""
        await self._bus.publish(ToolsListChanged())
        for client in list(self._clients):
            try:
                await client.send_tool_list_changed()
            except (MCPError, NoBackChannelError, OSError, RuntimeError) as gone:
                _log.debug("a client is not told of changed tools: %s", gone)
                self._clients.remove(client)

    async def _notice(self, ctx: _Context, call_next: CallNext) -> HandlerResult:
        if ctx.method == "server/discover":
            self.instructions = self._desk.instructions()
        if ctx.method in ("initialize", "server/discover"):
            self._seen("hello", _client_of(ctx))
        if ctx.method == "tools/list":
            return await self._listed(ctx, call_next)
        return await call_next(ctx)

    async def _listed(self, ctx: _Context, call_next: CallNext) -> HandlerResult:
        """The list as the library shapes it for the client's version. It checks each schema for that, which takes
        longer than all the rest, so it is done once for each list that the desk makes.
        """
        self._seen("list", _client_of(ctx))
        tools = self._desk.tools(self._seat)
        known = self._shaped.get(ctx.protocol_version)
        if known is None or known[0] is not tools:
            known = self._shaped[ctx.protocol_version] = (tools, await call_next(ctx))
        return known[1]

    async def _initialized(self, ctx: _Context, params: types.NotificationParams) -> None:
        self._clients.append(ctx.session)

    async def _list(self, ctx: _Context, params: types.PaginatedRequestParams) -> dict[str, Any]:
        return {"resultType": "complete", "tools": await self._desk.all_tools(self._seat)}

    async def _call(self, ctx: _Context, params: types.CallToolRequestParams) -> dict[str, Any]:
        origin = {"request": str(ctx.request_id)}
        async with reporting(ctx) as progress:
            called = await self._desk.call(
                self._seat, params.name, params.arguments or {}, origin=origin, progress=progress
            )
        if called.action == CALL and (theirs := server_result(called.outcome)) is not None:
            return {"resultType": "complete", **theirs}
        if is_large(called.outcome):
            result = await asyncio.to_thread(tool_result, called.action, called.outcome, self._files)
        else:
            result = tool_result(called.action, called.outcome, self._files)
        return {"resultType": "complete", **result}


def _client_of(ctx: _Context) -> str:
    """The client's name and version as it tells them, or nothing."""
    given = (ctx.params or {}).get("clientInfo")
    if isinstance(given, dict):
        info = cast("dict[str, Any]", given)
        return f"{info.get('name', '')} {info.get('version', '')}".strip()[:200]
    known = ctx.session.client_params
    return f"{known.client_info.name} {known.client_info.version}".strip()[:200] if known is not None else ""
