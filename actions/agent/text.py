"""Text that can be sent: Unicode without halves of surrogate pairs, which file names and cut output bring along."""

from __future__ import annotations


def scrub(text: str) -> str:
    """``text`` without lone surrogates; pairs become the character that they stand for."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
