"""Where a program is on a PATH, as the system itself would find it."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path

_PATHEXT = ".COM;.EXE;.BAT;.CMD"
_PYTHON = re.compile(r"(?:.*[\\/])?(?:python|pypy)[\d.]*(?:\.exe)?", re.IGNORECASE)


def find_program(program: str, path: str, *, windows: bool = os.name == "nt", pathext: str | None = None) -> str | None:
    """The file that ``program`` is on ``path``; None where there is none.

    On Windows a name without an extension stands for the first of ``pathext`` that there is (npm's ``.cmd``), and never
    for the file without one that npm puts beside it for other shells.
    """
    if not windows:
        return shutil.which(program, path=path)
    extensions = (pathext or os.environ.get("PATHEXT") or _PATHEXT).split(";")
    known = any(program.casefold().endswith(extension.casefold()) for extension in extensions if extension)
    names = [program] if known else [f"{program}{extension}" for extension in extensions if extension]
    folders = [""] if re.search(r"[\\/]", program) else [part.strip('"') for part in path.split(";") if part]
    for folder in folders:
        for name in names:
            for spelled in (name, name.lower()):  # a folder may tell upper case from lower even there
                file = Path(folder, spelled)
                if file.is_file():
                    return str(file)
    return None


def python_of(head: bytes) -> Sequence[str] | None:
    """The Python that runs a script, from its first lines; None for what is no script of Python's.

    Sources: the ``#!`` line, and what pip and uv write for a path that is too long for one (a shell script whose second
    line is ``'''exec' "/path/to/python" "$0" "$@"``).
    """
    lines = head.decode("utf-8", "replace").splitlines()[:2]
    if not lines or not lines[0].startswith("#!"):
        return None
    words = lines[0][2:].split()
    if len(lines) > 1 and lines[1].startswith("'''exec'"):
        with_quotes = lines[1].removeprefix("'''exec'")
        try:
            words = shlex.split(with_quotes)
        except ValueError:
            return None
    if words and Path(words[0]).name == "env":
        words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
    return [words[0]] if words and _PYTHON.fullmatch(words[0]) else None
