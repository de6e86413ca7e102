"""Subagents: a task with a context and tools of its own, under the approvals and with the model of its session."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from actions.agent.approvals.decision import Source
from actions.agent.loop.inbox import Inbox
from actions.agent.loop.instructions import instructions_for
from actions.agent.loop.screen import Screen
from actions.agent.loop.speaker import Speaker
from actions.agent.model.usage import Usage
from actions.agent.tools.background import BackgroundTasks
from actions.agent.tools.needs import Spool, Workspace
from actions.agent.toolset.agentfile import SubagentEntry, read_agent_file
from actions.agent.toolset.call import current_call
from actions.agent.toolset.dispatch import Toolset
from actions.agent.toolset.results import ErrorClass, ToolResult, failure
from actions.errors import SaysoError

if TYPE_CHECKING:
    from actions.agent.toolset.agentfile import AgentFile

MOST_REPORT = 40_000
"""Characters of a report that the parent gets."""


@dataclass(frozen=True)
class Surroundings:
    """What a subagent takes from its session."""

    workspace: Workspace
    screen: Screen
    tasks: BackgroundTasks
    spool: Spool
    model: Callable[[], Speaker | None]
    toolset: Callable[[AgentFile, Callable[[], Source], Screen, AsyncExitStack], Toolset]
    """A toolset of its own from an agent file; what has to be ended with it goes into the stack."""
    cancel_requests: Callable[[Source], int]
    spent: Callable[[Usage], None]


class SubagentDesk:
    """Implements :class:`actions.agent.tools.needs.Subagents` for one session."""

    def __init__(self, kinds: Mapping[str, SubagentEntry], around: Surroundings) -> None:
        self._kinds = kinds
        self._around = around
        self._count = 0
        self._working: set[Source] = set()

    @property
    def types(self) -> dict[str, str]:
        return {name: entry.description for name, entry in self._kinds.items()}

    async def run(self, kind: str, description: str, prompt: str, *, background: bool) -> ToolResult:
        """Run one to its end, or start it as a background task. Every failure is a result."""
        entry = self._kinds.get(kind)
        if entry is None:
            known = ", ".join(self._kinds)
            return failure(ErrorClass.INVALID_INPUT, f"There is no subagent of type {kind!r}; there are: {known}.")
        model = self._around.model()
        if model is None:
            return failure(ErrorClass.TOOL_ERROR, "Subagents need a model, and none is set.")
        self._count += 1
        agent_id = f"agent-{self._count}"
        call = current_call.get()
        screen = self._around.screen.child(call.id if call else "", agent_id, kind)
        source = Source("background" if background else "turn", agent_id, agent_id, kind)
        work = self._work(entry.file, source, prompt, model, screen)
        if not background:
            return await work
        try:
            task = self._around.tasks.start_agent(description, work)
        except SaysoError as error:
            return failure(ErrorClass.TOOL_ERROR, error.message)
        return ToolResult(
            f"The subagent works as background task {task.id}. You are told when it ends; TaskOutput reads its report."
        )

    def cancel_requests(self) -> None:
        """Take back what subagents of the foreground wait for: their turn is being cancelled."""
        for source in tuple(self._working):
            if source.kind == "turn":
                self._around.cancel_requests(source)

    async def _work(self, file: Path, source: Source, prompt: str, model: Speaker, screen: Screen) -> ToolResult:
        from actions.agent.loop.brain import Brain
        from actions.agent.model.errors import ModelError
        from actions.agent.session.context import Context

        around = self._around
        spec = read_agent_file(file)
        words = spec.system_prompt.read_text(encoding="utf-8") if spec.system_prompt else ""
        async with AsyncExitStack() as stack:
            self._working.add(source)
            stack.callback(around.cancel_requests, source)
            stack.callback(self._working.discard, source)
            toolset = around.toolset(spec, lambda: source, screen, stack)
            brain = Brain(
                model,
                Context(),
                toolset,
                screen,
                inbox=Inbox(),
                instructions=lambda: instructions_for(words, around.workspace),
                spent=around.spent,
                spool=around.spool,
                goes_on=True,
            )
            try:
                end = await brain.task(prompt)
            except ModelError as error:
                return failure(ErrorClass.TOOL_ERROR, f"The subagent could not go on: {error.message}")
        return _report(end.text, end.detail)


def _report(text: str, detail: str) -> ToolResult:
    cut = text if len(text) <= MOST_REPORT else f"{text[:MOST_REPORT]}\n[cut here]"
    if not cut.strip():
        return failure(ErrorClass.TOOL_ERROR, f"The subagent ended without a report{f' ({detail})' if detail else ''}.")
    ended = {
        "tool_call_repeat": "The subagent was stopped because it repeated one call again and again; its last words:",
        "step_limit": "The subagent reached its limit of steps; its last words:",
    }
    return ToolResult(cut, ended.get(detail, ""))
