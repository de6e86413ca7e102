"""One window a home: a second start brings the first one to the front."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from actions.errors import SaysoError
from actions.storage.paths import Paths

RAISE = "window.raise"
"""The call that a window offers to the host for this."""

_PATIENCE_S = 20.0  # the first window may be starting, too
_AGAIN_S = 0.2


class WindowLock:
    """The right to be the window of a home. It ends with its holder, however that ends."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._descriptor: int | None = None

    def acquire(self) -> bool:
        """False when another window of this home is open. A home that cannot be written has no lock: the window opens
        and says what is wrong with the home.
        """
        with suppress(OSError):
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._descriptor = os.open(self._file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        if self._descriptor is None:
            return True
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.release()
            return False
        except OSError:
            self.release()
        return True

    def release(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> WindowLock:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


def raise_first(paths: Paths, environ: Mapping[str, str], patience_s: float = _PATIENCE_S) -> dict[str, Any]:
    """Ask the host to bring the open window to the front; what the window answered, its ``pid`` among it.

    Raises SaysoError when the window does not answer.
    """
    from actions.client.connection import HostConnection
    from actions.client.launch import HostStarter

    host = HostConnection(str(paths.trusted_socket()), start=HostStarter(paths, environ).start)
    deadline = time.monotonic() + patience_s
    while True:
        answer = host.call(RAISE, {"surface": "ui", "label": "window"}, repeatable=True)
        if answer["ok"]:
            return answer["data"]
        if time.monotonic() > deadline:
            raise SaysoError(
                f"Sayso is open already, but its window does not answer: {answer['error']['message']} End that "
                f"process, then run this again; it holds {paths.state / 'window.lock'}. Sessions go on without it.",
                details={"reason": answer["error"]},
            )
        time.sleep(_AGAIN_S)
