"""Our own engine, for where there is no ripgrep: a walk by ``.gitignore`` rules, and the ``regex`` library."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from actions.agent.tools.searching.engine import MOST_BYTES, NEVER, Files, Found, Line, Query, Stop
from actions.agent.tools.searching.ignores import Rules, above
from actions.agent.tools.text_files import SAMPLE, NotText, decode, detect

if TYPE_CHECKING:
    from regex import Pattern

_PATIENCE = 2.0
"""Seconds that one search in one text may take."""


class OwnEngine:
    """Needs nothing but Python."""

    def files(self, root: Path, *, ignored: bool, stop: Stop) -> Files:
        base = str(root).rstrip("/") + "/"
        paths: list[str] = []
        unread = 0
        todo = [(base, Rules() if ignored else above(root))]
        while todo:
            stop.check()
            folder, rules = todo.pop()
            if not ignored:
                rules = rules.inside(folder)
            try:
                with os.scandir(folder) as scan:
                    entries = list(scan)
            except OSError:
                unread += 1
                continue
            for entry in entries:
                if entry.name in NEVER:
                    continue
                is_folder = entry.is_dir(follow_symlinks=False)
                if not is_folder and not entry.is_file(follow_symlinks=False):
                    continue
                if rules.layers and rules.ignores(entry.path, folder=is_folder):
                    continue
                if is_folder:
                    todo.append((entry.path + "/", rules))
                elif _size(entry) <= MOST_BYTES:
                    paths.append(entry.path[len(base) :])
        return Files.sorted(paths, unread)

    def search(self, root: Path, paths: Sequence[str], query: Query, stop: Stop) -> Iterator[Found]:
        searcher = Searcher(query)
        for path in paths:
            stop.check()
            if found := searcher.search(root, path):
                yield found


class TooSlow(Exception):
    """The pattern takes for ever on this file."""


class Searcher:
    """One compiled query."""

    def __init__(self, query: Query) -> None:
        import regex

        flags = regex.VERSION0 | regex.MULTILINE | (regex.IGNORECASE if query.ignore_case else 0)
        self._query = query
        self._in_text: Pattern[str] = regex.compile(query.pattern, flags | (regex.DOTALL if query.multiline else 0))

    def search(self, root: Path, path: str) -> Found | None:
        """The hits in one file; None when it has none, is no text or cannot be read. Raises TooSlow."""
        text = read_text(root / path)
        if not text:
            return None
        try:
            return self._found(path, text)
        except TimeoutError as error:
            raise TooSlow(path) from error

    def place(self, text: str) -> int:
        """Where in a line the first hit begins; 0 where it cannot be told."""
        try:
            hit = self._in_text.search(text, timeout=_PATIENCE)
        except TimeoutError:
            return 0
        return hit.start() if hit else 0

    def _found(self, path: str, text: str) -> Found | None:
        if not self._query.multiline and not self._in_text.search(text, timeout=_PATIENCE):
            return None
        lines = text.split("\n")
        if not lines[-1]:
            lines.pop()
        hits = self._across(text) if self._query.multiline else self._by_line(lines)
        return Found(path, tuple(_with_context(lines, sorted(hits), self._query))) if hits else None

    def _by_line(self, lines: list[str]) -> set[int]:
        search = self._in_text.search
        return {i for i, line in enumerate(lines) if search(line, timeout=_PATIENCE)}

    def _across(self, text: str) -> set[int]:
        text = text.replace("\r\n", "\n")
        starts = [0, *(i + 1 for i, c in enumerate(text) if c == "\n")]
        hits: set[int] = set()
        for match in self._in_text.finditer(text, timeout=_PATIENCE):
            first = bisect_right(starts, match.start()) - 1
            last = bisect_right(starts, max(match.end() - 1, match.start())) - 1
            hits.update(range(first, last + 1))
        if text.endswith("\n"):
            hits.discard(len(starts) - 1)
        return hits


def read_text(file: Path) -> str | None:
    """The text of a file as Grep sees it; None for what is no text: zero bytes, except in UTF-16 with its mark."""
    try:
        with os.fdopen(os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC), "rb") as opened:
            sample = opened.read(SAMPLE)
            encoding = detect(sample, whole=False) if sample[:2] in (b"\xff\xfe", b"\xfe\xff") else None
            wide = encoding is not None and encoding.name.startswith("utf-16")
            if 0 in sample and not wide:
                return None
            data = sample + opened.read()
    except OSError:
        return None
    if wide and encoding is not None:
        text = data[2:].decode(encoding.name, "replace")
        return None if "\0" in text else text
    if 0 in data:
        return None
    try:
        return decode(data)[0]
    except NotText:
        return None


def _size(entry: os.DirEntry[str]) -> int:
    try:
        return entry.stat(follow_symlinks=False).st_size
    except OSError:
        return MOST_BYTES + 1


def _with_context(lines: list[str], hits: list[int], query: Query) -> Iterator[Line]:
    wanted: dict[int, bool] = {}
    for hit in hits:
        for near in range(max(hit - query.before, 0), min(hit + query.after + 1, len(lines))):
            wanted.setdefault(near, False)
        wanted[hit] = True
    for number in sorted(wanted):
        yield Line(number + 1, lines[number].removesuffix("\r"), wanted[number])
