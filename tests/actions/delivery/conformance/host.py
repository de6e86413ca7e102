"""A host whose MCP servers also have what the conformance suite asks for. Run as ``python -m actions.host`` is."""

from __future__ import annotations

import sys
from typing import Any, cast

import mcp_types as types

import actions.delivery.mcp.server as ours
from actions.host.__main__ import main
from tests.actions.delivery.conformance import fixtures
from tests.actions.delivery.conformance.fixtures import Context


class SuiteServer(ours.SeatServer):
    """Our server, with the suite's tools, resources and prompts beside its own."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        for method, params, handler in (
            ("resources/list", types.PaginatedRequestParams, self._resources),
            ("resources/templates/list", types.PaginatedRequestParams, self._templates),
            ("resources/read", types.ReadResourceRequestParams, self._read),
            ("resources/subscribe", types.SubscribeRequestParams, self._fine),
            ("resources/unsubscribe", types.UnsubscribeRequestParams, self._fine),
            ("prompts/list", types.PaginatedRequestParams, self._prompts),
            ("prompts/get", types.GetPromptRequestParams, self._prompt),
            ("completion/complete", types.CompleteRequestParams, self._complete),
            ("logging/setLevel", types.SetLevelRequestParams, self._fine),
        ):
            self.add_request_handler(method, params, cast("Any", handler))

    async def _list(self, ctx: Context, params: types.PaginatedRequestParams) -> dict[str, Any]:
        found = await super()._list(ctx, params)
        return {**found, "tools": [*found["tools"], *fixtures.TOOLS]}

    async def _call(self, ctx: Context, params: types.CallToolRequestParams) -> dict[str, Any]:
        if params.name not in fixtures.NAMES:
            return await super()._call(ctx, params)
        return {"resultType": "complete", **await fixtures.call(ctx, params.name, params.arguments or {})}

    async def _resources(self, ctx: Context, params: types.PaginatedRequestParams) -> dict[str, Any]:
        return {"resultType": "complete", "resources": fixtures.RESOURCES}

    async def _templates(self, ctx: Context, params: types.PaginatedRequestParams) -> dict[str, Any]:
        return {"resultType": "complete", "resourceTemplates": fixtures.TEMPLATES}

    async def _read(self, ctx: Context, params: types.ReadResourceRequestParams) -> dict[str, Any]:
        return {"resultType": "complete", "contents": [fixtures.read(str(params.uri))]}

    async def _prompts(self, ctx: Context, params: types.PaginatedRequestParams) -> dict[str, Any]:
        return {"resultType": "complete", "prompts": fixtures.PROMPTS}

    async def _prompt(self, ctx: Context, params: types.GetPromptRequestParams) -> dict[str, Any]:
        contents = fixtures.prompt(params.name, params.arguments or {})
        messages = [{"role": "user", "content": content} for content in contents]
        return {"resultType": "complete", "messages": messages}

    async def _complete(self, ctx: Context, params: types.CompleteRequestParams) -> dict[str, Any]:
        return {"resultType": "complete", "completion": {"values": ["test"], "total": 1, "hasMore": False}}

    async def _fine(self, ctx: Context, params: Any) -> types.EmptyResult:
        return types.EmptyResult()


if __name__ == "__main__":
    ours.SeatServer = SuiteServer  # what the gateway makes a server of
    sys.exit(main())
