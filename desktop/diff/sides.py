"""A change as two columns: what was on the left, what is on the right, line beside line. Pure Python."""

from __future__ import annotations

from dataclasses import replace

from desktop.diff.unified import Diff, DiffLine, LineKind

_NOTHING = DiffLine(LineKind.NOTE, "")


def sides(diff: Diff) -> tuple[Diff, Diff]:
    """Both columns, equally long: lines that replace each other stand side by side, and gaps fill the rest."""
    old, new = Diff(), Diff()
    places = {file.at: file for file in diff.files}
    gone: list[DiffLine] = []
    come: list[DiffLine] = []

    def settle() -> None:
        for at in range(max(len(gone), len(come))):
            old.lines.append(gone[at] if at < len(gone) else _NOTHING)
            new.lines.append(come[at] if at < len(come) else _NOTHING)
        gone.clear()
        come.clear()

    for at, line in enumerate(diff.lines):
        if line.kind is LineKind.DELETED:
            if come:
                settle()
            gone.append(line)
            continue
        if line.kind is LineKind.ADDED:
            come.append(line)
            continue
        settle()
        if (file := places.get(at)) is not None:
            for side, path in ((old, file.old_path or file.path), (new, file.path)):
                side.files.append(replace(file, path=path, at=len(side.lines)))
        old.lines.append(replace(line, new=None))
        new.lines.append(replace(line, old=None))
    settle()
    return old, new
