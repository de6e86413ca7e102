"""When a process is killed, what it started lives on. A keeper beside it then ends all of that.

What is to be ended carries a mark in its environment, which everything that it starts inherits. A mark is of one
process of ours only: nothing that a later one starts is ever touched.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys

# It waits on a pipe that ends with the process that it was started by. A line means that nothing is left to end. The
# groups are remembered because a program may have emptied its environment, or outlive who led it.
_SCRIPT = r"""
trap '' HUP INT TERM
read -r _ && exit 0
groups=
for signal in TERM 0 0 KILL KILL; do
    left=$(grep -lsz "^$1=$2" /proc/[0-9]*/environ | cut -d / -f 3)
    for pid in $left; do
        group=$(sed 's/.*) . [0-9]* \([0-9]*\) .*/\1/' "/proc/$pid/stat" 2>/dev/null)
        [ "${group:-0}" -gt 1 ] && groups="$groups -$group"
    done
    alive=
    for group in $groups; do
        case " $alive " in *" $group "*) continue ;; esac
        kill -s 0 -- "$group" 2>/dev/null && alive="$alive $group"
    done
    groups=$alive
    [ -n "$left$groups" ] || exit 0
    kill -s "$signal" -- $left $groups 2>/dev/null
    sleep 0.5
done
"""


class Keeper:
    """A small process beside this one: when this one is gone, however it ended, it ends what carries ``variable`` with
    a value that begins with ``mark``, and the groups of that. On Linux; elsewhere it does nothing."""

    def __init__(self, variable: str, mark: str) -> None:
        self._variable = variable
        self._mark = mark
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Begin to wait; once is enough. Raises OSError."""
        if self._process is not None or sys.platform != "linux":
            return
        self._process = subprocess.Popen(
            ["/bin/sh", "-c", _SCRIPT, "sayso-keeper", self._variable, self._mark],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            cwd="/",
            env={"PATH": "/usr/local/bin:/usr/bin:/bin"},
        )

    def release(self) -> None:
        """Nothing is left to end. Waits a moment for the process."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(BrokenPipeError):
            process.communicate(b"done\n")
        process.wait()
