"""Ending a command: its children, its group, its terminal session, and what detached itself but carries its mark.

Imported when the first command has to be ended: psutil would cost each start of an agent.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import psutil

from actions.agent.processes.group import MARK

TERM_WAIT = 0.5
KILL_WAIT = 2.0
_POLL = 0.01


async def end(
    leader: int | None, mark: str, *, term_wait: float = TERM_WAIT, kill_wait: float = KILL_WAIT
) -> list[int]:
    """TERM, then KILL everything of the command that ``leader`` began, and what carries a mark that begins with
    ``mark``. Returns the pids that survived both: processes that the kernel holds or that are not ours, or none."""
    # All of it is found before any of it is hurt: a child whose parent has died is nobody's child.
    known = await asyncio.to_thread(_members, leader, mark, ())
    for one in known:
        with contextlib.suppress(psutil.Error):
            one.terminate()
    await _gone(known, term_wait)
    deadline = time.monotonic() + kill_wait
    # Looked for again after each blow: what was being started while the others died is ended too.
    while (known := await asyncio.to_thread(_members, leader, mark, known)) and time.monotonic() < deadline:
        for one in known:
            with contextlib.suppress(psutil.Error):
                one.kill()
        await _gone(known, 0.2)
    return [one.pid for one in known]


def _members(leader: int | None, mark: str, known: Iterable[psutil.Process]) -> list[psutil.Process]:
    """Every living process of the command, ``known`` ones included. Reads the whole table: not for the loop."""
    found = {one.pid: one for one in known}
    if leader is not None:
        found |= _descent(leader)
    for pid in psutil.pids():
        if pid not in found and pid != os.getpid() and _is_marked(pid, mark):
            with contextlib.suppress(psutil.Error):
                found[pid] = psutil.Process(pid)
    return [one for one in found.values() if _runs(one)]


def _descent(leader: int) -> dict[int, psutil.Process]:
    """The leader, its children and theirs, and all of its group and session; nothing once it was collected: then its
    number may be anybody's."""
    try:
        top = psutil.Process(leader)
        if top.ppid() != os.getpid():
            return {}
        found = {one.pid: one for one in [top, *top.children(recursive=True)]}
    except psutil.Error:
        return {}
    for pid in psutil.pids():
        if pid not in found and _is_led(pid, leader):
            with contextlib.suppress(psutil.Error):
                found[pid] = psutil.Process(pid)
    return found


async def _gone(processes: list[psutil.Process], limit: float) -> None:
    """Wait until none of them runs, at most ``limit`` seconds."""
    deadline = time.monotonic() + limit
    # Looked at again and again: no event tells of the end of a process that is no child of ours.
    while any(_runs(one) for one in processes) and time.monotonic() < deadline:  # noqa: ASYNC110
        await asyncio.sleep(_POLL)


def _runs(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def _is_led(pid: int, leader: int) -> bool:
    if sys.platform == "win32":
        return False
    try:
        return leader in (os.getpgid(pid), os.getsid(pid))
    except OSError:
        return False


def _is_marked(pid: int, mark: str) -> bool:
    try:
        if sys.platform == "linux":
            begins = f"{MARK}={mark}".encode()
            return any(entry.startswith(begins) for entry in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"))
        return psutil.Process(pid).environ().get(MARK, "").startswith(mark)
    except (OSError, psutil.Error):
        return False
