"""Whether a plain command names something outside the folders that it belongs to.

A rule for ``cat`` is made while files of the workspace are read; it must not read ``~/.ssh``. What is no path at all
but looks like one (a search for ``/api``) counts as one: then a person is asked, no more.
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

_NO_PATH = re.compile(r"[^\w./~+%*?\[\]^\-]+")
"""What stands between the paths of one word, as in ``--file=/etc/x``, ``a:/b`` and ``load("/etc/x")``."""
_GLOB = re.compile(r"[*?\[]")
_STANDARD = frozenset({"/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr"})
_MOST = 1_000
"""So many files of a glob are looked at; one with more is not known to stay inside."""


def leads_out(words: Sequence[str], folder: str, roots: Sequence[str]) -> bool:
    """Whether one of ``words`` may be a path outside ``roots``, links followed, when the command runs in ``folder``.

    Without ``roots`` every absolute path counts, and every one with ``..`` in it.
    """
    return any(_outside(piece, folder, roots) for word in words for piece in _pieces(word))


def _pieces(word: str) -> Iterator[str]:
    for piece in _NO_PATH.split(word):
        if not piece:
            continue
        yield piece
        if piece[0] == "-":  # the value may stand in the same word: -f/etc/x, -I../x, -Clink
            yield from (piece[at:] for sign in ("/", "~", "..") if (at := piece.find(sign)) > 0)
            yield piece[2:]


def _outside(piece: str, folder: str, roots: Sequence[str]) -> bool:
    parts = piece.split("/")
    if piece.startswith("~") or any(part.startswith(".") and _GLOB.search(part) for part in parts):
        return True  # ``.*`` may be ``..``
    if piece in _STANDARD:
        return False
    if not roots:
        return piece.startswith("/") or ".." in parts
    within = [os.path.realpath(root) for root in roots]
    at = folder or within[0]
    found = [piece, *_matches(piece, at)]
    if len(found) > _MOST:
        return True
    return not all(any(_path(at, one).is_relative_to(root) for root in within) for one in found)


def _matches(piece: str, folder: str) -> list[str]:
    """What a shell makes of ``piece``; unlike :meth:`pathlib.Path.glob` it leaves hidden files out, as a shell does."""
    return list(islice(glob.iglob(piece, root_dir=folder), _MOST)) if _GLOB.search(piece) else []  # noqa: PTH207


def _path(folder: str, piece: str) -> Path:
    return Path(os.path.realpath(Path(folder) / piece))
