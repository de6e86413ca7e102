"""One file of servers: read with its places, changed by the smallest edit, never overwritten when it is broken.

Two who edit cannot lose each other's change: a change that was made for an older revision is refused, with what is
different now; and every change is made to the text as it is on the disk at that moment.
"""

from __future__ import annotations

import hashlib
import os
import stat
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from actions.errors import ErrorCode, SaysoError
from actions.servers.definitions import FileProblem
from actions.servers.files.difference import difference, in_words
from actions.servers.jsonc.reading import BrokenJson, Member, Node, half_character, read
from actions.storage.files import write_atomic

SERVERS = "mcpServers"
OURS = "sayso"
_LIMIT = 4 * 1024 * 1024
_REMEMBERED = 16
_ABSENT = "absent"


@dataclass(frozen=True)
class Content:
    """A file as it was read. ``servers`` and ``block`` are empty where there is a ``problem``."""

    text: str = ""
    revision: str = _ABSENT
    servers: Mapping[str, Any] = field(default_factory=dict[str, Any])
    lines: Mapping[str, int] = field(default_factory=dict[str, int])
    """Where each server's entry begins, from 1."""
    block: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Our own part of the file."""
    problem: FileProblem | None = None


class ServerFile:
    """A file by its path. Reading never fails; the methods do file work, so a thread calls them."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._lock = threading.RLock()
        self._stamp: tuple[int, ...] | None = None
        self._content = Content()
        self._read = False
        self._seen: OrderedDict[str, Content] = OrderedDict()

    def read(self) -> Content:
        """The file as it is now; a missing one is empty, a broken one says so in ``problem``."""
        with self._lock:
            stamp = _stamp(self.file)
            if not self._read or stamp != self._stamp:
                self._stamp, self._read = stamp, True
                self._content = self._load()
                self._seen[self._content.revision] = self._content
                while len(self._seen) > _REMEMBERED:
                    self._seen.popitem(last=False)
            return self._content

    def changed(self) -> bool:
        """Whether the file is another than when it was last read."""
        with self._lock:
            return self._read and _stamp(self.file) != self._stamp

    def change(self, edit: Callable[[str], str], expected: str | None = None) -> Content:
        """Write what ``edit`` makes of the text. Raises SaysoError, with the file as it was:

        ``stale`` with the difference when ``expected`` is given and is not the revision any more; ``failed`` with the
        line when the file is broken, or when it cannot be written.
        """
        with self._lock:
            for _ in range(3):
                now = self.read()
                if now.problem is not None:
                    raise SaysoError(
                        f"{now.problem.message} Nothing was changed; mend the file first.",
                        details={"path": str(self.file), "line": now.problem.line},
                    )
                if expected is not None and expected != now.revision:
                    raise self._stale(expected, now)
                text = edit(now.text)
                if text == now.text:
                    return now
                if _stamp(self.file) == self._stamp:  # else somebody wrote meanwhile: once more, on what they wrote
                    write_atomic(self.file, text.encode(), mode=self._mode())
                    return self.read()
            raise SaysoError(f"{self.file} is being written by another program. Try again in a moment.")

    def _load(self) -> Content:
        try:
            if self.file.exists() and not self.file.is_file():  # a pipe would never end
                return Content(revision="unreadable", problem=self._problem(0, "it is no ordinary file"))
            with self.file.open("rb") as source:
                data = source.read(_LIMIT + 1)
        except FileNotFoundError:
            return Content()
        except OSError as error:
            return Content(revision="unreadable", problem=self._problem(0, f"{error.strerror or error}"))
        revision = hashlib.sha256(data).hexdigest()[:16]
        if len(data) > _LIMIT:
            return Content(revision=revision, problem=self._problem(0, "it is larger than 4 MiB"))
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            line = data[: error.start].count(b"\n") + 1
            return Content(revision=revision, problem=self._problem(line, "it is not UTF-8 text"))
        if not text.strip("\ufeff \t\r\n"):
            return Content(text, revision)
        try:
            return self._content_of(text, revision)
        except BrokenJson as error:
            return Content(text, revision, problem=self._problem(error.line, error.reason))

    def _content_of(self, text: str, revision: str) -> Content:
        root = read(text)
        if (half := half_character(text)) is not None:
            raise BrokenJson("it holds half a character (a lone surrogate)", text, half)
        if not isinstance(root.value, dict):
            raise BrokenJson("it must hold an object in braces", text, root.start)
        servers, block = root.member(SERVERS), root.member(OURS)
        for name, member in ((SERVERS, servers), (OURS, block)):
            if member is not None and not isinstance(member.node.value, dict):
                raise BrokenJson(f"{name} must be an object in braces", text, member.start)
        entries = _entries(servers)
        return Content(
            text,
            revision,
            {name: node.value for name, (_, node) in entries.items()},
            {name: text.count("\n", 0, start) + 1 for name, (start, _) in entries.items()},
            cast("dict[str, Any]", block.node.value) if block is not None else {},
        )

    def _problem(self, line: int, reason: str) -> FileProblem:
        where = f"{self.file}, line {line}" if line else f"{self.file}"
        return FileProblem(self.file, line, f"{where}: {reason}.")

    def _stale(self, expected: str, now: Content) -> SaysoError:
        before = self._seen.get(expected)
        details: dict[str, Any] = {"path": str(self.file), "revision": now.revision, "expected_revision": expected}
        if before is None or before.problem is not None:
            said = "What is different is not known any more."
        else:
            details["difference"] = difference(_shown(before), _shown(now))
            said = f"Different now: {in_words(details['difference'])}."
        return SaysoError(
            f"{self.file} was changed since you looked. {said} Look at it again, then make your change.",
            code=ErrorCode.STALE,
            details=details,
        )

    def _mode(self) -> int:
        try:
            return stat.S_IMODE(self.file.stat().st_mode)
        except OSError:
            return 0o600 if self.file.name == "mcp.json" else 0o644


def _entries(servers: Member | None) -> dict[str, tuple[int, Node]]:
    if servers is None:
        return {}
    return {member.key: (member.start, member.node) for member in servers.node.members}


def _shown(content: Content) -> dict[str, Any]:
    return {SERVERS: dict(content.servers), OURS: dict(content.block)}


def _stamp(file: Path) -> tuple[int, ...] | None:
    try:
        info = os.stat(file)  # noqa: PTH116 - the file that a link leads to
    except OSError:
        return None
    return info.st_mtime_ns, info.st_size, info.st_ino
