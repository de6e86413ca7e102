"""A plugin's tool: its command, run with the parameters on standard input."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from actions.agent.processes.commands import Commands
from actions.agent.processes.environment import command_environment
from actions.agent.processes.output import Output
from actions.agent.processes.text import whole_or_ends
from actions.agent.tools.needs import Spool
from actions.agent.toolset.asking import Ask, Scope
from actions.agent.toolset.call import current_call
from actions.agent.toolset.plugins import PluginToolSpec
from actions.agent.toolset.results import ErrorClass, TextDisplay, ToolFailure, ToolResult, failure
from actions.agent.toolset.tool import Tool


class PluginTools:
    """Makes the tools of plugins; what :func:`actions.agent.toolset.plugins.load_plugins` takes as ``make``."""

    def __init__(self, commands: Commands, spool: Spool) -> None:
        self._commands = commands
        self._spool = spool

    def __call__(self, spec: PluginToolSpec, folder: Path, env: Mapping[str, str]) -> PluginTool:
        return PluginTool(spec, folder, env, self._commands, self._spool)


class PluginTool(Tool):
    """Standard output is the result; a command that fails is an error with what it wrote to standard error."""

    kind = "other"

    def __init__(
        self, spec: PluginToolSpec, folder: Path, env: Mapping[str, str], commands: Commands, spool: Spool
    ) -> None:
        self.name = spec.name
        self.description = spec.description
        self.parameters = spec.parameters
        self.effect = spec.effect
        self._spec = spec
        self._folder = folder
        self._env = env
        self._commands = commands
        self._spool = spool

    async def prepare(self, arguments: Any) -> Ask:
        self._check(arguments)
        shown = json.dumps(arguments, ensure_ascii=False, indent=2)
        return Ask(f"Use {self.name} of the plugin {self._folder.name}", Scope("tool", ""), (TextDisplay(shown),))

    async def run(self, /, *args: Any, **kwargs: Any) -> ToolResult:
        if args:
            raise ToolFailure("The arguments have to be an object.", error=ErrorClass.INVALID_INPUT)
        self._check(kwargs)
        call = current_call.get()
        name = call.id if call else self.name
        out, err = Output(self._spool.fresh(f"{name}.txt")), Output(self._spool.fresh(f"{name}.err.txt"))
        env = command_environment(extra=self._env)
        said = json.dumps(kwargs).encode()
        try:
            running = await self._commands.start(
                self._spec.command, cwd=self._folder, env=env, out=out, err=err, stdin=said
            )
        except (OSError, ValueError) as error:
            raise ToolFailure(f"The command of {self.name} in {self._folder} could not be started: {error}") from error
        try:
            async with asyncio.timeout(self._spec.timeout):
                code = await running.wait()
        except TimeoutError:
            await self._commands.end(running)
            limit = f"{self.name} took longer than {self._spec.timeout:g} s and was ended."
            return failure(ErrorClass.TIMEOUT, limit, whole_or_ends(out)[0])
        except asyncio.CancelledError:
            self._commands.end_soon(running)
            raise
        if code == 0:
            text, note = whole_or_ends(out)
            return ToolResult(text, note.strip())
        said, note = whole_or_ends(err if err.total else out)
        return failure(ErrorClass.TOOL_ERROR, f"{self.name} failed with exit code {code}.{note}", said)

    def _check(self, arguments: Any) -> None:
        """Raises ToolFailure that names the first thing that does not fit the schema."""
        problem = next(iter(self._validator.iter_errors(arguments)), None)
        if problem is not None:
            where = ".".join(str(step) for step in problem.absolute_path) or "arguments"
            raise ToolFailure(f"{where}: {problem.message}", error=ErrorClass.INVALID_INPUT)

    @cached_property
    def _validator(self) -> Any:
        from jsonschema import Draft202012Validator

        return Draft202012Validator({"type": "object", **self.parameters})
