"""One host a home: a lock of the operating system, which ends with its holder however that ends."""

from __future__ import annotations

import json
import os
from pathlib import Path
from types import TracebackType

from filelock import FileLock, Timeout

from actions.errors import ErrorCode, SaysoError


class HomeLock:
    """The right to be the host of a home. Who holds it is written beside the lock file (``host.lock.pid``)."""

    def __init__(self, file: Path) -> None:
        self._lock = FileLock(str(file), thread_local=False)
        self._note = Path(f"{file}.pid")

    def acquire(self) -> None:
        """Take the lock or fail at once.

        Raises:
            SaysoError: another host holds it; ``details["pid"]`` names the process.
        """
        try:
            self._lock.acquire(timeout=0)
        except Timeout as error:
            pid = self.holder()
            who = "Another host" if pid is None else f"Another host (process {pid})"
            raise SaysoError(
                f"{who} already serves this home. Use it, or end it first.",
                code=ErrorCode.FAILED,
                details={"reason": "home_in_use", "pid": pid},
            ) from error
        except OSError as error:
            raise SaysoError(
                f"{self._lock.lock_file} cannot be locked: {error.strerror or error}. Make its folder writable, "
                "or set SAYSO_HOME to a folder on a local disk."
            ) from error
        self._note.write_text(json.dumps({"pid": os.getpid()}))

    def holder(self) -> int | None:
        """The process that wrote the note last, or None. It says who, never whether: only the lock says that."""
        try:
            pid = json.loads(self._note.read_text())["pid"]
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return pid if isinstance(pid, int) else None

    def release(self) -> None:
        """Give the lock back; harmless when it is not held."""
        if self._lock.is_locked:
            self._note.unlink(missing_ok=True)
            self._lock.release()

    def __enter__(self) -> HomeLock:
        self.acquire()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()
