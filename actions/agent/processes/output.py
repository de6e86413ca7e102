"""The output of a command: whole in a file, its beginning and end in memory, and never more than that."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

HEAD = 64 * 1024
TAIL = 256 * 1024
CAP = 64 * 1024 * 1024
"""Bytes of one command's output that are kept on disk."""


class Output:
    """Takes output as it comes.

    The file is made when the beginning no longer holds everything, or at once where ``early``; it holds the first
    ``cap`` bytes, then a mark, then the end. A full disk ends the writing, not the command.
    """

    def __init__(
        self,
        file: Path,
        *,
        early: bool = False,
        cap: int = CAP,
        watcher: Callable[[bytes], None] | None = None,
    ) -> None:
        self.file = file
        self.total = 0
        self.trouble = ""
        """Why the file ends early; empty when it does not."""
        self._cap = cap
        self._watcher = watcher
        self._head = bytearray()
        self._tail = bytearray()
        self._written = 0
        self._descriptor: int | None = None
        self._begun = False
        self._closed = False
        if early:
            self._open()

    def feed(self, data: bytes) -> None:
        """The next bytes of the command."""
        if self._closed:
            return
        if len(self._head) + len(data) > HEAD:
            self._open()
        self._write(data)
        self.total += len(data)
        room = max(HEAD - len(self._head), 0)
        self._head += data[:room]
        self._tail += data[room:]
        if len(self._tail) > 2 * TAIL:
            del self._tail[:-TAIL]
        if self._watcher is not None:
            self._watcher(data)

    def close(self) -> None:
        """No more output comes. Closing twice is harmless."""
        if self._closed:
            return
        self._closed = True
        if self._descriptor is None:
            return
        beyond = self.total - self._written
        if beyond > 0 and not self.trouble:
            end = bytes(self._tail[-min(beyond, TAIL) :])
            if left_out := beyond - len(end):
                self._put(f"\n[{left_out} bytes are left out here: the file keeps {self._cap} and the end]\n".encode())
            self._put(end)
        os.close(self._descriptor)
        self._descriptor = None

    def save(self) -> Path | None:
        """The file with the whole output, made now if it was not needed before; None when it could not be written."""
        self._open()
        if self._closed and self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
        return None if self.trouble else self.file

    def parts(self) -> tuple[bytes, bytes, int]:
        """``(beginning, end, bytes between them)``; with nothing between them the two together are all of it."""
        between = self.total - len(self._head) - len(self._tail)
        if between > 0 or len(self._tail) > TAIL:
            end = bytes(self._tail[-TAIL:])
            return bytes(self._head), end, self.total - len(self._head) - len(end)
        return bytes(self._head), bytes(self._tail), 0

    def _open(self) -> None:
        """Begin the file with what came before; nothing when it is begun."""
        if self._begun:
            return
        self._begun = True
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
        try:
            self._descriptor = os.open(self.file, flags, 0o600)
        except OSError as error:
            self.trouble = f"the output could not be kept: {error.strerror}"
            return
        self._write(bytes(self._head))

    def _write(self, data: bytes) -> None:
        if self._descriptor is None:
            return
        kept = data[: max(self._cap - self._written, 0)]
        if kept and self._put(kept):
            self._written += len(kept)

    def _put(self, data: bytes) -> bool:
        assert self._descriptor is not None
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(self._descriptor, view) :]
        except OSError as error:
            self.trouble = f"the output could not be kept: {error.strerror}"
            return False
        return True
