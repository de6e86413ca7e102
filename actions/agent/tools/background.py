"""Tasks that go on beside the conversation: commands and subagents. They outlive the turn and end with the session."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from actions.agent.processes.commands import Commands, Running
from actions.agent.processes.output import Output
from actions.agent.processes.text import plain
from actions.agent.tools.needs import Spool
from actions.agent.toolset.results import TextPart, ToolResult
from actions.errors import NotFound, SaysoError
from actions.tasks import TaskOwner

TaskState = Literal["running", "done", "failed", "timeout", "stopped"]
MOST_RUNNING = 32
_End = tuple[TaskState, int | None]
"""How a task ended, with the exit code of a command."""


@dataclass(frozen=True, slots=True)
class BackgroundTask:
    """One task as it stands. ``code`` is a command's exit code, ``file`` its whole output so far; times are seconds
    since the epoch."""

    id: str
    kind: Literal["command", "agent"]
    description: str
    state: TaskState
    file: Path
    started: float
    ended: float | None = None
    code: int | None = None

    @property
    def active(self) -> bool:
        return self.state == "running"


@dataclass(frozen=True, slots=True)
class TaskText:
    """A piece of a task's output. ``next`` is the byte offset behind it, ``size`` the bytes there are so far."""

    text: str
    next: int
    size: int


Watcher = Callable[[BackgroundTask], None]


class BackgroundTasks:
    """The tasks of one session."""

    def __init__(self, spool: Spool, commands: Commands) -> None:
        self._spool = spool
        self._commands = commands
        self._owner = TaskOwner("background")
        self._tasks: dict[str, BackgroundTask] = {}
        self._work: dict[str, asyncio.Task[_End]] = {}
        self._running: dict[str, Running] = {}
        self._watchers: list[Watcher] = []

    async def start_command(
        self, description: str, argv: Sequence[str], *, cwd: Path, env: Mapping[str, str], limit: float
    ) -> BackgroundTask:
        """Start a command that is ended after ``limit`` seconds. Raises OSError when it cannot be started and
        ``SaysoError`` when too many tasks run."""
        task = self._new("command", description)
        output = Output(task.file, early=True)
        try:
            running = await self._commands.start(argv, cwd=cwd, env=env, out=output)
        except BaseException:
            del self._tasks[task.id]
            output.close()
            task.file.unlink(missing_ok=True)
            raise

        self._running[task.id] = running

        async def work() -> _End:
            try:
                async with asyncio.timeout(limit):
                    code = await running.wait()
            except TimeoutError:
                await self._commands.end(running)
                return "timeout", None
            except asyncio.CancelledError:
                self._commands.end_soon(running)
                raise
            return ("done" if code == 0 else "failed"), code

        self._go(task.id, work())
        return task

    def start_agent(self, description: str, work: Coroutine[Any, Any, ToolResult]) -> BackgroundTask:
        """Let a subagent work in the background; its result becomes the task's output."""
        try:
            task = self._new("agent", description)
        except SaysoError:
            work.close()
            raise

        async def run() -> _End:
            result = await work
            task.file.write_text(_words(result), encoding="utf-8", errors="replace")
            return ("failed" if result.is_error else "done"), None

        self._go(task.id, run())
        # One that was stopped before it began was never awaited.
        self._work[task.id].add_done_callback(lambda _: work.close())
        return task

    def list(self, *, active: bool = False) -> tuple[BackgroundTask, ...]:
        """All tasks in the order in which they began, or the running ones."""
        return tuple(task for task in self._tasks.values() if task.active or not active)

    def find(self, task_id: str) -> BackgroundTask:
        """The task of that id. Raises ``NotFound`` with the ids there are."""
        if task_id in self._tasks:
            return self._tasks[task_id]
        known = ", ".join(self._tasks) or "none"
        raise NotFound(f"There is no background task {task_id!r}. There are: {known}.")

    async def wait(self, task_id: str, limit: float) -> BackgroundTask:
        """The task when it has ended, or as it stands after ``limit`` seconds; waiting ends nothing."""
        task = self.find(task_id)
        if task.active and limit > 0:
            await asyncio.wait([self._work[task_id]], timeout=limit)
        return self.find(task_id)

    def read(self, task_id: str, offset: int, most: int) -> TaskText:
        """Output from byte ``offset`` on, at most ``most`` bytes; a negative offset counts from the end."""
        task = self.find(task_id)
        try:
            with task.file.open("rb") as file:
                size = file.seek(0, 2)
                begin = min(offset if offset >= 0 else max(size + offset, 0), size)
                file.seek(begin)
                data = file.read(most)
        except FileNotFoundError:
            return TaskText("", 0, 0)
        if begin + len(data) < size:
            data = _whole_characters(data)
        return TaskText(plain(data), begin + len(data), size)

    async def stop(self, task_id: str) -> BackgroundTask:
        """End a task with all its processes; one that has ended stays as it is."""
        task = self.find(task_id)
        if task.active:
            self._set(task_id, "stopped")
            work = self._work[task_id]
            if task_id in self._running:
                await self._commands.end(self._running[task_id])
            else:
                work.cancel()
            await asyncio.wait([work])
        return self.find(task_id)

    def watch(self, watcher: Watcher) -> Callable[[], None]:
        """Call ``watcher`` with each task that ends, until the returned function is called."""
        self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher)

    async def close(self) -> None:
        """End every task. No watcher is told: the session is over."""
        self._watchers.clear()
        await self._owner.close()

    def _new(self, kind: Literal["command", "agent"], description: str) -> BackgroundTask:
        if len(self.list(active=True)) >= MOST_RUNNING:
            raise SaysoError(f"{MOST_RUNNING} background tasks run already. Stop one of them first.")
        task_id = f"task-{len(self._tasks) + 1}"
        task = BackgroundTask(task_id, kind, description, "running", self._spool.fresh(f"{task_id}.txt"), time.time())
        self._tasks[task_id] = task
        return task

    def _go(self, task_id: str, work: Coroutine[Any, Any, _End]) -> None:
        self._work[task_id] = task = self._owner.start(work, name=task_id)
        task.add_done_callback(lambda done: self._ended(task_id, done))

    def _ended(self, task_id: str, done: asyncio.Task[_End]) -> None:
        if done.cancelled():
            self._set(task_id, "stopped")
        elif (error := done.exception()) is not None:
            self._tasks[task_id].file.write_text(f"{type(error).__name__}: {error}", encoding="utf-8")
            self._set(task_id, "failed")
        else:
            self._set(task_id, *done.result())
        self._work.pop(task_id, None)
        self._running.pop(task_id, None)
        for watcher in tuple(self._watchers):
            watcher(self._tasks[task_id])

    def _set(self, task_id: str, state: TaskState, code: int | None = None) -> None:
        task = self._tasks[task_id]
        if task.active:
            self._tasks[task_id] = replace(task, state=state, code=code, ended=time.time())


def _words(result: ToolResult) -> str:
    output = result.output
    if not isinstance(output, str):
        output = "\n".join(part.text if isinstance(part, TextPart) else f"[{part.mime}]" for part in output)
    return "\n\n".join(text for text in (result.message, output) if text)


def _whole_characters(data: bytes) -> bytes:
    """``data`` without a last UTF-8 character that is not all there."""
    for back in range(1, min(4, len(data)) + 1):
        byte = data[-back]
        if byte & 0b1100_0000 == 0b1000_0000:
            continue
        length = 1 if byte < 0x80 else 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
        return data[:-back] if length > back and len(data) > back else data
    return data
