"""A third party's words on its tool, for a model: short, marked as such, with nothing hidden in them."""

from __future__ import annotations

import unicodedata

LIMIT = 2000
_KEPT = "\n\t"


def described(server: str, tool: str, text: str) -> str:
    """The description that the model reads. Characters that do not show are written out, so that no reader misses
    them."""
    text = text.strip()
    seen = visible(text[:LIMIT])
    if len(text) > LIMIT:
        seen = f"{seen} [cut, {len(text)} characters]"
    head = f"Tool {visible(tool)[:100]!r} of the MCP server {visible(server)[:100]!r} (its maker's words):"
    return f"{head}\n{seen}" if seen else head.replace(" (its maker's words):", ", which does not describe it.")


def visible(text: str) -> str:
    """``text`` with its invisible characters (control, format, private use, tags) as escapes."""
    return "".join(char if char in _KEPT or _shows(char) else _escaped(char) for char in text)


def _shows(char: str) -> bool:
    return unicodedata.category(char) not in ("Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp")


def _escaped(char: str) -> str:
    code = ord(char)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
