"""What tools that run commands stand on: a real folder and real processes, all of them ended afterwards."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from actions.agent.processes.commands import Commands
from actions.agent.tools.background import BackgroundTasks
from actions.agent.tools.needs import Spool, Workspace
from actions.agent.tools.shell import Shell, ShellParams
from actions.agent.toolset.call import ToolCall, current_call
from actions.agent.toolset.results import ToolResult


@dataclass
class Watched:
    """Takes live output; ``pieces`` are ``(seconds since it was made, call id, text)``."""

    began: float = field(default_factory=time.monotonic)
    pieces: list[tuple[float, str, str]] = field(default_factory=list)

    def output(self, call_id: str, text: str) -> None:
        self.pieces.append((time.monotonic() - self.began, call_id, text))

    @property
    def text(self) -> str:
        return "".join(text for _, _, text in self.pieces)


@dataclass
class Desk:
    workspace: Workspace
    spool: Spool
    commands: Commands
    tasks: BackgroundTasks
    live: Watched

    def shell(self, **options: Any) -> Shell:
        return Shell(self.workspace, self.spool, self.commands, self.tasks, self.live, **options)

    async def run(self, command: str, **more: Any) -> ToolResult:
        """The result of a Shell call, as the dispatcher would make it."""
        token = current_call.set(ToolCall("call-1", "Shell", json.dumps({"command": command})))
        try:
            return await self.shell().run(ShellParams(command=command, **more))
        finally:
            current_call.reset(token)


@asynccontextmanager
async def running_desk(tmp_path: Path) -> AsyncIterator[Desk]:
    folder = tmp_path / "work"
    folder.mkdir()
    spool = Spool(tmp_path / "spool")
    commands = Commands()
    desk = Desk(Workspace(folder), spool, commands, BackgroundTasks(spool, commands), Watched())
    try:
        yield desk
    finally:
        await desk.tasks.close()
        await commands.close()


def living(words: str) -> list[int]:
    """Pids of processes that run with ``words`` in their command line; zombies do not run."""
    found: list[int] = []
    for process in psutil.process_iter(["cmdline", "status"]):
        line = " ".join(process.info["cmdline"] or ())
        if words in line and process.info["status"] != psutil.STATUS_ZOMBIE and "pytest" not in line:
            found.append(process.pid)
    return found


async def until_living(words: str, count: int = 1) -> None:
    """Waits until ``count`` such processes run."""
    deadline = time.monotonic() + 30
    while len(living(words)) < count:
        assert time.monotonic() < deadline, f"{words} did not start"
        await asyncio.sleep(0.02)
