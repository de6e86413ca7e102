"""How many columns a text takes in a terminal: East Asian wide characters take two, combining ones none."""

from __future__ import annotations


def width(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(_columns(char) for char in text)


def pad(text: str, columns: int) -> str:
    return text + " " * max(0, columns - width(text))


def fit(text: str, columns: int) -> str:
    """The text in at most ``columns`` columns, an ellipsis in place of the rest."""
    if width(text) <= columns:
        return text
    kept, taken = "", 1
    for char in text:
        taken += width(char)
        if taken > columns:
            break
        kept += char
    return kept + "…"


def _columns(char: str) -> int:
    import unicodedata

    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1
