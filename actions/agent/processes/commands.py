"""Starting commands, each in a group and terminal session of its own, and ending every one of them."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from subprocess import DEVNULL, PIPE, STDOUT
from typing import Any, cast

from actions.agent.processes.group import MARK, has_group
from actions.agent.processes.output import Output
from actions.keeper import Keeper
from actions.tasks import TaskOwner

_DRAIN = 0.1
"""Seconds that a command which ended is given to hand over what is still in the pipe."""


class Running:
    """A command that was started. ``pid`` leads its group."""

    def __init__(self, pid: int, mark: str, transport: asyncio.SubprocessTransport, watch: _Watch) -> None:
        self.pid = pid
        self.mark = mark
        self._transport = transport
        self._watch = watch

    @property
    def over(self) -> bool:
        """Whether it ended and left nothing behind: no process of its group, nobody who has its output open."""
        return self._watch.exited.is_set() and self._watch.drained.is_set() and not has_group(self.pid)

    async def wait(self) -> int:
        """The exit code, negative for a signal. Returns when the command itself has ended, even if processes that it
        left behind still hold its output."""
        await self._watch.exited.wait()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._watch.drained.wait(), _DRAIN)
        code = self._transport.get_returncode()
        assert code is not None
        return code

    async def end(self) -> list[int]:
        """End all of it: TERM, then KILL. Returns the pids that survived both."""
        from actions.agent.processes import tree

        survived = await tree.end(self.pid, self.mark)
        if not survived:
            await self.wait()
            self._transport.close()
        return survived


class Commands:
    """Every command of one session. :meth:`close` ends what still runs, also what ended commands left behind; when this
    process is killed, its keeper does."""

    def __init__(self) -> None:
        # Each command's mark begins with this one; the dot ends a number.
        self._mark = f"{uuid.uuid4().hex}."
        self._count = 0
        self._keeper = Keeper(MARK, self._mark)
        self._running: set[Running] = set()
        self._starting: set[asyncio.Task[Running | OSError | ValueError]] = set()
        self._owner = TaskOwner("commands")

    async def start(
        self,
        argv: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str],
        out: Output,
        err: Output | None = None,
        stdin: bytes | None = None,
    ) -> Running:
        """Run ``argv``. Its output goes to ``out``, both streams in their order unless ``err`` takes the second one.
        Without ``stdin`` its input is closed. Raises OSError and ValueError when it cannot be started."""
        # A task of its own: were the caller cancelled in between, a process would run that nobody knows of.
        starting = self._owner.start(self._start(argv, cwd, env, out, err, stdin), name="start")
        self._starting.add(starting)
        starting.add_done_callback(self._starting.discard)
        try:
            started = await asyncio.shield(starting)
        except asyncio.CancelledError:
            starting.add_done_callback(self._unwanted)
            raise
        if not isinstance(started, Running):
            raise started
        return started

    async def end(self, running: Running) -> list[int]:
        """End one command with all it started; goes on even when the caller is cancelled. Returns the pids that
        survived."""
        return await asyncio.shield(self._owner.start(self._end(running), name=f"end-{running.pid}"))

    def end_soon(self, running: Running) -> None:
        """End one without waiting for it, for a call that was cancelled: a task of ours sees to it."""
        if running in self._running:
            self._owner.start(self._end(running), name=f"end-{running.pid}")

    async def close(self) -> None:
        """End everything, also what ended commands left running. Closing twice is harmless."""
        await asyncio.gather(*self._starting, return_exceptions=True)
        await asyncio.gather(*[self._end(running) for running in self._running if not running.over])
        if self._count:
            from actions.agent.processes import tree

            await tree.end(None, self._mark)
        await self._owner.close()
        await asyncio.to_thread(self._keeper.release)

    async def _start(
        self,
        argv: Sequence[str],
        cwd: Path,
        env: Mapping[str, str],
        out: Output,
        err: Output | None,
        stdin: bytes | None,
    ) -> Running | OSError | ValueError:
        self._running = {running for running in self._running if not running.over}
        self._count += 1
        mark = f"{self._mark}{self._count}."
        try:
            self._keeper.start()
            transport, watch = await asyncio.get_running_loop().subprocess_exec(
                lambda: _Watch(out, err),
                *argv,
                stdin=DEVNULL if stdin is None else PIPE,
                stdout=PIPE,
                stderr=STDOUT if err is None else PIPE,
                cwd=cwd,
                env={**env, MARK: mark},
                **_own_group(),
            )
        except (OSError, ValueError) as error:
            return error
        running = Running(transport.get_pid(), mark, transport, watch)
        self._running.add(running)
        if stdin is not None:
            _say(transport, stdin)
        return running

    async def _end(self, running: Running) -> list[int]:
        survived = await running.end()
        self._running.discard(running)
        return survived

    def _unwanted(self, started: asyncio.Task[Running | OSError | ValueError]) -> None:
        if not started.cancelled() and isinstance(running := started.result(), Running):
            self.end_soon(running)


class _Watch(asyncio.SubprocessProtocol):
    """Hands output on as it comes and says when the command and its output have ended."""

    def __init__(self, out: Output, err: Output | None) -> None:
        self._outputs = {1: out} if err is None else {1: out, 2: err}
        self._open = set(self._outputs)
        self.exited = asyncio.Event()
        self.drained = asyncio.Event()

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        self._outputs[fd].feed(data)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd not in self._open:
            return
        self._open.discard(fd)
        self._outputs[fd].close()
        if not self._open:
            self.drained.set()

    def process_exited(self) -> None:
        self.exited.set()


def _say(transport: asyncio.SubprocessTransport, data: bytes) -> None:
    # A command that does not read its input is no error: the pipe then breaks and nothing is lost.
    pipe = cast(asyncio.WriteTransport, transport.get_pipe_transport(0))
    pipe.write(data)
    pipe.close()


def _own_group() -> dict[str, Any]:
    if sys.platform == "win32":
        import subprocess

        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}
