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
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

MARK = "SAYSO_SESSION_ID"
TERM_WAIT = 3.0
KILL_WAIT = 3.0
_POLL = 0.02
_ENTRY = f"{MARK}=".encode()


def start_time(pid: int) -> float | None:
    """When the process started, in seconds since the epoch; None when there is none. With the pid it is an identity."""
    try:
        return psutil.Process(pid).create_time()
    except psutil.Error:
        return None


def members(leader: int) -> list[int]:
    """Pids in the group or the terminal session that ``leader`` leads (or led), zombies left out."""
    return _led({leader}).get(leader, [])


def thaw(leader: int) -> None:
    """Let go on what is stopped (SIGSTOP) of what ``leader`` leads: it hears neither the end of its input nor TERM."""
    for pid in members(leader):
        with contextlib.suppress(psutil.Error, OSError):
            if psutil.Process(pid).status() == psutil.STATUS_STOPPED:
                os.kill(pid, signal.SIGCONT)


def marked(marks: Collection[str]) -> dict[str, list[int]]:
    """Pids by the mark that they carry (``SAYSO_SESSION_ID``), for those of ``marks`` that anything carries.

    This process and zombies are left out. Slow, so not for the loop; but one look is for any number of marks.
    """
    found: dict[str, list[int]] = {}
    for pid in psutil.pids():
        if pid != os.getpid() and (mark := _mark_of(pid)) in marks and _runs(pid):
            found.setdefault(mark, []).append(pid)
    return found


@dataclass(frozen=True, slots=True)
class Belongings:
    """What is to be ended: all that ``leader`` leads or led, and all that carries ``mark``."""

    leader: int | None
    mark: str | None = None


async def end_members(
    leader: int | None, *, mark: str | None = None, term_wait: float = TERM_WAIT, kill_wait: float = KILL_WAIT
) -> list[int]:
    """TERM, then KILL, what ``leader`` leads and what carries ``mark``; returns the pids that survived both."""
    [survivors] = await end_all([Belongings(leader, mark)], term_wait=term_wait, kill_wait=kill_wait)
    return survivors


async def end_all(
    agents: Sequence[Belongings], *, term_wait: float = TERM_WAIT, kill_wait: float = KILL_WAIT
) -> list[list[int]]:
    """:func:`end_members` for several agents at once: ten that ignore TERM take as long as one."""
    strays: list[dict[int, float | None]] = [{} for _ in agents]
    marks = {agent.mark for agent in agents if agent.mark is not None}

    def alive() -> list[list[int]]:
        led = _led({agent.leader for agent in agents if agent.leader is not None})
        outside = [
            [pid for pid, started in found.items() if start_time(pid) == started and _runs(pid)] for found in strays
        ]
        return [
            list(dict.fromkeys([*(led.get(agent.leader, ()) if agent.leader is not None else ()), *others]))
            for agent, others in zip(agents, outside, strict=True)
        ]

    for step, wait in ((signal.SIGTERM, term_wait), (signal.SIGKILL, kill_wait)):
        deadline = time.monotonic() + wait
        if marks:
            carriers = await asyncio.to_thread(marked, marks)
            for agent, found in zip(agents, strays, strict=True):
                found.update({pid: start_time(pid) for pid in carriers.get(agent.mark or "", ())})
        left = alive()
        for pid in {pid for pids in left for pid in pids}:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, step)
        while any(left) and time.monotonic() < deadline:
            await asyncio.sleep(_POLL)
            left = alive()
        if not any(left):
            break
    for agent, found in zip(agents, strays, strict=True):
        _reap(agent.leader, found)
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


def _led(leaders: Collection[int]) -> dict[int, list[int]]:
    """What runs by whom of ``leaders`` leads it: its group or its terminal session."""
    found: dict[int, list[int]] = {}
    for pid in psutil.pids() if leaders else ():
        with contextlib.suppress(OSError):
            for leader in {os.getpgid(pid), os.getsid(pid)} & set(leaders):
                if _runs(pid):
                    found.setdefault(leader, []).append(pid)
    return found


def _mark_of(pid: int) -> str:
    """The mark that a process carries; empty for none."""
    try:
        if sys.platform == "linux":
            entries = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
            return next((entry[len(_ENTRY) :].decode() for entry in entries if entry.startswith(_ENTRY)), "")
        return psutil.Process(pid).environ().get(MARK, "")
    except (OSError, UnicodeDecodeError, psutil.Error):
        return ""


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
