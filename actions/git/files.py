"""The files of a folder that a person may mean: those that git knows or would add, else all that are not hidden."""

from __future__ import annotations

import os
from pathlib import Path

from actions.git.command import GitFailed, run_git

MOST = 100_000
_PASSED_OVER = frozenset({"node_modules", "__pycache__", "dist", "build", "target", "venv"})


def files_of(folder: Path) -> list[str]:
    """Paths relative to ``folder``, with slashes, in order; at most 100,000. Blocking. A folder that cannot be read has
    none.
    """
    try:
        listed = run_git(folder, ["ls-files", "--cached", "--others", "--exclude-standard", "-z"])
    except GitFailed:
        return _walked(folder)
    names = listed.decode("utf-8", "replace").split("\0")
    return sorted({name for name in names if name and "\ufffd" not in name})[:MOST]


def _walked(folder: Path) -> list[str]:
    found: list[str] = []
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _PASSED_OVER)
        inside = Path(place).relative_to(folder)
        found += [(inside / name).as_posix() for name in sorted(names) if not name.startswith(".")]
        if len(found) >= MOST:
            break
    return found[:MOST]


def best_files(files: list[str], query: str, most: int) -> list[str]:
    """Those that hold ``query``, in the name before the folders; where none does, those that nearly do."""
    from rapidfuzz import fuzz, process

    wanted = query.casefold()
    if not wanted:
        return sorted(files, key=lambda file: (file.count("/"), file))[:most]
    names = [file.rsplit("/", 1)[-1].casefold() for file in files]
    direct = [
        (0 if name.startswith(wanted) else 1 if wanted in name else 2, len(file), file)
        for file, name in zip(files, names, strict=True)
        if wanted in name or wanted in file.casefold()
    ]
    if direct:
        return [file for _, _, file in sorted(direct)[:most]]
    near = process.extract(
        wanted, files, processor=str.casefold, scorer=fuzz.partial_ratio, limit=most, score_cutoff=70
    )
    return [file for file, _, _ in near]
