"""An agent's process: spawned in a group of its own, drained, and ended without leaving anything behind."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from actions.errors import NotFound, SaysoError
from actions.sessions import groups
from actions.sessions.stderr_log import StderrLog
from actions.tasks import TaskOwner

LINE_LIMIT = 16 * 1024 * 1024
EOF_WAIT = 2.0
_LOOK_AGAIN = 0.5


@dataclass(frozen=True, slots=True)
class Launch:
    """What is started: ``argv`` as looked up on the environment's PATH, in ``cwd``, with exactly ``env``."""

    argv: Sequence[str]
    cwd: Path
    env: Mapping[str, str]
    name: str
    install_hint: str = ""


@dataclass(frozen=True, slots=True)
class Identity:
    """Pid and start time tell one process from a later one with the same pid; ``group`` is its group and session."""

    pid: int
    start_time: float
    group: int


@dataclass(frozen=True, slots=True)
class Ending:
    """How a process ended: its exit status (None if unknown) and the pids that could not be ended."""

    returncode: int | None
    survivors: Sequence[int] = field(default=())


class AgentProcess:
    """A running agent. :meth:`spawn` starts it, :meth:`end` ends it and everything it started."""

    def __init__(
        self, process: asyncio.subprocess.Process, identity: Identity, stderr: StderrLog, mark: str | None
    ) -> None:
        self._process = process
        self._mark = mark
        self.identity = identity
        self._stderr = stderr
        self._tasks = TaskOwner(f"agent process {identity.pid}")
        self._ending: asyncio.Task[Ending] | None = None
        self._drain = self._tasks.start(self._drain_stderr(), name="stderr")

    @classmethod
    async def spawn(
        cls,
        launch: Launch,
        *,
        stderr_file: Path | None,
        on_started: Callable[[Identity], Awaitable[None]] | None = None,
    ) -> AgentProcess:
        """Start the agent; ``on_started`` (the ledger) runs before the first byte is written to it.

        Raises NotFound when the program or the folder does not exist, SaysoError when it cannot be started.
        """
        if not await asyncio.to_thread(launch.cwd.is_dir):
            raise NotFound(
                f"The folder {launch.cwd} is not there any more. Put it back, or work in another one.",
                details={"cwd": str(launch.cwd)},
            )
        try:
            process = await asyncio.create_subprocess_exec(
                *launch.argv,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                cwd=launch.cwd,
                env=dict(launch.env),
                start_new_session=True,
                limit=LINE_LIMIT,
            )
        except FileNotFoundError as error:
            fix = launch.install_hint or "Install it, or correct the command in providers.toml."
            raise NotFound(
                f"{launch.name}: the command {launch.argv[0]!r} was not found. {fix}",
                details={"command": launch.argv[0]},
            ) from error
        except (OSError, ValueError) as error:
            raise SaysoError(
                f"{launch.name}: {launch.argv[0]!r} cannot be started ({error}). Check the command in providers.toml.",
                details={"command": launch.argv[0]},
            ) from error
        started = groups.start_time(process.pid)
        identity = Identity(process.pid, started if started is not None else 0.0, process.pid)
        agent = cls(process, identity, StderrLog(stderr_file), launch.env.get(groups.MARK))
        if on_started is not None:
            try:
                await on_started(identity)
            except BaseException:
                await agent.end(eof_wait=0)
                raise
        return agent

    @property
    def stdin(self) -> asyncio.StreamWriter:
        """The agent's input."""
        assert self._process.stdin is not None
        return self._process.stdin

    @property
    def stdout(self) -> asyncio.StreamReader:
        """The agent's output."""
        assert self._process.stdout is not None
        return self._process.stdout

    @property
    def returncode(self) -> int | None:
        """The exit status, negative for a signal, None while it runs."""
        return self._process.returncode

    @property
    def alive(self) -> bool:
        """Whether the agent itself still runs."""
        return self._process.returncode is None

    def stderr_tail(self, limit: int = 2000) -> str:
        """The last ``limit`` characters that the agent wrote to stderr."""
        return self._stderr.tail(limit)

    def note_noise(self, text: str) -> None:
        """Keep what came over stdout but was no message beside the stderr text."""
        self._stderr.add(f"[stdout] {text}\n".encode())

    async def wait(self) -> int:
        """Wait for the agent's exit; gives its status."""
        return await self._process.wait()

    def tell_when_left(self, left: Callable[[], None]) -> None:
        """Call ``left`` once the agent has ended while children of it live on: they may hold its pipes open, so that
        no end of its output ever comes.
        """
        self._tasks.start(self._look(left), name="look")

    async def settle_stderr(self, timeout: float = 0.5) -> None:
        """Give the last words of an agent that just died the time to arrive."""
        await asyncio.wait({self._drain}, timeout=timeout)

    async def thaw(self) -> None:
        """Let it go on where somebody stopped it (SIGSTOP): it is about to be told something."""
        await asyncio.to_thread(groups.thaw, self.identity.group)

    async def end(self, *, eof_wait: float = EOF_WAIT, term_wait: float = groups.TERM_WAIT) -> Ending:
        """EOF, TERM to the group, KILL to the group, each with a bounded wait. Safe to call again and at once.

        The group is ended after a clean exit as well: agents leave children behind.
        """
        if self._ending is None:
            # A task of its own, shielded, so that a cancelled caller cannot leave half an agent running.
            self._ending = self._tasks.start(self._end(eof_wait, term_wait), name="end")
        return await asyncio.shield(self._ending)

    async def _end(self, eof_wait: float, term_wait: float) -> Ending:
        with contextlib.suppress(OSError, RuntimeError):
            self.stdin.close()
        if self.alive and eof_wait > 0:
            await self.thaw()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), eof_wait)
        survivors = await groups.end_members(self.identity.group, mark=self._mark, term_wait=term_wait)
        returncode: int | None = None
        if self.identity.pid not in survivors:
            returncode = await self._process.wait()
        await self.settle_stderr()
        await self._tasks.close()
        self._stderr.close()
        return Ending(returncode, tuple(survivors))

    async def _look(self, left: Callable[[], None]) -> None:
        # Looked at, for asyncio's `wait` too ends only once the pipes are closed.
        while self.alive:  # noqa: ASYNC110
            await asyncio.sleep(_LOOK_AGAIN)
        await asyncio.sleep(_LOOK_AGAIN)
        if await asyncio.to_thread(groups.members, self.identity.group):
            left()

    async def _drain_stderr(self) -> None:
        stream = self._process.stderr
        assert stream is not None
        while chunk := await stream.read(65536):
            self._stderr.add(chunk)


def exit_words(code: int) -> str:
    """An exit status for a person."""
    return f"exit code {code}" if code >= 0 else f"signal {-code}"
