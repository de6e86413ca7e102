"""Text in files as it is on disk: its encoding, its byte order mark and its line endings, found and kept exactly."""

from __future__ import annotations

import codecs
import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace

SAMPLE = 65_536
"""Bytes that are enough to tell an encoding."""

# The longer mark first: the one of UTF-16 begins the one of UTF-32.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SURE = 40
"""Bytes beyond ASCII from which on statistics can tell one old encoding from another."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """``name`` as Python's codecs know it; ``mark`` the bytes before the text, empty for none."""

    name: str
    mark: bytes = b""

    def __str__(self) -> str:
        return f"{self.name} with a byte order mark" if self.mark else self.name


UTF8 = Encoding("utf-8")


class NotText(Exception):
    """The bytes are no text in any encoding."""


class NotEncodable(Exception):
    """The text has a character that the file's encoding does not have."""

    def __init__(self, encoding: Encoding, character: str, line: int) -> None:
        super().__init__(
            f"{character!r} (U+{ord(character):04X}, line {line} of the new text) does not exist in the file's "
            f"encoding, {encoding}"
        )


def detect(sample: bytes, *, whole: bool) -> Encoding:
    """The encoding of a file that begins with ``sample``. ``whole``: the sample is all of it.

    Order: byte order mark, UTF-8, UTF-16 by the place of its zero bytes, then statistics over what is left; short
    texts that could be Chinese are taken as GB 18030, others as Windows-1252.

    Raises:
        NotText: zero bytes that no encoding explains, or control characters all over.
    """
    for mark, name in _MARKS:
        if sample.startswith(mark):
            return Encoding(name, mark)
    if 0 in sample:
        return _wide(sample)
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample, final=whole)
        return UTF8
    except UnicodeDecodeError:
        return Encoding(_old(sample))


def decode(data: bytes) -> tuple[str, Encoding]:
    """The text of a whole file, line endings as they are; encoding it again gives ``data``. Raises NotText."""
    encoding = detect(data, whole=True)
    if encoding.name == "gb18030" and _decodes(data, "gbk"):
        # What reads it as GBK could not read a character that only GB 18030 has: such a one is refused, not written
        encoding = Encoding("gbk")
    try:
        text = data[len(encoding.mark) :].decode(encoding.name)
    except UnicodeDecodeError as error:
        raise NotText(f"it says it is {encoding}, but byte {error.start + len(encoding.mark)} is not") from error
    if encode(text, encoding) != data:
        # Encodings with two ways to write a character do not lead back; this one keeps every byte.
        return data.decode("latin-1"), Encoding("latin-1")
    return text, encoding


def encode(text: str, encoding: Encoding) -> bytes:
    """The bytes of a file. Raises NotEncodable and names the first character that does not fit."""
    try:
        return encoding.mark + text.encode(encoding.name)
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        raise NotEncodable(encoding, text[error.start], line) from error


def newline_of(text: str) -> str:
    """The line ending that most lines have; ``\\n`` for a single line, a lone ``\\r`` only where nothing else is."""
    windows = text.count("\r\n")
    unix = text.count("\n") - windows
    if windows or unix:
        return "\r\n" if windows > unix else "\n"
    return "\r" if "\r" in text else "\n"


def with_newlines(text: str, newline: str) -> str:
    """``text`` with each of its line endings turned into ``newline``."""
    return text.replace("\r\n", "\n").replace("\n", newline)


@dataclass(frozen=True, slots=True)
class Plain:
    """A text with ``\\n`` at the end of every line, and the way back to the text that it was made from."""

    text: str
    original: str
    pairs: tuple[int, ...]
    """Places in ``text`` whose ``\\n`` is ``\\r\\n`` in the original."""
    newline: str

    @classmethod
    def of(cls, original: str) -> Plain:
        pairs = tuple(m.start() - i for i, m in enumerate(re.finditer("\r\n", original)))
        newline = newline_of(original)
        text = original.replace("\r\n", "\n")
        return cls(text.replace("\r", "\n") if newline == "\r" else text, original, pairs, newline)

    def spliced(self, places: Sequence[tuple[int, int]], new: str) -> str:
        """The original with each ``text[start:end]`` replaced by ``new``, whose lines end as those around them do.

        ``places`` hold the same text, in order, without overlaps.
        """
        if not places:
            return self.original
        old = self.text[slice(*places[0])]
        before = _common(old, new)
        after = _common(old[before:][::-1], new[before:][::-1])
        core = new[before : len(new) - after]
        pieces: list[str] = []
        done = 0
        for begin, end in places:
            start, stop = begin + before, end - after
            pieces.append(self.original[done : self._there(start)])
            pieces.append(core.replace("\n", self._newline_near(start, stop)) if "\n" in core else core)
            done = self._there(stop)
        pieces.append(self.original[done:])
        return "".join(pieces)

    def _there(self, place: int) -> int:
        """The place in the original."""
        return place + bisect_left(self.pairs, place)

    def _newline_near(self, start: int, end: int) -> str:
        """Of the first line that is replaced, else of the line before."""
        if self.newline == "\r":
            return "\r"
        at = self.text.find("\n", start, end)
        if at < 0:
            at = self.text.rfind("\n", 0, start)
        if at < 0:
            return self.newline
        found = bisect_left(self.pairs, at)
        return "\r\n" if found < len(self.pairs) and self.pairs[found] == at else "\n"


def same_style(text: str, old: str) -> str:
    """``text`` written by someone who did not see the line endings of ``old``: they become those of ``old``."""
    return text if "\r" in text else with_newlines(text, newline_of(old))


def without_mark(encoding: Encoding) -> Encoding:
    """For text that is added to what is already there."""
    return replace(encoding, mark=b"")


def _common(one: str, other: str) -> int:
    """Length of what both begin with."""
    length = min(len(one), len(other))
    return next((i for i in range(length) if one[i] != other[i]), length)


def _wide(sample: bytes) -> Encoding:
    """UTF-16 without a mark: in text from Europe nearly every second byte is zero, always on the same side."""
    pairs = len(sample) // 2
    high, low = sample[: pairs * 2 : 2].count(0), sample[1 : pairs * 2 : 2].count(0)
    for zeros, others, name in ((low, high, "utf-16-le"), (high, low, "utf-16-be")):
        if pairs > 2 and len(sample) % 2 == 0 and zeros >= pairs * 0.4 and others == 0:
            try:
                text = codecs.getincrementaldecoder(name)().decode(sample, final=False)
            except UnicodeDecodeError:
                continue
            if _readable(text):
                return Encoding(name)
    raise NotText("it has zero bytes")


def _old(sample: bytes) -> str:
    """One of the encodings from before Unicode."""
    if not _readable(sample.decode("latin-1")):
        raise NotText("it has control characters all over")
    beyond = sum(byte > 127 for byte in sample)
    chinese = _decodes(sample, "gb18030")
    if beyond < _SURE:
        return "gb18030" if chinese else "cp1252" if _decodes(sample, "cp1252") else "latin-1"
    from charset_normalizer import from_bytes

    guesses = [guess.encoding for guess in from_bytes(sample)]
    # Of sister encodings that say the same about this text, the usual one.
    for usual, sisters in (("cp1252", ("cp1250", "cp1254", "cp1257")), ("gb18030", ("gbk", "gb2312"))):
        if guesses and guesses[0] in sisters and (usual in guesses or _decodes(sample, usual)):
            return usual
    return next((guess for guess in guesses if _decodes(sample, guess)), "latin-1")


def _decodes(sample: bytes, name: str) -> bool:
    try:
        codecs.getincrementaldecoder(name)().decode(sample, final=False)
    except (UnicodeDecodeError, LookupError):
        return False
    return True


def _readable(text: str) -> bool:
    odd = sum(1 for c in text if c < " " and c not in "\t\n\r\f\x1b\b")
    return odd <= len(text) // 100
