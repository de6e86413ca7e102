"""The one regular expression dialect of Grep: what ripgrep and our own engine understand in the same way.

Patterns are read as most programmers mean them: a brace that counts nothing and a bracket inside a class are just
characters. What one engine lacks, or would read differently, is refused with what to write instead.
"""

from __future__ import annotations

import re

_LETTERS = frozenset("dDwWsSbBtrxuUfa")
_COUNT = re.compile(r"\{\d+(,\d*)?\}")
_GROUP = re.compile(r"\(\?(:|P?<[A-Za-z_]\w*>|[is]*(-[is]+)?:)")
_FLAGS = re.compile(r"\(\?([ims]+)\)")
_CODE = re.compile(r"x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[xuU]\{([0-9A-Fa-f]{1,6})\}")
_PROPERTY = re.compile(r"[pP](\{\^?\w+(=\w+)?\}|[A-Z])")
_POSIX = re.compile(r"\[:(\^?[a-z]+):\]")
_POSIX_RANGES = {
    "alpha": "a-zA-Z", "digit": "0-9", "alnum": "a-zA-Z0-9", "upper": "A-Z", "lower": "a-z", "word": r"\x5fa-zA-Z0-9",
    "xdigit": "0-9a-fA-F", "space": r"\x09-\x0d\x20", "blank": r"\x09\x20", "cntrl": r"\x00-\x1f\x7f",
    "punct": r"\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e", "graph": r"\x21-\x7e", "print": r"\x20-\x7e",
    "ascii": r"\x00-\x7f",
}  # fmt: skip


class BadPattern(Exception):
    """The pattern is no good; the text says why and what to do."""


def normal(pattern: str, *, multiline: bool) -> str:
    """``pattern`` in the form that both engines read alike. Raises BadPattern."""
    if "\0" in pattern or (not pattern.isascii() and any("\ud800" <= c <= "\udfff" for c in pattern)):
        raise BadPattern("it holds a NUL or half a character")
    if not multiline and ("\n" in pattern or re.search(r"(?<!\\)(\\\\)*\\n", pattern)):
        raise BadPattern("it asks for a line break; set multiline")
    return _Reader(pattern, multiline).read()


def literal(text: str, *, multiline: bool) -> str:
    """A pattern for exactly this text. Raises BadPattern."""
    if "\n" in text and not multiline:
        raise BadPattern("it holds a line break; set multiline")
    return "".join(map(_exactly, text))


def _exactly(c: str) -> str:
    """One character as itself. Older ripgreps refuse a backslash before a sign that means nothing, but know codes."""
    return c if c.isalnum() or not c.isascii() or c in " _\n" else f"\\x{ord(c):02x}"


class _Reader:
    """Goes through a pattern once, from left to right."""

    def __init__(self, pattern: str, multiline: bool) -> None:
        self._pattern = pattern
        self._multiline = multiline
        self._at = 0
        self._atom = False
        """Whether something stands before this place that can be repeated."""

    def read(self) -> str:
        out: list[str] = []
        if flags := _FLAGS.match(self._pattern):
            out.append(flags[0])
            self._at = flags.end()
        while self._at < len(self._pattern):
            out.append(self._next())
        return "".join(out)

    def _take(self, length: int = 1) -> str:
        text = self._pattern[self._at : self._at + length]
        self._at += length
        return text

    def _next(self) -> str:
        c = self._pattern[self._at]
        if c == "\\":
            self._atom = True
            return self._escape(in_class=False)
        if c == "[":
            self._atom = True
            return self._class()
        if c == "(":
            self._atom = False
            return self._group()
        if c in "*+?":
            return self._repeat(self._take())
        if c == "{":
            if self._atom and (count := _COUNT.match(self._pattern, self._at)):
                return self._repeat(self._take(len(count[0])))
            self._atom = True
            return "\\" + self._take()
        if c == "|":
            self._atom = False
            return self._take()
        self._atom = True
        if c == "$":
            self._take()
            # A line that ends in \r\n ends before the \r.
            return r"(?:\r?$)"
        return "\\" + self._take() if c in "}]" else self._take()

    def _repeat(self, sign: str) -> str:
        if not self._atom:
            raise BadPattern(f"`{sign}` at {self._at} repeats nothing; for the character itself write `\\{sign}`")
        self._atom = False
        rest = self._pattern[self._at : self._at + 1]
        if rest == "?":
            return sign + self._take()
        if rest in ("+", "*") and rest:
            raise BadPattern(f"`{sign}{rest}` is read in two ways; write `(?:...){rest}`")
        return sign

    def _group(self) -> str:
        if not self._pattern.startswith("(?", self._at):
            return self._take()
        found = _GROUP.match(self._pattern, self._at)
        if found:
            return self._take(len(found[0])).replace("(?<", "(?P<")
        if self._pattern[self._at + 2 : self._at + 3] in ("=", "!") or self._pattern.startswith(
            ("(?<=", "(?<!"), self._at
        ):
            raise BadPattern("look-around is not supported; search for more and read the lines")
        raise BadPattern(
            f"`{self._pattern[self._at : self._at + 4]}` is not supported; flags come first: `(?i)`, `(?i:...)`"
        )

    def _escape(self, *, in_class: bool) -> str:
        after = self._pattern[self._at + 1 : self._at + 2]
        if not after:
            raise BadPattern("it ends in a single backslash")
        if found := _CODE.match(self._pattern, self._at + 1):
            self._take(1 + len(found[0]))
            code = int(found[1] or found[0][1:], 16)
            if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF or (code == 10 and not self._multiline):
                raise BadPattern(f"\\{found[0]} is no character to search for")
            return f"\\x{code:02x}" if code < 128 else chr(code)
        if found := _PROPERTY.match(self._pattern, self._at + 1):
            return self._take(1 + len(found[0]))
        if after == "n" and self._multiline:
            return self._take(2)
        if after.isascii() and not after.isalnum() and after not in "<>":
            return _exactly(self._take(2)[1])
        if after in _LETTERS and after not in "xuU" and not (in_class and after in "bB"):
            return self._take(2)
        if after.isdigit():
            raise BadPattern(f"\\{after} refers back to a group, which is not supported")
        if after in "<>":
            raise BadPattern(f"\\{after} is not supported; a word begins or ends at \\b")
        raise BadPattern(f"\\{after} is not supported here")

    def _class(self) -> str:
        out = [self._take()]
        if self._pattern.startswith("^", self._at):
            out.append(self._take())
        first = True
        while self._at < len(self._pattern):
            c = self._pattern[self._at]
            if c == "]" and not first:
                return "".join(out) + self._take()
            if c == "\\":
                out.append(self._escape(in_class=True))
            elif posix := _POSIX.match(self._pattern, self._at):
                self._take(len(posix[0]))
                if posix[1] not in _POSIX_RANGES:
                    raise BadPattern(f"{posix[0]} is not supported; its opposite in `[^...]` may do")
                out.append(_POSIX_RANGES[posix[1]])
            elif c in "[]&~|^" or self._pattern.startswith("--", self._at):
                out.append("\\" + self._take())
            else:
                out.append(self._take())
            first = False
        raise BadPattern("a `[` is not closed; for the character itself write `\\[`")
