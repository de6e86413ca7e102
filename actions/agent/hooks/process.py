"""One hook's process: started cheaply, never longer than its limit, ended with everything that it started.

``posix_spawn`` on the loop's own thread and a pidfd for the end: no thread, and no copy of this process's page tables.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_KEPT = 65_536
"""Bytes of each stream that are kept; the rest is read and dropped."""
_PIPE = 32_768
"""A payload up to this size fits an empty pipe at once; a longer one goes through a file."""
_QUICK = 0.02
"""Seconds before the output is watched: the pipe holds what a quick hook says, and watching costs."""
_DEATH = 1.0
"""Seconds that a killed process gets to be gone."""
_LOOK_EVERY = 0.01
_UNKNOWN = 255 << 8
"""The wait status of exit code 255, for a process whose own is lost: never taken for success."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a process ended. ``code`` None: it took longer than its limit. A signal is a negative code."""

    code: int | None
    output: bytes
    error: bytes


async def run(command: str, payload: bytes, *, cwd: str, env: Mapping[bytes, bytes], limit: float) -> Ended:
    """Run ``command`` by ``/bin/sh`` in ``cwd`` with ``payload`` on standard input, at most ``limit`` seconds.

    The process leads a group of its own. Past the limit and on a cancel the whole group is killed. What a hook leaves
    in the background after ending in time is its own business.

    Raises:
        OSError: it could not be started (no shell, too many open files).
    """
    process = _start(command, payload, cwd, env)
    try:
        if not await process.ended(within=_QUICK):
            process.listen()
            await process.ended(within=limit - _QUICK)
        return process.result()
    finally:
        await process.close()


def _start(command: str, payload: bytes, cwd: str, env: Mapping[bytes, bytes]) -> _Process:
    ours: list[int] = []
    given: list[int] = []
    try:
        for _ in range(2):
            read, write = os.pipe()
            ours.append(read)
            given.append(write)
        given.insert(0, _filled(payload))
        # posix_spawn takes no folder; the shell goes there itself.
        arguments = ["/bin/sh", "-c", f'cd -- "$1" || exit 1; shift\n{command}', "hook", cwd]
        moves = [(os.POSIX_SPAWN_DUP2, end, to) for to, end in enumerate(given)]
        pid = os.posix_spawn("/bin/sh", arguments, env, file_actions=moves, setpgroup=0)
    except BaseException:
        _close(ours)
        raise
    finally:
        _close(given)
    return _Process(pid, *ours)


def _filled(payload: bytes) -> int:
    """A file to read ``payload`` from."""
    if len(payload) > _PIPE:
        with tempfile.TemporaryFile() as file:
            file.write(payload)
            file.seek(0)
            return os.dup(file.fileno())
    read, write = os.pipe()
    os.write(write, payload)
    os.close(write)
    return read


def _close(files: Iterable[int]) -> None:
    for file in files:
        os.close(file)


class _Process:
    def __init__(self, pid: int, output: int, error: int) -> None:
        self._pid = pid
        self._loop = asyncio.get_running_loop()
        self._streams = {output: bytearray(), error: bytearray()}
        self._listening = False
        self._code: int | None = None
        self._waiter: asyncio.Future[None] | None = None
        for stream in self._streams:
            os.set_blocking(stream, False)
        try:
            self._handle = os.pidfd_open(pid)
            self._loop.add_reader(self._handle, self._reap)
        except (AttributeError, OSError):  # not Linux, or no file left
            self._handle = -1
            self._loop.call_later(_LOOK_EVERY, self._look)

    async def ended(self, *, within: float) -> bool:
        """Whether the process is over; waits for it at most ``within`` seconds."""
        if self._code is None:
            self._waiter = self._loop.create_future()
            timer = self._loop.call_later(within, self._wake)
            try:
                await self._waiter
            finally:
                timer.cancel()
        return self._code is not None

    def listen(self) -> None:
        """Take the output as it comes, so that no full pipe holds the process up."""
        self._listening = True
        for stream in self._streams:
            self._loop.add_reader(stream, self._read, stream)

    def result(self) -> Ended:
        for stream in self._streams:
            while self._code is not None and self._read(stream):
                pass
        output, error = (bytes(kept) for kept in self._streams.values())
        return Ended(self._code, output, error)

    async def close(self) -> None:
        """Kill the group of a process that still runs, and give everything back."""
        try:
            if self._code is None:
                # Not reaped yet, so the number is still its own.
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(self._pid, signal.SIGKILL)
                await self.ended(within=_DEATH)
        finally:
            if self._listening:
                for stream in self._streams:
                    self._loop.remove_reader(stream)
            _close(self._streams)

    def _read(self, stream: int) -> bool:
        """Take one piece off ``stream``; False when there is none now."""
        try:
            piece = os.read(stream, _KEPT)
        except BlockingIOError:
            return False
        kept = self._streams[stream]
        kept += piece[: _KEPT - len(kept)]
        if not piece and self._listening:
            self._loop.remove_reader(stream)
        return bool(piece)

    def _look(self) -> None:
        if not self._reap():
            self._loop.call_later(_LOOK_EVERY, self._look)

    def _reap(self) -> bool:
        try:
            pid, status = os.waitpid(self._pid, os.WNOHANG)
        except ChildProcessError:  # who started us ignores SIGCHLD: the system threw the code away
            pid, status = self._pid, _UNKNOWN
        if not pid:
            return False
        if self._handle >= 0:
            self._loop.remove_reader(self._handle)
            os.close(self._handle)
        self._code = os.waitstatus_to_exitcode(status)
        self._wake()
        return True

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
