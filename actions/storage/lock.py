"""One host a home: a lock of the operating system, which ends with its holder however that ends."""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path
from types import TracebackType

from filelock import FileLock, Timeout

from actions.errors import ErrorCode, SaysoError


class HomeLock:
    """The right to be the host of a home. Who holds it is written beside the lock file (``host.lock.pid``).

    ``data``, the folder of the database, is locked itself, too: who starts a host with another state folder, by
    ``XDG_STATE_HOME`` or a link, would else get a second host on the same approvals, which does not know the first
    one's agents for agents.
    """

    def __init__(self, file: Path, data: Path | None = None) -> None:
        self._lock = FileLock(str(file), thread_local=False)
        self._note = Path(f"{file}.pid")
        self._data = data
        self._data_descriptor: int | None = None

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
        try:
            self._lock_data()
        except SaysoError:
            self._lock.release()
            raise
        self._note.write_text(json.dumps({"pid": os.getpid()}))

    def _lock_data(self) -> None:
        if self._data is None:
            return
        descriptor = os.open(self._data, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(descriptor)
            raise SaysoError(
                f"Another host already uses {self._data}, with another state folder. End it first, or set "
                "XDG_STATE_HOME and SAYSO_HOME as it has them.",
                details={"reason": "home_in_use", "pid": None},
            ) from error
        except OSError:  # some network file systems lock files only; the lock file still holds there
            os.close(descriptor)
        else:
            self._data_descriptor = descriptor

    def holder(self) -> int | None:
        """The process that wrote the note last, or None. It says who, never whether: only the lock says that."""
        try:
            pid = json.loads(self._note.read_text())["pid"]
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return pid if isinstance(pid, int) else None

    def release(self) -> None:
        """Give the lock back; harmless when it is not held."""
        if self._data_descriptor is not None:  # first, so that who gets the lock file gets this
            os.close(self._data_descriptor)
            self._data_descriptor = None
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
