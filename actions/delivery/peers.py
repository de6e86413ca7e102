"""What the kernel says of a connected process: its pid, its ancestors and whether it sits at a terminal."""

from __future__ import annotations

import contextlib
import ctypes
import socket
import stat
import struct
import sys
from pathlib import Path
from typing import cast

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
        ancestors = tuple(parent.pid for parent in process.parents())
    except psutil.Error:
        return Peer(pid)
    return Peer(pid, known=True, ancestors=ancestors, terminal=_at_terminal(process))


def _at_terminal(process: psutil.Process) -> bool:
    """A controlling terminal, and standard input open on it: not a pipe, not a file."""
    try:
        controlling = cast("str | None", process.terminal())  # None without a terminal, whatever its stub says
    except psutil.Error:
        return False
    if controlling is None:
        return False
    if sys.platform == "darwin":
        return True  # best effort: no way to see another process's standard input
    try:
        stdin, terminal = Path(f"/proc/{process.pid}/fd/0").stat(), Path(controlling).stat()
    except OSError:
        return False
    return stat.S_ISCHR(stdin.st_mode) and stdin.st_rdev == terminal.st_rdev
