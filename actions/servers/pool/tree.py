"""A process and everything it started: found by group, by terminal session, by parent and by a mark; ended for good."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import psutil

TERM_WAIT = 2.0
KILL_WAIT = 2.0
_POLL = 0.02
_PR_SET_PDEATHSIG = 1


def dies_with_parent() -> Callable[[], None]:
    """What a child runs before the server's program, so that the kernel kills it with us (Linux, prctl(2)).

    Everything is looked up before the fork: the child only makes the calls.
    """
    import ctypes

    prctl = ctypes.CDLL(None).prctl
    parent = os.getpid()

    def ask() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)

    return ask


def descendants(pid: int) -> frozenset[tuple[int, float]]:
    """``(pid, start time)`` of all children and their children now; empty when the process is gone."""
    try:
        children = psutil.Process(pid).children(recursive=True)
    except psutil.Error:
        return frozenset()
    found: set[tuple[int, float]] = set()
    for child in children:
        with contextlib.suppress(psutil.Error):
            found.add((child.pid, child.create_time()))
    return frozenset(found)


async def end(
    leader: int, *, family: Iterable[tuple[int, float]], mark: tuple[str, str], term_wait: float = TERM_WAIT
) -> list[int]:
    """TERM, then KILL, all that ``leader`` leads, its ``family``, and what carries ``mark``; returns who survived."""
    known = dict(family)
    left: list[int] = []
    for step, wait in ((signal.SIGTERM, term_wait), (signal.SIGKILL, KILL_WAIT)):
        deadline = time.monotonic() + wait
        known.update(await asyncio.to_thread(_marked, *mark))
        left = _alive(leader, known)
        for pid in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, step)
        while left and time.monotonic() < deadline:
            await asyncio.sleep(_POLL)
            left = _alive(leader, known)
        if not left:
            break
    return left


def _alive(leader: int, known: dict[int, float]) -> list[int]:
    ours = [pid for pid in psutil.pids() if _led_by(leader, pid) and _runs(pid)]
    return list(dict.fromkeys([*ours, *(pid for pid, started in known.items() if _runs(pid, started))]))


def _led_by(leader: int, pid: int) -> bool:
    try:
        return leader in (os.getpgid(pid), os.getsid(pid))
    except OSError:
        return False


def _runs(pid: int, started: float | None = None) -> bool:
    try:
        process = psutil.Process(pid)
        if started is not None and process.create_time() != started:
            return False
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def _marked(name: str, value: str) -> dict[int, float]:
    found: dict[int, float] = {}
    for pid in psutil.pids():
        with contextlib.suppress(OSError, psutil.Error):
            if pid != os.getpid() and _carries(pid, name, value):
                found[pid] = psutil.Process(pid).create_time()
    return found


def _carries(pid: int, name: str, value: str) -> bool:
    if sys.platform == "linux":
        return f"{name}={value}".encode() in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    return psutil.Process(pid).environ().get(name) == value
