"""A row as Markdown, to be pasted elsewhere."""

from __future__ import annotations

from desktop.transcript.cards.tool import as_text
from desktop.transcript.model import Item, Kind

_MARKS = {"completed": "x"}


def as_markdown(item: Item) -> str:
    """What a row says, in Markdown that a paste elsewhere shows as it is shown here."""
    match item.kind:
        case Kind.AGENT | Kind.USER | Kind.NOTICE | Kind.ERROR:
            return item.text
        case Kind.THOUGHT:
            return "\n".join(f"> {line}".rstrip() for line in item.text.splitlines())
        case Kind.PLAN:
            entries = item.data.get("entries") or ()
            return "\n".join(
                f"- [{_MARKS.get(str(entry.get('status')), ' ')}] {entry.get('content') or ''}" for entry in entries
            )
        case Kind.TOOL | Kind.PERMISSION:
            parts = (as_text(item.data.get(name)) for name in ("input", "output"))
            return "\n\n".join([f"**{item.text}**", *(_fenced(part) for part in parts if part)])


def _fenced(text: str) -> str:
    """In a fence that is longer than any inside it (CommonMark 0.31, section 4.5)."""
    longest = run = 0
    for char in text:
        run = run + 1 if char == "`" else 0
        longest = max(longest, run)
    fence = "`" * max(3, longest + 1)
    body = text if text.endswith("\n") else f"{text}\n"
    return f"{fence}\n{body}{fence}"
