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
    pieces = list(dict.fromkeys(piece for word in words for piece in _pieces(word)))
    if not pieces:
        return False
    within = [os.path.realpath(root) for root in roots]
    at = (folder if folder not in roots[:1] else "") or next(iter(within), "")
    return any(_outside(piece, at, within) for piece in pieces)


def _pieces(word: str) -> Iterator[str]:
    for piece in _NO_PATH.split(word):
        if not piece:
            continue
        yield piece
        if piece[0] == "-" and len(piece) > 2:  # the value may stand in the same word: -f/etc/x, -I../x, -Clink
            yield from (piece[at:] for sign in ("/", "~", "..") if (at := piece.find(sign)) > 0)
            yield piece[2:]


def _outside(piece: str, folder: str, within: Sequence[str]) -> bool:
    parts = piece.split("/")
    if piece[0] == "~" or any(part[:1] == "." and _GLOB.search(part) for part in parts):
        return True  # ``.*`` may be ``..``
    if piece in _STANDARD:
        return False
    if not within:
        return piece[0] == "/" or ".." in parts
    found = [piece, *_matches(piece, folder)]
    return len(found) > _MOST or any(not _lies_in(within, os.path.join(folder, one)) for one in found)  # noqa: PTH118


def _matches(piece: str, folder: str) -> list[str]:
    """What a shell makes of ``piece``; unlike :meth:`pathlib.Path.glob` it leaves hidden files out, as a shell does."""
    return list(islice(glob.iglob(piece, root_dir=folder), _MOST)) if _GLOB.search(piece) else []  # noqa: PTH207


def _lies_in(within: Sequence[str], path: str) -> bool:
    """Strings, not paths: this stands in the way of each call that a rule may cover."""
    real = os.path.realpath(path)
    return any(real == root or real.startswith(f"{root.rstrip('/')}/") for root in within)
