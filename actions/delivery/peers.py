"""What the kernel says of a connected process: its pid, its ancestors and whether it sits at a terminal."""

from __future__ import annotations

import contextlib
import ctypes
import os
import socket
import stat
import struct
import sys
from pathlib import Path

import psutil

from actions.policy.presence import Peer

_PR_SET_CHILD_SUBREAPER = 36
_SOL_LOCAL, _LOCAL_PEERPID = 0, 2  # macOS, sys/un.h


def become_subreaper() -> bool:
    """Keep orphans of this process's children in its tree (Linux, prctl(2)). False where there is no such thing."""
    if not sys.platform.startswith("linux"):
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    return libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0


def peer_pid(connection: socket.socket) -> int | None:
    """The pid at the other end of a Unix socket, from the kernel; None where it cannot tell."""
    with contextlib.suppress(OSError, AttributeError, struct.error):
        if sys.platform.startswith("linux"):
            raw = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
            return int(struct.unpack("3i", raw)[0]) or None
        if sys.platform == "darwin":
            return connection.getsockopt(_SOL_LOCAL, _LOCAL_PEERPID) or None
    return None


def look_at(pid: int | None) -> Peer:
    """Look at a process while it is connected. One that is already gone is not known, which counts as an agent."""
    if pid is None:
        return Peer(None)
    try:
        process = psutil.Process(pid)
        ancestors = _ancestors(process)
    except psutil.Error:
        return Peer(pid)
    return Peer(pid, known=True, ancestors=ancestors, terminal=_at_terminal(process))


def _ancestors(process: psutil.Process) -> tuple[int, ...]:
    """Every ancestor up to the root, whose parent is 0.

    ``psutil.Process.parents`` ends early, without a word, where a parent ends meanwhile; an agent can make that happen,
    and would then not be seen to descend from the host. Raises psutil.NoSuchProcess instead.
    """
    found: list[int] = []
    while pid := process.ppid():
        process = psutil.Process(pid)
        found.append(pid)
    return tuple(found)


def _at_terminal(process: psutil.Process) -> bool:
    """A controlling terminal, and standard input open on it: not a pipe, not a file."""
    if not sys.platform.startswith("linux"):
        return bool(process.terminal())  # best effort: no way to see another process's standard input
    try:
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        stdin = Path(f"/proc/{process.pid}/fd/0").stat()
    except OSError:
        return False
    number = int(fields[4]) & 0xFFFFFFFF  # tty_nr, proc(5): minor in bits 31-20 and 7-0, major in 15-8
    terminal = (number >> 8 & 0xFFF, number >> 12 & 0xFFF00 | number & 0xFF)
    return (
        number != 0 and stat.S_ISCHR(stdin.st_mode) and (os.major(stdin.st_rdev), os.minor(stdin.st_rdev)) == terminal
    )
