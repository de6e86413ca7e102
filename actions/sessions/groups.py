"""What belongs to an agent, and how all of it is ended.

Three signs: the process group it leads, the terminal session it leads (a shell with job control gives its jobs groups
of their own), and the mark in the environment that everything it starts inherits (what detached itself from both).
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time

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
    found: list[int] = []
    for process in psutil.process_iter():
        try:
            if process.pid != os.getpid() and process.environ().get(MARK) == mark:
                found.append(process.pid)
        except (OSError, psutil.Error):
            continue
    return [pid for pid in found if _runs(pid)]


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
