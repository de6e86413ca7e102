"""How long something of ours took, on a machine that has other things to do as well."""

from __future__ import annotations

import time
from pathlib import Path

_WAITED = Path("/proc/thread-self/schedstat")


class Stopwatch:
    """Runs from its making. For what the test's own thread does; other processes go at their own pace."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._waited = _waited()

    @property
    def seconds(self) -> float:
        """What has passed, without the time in which this thread could have run and the processors were others'."""
        return time.monotonic() - self._began - (_waited() - self._waited)


def _waited() -> float:
    """Seconds that this thread has stood in line for a processor; 0 where the system does not count them."""
    try:
        return int(_WAITED.read_text().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0
