"""Runs the hooks of a session."""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast, get_args

from pydantic import BaseModel

from actions.agent.hooks.answer import HookFault, read_answer
from actions.agent.hooks.config import Hook, HookEvent
from actions.agent.hooks.process import run
from actions.agent.hooks.verdict import ALLOW, HookVerdict
from actions.agent.toolset.call import ToolCall
from actions.agent.toolset.results import TextPart, ToolResult
from actions.tasks import TaskOwner

_OUTPUT = 2_000
"""Characters of a call's output that a hook gets."""
_AT_ONCE = 64
"""Processes of one event at the same time: each holds a few open files. Each event has places of its own: what runs
after calls, for minutes perhaps, must not hold up what has to run before one.
"""


@dataclass(frozen=True, slots=True)
class _Bound:
    hook: Hook
    pattern: re.Pattern[str]


class Hooks:
    """The hooks around tool calls.

    ``warn`` gets a sentence for a person whenever a hook fails or cannot be used: a failing hook lets the call through
    (unless it is set to fail closed), and nobody should believe that it was checked. ``env`` None: this process's.
    """

    def __init__(
        self,
        hooks: Iterable[Hook],
        *,
        session_id: str,
        cwd: str,
        warn: Callable[[str], None],
        env: Mapping[str, str] | None = None,
        unusable: Iterable[str] = (),
    ) -> None:
        """``unusable``: why hooks that must pass cannot even run. No call is let through then."""
        self._session_id = session_id
        self._cwd = cwd
        self._warn = warn
        said = os.environ if env is None else env
        self._env = {os.fsencode(name): os.fsencode(value) for name, value in said.items()}
        self._unusable = list(unusable)
        self._bound = tuple(self._bind(hooks))
        self._fitting: dict[tuple[str, str], tuple[Hook, ...]] = {}
        self._places = {event: asyncio.Semaphore(_AT_ONCE) for event in get_args(HookEvent)}
        self._tasks = TaskOwner("hooks")
        self._closed = False

    def wants(self, event: str, tool: str) -> bool:
        """Whether any hook is for ``event`` of ``tool``."""
        if self._unusable and event == "PreToolUse":
            return True
        return bool(self._bound) and bool(self._for(event, tool))

    async def before(self, call: ToolCall, arguments: Any) -> HookVerdict:
        """Run the PreToolUse hooks side by side and wait for all. A block beats an ask, an ask an allow; of several
        the first in the order of the settings counts. Never raises for what a hook does; a cancel ends its processes.
        """
        if self._unusable:
            return HookVerdict("block", f"A hook that must pass cannot run. {self._unusable[0]}")
        hooks = self._for("PreToolUse", call.name)
        if not hooks:
            return ALLOW
        payload = self._payload("PreToolUse", call, arguments)
        if len(hooks) == 1:
            return await self._one(hooks[0], call, payload)
        async with asyncio.TaskGroup() as group:
            running = [group.create_task(self._one(hook, call, payload)) for hook in hooks]
        verdicts = [task.result() for task in running]
        for kind in ("block", "ask"):
            for verdict in verdicts:
                if verdict.kind == kind:
                    return verdict
        return ALLOW

    def after(self, call: ToolCall, arguments: Any, result: ToolResult) -> None:
        """Start the PostToolUse hooks; also for a result that is an error. They change nothing."""
        if hooks := self._for("PostToolUse", call.name):
            told = {"output": _text(result)}
            if result.error is not None:
                told["error"] = f"{result.error}: {result.message}"[:_OUTPUT]
            self._later(hooks, call, self._payload("PostToolUse", call, arguments, **told))

    def failed(self, call: ToolCall, arguments: Any, error: BaseException) -> None:
        """Start the PostToolUseFailure hooks: the tool raised."""
        if hooks := self._for("PostToolUseFailure", call.name):
            text = f"{type(error).__name__}: {error}"[:_OUTPUT]
            self._later(hooks, call, self._payload("PostToolUseFailure", call, arguments, error=text))

    async def close(self) -> None:
        """End what still runs; no hook starts after that."""
        self._closed = True
        await self._tasks.close()

    def _bind(self, hooks: Iterable[Hook]) -> Iterable[_Bound]:
        for hook in hooks:
            try:
                yield _Bound(hook, re.compile(hook.matcher))
            except re.error as error:
                problem = (
                    f"The {hook.event} hook {_short(hook.command)} is off: its matcher {hook.matcher!r} is no regular "
                    f"expression ({error}). Correct it in the settings."
                )
                self._warn(problem)
                if hook.fail_closed and hook.event == "PreToolUse":
                    self._unusable.append(problem)

    def _for(self, event: str, tool: str) -> tuple[Hook, ...]:
        fitting = self._fitting.get((event, tool))
        if fitting is None:
            if len(self._fitting) > 1_000:  # tool names come from the model
                self._fitting.clear()
            by_command: dict[str, Hook] = {}
            for bound in self._bound:
                hook = bound.hook
                if hook.event == event and bound.pattern.search(tool):
                    first = by_command.setdefault(hook.command, hook)
                    if hook.fail_closed and not first.fail_closed:
                        by_command[hook.command] = first.model_copy(update={"fail_closed": True})
            fitting = self._fitting[event, tool] = tuple(by_command.values())
        return fitting

    def _payload(self, event: HookEvent, call: ToolCall, arguments: Any, **more: str) -> bytes:
        said = {
            "event": event,
            "session_id": self._session_id,
            "cwd": self._cwd,
            "tool_name": call.name,
            "tool_input": _as_object(arguments),
            "call_id": call.id,
            **more,
        }
        return json.dumps(said, default=str).encode()

    def _later(self, hooks: tuple[Hook, ...], call: ToolCall, payload: bytes) -> None:
        if self._closed:
            return
        for hook in hooks:
            self._tasks.start(self._one(hook, call, payload), name=hook.event)

    async def _one(self, hook: Hook, call: ToolCall, payload: bytes) -> HookVerdict:
        try:
            async with self._places[hook.event]:
                ended = await run(hook.command, payload, cwd=self._cwd, env=self._env, limit=hook.timeout)
            answer = read_answer(ended)
        except OSError as error:
            answer = HookFault(f"it could not be started: {error.strerror or error}")
        if isinstance(answer, HookVerdict) and (answer.kind == "allow" or hook.event == "PreToolUse"):
            return answer
        if isinstance(answer, HookVerdict):
            answer = HookFault(f"it came too late to say {answer.kind}: {answer.reason}".rstrip(": "))
        blocks = hook.fail_closed and hook.event == "PreToolUse"
        then = f"{call.name} was blocked." if blocks else f"{call.name} was not held back by it."
        self._warn(f"The {hook.event} hook {_short(hook.command)} failed: {answer.why}. {then}")
        if blocks:
            return HookVerdict("block", f"A hook that must pass failed: {answer.why}.")
        return ALLOW


def _as_object(arguments: Any) -> dict[str, Any]:
    if isinstance(arguments, BaseModel):
        return arguments.model_dump(mode="json")
    return cast("dict[str, Any]", arguments) if isinstance(arguments, dict) else {"arguments": arguments}


def _text(result: ToolResult) -> str:
    output = result.output
    if isinstance(output, str):
        return output[:_OUTPUT]
    return "\n".join(part.text for part in output if isinstance(part, TextPart))[:_OUTPUT]


def _short(command: str) -> str:
    line = " ".join(command.split())
    return f"`{line}`" if len(line) <= 60 else f"`{line[:57]}...`"
