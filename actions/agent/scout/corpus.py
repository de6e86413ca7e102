"""The files' bytes, read once: size caps, no binaries, no symbolic links, no surprise on anything unreadable."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from actions.agent.scout.cancel import Cancel

FILE_BYTES = 400_000
TOTAL_BYTES = 96_000_000
_GENERATED_MARKS = (b"@generated", b"DO NOT EDIT", b"do not edit")

LANGUAGES: dict[str, str] = {
    "py": "Python", "pyi": "Python", "js": "JavaScript", "mjs": "JavaScript", "cjs": "JavaScript", "jsx": "JavaScript",
    "ts": "TypeScript", "tsx": "TypeScript", "mts": "TypeScript", "go": "Go", "rs": "Rust", "c": "C", "h": "C",
    "cc": "C++", "cpp": "C++", "cxx": "C++", "hpp": "C++", "hh": "C++", "java": "Java", "kt": "Kotlin", "kts": "Kotlin",
    "swift": "Swift", "rb": "Ruby", "php": "PHP", "cs": "C#", "scala": "Scala", "sh": "Shell", "bash": "Shell",
    "lua": "Lua", "ex": "Elixir", "exs": "Elixir", "hs": "Haskell", "sql": "SQL", "vue": "Vue", "svelte": "Svelte",
    "dart": "Dart", "zig": "Zig", "pl": "Perl", "r": "R", "jl": "Julia", "m": "Objective-C", "qml": "QML",
}  # fmt: skip
_PROSE = {"md", "rst", "txt", "adoc", "markdown"}


@dataclass(frozen=True)
class Document:
    """One text file. ``data`` is its bytes as read; ``generated`` says that a tool wrote it."""

    path: str
    data: bytes
    generated: bool

    @cached_property
    def extension(self) -> str:
        name = self.path.rpartition("/")[2]
        return name.rpartition(".")[2].lower() if "." in name else ""

    @property
    def language(self) -> str | None:
        """The programming language by extension, None for prose and data."""
        return LANGUAGES.get(self.extension)

    @property
    def is_prose(self) -> bool:
        return self.extension in _PROSE

    @property
    def lowered(self) -> bytes:
        """The bytes in lower case (ASCII letters only); computed anew, as it is wanted once a search."""
        return self.data.lower()

    @cached_property
    def lines(self) -> list[str]:
        """The text by lines; bytes that are no UTF-8 become replacement characters."""
        return self.data.decode("utf-8", errors="replace").split("\n")


@dataclass(frozen=True)
class Corpus:
    """All documents in path order, and what could not be read and why (counts)."""

    root: Path
    documents: tuple[Document, ...]
    unreadable: int
    too_large: int
    binary: int
    not_read: int

    @cached_property
    def by_path(self) -> dict[str, Document]:
        return {document.path: document for document in self.documents}

    def __iter__(self) -> Iterator[Document]:
        return iter(self.documents)


def read_corpus(root: Path, paths: tuple[str, ...], cancel: Cancel) -> Corpus:
    """Read ``paths`` below ``root``: each at most 400 kB, all at most 96 MB (code first, then prose, then data)."""
    counts = {"unreadable": 0, "too_large": 0, "binary": 0, "not_read": 0}
    documents: list[Document] = []
    total = 0
    for path in sorted(paths, key=_importance):
        cancel.check()
        if total >= TOTAL_BYTES:
            counts["not_read"] += 1
            continue
        data = _read(f"{root}/{path}")
        if isinstance(data, str):
            counts[data] += 1
        elif data is not None:
            total += len(data)
            documents.append(Document(path, data, any(mark in data[:600] for mark in _GENERATED_MARKS)))
    documents.sort(key=lambda document: document.path)
    return Corpus(root, tuple(documents), **counts)


def _importance(path: str) -> tuple[int, str]:
    extension = path.rpartition(".")[2].lower()
    return (0 if extension in LANGUAGES else 1 if extension in _PROSE else 2, path)


def _read(path: str) -> bytes | str | None:
    """The bytes, or the name of the count that it falls under; None for what is no regular file (any more)."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        return None if error.errno == errno.ELOOP else "unreadable"  # A symbolic link; its target is listed by itself.
    try:
        info = os.fstat(descriptor)
        if not stat.S_ISREG(info.st_mode):
            return None
        if info.st_size > FILE_BYTES:
            return "too_large"
        data = os.read(descriptor, FILE_BYTES)
    except OSError:
        return "unreadable"
    finally:
        os.close(descriptor)
    return "binary" if b"\0" in data[:8192] else data
