"""A server's process: started in a group of its own, heard on stderr, and ended with everything it started."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import time
import uuid
from collections.abc import Mapping
from pathlib import Path

from actions.servers.pool import tree
from actions.servers.pool.stderr import Stderr
from actions.tasks import TaskOwner

EOF_WAIT = 2.0
_POLL = 0.01
MARK = "SAYSO_MCP_SERVER"


class Process:
    """A running server. :meth:`spawn` starts it, :meth:`end` ends it; what happened to it stays readable."""

    def __init__(self, process: asyncio.subprocess.Process, stderr: Stderr, mark: str) -> None:
        self._process = process
        self._mark = mark
        self._stderr = stderr
        self._tasks = TaskOwner(f"server process {process.pid}")
        self._ending: asyncio.Task[None] | None = None
        self._drain = self._tasks.start(self._drain_stderr(), name="stderr")
        self.pid = process.pid

    @classmethod
    async def spawn(
        cls, command: str, args: tuple[str, ...], *, env: Mapping[str, str], cwd: Path | None, stderr: Stderr
    ) -> Process:
        """Start ``command``, as found on the PATH of ``env``. Raises OSError, ValueError (a NUL in an argument)."""
        mark = uuid.uuid4().hex
        process = await asyncio.create_subprocess_exec(
            command,
            *args,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=cwd,
            env={**env, MARK: mark},
            start_new_session=True,
            preexec_fn=tree.dies_with_parent() if sys.platform == "linux" else None,
        )
        return cls(process, stderr, mark)

    @property
    def stdin(self) -> asyncio.StreamWriter:
        """The server's input."""
        assert self._process.stdin is not None
        return self._process.stdin

    @property
    def stdout(self) -> asyncio.StreamReader:
        """The server's output."""
        assert self._process.stdout is not None
        return self._process.stdout

    @property
    def returncode(self) -> int | None:
        """The exit status, negative for a signal; None while it runs."""
        return self._process.returncode

    async def settle(self, timeout: float = 0.3) -> None:
        """Give a server that is about to die the time to say why, and to leave an exit status."""
        if await self._exit(timeout):
            await asyncio.wait({self._drain}, timeout=timeout)

    async def end(self, *, eof_wait: float = EOF_WAIT) -> None:
        """EOF, TERM, KILL, each with a bounded wait, to the process and to everything it started.

        Safe to call again; a caller that is cancelled leaves the ending to run to its end.
        """
        if self._ending is None:
            self._ending = self._tasks.start(self._end(eof_wait), name="end")
        await asyncio.shield(self._ending)

    async def _end(self, eof_wait: float) -> None:
        try:
            await self._end_all(eof_wait)
        except BaseException:
            # Only the end of the event loop cancels this: there is no time left to be polite
            with contextlib.suppress(OSError):
                os.killpg(self.pid, signal.SIGKILL)
            raise

    async def _end_all(self, eof_wait: float) -> None:
        # Children are looked up while their parent lives: what left the group is found by them or by the mark
        family = await asyncio.to_thread(tree.descendants, self.pid)
        with contextlib.suppress(OSError, RuntimeError):
            self.stdin.close()
        if eof_wait > 0 and self.returncode is None:
            await self._exit(eof_wait)
        await tree.end(self.pid, family=family, mark=(MARK, self._mark))
        await self._exit(2.0)
        await asyncio.wait({self._drain}, timeout=0.3)
        # The pipes' transports would else be closed by the garbage collector, with a warning
        transport: asyncio.SubprocessTransport = vars(self._process)["_transport"]
        transport.close()
        self._drain.cancel()
        self._stderr.close()

    async def _exit(self, timeout: float) -> bool:
        """Whether the process itself has ended in that time. ``Process.wait`` would wait for its pipes as well, which a
        child of it may hold open."""
        deadline = time.monotonic() + timeout
        while True:
            if self.returncode is not None or time.monotonic() > deadline:
                return self.returncode is not None
            await asyncio.sleep(_POLL)

    async def _drain_stderr(self) -> None:
        stream = self._process.stderr
        assert stream is not None
        while chunk := await stream.read(65536):
            self._stderr.add(chunk)
