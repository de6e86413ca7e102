"""What a text holds that a reader does not see: zero-width and bidirectional characters, Unicode tags, comments.

A tool's description is read by a model in full and by a person as it is drawn; what is in the one and not in the other
is how instructions are smuggled in. Source: Unicode 15, general categories; Unicode TR 36, 2.5 (bidirectional text).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

_KEPT = "\n\t"
_NEVER_SHOWN = frozenset({"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"})
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_ZERO_WIDTH = frozenset("\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064"
                        "\u2800\u3164\ufeff\uffa0")  # fmt: skip
# Variation selectors that no font of ours draws; 15 and 16 choose between text and emoji, and are common.
_SELECTORS = (range(0xFE00, 0xFE0E), range(0xE0100, 0xE01F0))
_COMMENT = re.compile(r"<!--(.*?)(?:-->|\Z)", re.DOTALL)


class HiddenKind(StrEnum):
    """Why it is not seen."""

    TAGS = "tags"
    ZERO_WIDTH = "zero_width"
    BIDI = "bidi"
    CONTROL = "control"
    COMMENT = "comment"


@dataclass(frozen=True, slots=True)
class Hidden:
    """One stretch of ``text`` that is not seen: from where, how many characters, and what it says written out."""

    kind: HiddenKind
    at: int
    length: int
    says: str


def visible(text: str) -> str:
    """``text`` with its invisible characters (control, format, private use, tags, blank letters) as escapes."""
    return "".join(char if _kind(char) is None else _escaped(char) for char in text)


def hidden(text: str) -> tuple[Hidden, ...]:
    """Every stretch that a reader would miss, in order. A comment counts, whatever is in it."""
    found = [*_stretches(text), *(_comment(match) for match in _COMMENT.finditer(text))]
    return tuple(sorted(found, key=lambda one: one.at))


def _stretches(text: str) -> Iterator[Hidden]:
    start, kind = 0, None
    for at, char in enumerate(text):
        now = _kind(char)
        if now is kind:
            continue
        if kind is not None:
            yield _stretch(kind, text, start, at)
        start, kind = at, now
    if kind is not None:
        yield _stretch(kind, text, start, len(text))


def _stretch(kind: HiddenKind, text: str, start: int, end: int) -> Hidden:
    part = text[start:end]
    # Tag characters mirror ASCII: what they spell is what a model reads
    spelled = "".join(chr(ord(char) - 0xE0000) for char in part if 0xE0020 <= ord(char) <= 0xE007E)
    return Hidden(kind, start, end - start, spelled or visible(part))


def _comment(match: re.Match[str]) -> Hidden:
    return Hidden(HiddenKind.COMMENT, match.start(), len(match.group()), visible(match.group(1).strip()))


def _kind(char: str) -> HiddenKind | None:
    if " " <= char <= "~" or char in _KEPT:
        return None
    code = ord(char)
    if 0xE0000 <= code <= 0xE007F:
        return HiddenKind.TAGS
    if char in _BIDI:
        return HiddenKind.BIDI
    if char in _ZERO_WIDTH or any(code in selectors for selectors in _SELECTORS):
        return HiddenKind.ZERO_WIDTH
    return HiddenKind.CONTROL if unicodedata.category(char) in _NEVER_SHOWN else None


def _escaped(char: str) -> str:
    code = ord(char)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
