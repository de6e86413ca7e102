"""What Glob and Grep need from a search engine, and what both engines agree on."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

MOST_BYTES = 64 << 20
"""Larger files are not searched."""
NEVER = (".git", ".hg", ".svn", ".jj")
"""What version control keeps for itself."""


class Stopped(Exception):
    """Nobody waits for the answer any more."""


class Stop:
    """Set from any thread: the search ends soon, and what it started ends at once."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._on_set: list[Callable[[], None]] = []
        self._lock = threading.Lock()

    def set(self) -> None:
        with self._lock:
            self._event.set()
            for call in self._on_set:
                call()

    def check(self) -> None:
        """Raises Stopped when it is set."""
        if self._event.is_set():
            raise Stopped

    def also(self, call: Callable[[], None]) -> None:
        """Call this too when the stop is set; at once if it already is."""
        with self._lock:
            self._on_set.append(call)
            if self._event.is_set():
                call()


@dataclass(frozen=True, slots=True)
class Files:
    """Regular files under a folder: paths relative to it, in the order of their parts; ``unread`` folders were shut."""

    paths: tuple[str, ...]
    unread: int = 0

    @classmethod
    def sorted(cls, paths: Sequence[str], unread: int) -> Files:
        return cls(tuple(sorted(paths, key=_by_parts)), unread)


def _by_parts(path: str) -> list[bytes]:
    return os.fsencode(path).split(b"/")


@dataclass(frozen=True, slots=True)
class Query:
    """``pattern`` is in the common dialect, see :mod:`.dialect`. ``before`` and ``after`` are lines of context."""

    pattern: str
    ignore_case: bool = False
    multiline: bool = False
    before: int = 0
    after: int = 0


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a file without its ending; ``hit`` or context."""

    number: int
    text: str
    hit: bool


@dataclass(frozen=True, slots=True)
class Found:
    """A file with hits. ``hits`` counts matching lines (in multiline searches every line that a match touches)."""

    path: str
    lines: tuple[Line, ...]

    @property
    def hits(self) -> int:
        return sum(line.hit for line in self.lines)


class Engine(Protocol):
    """Lists and searches. Blocks: run it in a thread."""

    def files(self, root: Path, *, ignored: bool, stop: Stop) -> Files:
        """Regular files under ``root`` up to 64 MB, hidden ones too; links are not followed.

        ``ignored`` also gives those that ``.gitignore`` files (in ``root``, below and above it up to the repository)
        exclude. Where ``root`` itself is excluded, only the files below count.
        """
        ...

    def search(self, root: Path, paths: Sequence[str], query: Query, stop: Stop) -> Iterator[Found]:
        """Files of ``paths`` with hits, in that order. Zero bytes make a file binary, UTF-16 with its mark aside."""
        ...
