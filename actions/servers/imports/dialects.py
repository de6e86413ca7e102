"""What differs between the programs: where their servers stand, how they write variables, limits and switches."""

from __future__ import annotations

from dataclasses import dataclass

from actions.servers.imports.variables import Syntax


@dataclass(frozen=True, slots=True)
class Dialect:
    """A program's format. ``roots`` are the ways through its document to a map of servers, tried in order.

    ``connect`` and ``call`` name its limits with their unit in seconds. ``sse_url``: a ``url`` without a type is SSE.
    """

    id: str
    title: str
    roots: tuple[tuple[str, ...], ...] = (("mcpServers",),)
    syntax: Syntax = Syntax.NONE
    connect: tuple[str, float] | None = None
    call: tuple[str, float] | None = None
    sse_url: bool = False
    header_syntax: Syntax | None = None


DIALECTS = {
    dialect.id: dialect
    for dialect in (
        Dialect("claude-desktop", "Claude Desktop"),
        Dialect("claude-code", "Claude Code", syntax=Syntax.BRACES),
        Dialect(
            "codex", "Codex", (("mcp_servers",),), connect=("startup_timeout_sec", 1), call=("tool_timeout_sec", 1)
        ),
        Dialect("gemini", "Gemini CLI", syntax=Syntax.DOLLAR, call=("timeout", 0.001), sse_url=True),
        Dialect("opencode", "OpenCode", (("mcp", "servers"), ("mcp",)), Syntax.CURLY, connect=("timeout", 0.001)),
        Dialect("vscode", "VS Code", (("servers",), ("mcp", "servers")), Syntax.EDITOR),
        Dialect("cursor", "Cursor", syntax=Syntax.EDITOR),
        Dialect("kimi", "Kimi"),
        Dialect("kiro", "Kiro", syntax=Syntax.BRACES),
        Dialect("zed", "Zed", (("context_servers",),), call=("timeout", 1)),
        Dialect("goose", "Goose", (("extensions",),), connect=("timeout", 1), header_syntax=Syntax.DOLLAR),
        Dialect("windsurf", "Windsurf", syntax=Syntax.EDITOR),
    )
}
UNKNOWN = Dialect(
    "text", "the given text", (("mcpServers",), ("mcp", "servers"), ("servers",), ("context_servers",)), Syntax.ANY
)
"""For text that may be any program's."""
