"""What belongs to an agent, and how all of it is ended.

Three signs: the process group it leads, the terminal session it leads (a shell with job control gives its jobs groups
of their own), and the mark in the environment that everything it starts inherits (what detached itself from both).
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import time
from pathlib import Path

import psutil

MARK = "SAYSO_SESSION_ID"
TERM_WAIT = 3.0
KILL_WAIT = 3.0
_POLL = 0.02


def start_time(pid: int) -> float | None:
    """When the process started, in seconds since the epoch; None when there is none. With the pid it is an identity."""
    try:
        return psutil.Process(pid).create_time()
    except psutil.Error:
        return None


def members(leader: int) -> list[int]:
    """Pids in the group or the terminal session that ``leader`` leads (or led), zombies left out."""
    return [pid for pid in psutil.pids() if _led_by(leader, pid) and _runs(pid)]


def marked(mark: str) -> list[int]:
    """Pids that carry ``SAYSO_SESSION_ID=mark``, this process and zombies left out. Slow: not for the loop."""
    return [pid for pid in psutil.pids() if pid != os.getpid() and _carries(pid, mark) and _runs(pid)]


async def end_members(
    leader: int | None, *, mark: str | None = None, term_wait: float = TERM_WAIT, kill_wait: float = KILL_WAIT
) -> list[int]:
    """TERM, then KILL, what ``leader`` leads and what carries ``mark``; returns the pids that survived both."""
    strays: dict[int, float | None] = {}

    def alive() -> list[int]:
        outside = [pid for pid, started in strays.items() if start_time(pid) == started and _runs(pid)]
        return list(dict.fromkeys([*([] if leader is None else members(leader)), *outside]))

    for step, wait in ((signal.SIGTERM, term_wait), (signal.SIGKILL, kill_wait)):
        deadline = time.monotonic() + wait
        if mark is not None:
            strays.update({pid: start_time(pid) for pid in await asyncio.to_thread(marked, mark)})
        left = alive()
        for pid in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, step)
        while left and time.monotonic() < deadline:
            await asyncio.sleep(_POLL)
            left = alive()
        if not left:
            break
    _reap(leader, strays)
    return alive()


class Reaper:
    """Collects the zombies that agents leave to a host that is the reaper of its descendants (Linux).

    A child is taken only when it was a zombie in two sweeps: one that somebody waits for is collected at once. Those of
    our own terminal session are never touched: no agent starts there.
    """

    def __init__(self) -> None:
        self._seen: set[int] = set()

    def sweep(self) -> None:
        """Look once; call it every few seconds."""
        zombies = {child.pid for child in psutil.Process().children() if not _runs(child.pid)}
        for pid in zombies & self._seen:
            with contextlib.suppress(OSError):
                if os.getsid(pid) != os.getsid(0):
                    os.waitpid(pid, os.WNOHANG)
        self._seen = zombies


def _carries(pid: int, mark: str) -> bool:
    try:
        if sys.platform == "linux":
            entries = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
            return f"{MARK}={mark}".encode() in entries
        return psutil.Process(pid).environ().get(MARK) == mark
    except (OSError, psutil.Error):
        return False


def _led_by(leader: int, pid: int) -> bool:
    try:
        return leader in (os.getpgid(pid), os.getsid(pid))
    except OSError:
        return False


def _runs(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def _reap(leader: int | None, strays: dict[int, float | None]) -> None:
    # The host is a child subreaper: what an agent left behind became our child and would stay a zombie. The leader
    # itself belongs to asyncio's child watcher, so only the others may be collected here.
    for child in psutil.Process().children():
        led = leader is not None and _led_by(leader, child.pid)
        ours = child.pid != leader and (led or child.pid in strays)
        if ours and not _runs(child.pid):
            with contextlib.suppress(OSError):
                os.waitpid(child.pid, os.WNOHANG)
