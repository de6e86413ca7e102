"""Text of others on a terminal."""

from __future__ import annotations


def printable(text: str) -> str:
    """Without control characters: what an agent wrote must neither move the cursor nor paint over a question."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char in "\n\t" else "�" for char in text)
