"""Reads a unified diff, as git and diff write it, into lines that can be drawn. Pure Python.

Whatever is no diff is kept as notes: nothing that an agent shows is lost.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)")
_ESCAPE = re.compile(rb'\\([0-7]{3}|[abtnvfr"\\])')
_ESCAPED = {b"a": b"\a", b"b": b"\b", b"t": b"\t", b"n": b"\n", b"v": b"\v", b"f": b"\f", b"r": b"\r"}


class LineKind(StrEnum):
    FILE = "file"
    HUNK = "hunk"
    CONTEXT = "context"
    ADDED = "added"
    DELETED = "deleted"
    NOTE = "note"
    # what reviews found, drawn below the line that it is about
    ERROR = "error"
    WARNING = "warning"
    REMARK = "remark"


FINDINGS = (LineKind.ERROR, LineKind.WARNING, LineKind.REMARK)


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line to draw; ``old`` and ``new`` are its numbers in the two files, from 1."""

    kind: LineKind
    text: str
    old: int | None = None
    new: int | None = None


@dataclass(slots=True)
class DiffFile:
    """A file of the change. ``at`` is the place of its first line among all lines."""

    path: str
    at: int
    old_path: str | None = None
    added: int = 0
    deleted: int = 0


@dataclass(slots=True)
class Diff:
    """Everything to draw, in order."""

    files: list[DiffFile] = field(default_factory=list[DiffFile])
    lines: list[DiffLine] = field(default_factory=list[DiffLine])

    @property
    def added(self) -> int:
        return sum(file.added for file in self.files)

    @property
    def deleted(self) -> int:
        return sum(file.deleted for file in self.files)

    def row_of(self, path: str, line: int | None = None) -> int | None:
        """Where a file is drawn, or the line of its new side that is nearest to ``line``; None for no file of it."""
        found = next((file for file in self.files if file.path == path), None)
        if found is None or line is None:
            return None if found is None else found.at
        following = (file.at for file in self.files if file.at > found.at)
        rows = range(found.at, min(following, default=len(self.lines)))
        numbered = [row for row in rows if self.lines[row].new is not None]
        return min(numbered, key=lambda row: abs((self.lines[row].new or 0) - line), default=found.at)


def read_diff(text: str) -> Diff:
    """The files and lines of ``text``. Counts in a hunk's head say where it ends, so no content is taken for a head."""
    reader = _Reader()
    lines = text.split("\n")  # and no other end of a line: a page break in a file is content
    for line in lines[:-1] if not lines[-1] else lines:
        reader.take(line.removesuffix("\r"))
    return reader.diff


class _Reader:
    def __init__(self) -> None:
        self.diff = Diff()
        self._old = self._new = 0
        self._old_left = self._new_left = 0
        self._begun: str | None = None
        self._old_path: str | None = None

    def take(self, line: str) -> None:
        if self._old_left > 0 or self._new_left > 0:
            self._content(line)
        elif line.startswith("diff --git "):
            self._begun, self._old_path = _new_name_of(line), None
            self._file(self._begun)
        elif line.startswith("--- "):
            self._old_path = _path(line[4:])
        elif line.startswith("+++ "):
            self._names(_path(line[4:]))
        elif line.startswith("rename from "):
            self.diff.files[-1].old_path = _unquoted(line.removeprefix("rename from ")) if self.diff.files else None
        elif (hunk := _HUNK.match(line)) is not None:
            self._hunk(hunk)
        elif line.startswith(("index ", "similarity index ", "rename to ", "old mode ", "new file mode ")):
            return
        elif line:
            self._add(LineKind.NOTE, line.removeprefix("\\ "))

    def _content(self, line: str) -> None:
        file = self.diff.files[-1]
        mark, text = line[:1], line[1:]
        if mark == "+":
            self._add(LineKind.ADDED, text, new=self._new)
            file.added += 1
            self._new, self._new_left = self._new + 1, self._new_left - 1
        elif mark == "-":
            self._add(LineKind.DELETED, text, old=self._old)
            file.deleted += 1
            self._old, self._old_left = self._old + 1, self._old_left - 1
        elif mark == "\\":
            self._add(LineKind.NOTE, text.strip())
        else:  # some tools strip the space of an empty line
            self._add(LineKind.CONTEXT, text, old=self._old, new=self._new)
            self._old, self._old_left = self._old + 1, self._old_left - 1
            self._new, self._new_left = self._new + 1, self._new_left - 1

    def _hunk(self, found: re.Match[str]) -> None:
        old, old_count, new, new_count, about = found.groups()
        self._old, self._new = int(old), int(new)
        self._old_left = 1 if old_count is None else int(old_count)
        self._new_left = 1 if new_count is None else int(new_count)
        if not self.diff.files:
            self._file("")
        self._add(LineKind.HUNK, about.strip())

    def _names(self, new: str | None) -> None:
        """After ``+++``: a diff of git has named the file already, one of diff has not."""
        path = new or self._old_path or ""
        if self._begun is None:
            self._file(path)
        elif self.diff.files:
            self.diff.files[-1].path = path
            self.diff.lines[self.diff.files[-1].at] = DiffLine(LineKind.FILE, path)
        self._begun = None

    def _file(self, path: str) -> DiffFile:
        file = DiffFile(path, len(self.diff.lines))
        self.diff.files.append(file)
        self._add(LineKind.FILE, path)
        return file

    def _add(self, kind: LineKind, text: str, *, old: int | None = None, new: int | None = None) -> None:
        self.diff.lines.append(DiffLine(kind, text, old, new))


def _new_name_of(line: str) -> str:
    """The new name of ``diff --git a/x b/x``, which matters where no ``+++`` follows: binary files and pure renames."""
    names = line.removeprefix("diff --git ")
    if names.endswith('"'):
        return _path(names[names[:-1].rfind(' "') + 1 :]) or ""
    half = len(names) // 2
    same = names[:half].removeprefix("a/") == names[half + 1 :].removeprefix("b/")
    return (names[half + 1 :] if same else names[names.rfind(" b/") + 1 :]).removeprefix("b/")


def _path(name: str) -> str | None:
    """A name without git's prefix and without what diff puts behind a tab; None for /dev/null."""
    name = _unquoted(name.split("\t", maxsplit=1)[0])
    if name == "/dev/null":
        return None
    return name[2:] if name[:2] in ("a/", "b/") else name


def _unquoted(name: str) -> str:
    """A name as git quotes it, a string of C with the bytes of UTF-8 in octal."""
    if len(name) < 2 or not (name.startswith('"') and name.endswith('"')):
        return name

    def byte(found: re.Match[bytes]) -> bytes:
        said = found[1]
        return bytes([int(said, 8) & 0xFF]) if len(said) == 3 else _ESCAPED.get(said, said)

    return _ESCAPE.sub(byte, name[1:-1].encode()).decode(errors="replace")


def numbers(lines: Sequence[DiffLine]) -> int:
    """How many digits the widest line number has."""
    return len(str(max((max(line.old or 0, line.new or 0) for line in lines), default=0)))
