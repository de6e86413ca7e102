"""Text of others, and times, on a terminal."""

from __future__ import annotations

import time


def printable(text: str) -> str:
    """Without control characters: what an agent wrote must neither move the cursor nor paint over a question."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char in "\n\t" else "�" for char in text)


def when(milliseconds: int) -> str:
    """A moment since 1970 in local time, to the minute."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(milliseconds / 1000))
