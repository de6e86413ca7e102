"""The scout's write: shown as a diff, asked for, done."""

from __future__ import annotations

import asyncio
from pathlib import Path

from actions.agent.acp import blocks
from actions.agent.acp.link import Link, Refused
from actions.agent.acp.names import CallNames
from actions.agent.acp.permissions import ONCE, REJECT, outcome_of
from actions.agent.acp.updates import WireScreen
from actions.agent.scout.request import Stop
from actions.agent.toolset.asking import Ask, Scope
from actions.agent.toolset.call import ToolCall
from actions.agent.toolset.results import DiffDisplay, ErrorClass, Location, ToolResult, failure
from actions.agent.toolset.tool import Tool
from actions.catalog.spec import Effect
from actions.errors import SaysoError
from actions.storage.files import write_atomic
from actions.tasks import TaskOwner


class AskedWrite:
    """A :data:`actions.agent.scout.saving.Write`."""

    def __init__(self, link: Link, session_id: str, screen: WireScreen, names: CallNames) -> None:
        self._link, self._session_id, self._screen, self._names = link, session_id, screen, names
        self._stop = Stop()
        self._asks = True
        self._count = 0

    def prepare(self, stop: Stop, *, asks: bool) -> None:
        """Before a turn: what stops it, and whether it asks."""
        self._stop, self._asks = stop, asks

    async def __call__(self, file: Path, text: str) -> ToolResult:
        self._count += 1
        call = ToolCall(f"save-{self._count}", f"Write the plan to {file.name}", "{}")
        try:
            old = _text(file)
        except OSError as error:
            return failure(ErrorClass.TOOL_ERROR, str(error))
        diff = DiffDisplay(str(file), old, text)
        ask = Ask(call.name, Scope("path", str(file)), (diff,), (Location(str(file)),))
        self._screen.call_made(call, _Writing())
        self._screen.call_prepared(call.id, ask)
        result = await self._ask(call, ask) if self._asks else None
        if result is None:
            result = _replace(file, text, diff)
        self._screen.call_ended(call.id, result)
        return result

    async def _ask(self, call: ToolCall, ask: Ask) -> ToolResult | None:
        """None for a yes. A client that forgets to answer does not hold the cancel up."""
        tasks = TaskOwner(f"permission {call.id}")
        params = {
            "sessionId": self._session_id,
            "toolCall": {
                "toolCallId": self._names.of(None, call.id),
                "title": ask.summary,
                "kind": "edit",
                "status": "pending",
                "content": blocks.displays(ask.preview),
                "locations": blocks.locations_of(ask.locations),
                "rawInput": {"path": ask.scope.subject},
            },
            "options": [
                {"optionId": ONCE, "name": "Write this file", "kind": "allow_once"},
                {"optionId": REJECT, "name": "Do not write it", "kind": "reject_once"},
            ],
        }
        asking = tasks.start(self._link.call("session/request_permission", params), name="answer")
        stopping = tasks.start(self._stop.told.wait(), name="stop")
        try:
            await asyncio.wait((asking, stopping), return_when=asyncio.FIRST_COMPLETED)
            if stopping.done():
                return failure(ErrorClass.CANCELLED, "cancelled")
            chosen, feedback = outcome_of(asking.result())
        except ConnectionError:
            return failure(ErrorClass.CANCELLED, "the client is gone")
        except Refused as error:
            chosen, feedback = "", error.message
        finally:
            await tasks.close()
        if chosen == "cancelled":
            return failure(ErrorClass.CANCELLED, "cancelled")
        if chosen != ONCE:
            return ToolResult(message="rejected", error=ErrorClass.REJECTED, feedback=feedback or None)
        return None


class _Writing(Tool):
    kind = "edit"
    effect = Effect.WRITE

    async def run(self, *args: object, **kwargs: object) -> ToolResult:
        raise NotImplementedError


def _replace(file: Path, text: str, diff: DiffDisplay) -> ToolResult:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(file, text.encode(), mode=file.stat().st_mode & 0o777 if file.exists() else 0o644)
    except (SaysoError, OSError) as error:
        return failure(ErrorClass.TOOL_ERROR, str(error))
    return ToolResult("", f"{file.name} written", display=(diff,), locations=(Location(str(file)),))


def _text(file: Path) -> str | None:
    return file.read_text(encoding="utf-8", errors="replace") if file.exists() else None
