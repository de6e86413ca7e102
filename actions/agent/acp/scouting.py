"""The scout's one write and its linters through the same tools and approvals as everything else of the session."""

from __future__ import annotations

import asyncio
import json
import shlex
from collections.abc import Sequence
from pathlib import Path

from actions.agent.approvals.decision import ApprovalCancelled, Source, Wanted
from actions.agent.loop.agent import AgentSession
from actions.agent.loop.screen import Screen
from actions.agent.scout.request import Stop
from actions.agent.toolset.asking import Ask, Scope
from actions.agent.toolset.call import ToolCall
from actions.agent.toolset.results import ErrorClass, TextDisplay, ToolResult, failure
from actions.catalog.spec import Effect
from actions.storage.ids import Prefix, new_id
from actions.tasks import TaskOwner

_STOPPED = failure(ErrorClass.CANCELLED, "The user stopped the turn.")


class ScoutHands:
    """For one turn of the scout; a stop ends whatever waits here at once."""

    def __init__(self, session: AgentSession, screen: Screen, stop: Stop) -> None:
        self._session, self._screen, self._stop = session, screen, stop

    async def write(self, file: Path, text: str) -> ToolResult:
        """Write ``file`` with the tool for it. See :data:`actions.agent.scout.saving.Write`."""
        toolset = self._session.toolset
        call = ToolCall(new_id(Prefix.CALL), "WriteFile", json.dumps({"path": str(file), "content": text}))
        toolset.begin_turn()
        toolset.begin_step()
        self._screen.call_made(call, toolset.find(call.name))
        tasks = TaskOwner("the scout's write")
        stopping = tasks.start(self._stop.told.wait(), name="stop")
        writing = toolset.handle(call)
        try:
            await asyncio.wait((writing, stopping), return_when=asyncio.FIRST_COMPLETED)
            if not writing.done():
                await toolset.cancel()
                return _STOPPED
            return writing.result()
        finally:
            await tasks.close()
            toolset.end_step()

    async def allow(self, argv: Sequence[str], why: str) -> bool:
        """Ask for a command that runs code of the workspace. See :data:`actions.agent.scout.turn.Allow`."""
        line = shlex.join(argv)
        ask = Ask(f"Run `{line}`: {why}", Scope("command", line), (TextDisplay(line, "command"),))
        call = ToolCall(new_id(Prefix.CALL), "Shell", json.dumps({"command": line}))
        wanted = Wanted(call, "Shell", Effect.DANGER, ask, Source("turn", call.id))
        gate = self._session.approvals
        if gate.refusal(wanted) is not None:
            return False
        if (decision := gate.fast(wanted)) is not None:
            return decision.approved
        tasks = TaskOwner("the scout's question")
        asking = tasks.start(gate.ask(wanted), name="answer")
        stopping = tasks.start(self._stop.told.wait(), name="stop")
        try:
            await asyncio.wait((asking, stopping), return_when=asyncio.FIRST_COMPLETED)
            return asking.done() and asking.result().approved
        except ApprovalCancelled:
            return False
        finally:
            await tasks.close()
