"""One prompt of the scout: the work in a thread, the answer as it comes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import Any, cast

from actions.agent.loop.screen import Screen
from actions.agent.scout.ask import answer_pieces, greeting
from actions.agent.scout.cancel import ScoutCancelled
from actions.agent.scout.draft import LOOKS, Look, draft_plan
from actions.agent.scout.markdown import pieces
from actions.agent.scout.plan import Plan
from actions.agent.scout.request import Ended, Request, Stop, StopReason
from actions.agent.scout.saving import Write, save_plan
from actions.agent.toolset.call import ToolCall
from actions.agent.toolset.results import ErrorClass, Location, TextDisplay, ToolResult, failure
from actions.agent.toolset.tool import Kind, Tool
from actions.catalog.spec import Effect

_NO_REVIEW = (
    "The review run is not in this version of the built-in agent. Start the review with another provider; the scout "
    "can draft a plan or find the places that matter."
)
_READS_ONLY = "Mode Plan reads only, so nothing was written. Switch to mode Default and say it again."


class ScoutTurn:
    """Runs the prompts of one session without a model. ``write`` is asked for the one file that the scout writes."""

    def __init__(self, cwd: Path, screen: Screen, write: Write) -> None:
        self._cwd = cwd
        self._screen = screen
        self._write = write

    async def run(self, request: Request, stop: Stop, *, planning: bool, last_plan: str | None, number: int) -> Ended:
        """Do what ``request`` wants. ``planning``: mode Plan. ``number`` keeps the calls of different turns apart."""
        match request.run:
            case None:
                return await self._free(request, stop, planning=planning, last_plan=last_plan, number=number)
            case "plan":
                ended = await self._plan(request, number, stop)
                if request.save_to is None or ended.plan is None:
                    return ended
                saved = await self._save(request.save_to, ended.answer)
                return Ended(saved.reason, ended.answer, ended.plan)
            case "review":
                return self._say([_NO_REVIEW], "refusal")
            case other:
                return self._say([f"The scout has no run named {other!r}, only `plan`."], "refusal")

    async def _free(self, request: Request, stop: Stop, *, planning: bool, last_plan: str | None, number: int) -> Ended:
        if request.save_to is not None:
            if planning:
                return self._say([_READS_ONLY], "end_turn")
            return await self._save(request.save_to, last_plan)
        if hello := greeting(request.text, planning=planning):
            return self._say([hello], "end_turn")
        if planning:
            return await self._plan(request, number, stop)
        try:
            plan = await self._look(request.text, number, stop)
        except ScoutCancelled:
            return Ended("cancelled")
        return self._say(answer_pieces(plan), "end_turn")

    async def _plan(self, request: Request, number: int, stop: Stop) -> Ended:
        try:
            plan = await self._look(request.text, number, stop)
        except ScoutCancelled:
            return Ended("cancelled")
        ended = self._say(pieces(plan), "end_turn")
        return Ended(ended.reason, ended.answer, plan)

    async def _save(self, said: str, plan: str | None) -> Ended:
        ended = await save_plan(said, self._cwd, plan, self._write)
        self._screen.text(ended.answer)
        return ended

    def _say(self, texts: Iterable[str], reason: StopReason) -> Ended:
        said: list[str] = []
        for text in texts:
            self._screen.text(text)
            said.append(text)
        return Ended(reason, "".join(said))

    async def _look(self, instructions: str, number: int, stop: Stop) -> Plan:
        """The plan, drafted in a thread; each look is told as it starts and as it ends. Raises ScoutCancelled."""
        loop = asyncio.get_running_loop()
        looks: asyncio.Queue[Look | None] = asyncio.Queue()

        def work() -> Plan:
            try:
                return draft_plan(
                    self._cwd, instructions, stop.work, lambda look: loop.call_soon_threadsafe(looks.put_nowait, look)
                )
            finally:
                loop.call_soon_threadsafe(looks.put_nowait, None)

        working = loop.run_in_executor(None, work)
        try:
            await self._tell(looks, number)
            return await working
        finally:
            # Also when this task is cancelled: the thread is told, and nobody leaves before it has ended.
            stop()
            await asyncio.gather(working, return_exceptions=True)

    async def _tell(self, looks: asyncio.Queue[Look | None], number: int) -> None:
        open_call: str | None = None
        done = 0
        self._progress(done)
        while (look := await looks.get()) is not None:
            call_id = f"look-{number}-{look.key}"
            if look.result is None:
                open_call = call_id
                self._screen.call_made(ToolCall(call_id, look.title, "{}"), _LookTool(look))
                self._screen.call_running(call_id)
                continue
            open_call = None
            places = tuple(Location(str(self._cwd / path), line) for path, line in look.places)
            shown = (TextDisplay(look.result, "markdown"),)
            self._screen.call_ended(call_id, ToolResult(look.result, display=shown, locations=places))
            done += 1
            self._progress(done)
        if open_call:
            self._screen.call_ended(open_call, failure(ErrorClass.CANCELLED, "stopped before its end"))

    def _progress(self, done: int) -> None:
        """The looks as a list: ``done`` of them are completed, the next one is in progress."""
        states = ["done"] * done + ["in_progress"] + ["pending"] * len(LOOKS)
        self._screen.todo([(title, state) for (_, title, _), state in zip(LOOKS, states, strict=False)])


class _LookTool(Tool):
    """A look of the scout as a tool, so that it is shown like any other call; it is never dispatched."""

    effect = Effect.READ

    def __init__(self, look: Look) -> None:
        self.name = look.title
        self.kind = cast("Kind", look.kind)

    async def run(self, *args: Any, **kwargs: Any) -> ToolResult:
        raise NotImplementedError
