"""When the agent itself is killed, its commands would live on: they have terminal sessions of their own."""

from __future__ import annotations

import contextlib
import subprocess
import sys

from actions.agent.processes.group import MARK

# It waits on a pipe that ends with the agent. A line means that the agent ended its commands itself.
_SCRIPT = f"""
read -r _ && exit 0
for signal in TERM KILL KILL; do
    left=$(grep -lsz "^{MARK}=$1" /proc/[0-9]*/environ | cut -d / -f 3)
    [ -n "$left" ] || exit 0
    kill -s $signal $left 2>/dev/null
    sleep 0.5
done
"""


class Keeper:
    """A small process beside the agent: when the agent is gone, however it ended, it ends what carries a mark that
    begins with ``mark``. On Linux; elsewhere it does nothing."""

    def __init__(self, mark: str) -> None:
        self._mark = mark
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Begin to wait; once is enough. Raises OSError."""
        if self._process is not None or sys.platform != "linux":
            return
        self._process = subprocess.Popen(
            ["/bin/sh", "-c", _SCRIPT, "sayso-keeper", self._mark],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def release(self) -> None:
        """Nothing is left to end. Waits a moment for the process."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(BrokenPipeError):
            process.communicate(b"done\n")
        process.wait()
