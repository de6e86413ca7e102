"""Process groups: who belongs to an agent, and how all of it is ended."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time

import psutil

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
    """Pids that live in the group or the terminal session that ``leader`` leads (or led), zombies left out.

    A shell with job control gives its jobs groups of their own, but they stay in the session.
    """
    found: list[int] = []
    for pid in psutil.pids():
        try:
            if leader not in (os.getpgid(pid), os.getsid(pid)):
                continue
            if psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
                found.append(pid)
        except (OSError, psutil.Error):
            continue
    return found


async def end_members(leader: int, *, term_wait: float = TERM_WAIT, kill_wait: float = KILL_WAIT) -> list[int]:
    """TERM, then KILL, everything that ``leader`` leads; returns the pids that survived both (none, but for bugs)."""
    for step, wait in ((signal.SIGTERM, term_wait), (signal.SIGKILL, kill_wait)):
        deadline = time.monotonic() + wait
        alive = members(leader)
        for pid in alive:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, step)
        while alive and time.monotonic() < deadline:
            await asyncio.sleep(_POLL)
            _reap(leader)
            alive = members(leader)
        if not alive:
            return []
    return members(leader)


def _reap(leader: int) -> None:
    # The host is a child subreaper: what an agent left behind becomes our child and would stay a zombie. The leader
    # itself belongs to asyncio's child watcher and leads the group, so only the others may be collected here.
    for child in psutil.Process().children():
        try:
            if child.pid != leader and os.getpgid(child.pid) == leader and child.status() == psutil.STATUS_ZOMBIE:
                os.waitpid(child.pid, os.WNOHANG)
        except (OSError, psutil.Error):
            continue
