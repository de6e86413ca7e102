"""The engine that runs ripgrep over files in ASCII; those with other bytes are for our own engine.

Whether they are binary or text, and in which encoding, is then decided in one place.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from actions.agent.tools.searching.engine import MOST_BYTES, NEVER, Files, Found, Line, Query, Stop
from actions.agent.tools.searching.ignores import above
from actions.agent.tools.searching.own import OwnEngine, Searcher

_COMMON = ("--no-config", "--color=never")
_WALK = ("--hidden", "--no-require-git", "--no-ignore-global", "--no-ignore-exclude", "--no-ignore-dot", "--null")
_LINES = (
    *("--text", "--threads=1", "--line-number", "--with-filename", "--no-heading", "--null", "--no-context-separator"),
    *("--field-match-separator=:", "--field-context-separator=-"),
)
_BATCH = 400_000
"""Bytes of paths in one command line."""


class RipgrepFailed(Exception):
    """It ended in a way that it should not; the text is what it said."""


def find_ripgrep() -> Path | None:
    """The command ``rg``: on the PATH, or beside this Python (where a wheel puts it)."""
    beside = Path(sys.executable).parent / "rg"
    found = shutil.which("rg") or (str(beside) if os.access(beside, os.X_OK) else None)
    return Path(found) if found else None


class Ripgrep:
    """Runs ``command``. Whole-text searches are left to our own engine: ripgrep would count ``\\r`` in line breaks."""

    def __init__(self, command: Path) -> None:
        self._command = command
        self._own = OwnEngine()

    def files(self, root: Path, *, ignored: bool, stop: Stop) -> Files:
        args = [*_WALK, "--files", f"--max-filesize={MOST_BYTES}", *(f"--glob=!{name}" for name in NEVER)]
        if ignored:
            args.append("--no-ignore")
        elif not above(root).layers:
            args.append("--no-ignore-parent")
        with self._running(root, [*args, "--", "."], stop) as running:
            names = running.out.read().split(b"\0")
        paths = [os.fsdecode(name.removeprefix(b"./")) for name in names if name]
        return Files.sorted(paths, len(running.errors))

    def search(self, root: Path, paths: Sequence[str], query: Query, stop: Stop) -> Iterator[Found]:
        if query.multiline:
            yield from self._own.search(root, paths, query, stop)
            return
        for batch in _batches(paths):
            yield from self._search(root, batch, query, stop)

    def _search(self, root: Path, paths: Sequence[str], query: Query, stop: Stop) -> Iterator[Found]:
        places = {path: i for i, path in enumerate(paths)}
        others = self._beyond_ascii(root, paths, stop)
        own = Searcher(query)
        waiting = sorted(others, key=places.__getitem__, reverse=True)
        args = [*_LINES, f"-B{query.before}", f"-A{query.after}", "-e", query.pattern]
        if query.ignore_case:
            args.append("--ignore-case")
        plain = [path for path in paths if path not in others]
        if plain:
            with self._running(root, [*args, "--", *(f"./{path}" for path in plain)], stop) as running:
                for found in _parsed(running.out):
                    while waiting and places[waiting[-1]] < places[found.path]:
                        if one := own.search(root, waiting.pop()):
                            yield one
                    yield found
        while waiting:
            stop.check()
            if one := own.search(root, waiting.pop()):
                yield one

    def _beyond_ascii(self, root: Path, paths: Sequence[str], stop: Stop) -> set[str]:
        args = ["--files-with-matches", "--text", "--null", "-e", r"(?-u)[\x00\x80-\xff]", "--"]
        with self._running(root, [*args, *(f"./{path}" for path in paths)], stop) as running:
            names = running.out.read().split(b"\0")
        return {os.fsdecode(name.removeprefix(b"./")) for name in names if name}

    @contextmanager
    def _running(self, root: Path, args: Sequence[str], stop: Stop) -> Generator[Running]:
        with tempfile.TemporaryFile() as errors:
            process = subprocess.Popen(
                [self._command, *_COMMON, *args],
                cwd=root,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                env={name: value for name, value in os.environ.items() if name != "RIPGREP_CONFIG_PATH"},
            )
            stop.also(process.kill)
            assert process.stdout is not None
            running = Running(process.stdout)
            try:
                yield running
                code = process.wait()
            finally:
                process.kill()
                process.wait()
                process.stdout.close()
            stop.check()
            errors.seek(0)
            running.errors = errors.read(100_000).decode("utf-8", "replace").splitlines()
            if code == 2 and any("regex" in line or "unrecognized" in line for line in running.errors[:3]):
                raise RipgrepFailed("\n".join(running.errors[:10]))


class Running:
    """A ripgrep that runs: what it finds, and when it has ended what it could not read."""

    def __init__(self, out: IO[bytes]) -> None:
        self.out = out
        self.errors: list[str] = []


def _batches(paths: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for path in paths:
        batch.append(path)
        size += len(path) * 2 + 16
        if size > _BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _parsed(out: IO[bytes]) -> Iterator[Found]:
    """Records are ``path NUL number sign text``; the sign tells a hit from context. A path may hold line breaks."""
    path, lines = b"", list[Line]()
    record = b""
    for raw in out:
        record += raw
        name, zero, rest = record.partition(b"\0")
        if not zero:
            continue
        record = b""
        if name != path and lines:
            yield _found(path, lines)
            lines = []
        path = name
        sign = next(i for i, byte in enumerate(rest) if byte in b":-")
        text = rest[sign + 1 :].removesuffix(b"\n").removesuffix(b"\r").decode("utf-8", "replace")
        lines.append(Line(int(rest[:sign]), text, rest[sign : sign + 1] == b":"))
    if lines:
        yield _found(path, lines)


def _found(path: bytes, lines: list[Line]) -> Found:
    return Found(os.fsdecode(path.removeprefix(b"./")), tuple(lines))
