"""What a server writes to stderr: the end of it in memory, more of it in a rotating file, secrets taken out."""

from __future__ import annotations

import logging
from collections.abc import Callable
from logging.handlers import RotatingFileHandler
from pathlib import Path

RING_BYTES = 64 * 1024
FILE_BYTES = 1024 * 1024
_log = logging.getLogger(__name__)


class Stderr:
    """Keeps the last 64 KiB and, where a file is given, at most two files of 1 MiB (``x.log``, ``x.log.1``)."""

    def __init__(self, redact: Callable[[str], str], file: Path | None = None) -> None:
        self._redact = redact
        self._ring = bytearray()
        self._line = b""
        self._file = _open(file)

    def add(self, chunk: bytes) -> None:
        """Keep one piece of output."""
        self._ring += chunk
        del self._ring[:-RING_BYTES]
        if self._file is not None:
            *lines, self._line = (self._line + chunk).split(b"\n")
            # A line without an end would be collected for ever
            lines, self._line = (lines, self._line) if len(self._line) < RING_BYTES else ([*lines, self._line], b"")
            if lines:
                self._write(b"\n".join(lines))

    def tail(self, limit: int = 2000) -> str:
        """The last ``limit`` characters, without secrets."""
        return self._redact(self._ring.decode("utf-8", "replace"))[-limit:].strip()

    def close(self) -> None:
        """Close the file; the tail stays readable."""
        if self._file is not None:
            if self._line:
                self._write(self._line)
            self._file.close()
            self._file = None

    def _write(self, line: bytes) -> None:
        assert self._file is not None
        text = self._redact(line.decode("utf-8", "replace"))
        self._file.emit(logging.LogRecord("", logging.INFO, "", 0, "%s", (text,), None))


class _Quiet(RotatingFileHandler):
    """A full disk costs the file, never the server."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the library's name
        _log.debug("a line of a server's stderr could not be written", exc_info=True)


def _open(file: Path | None) -> RotatingFileHandler | None:
    if file is None:
        return None
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        file.touch(mode=0o600)
        return _Quiet(file, maxBytes=FILE_BYTES, backupCount=1, encoding="utf-8")
    except OSError as error:
        _log.warning("cannot write %s: %s", file, error)
        return None
