"""The tools of a server as the options of a field, each with what the next field may hold."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from actions.catalog.context import ActionContext, Caller, CallerKind
from actions.catalog.options import OptionRequest
from actions.catalog.registry import load
from actions.catalog.spec import Surface
from actions.errors import InvalidInput

TOWN = {"type": "object", "properties": {"town": {"type": "string"}}}


class Servers:
    async def tools(self, server: str, *, session_id: str | None, workspace: str | None) -> list[dict[str, Any]]:
        assert (server, session_id, workspace) == ("weather", None, "/src/shop")
        return [
            {"name": "now", "title": "Weather now", "description": "Says it.\nAt length.", "input_schema": TOWN},
            {"name": "old", "title": None, "description": "", "input_schema": {}},
        ]


def context() -> ActionContext:
    ports = cast("Any", SimpleNamespace(server_use=Servers()))
    return ActionContext(Caller(CallerKind.WINDOW, present=True), Surface.UI, ports, "/src/shop", "en", {})


async def test_each_tool_says_what_it_takes() -> None:
    catalog = load()
    found = await catalog.sources["mcp.tools"].resolve(OptionRequest(draft={"server": "weather"}), context())
    assert [(o.value, o.label, o.description, o.json_schema) for o in found] == [
        ("now", "Weather now", "Says it.", TOWN),
        ("old", "old", None, {}),
    ]
    arguments = next(f for f in catalog.form(catalog.specs["mcp.tool.call"]) if f.path == "arguments")
    assert arguments.schema_from == "tool"


async def test_without_a_server_there_is_nothing_to_list() -> None:
    with pytest.raises(InvalidInput, match="server first"):
        await load().sources["mcp.tools"].resolve(OptionRequest(), context())
