"""Code in its colours: read once a text, kept, and never for longer than a frame has room for.

What is coloured never changes its size, so a card may be drawn first and coloured after.
"""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtGui import QColor, QTextBlock, QTextCharFormat, QTextDocument, QTextFormat, QTextLayout

from desktop.theme.colors import Scheme

LONGEST = 20_000
"""Characters; a longer block stays as it is, for nobody reads it word by word."""

_ROLES = (
    ("Token.Comment", "muted"),
    ("Token.Literal.String", "success"),
    ("Token.Literal.Number", "warning"),
    ("Token.Keyword", "accent_text"),
    ("Token.Operator.Word", "accent_text"),
    ("Token.Name.Function", "link"),
    ("Token.Name.Class", "link"),
    ("Token.Name.Tag", "link"),
    ("Token.Name.Decorator", "warning"),
    ("Token.Name.Builtin", "link"),
    ("Token.Generic.Deleted", "danger"),
    ("Token.Generic.Inserted", "success"),
    ("Token.Generic.Subheading", "accent_text"),
)


@lru_cache(maxsize=256)
def spans(code: str, language: str) -> tuple[tuple[int, int, str], ...]:
    """``(start, length, colour role)`` of what is not plain text; none for a language that is not known.

    Positions count UTF-16 units, as Qt does.
    """
    if not language or len(code) > LONGEST:
        return ()
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return ()
    result: list[tuple[int, int, str]] = []
    at = 0
    for kind, text in lexer.get_tokens(code):
        length = len(text.encode("utf-16-le")) // 2
        name = str(kind)
        role = next((role for prefix, role in _ROLES if name.startswith(prefix)), None)
        if role is not None and text.strip():
            result.append((at, length, role))
        at += length
    return tuple(result)


def blocks_of(document: QTextDocument) -> list[tuple[list[QTextBlock], str]]:
    """The pieces of code of a document that Markdown made: their lines, and the language that their fence names."""
    pieces: list[tuple[list[QTextBlock], str]] = []
    block = document.begin()
    before = -2
    while block.isValid():
        shape = block.blockFormat()
        if shape.hasProperty(QTextFormat.Property.BlockCodeLanguage):
            language = str(shape.property(QTextFormat.Property.BlockCodeLanguage) or "")
            if before != block.blockNumber() - 1 or language != pieces[-1][1]:
                pieces.append(([], language))
            pieces[-1][0].append(block)
            before = block.blockNumber()
        block = block.next()
    return pieces


def paint(document: QTextDocument, lines: list[QTextBlock], language: str, scheme: Scheme) -> None:
    """Colour the lines of one piece of code."""
    found = spans("\n".join(line.text() for line in lines), language)
    if not found:
        return
    offset = at = 0
    for line in lines:
        end = offset + line.length() - 1
        marks: list[QTextLayout.FormatRange] = []
        while at < len(found) and found[at][0] + found[at][1] <= offset:
            at += 1
        for start, length, role in found[at:]:
            if start >= end:
                break
            mark = QTextLayout.FormatRange()
            mark.start = max(start, offset) - offset
            mark.length = min(start + length, end) - max(start, offset)
            shape = QTextCharFormat()
            shape.setForeground(QColor(getattr(scheme, role)))
            mark.format = shape
            marks.append(mark)
        line.layout().setFormats(marks)
        offset = end + 1
    document.markContentsDirty(lines[0].position(), offset)
