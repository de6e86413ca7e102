"""How agents name the tools of MCP servers, each after its own pattern."""

from __future__ import annotations

import re


def tool_in(template: str | None, name: str, servers: tuple[str, ...]) -> tuple[str, str] | None:
    """The server and the tool that ``name`` means, for one of the ``servers``; None for a name of something else.

    ``template`` is a row's ``mcp_tool_name`` with ``{server}`` and ``{tool}``. A server is looked for by its name,
    because a template such as ``{server}_{tool}`` alone could be cut anywhere. A template without ``{server}`` tells
    nothing, for the name may be that of any tool.
    """
    if template is None or "{server}" not in template:
        return None
    for server in sorted(servers, key=len, reverse=True):
        parts = re.split(r"(\{server\}|\{tool\})", template)
        known = {"{server}": re.escape(server), "{tool}": r"(?P<tool>.+)"}
        pattern = "".join(known.get(part, re.escape(part)) for part in parts)
        if found := re.fullmatch(pattern, name):
            return server, found.group("tool")
    return None


def name_for(template: str | None, server: str, tool: str) -> str:
    """The name under which the model sees a tool; ``tool`` itself where a row does not say."""
    return (template or "{tool}").replace("{server}", server).replace("{tool}", tool)
