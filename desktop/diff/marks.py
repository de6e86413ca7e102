"""Findings drawn at their lines: where each belongs in a change, and the lines that are put there. Pure Python."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from desktop.diff.unified import Diff, DiffFile, DiffLine, LineKind

CONTINUED = "  "
"""What a line begins with that goes on with the words of the one above."""
WIDEST = 100
_KINDS = {"error": LineKind.ERROR, "warning": LineKind.WARNING}


@dataclass(frozen=True)
class Mark:
    """A finding to draw. ``words`` are what is written below its line; ``line`` None is the file as a whole."""

    id: str
    path: str
    line: int | None
    severity: str
    words: str


def places(diff: Diff, marks: Iterable[Mark]) -> dict[str, int]:
    """The row that each finding is about, by its id; one that is about nothing in this change is left out."""
    rows = {file.path: _numbered(diff, file, end) for file, end in _spans(diff)}
    heads = {file.path: file.at for file in diff.files}
    found: dict[str, int] = {}
    for mark in marks:
        if mark.path not in heads:
            continue
        row = heads[mark.path] if mark.line is None else rows[mark.path].get(mark.line)
        if row is None and not rows[mark.path]:
            row = heads[mark.path]  # a file that is gone, or has no lines, is looked at as a whole
        if row is not None:
            found[mark.id] = row
    return found


@dataclass(frozen=True)
class Marked:
    """A change with findings in it. ``stands`` has the row that each one is about, ``drawn`` whose words a row is."""

    diff: Diff
    stands: Mapping[str, int]
    drawn: Mapping[int, str]


def marked(diff: Diff, marks: Sequence[Mark], rows: Mapping[str, int], *, wide: int = WIDEST) -> Marked:
    """The change with the findings below their rows, in lines of at most ``wide`` characters."""
    below: dict[int, list[Mark]] = {}
    for mark in marks:
        if mark.id in rows:
            below.setdefault(rows[mark.id], []).append(mark)
    lines: dict[int, list[DiffLine]] = {}
    stands: dict[str, int] = {}
    drawn: dict[int, str] = {}
    pushed = 0
    for at in sorted(below):
        lines[at] = []
        for mark in below[at]:
            stands[mark.id] = at + pushed
            for line in _lines(mark, diff.lines[at], wide):
                lines[at].append(line)
                drawn[at + pushed + len(lines[at])] = mark.id
        pushed += len(lines[at])
    return Marked(_put(diff, lines), stands, drawn)


def gapped(diff: Diff, marks: Sequence[Mark], rows: Mapping[str, int], *, wide: int = WIDEST) -> Diff:
    """The other column of two: as many empty lines where :func:`marked` puts findings."""
    gaps: dict[int, list[DiffLine]] = {}
    for mark in marks:
        if mark.id in rows:
            at = rows[mark.id]
            gaps.setdefault(at, []).extend(DiffLine(LineKind.NOTE, "") for _ in _wrapped(mark.words, wide))
    return _put(diff, gaps)


def _put(diff: Diff, below: Mapping[int, Sequence[DiffLine]]) -> Diff:
    result = Diff()
    places = {file.at: file for file in diff.files}
    for at, line in enumerate(diff.lines):
        if (file := places.get(at)) is not None:
            result.files.append(replace(file, at=len(result.lines)))
        result.lines.append(line)
        result.lines.extend(below.get(at, ()))
    return result


def _lines(mark: Mark, about: DiffLine, wide: int) -> list[DiffLine]:
    kind = _KINDS.get(mark.severity, LineKind.REMARK)
    return [DiffLine(kind, text, None, about.new) for text in _wrapped(mark.words, wide)]


def _wrapped(words: str, wide: int) -> list[str]:
    lines = textwrap.wrap(" ".join(words.split()), wide - len(CONTINUED), break_on_hyphens=False) or [""]
    return [lines[0], *(f"{CONTINUED}{line}" for line in lines[1:])]


def _spans(diff: Diff) -> Iterable[tuple[DiffFile, int]]:
    ends = [*(file.at for file in diff.files[1:]), len(diff.lines)]
    return zip(diff.files, ends, strict=False)


def _numbered(diff: Diff, file: DiffFile, end: int) -> dict[int, int]:
    """The row of each line of the new file."""
    rows = range(file.at, end)
    return {number: row for row in rows if (number := diff.lines[row].new) is not None}
