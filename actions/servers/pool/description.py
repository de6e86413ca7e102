"""A third party's words on its tool, for a model: short, marked as such, with nothing hidden in them."""

from __future__ import annotations

from actions.servers.pool.hidden import visible

LIMIT = 2000


def described(server: str, tool: str, text: str) -> str:
    """The description that the model reads. Characters that do not show are written out, so that no reader misses
    them."""
    text = text.strip()
    seen = visible(text[:LIMIT])
    if len(text) > LIMIT:
        seen = f"{seen} [cut, {len(text)} characters]"
    head = f"Tool {visible(tool)[:100]!r} of the MCP server {visible(server)[:100]!r} (its maker's words):"
    return f"{head}\n{seen}" if seen else head.replace(" (its maker's words):", ", which does not describe it.")
