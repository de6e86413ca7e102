"""Shell: one command of the user's machine, in the foreground or as a background task."""

from __future__ import annotations

import asyncio
import errno
import os
import shutil
import signal
import sys
from collections.abc import Generator
from contextlib import contextmanager

from pydantic import BaseModel, Field, model_validator

from actions.agent.processes.commands import Commands, Running
from actions.agent.processes.environment import command_environment
from actions.agent.processes.output import Output
from actions.agent.processes.text import whole_or_ends
from actions.agent.tools.background import BackgroundTasks
from actions.agent.tools.live import LiveFeed, LiveOutput
from actions.agent.tools.needs import Spool, Workspace
from actions.agent.toolset.asking import Ask, Scope
from actions.agent.toolset.call import current_call
from actions.agent.toolset.results import ErrorClass, TextDisplay, ToolFailure, ToolResult
from actions.agent.toolset.tool import TypedTool
from actions.catalog.spec import Effect
from actions.errors import SaysoError

FOREGROUND = 60
MOST_FOREGROUND = 300
MOST_BACKGROUND = 86_400


class ShellParams(BaseModel):
    command: str = Field(min_length=1, description="The command line to run.")
    timeout: int | None = Field(
        default=None,
        ge=1,
        le=MOST_BACKGROUND,
        description="Seconds until everything of the command is ended: at most 300 (default 60) in the foreground, at "
        "most 86400 (the default) in the background.",
    )
    background: bool = Field(default=False, description="Start it as a background task and return at once.")
    description: str = Field(default="", description="What a background task is for, in a few words.")

    @model_validator(mode="after")
    def _within_limits(self) -> ShellParams:
        if not self.background and self.timeout is not None and self.timeout > MOST_FOREGROUND:
            raise ValueError(f"timeout is at most {MOST_FOREGROUND} in the foreground: set background for longer")
        if not self.command.strip():
            raise ValueError("command is empty")
        return self

    @property
    def limit(self) -> int:
        """Seconds."""
        return self.timeout or (MOST_BACKGROUND if self.background else FOREGROUND)


class Shell(TypedTool[ShellParams]):
    """``keep_environment`` names variables that commands get although they look like keys of a model vendor."""

    name = "Shell"
    params = ShellParams
    effect = Effect.DANGER
    kind = "execute"
    key_argument = "command"
    remarks = frozenset({"description"})

    def __init__(
        self,
        workspace: Workspace,
        spool: Spool,
        commands: Commands,
        tasks: BackgroundTasks,
        live: LiveOutput | None = None,
        *,
        keep_environment: tuple[str, ...] = (),
    ) -> None:
        self._workspace = workspace
        self._spool = spool
        self._commands = commands
        self._tasks = tasks
        self._live = live
        self._keep = keep_environment
        self._shell = shell_argv()
        self.words = {"shell": self._shell[0]}

    async def prepare(self, arguments: ShellParams) -> Ask:
        where = " in the background" if arguments.background else ""
        return Ask(
            summary=f"Run `{arguments.command}`{where}",
            scope=Scope(
                "command",
                arguments.command,
                folder=str(self._workspace.root),
                roots=tuple(map(str, (self._workspace.root, *self._workspace.extra))),
            ),
            preview=(TextDisplay(arguments.command, "command"),),
        )

    async def run(self, params: ShellParams) -> ToolResult:
        argv = [*self._shell, params.command]
        env = command_environment(keep=self._keep)
        if params.background:
            return await self._start(params, argv, env)
        return await self._wait_for(params, argv, env)

    async def _start(self, params: ShellParams, argv: list[str], env: dict[str, str]) -> ToolResult:
        with self._told():
            task = await self._tasks.start_command(
                params.description or params.command, argv, cwd=self._workspace.root, env=env, limit=params.limit
            )
        return ToolResult(
            message=f"Started in the background as {task.id}. Read its output with TaskOutput, end it with TaskStop. "
            f"You are told when it ends. Its whole output goes to {task.file}"
        )

    async def _wait_for(self, params: ShellParams, argv: list[str], env: dict[str, str]) -> ToolResult:
        call = current_call.get()
        file = self._spool.fresh(f"{call.id if call else 'shell'}.txt")
        with LiveFeed(self._live, call) as feed:
            output = Output(file, watcher=feed.feed)
            with self._told():
                running = await self._commands.start(argv, cwd=self._workspace.root, env=env, out=output)
            try:
                async with asyncio.timeout(params.limit):
                    code = await running.wait()
            except TimeoutError:
                return await self._too_long(params, running, output)
            except asyncio.CancelledError:
                self._commands.end_soon(running)
                raise
        text, note = whole_or_ends(output)
        left = "" if running.over else " It left processes running; they end with the session."
        if code == 0:
            return ToolResult(text, f"Exit code 0.{left}{note}")
        return ToolResult(text, f"The command failed: {said_exit(code)}.{left}{note}", error=ErrorClass.TOOL_ERROR)

    async def _too_long(self, params: ShellParams, running: Running, output: Output) -> ToolResult:
        survived = await self._commands.end(running)
        text, note = whole_or_ends(output)
        left = f" These processes could not be ended: {survived}." if survived else " All its processes were ended."
        hint = " Give it more time with `timeout`, or run it with `background`."
        return ToolResult(
            text,
            f"The command took longer than {params.limit} s and was ended.{left}{hint}{note}",
            error=ErrorClass.TIMEOUT,
        )

    @contextmanager
    def _told(self) -> Generator[None]:
        """Why a command could not be started, as a result for the model."""
        try:
            yield
        except SaysoError as error:
            raise ToolFailure(error.message) from error
        except (OSError, ValueError) as error:
            why = f"The command could not be started: {error}"
            if not self._workspace.root.is_dir():
                why = f"The workspace folder {self._workspace.root} is not there any more."
            elif isinstance(error, OSError) and error.errno == errno.E2BIG:
                why = "The command line is too long. Write it to a script with WriteFile and run that."
            raise ToolFailure(why) from error


def shell_argv() -> tuple[str, ...]:
    """What runs a command line: bash where there is one, else ``sh``; ``cmd`` on Windows."""
    if sys.platform == "win32":
        return (os.environ.get("COMSPEC", "cmd.exe"), "/d", "/s", "/c")
    return (shutil.which("bash") or "/bin/sh", "-c")


def said_exit(code: int) -> str:
    """An exit code in words, ``-9`` as the signal that it is."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"ended by the signal {signal.Signals(-code).name}"
    except ValueError:
        return f"ended by the signal {-code}"
