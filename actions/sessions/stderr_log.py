"""What an agent wrote to stderr: the last part in memory, more of it in a rotating file."""

from __future__ import annotations

import logging
from pathlib import Path

RING_BYTES = 64 * 1024
FILE_BYTES = 1024 * 1024

_log = logging.getLogger(__name__)


class StderrLog:
    """Keeps the last 64 KiB and, where a file is given, at most two files of 1 MiB (``x.log``, ``x.log.1``)."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._ring = bytearray()
        self._file = None
        self._written = 0
        if path is not None:
            self._open(path)

    def add(self, chunk: bytes) -> None:
        """Keep one piece of output. A full disk costs the file, never the session."""
        self._ring += chunk
        del self._ring[:-RING_BYTES]
        if self._file is None or self._path is None:
            return
        try:
            self._file.write(chunk)
            self._file.flush()
            self._written += len(chunk)
            if self._written > FILE_BYTES:
                self._file.close()
                self._path.replace(self._path.with_name(self._path.name + ".1"))
                self._open(self._path)
        except OSError as error:
            _log.warning("cannot write %s: %s", self._path, error)
            self.close()

    def tail(self, limit: int) -> str:
        """The last ``limit`` characters."""
        return self._ring.decode("utf-8", "replace")[-limit:].strip()

    def close(self) -> None:
        """Close the file; the text in memory stays readable."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _open(self, path: Path) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._file = path.open("ab")
            self._written = path.stat().st_size
        except OSError as error:
            self._file = None
            _log.warning("cannot write %s: %s", path, error)
