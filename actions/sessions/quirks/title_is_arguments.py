"""Permission requests whose title is the tool's arguments."""

from __future__ import annotations

from typing import Any, cast

from actions.sessions.incoming import Incoming, PermissionAsk


def name_the_tool(entry: Incoming) -> None:
    """Put the tool's name where a title is only JSON.

    WORKAROUND(QwenLM/qwen-code 0.15 and 0.24, seen by us): the title of a request for an MCP tool is its arguments as
    JSON; 0.24 names the tool in ``_meta.toolName``, 0.15 nowhere.
    """
    if not isinstance(entry, PermissionAsk):
        return
    call = entry.tool_call
    title = str(call.get("title") or "").strip()
    if not title.startswith("{"):
        return
    meta: Any = call.get("_meta")
    name = cast("dict[str, Any]", meta).get("toolName") if isinstance(meta, dict) else None
    call["title"] = str(name) if name else "A tool of an MCP server"
