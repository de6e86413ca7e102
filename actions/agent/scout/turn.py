"""One prompt of the scout: the work in a thread, the answer as it comes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast

from actions.agent.loop.screen import Screen
from actions.agent.scout.ask import answer_pieces, greeting
from actions.agent.scout.cancel import Cancel, ScoutCancelled
from actions.agent.scout.draft import LOOKS, Look, Watch, draft_plan
from actions.agent.scout.markdown import pieces
from actions.agent.scout.plan import Plan
from actions.agent.scout.request import Ended, Request, Stop, StopReason
from actions.agent.scout.saving import Write, save_plan
from actions.agent.toolset.call import ToolCall
from actions.agent.toolset.results import ErrorClass, Location, TextDisplay, ToolResult, failure
from actions.agent.toolset.tool import Kind, Tool
from actions.catalog.spec import Effect

T = TypeVar("T")
Allow = Callable[[Sequence[str], str], Awaitable[bool]]
"""Whether a command that runs code of the workspace may run, and why it is wanted."""
_Looks = Sequence[tuple[str, str, str]]
_READS_ONLY = "Mode Plan reads only, so nothing was written. Switch to mode Default and say it again."


class ScoutTurn:
    """Runs the prompts of one session without a model. ``write`` is asked for the one file that the scout writes."""

    def __init__(self, cwd: Path, screen: Screen, write: Write, allow: Allow) -> None:
        self._cwd = cwd
        self._screen = screen
        self._write = write
        self._allow = allow

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
                return await self._review(request, number, stop)
            case other:
                return self._say([f"The scout has no run named {other!r}; it has `plan` and `review`."], "refusal")

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
            plan = await self._draft(request.text, number, stop)
        except ScoutCancelled:
            return Ended("cancelled")
        return self._say(answer_pieces(plan), "end_turn")

    async def _plan(self, request: Request, number: int, stop: Stop) -> Ended:
        try:
            plan = await self._draft(request.text, number, stop)
        except ScoutCancelled:
            return Ended("cancelled")
        ended = self._say(pieces(plan), "end_turn")
        return Ended(ended.reason, ended.answer, plan)

    async def _review(self, request: Request, number: int, stop: Stop) -> Ended:
        # Only here: a scanner and parsers of diffs that a plan has no use for.
        from actions.agent.scout.review import markdown
        from actions.agent.scout.review import review as reviewing
        from actions.git.command import GitFailed
        from actions.git.scope import EmptyScope

        loop = asyncio.get_running_loop()

        def may_run(argv: Sequence[str], why: str) -> bool:
            return asyncio.run_coroutine_threadsafe(_answer(self._allow(argv, why)), loop).result()

        def work(cancel: Cancel, watch: Watch) -> Any:
            return reviewing.ReviewRun(self._cwd, cancel, watch, may_run).run(instructions=request.text)

        try:
            review = await self._watched(work, reviewing.LOOKS, f"review-{number}", stop)
        except ScoutCancelled:
            return Ended("cancelled")
        except (EmptyScope, GitFailed) as error:
            return self._say([str(error)], "refusal")
        ended = self._say(markdown.pieces(review), "end_turn")
        return Ended(ended.reason, ended.answer, review=review)

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

    async def _draft(self, instructions: str, number: int, stop: Stop) -> Plan:
        return await self._watched(
            lambda cancel, watch: draft_plan(self._cwd, instructions, cancel, watch), LOOKS, f"look-{number}", stop
        )

    async def _watched(self, work: Callable[[Cancel, Watch], T], looks: _Looks, prefix: str, stop: Stop) -> T:
        """``work`` in a thread; each look is shown as it starts and as it ends. Raises ScoutCancelled."""
        loop = asyncio.get_running_loop()
        told: asyncio.Queue[Look | None] = asyncio.Queue()

        def in_thread() -> T:
            try:
                return work(stop.work, lambda look: loop.call_soon_threadsafe(told.put_nowait, look))
            finally:
                loop.call_soon_threadsafe(told.put_nowait, None)

        working = loop.run_in_executor(None, in_thread)
        try:
            await self._show(told, looks, prefix)
            return await working
        except BaseException:
            # Also when this task is cancelled: the thread is told, and nobody leaves before it has ended.
            stop()
            await asyncio.gather(working, return_exceptions=True)
            raise

    async def _show(self, told: asyncio.Queue[Look | None], looks: _Looks, prefix: str) -> None:
        open_call: str | None = None
        done = 0
        self._progress(looks, done)
        while (look := await told.get()) is not None:
            call_id = f"{prefix}-{look.key}"
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
            self._progress(looks, done)
        if open_call:
            self._screen.call_ended(open_call, failure(ErrorClass.CANCELLED, "stopped before its end"))

    def _progress(self, looks: _Looks, done: int) -> None:
        """The looks as a list: ``done`` of them are completed, the next one is in progress."""
        states = ["done"] * done + ["in_progress"] + ["pending"] * len(looks)
        self._screen.todo([(title, state) for (_, title, _), state in zip(looks, states, strict=False)])


class _LookTool(Tool):
    """A look of the scout as a tool, so that it is shown like any other call; it is never dispatched."""

    effect = Effect.READ

    def __init__(self, look: Look) -> None:
        self.name = look.title
        self.kind = cast("Kind", look.kind)

    async def run(self, *args: Any, **kwargs: Any) -> ToolResult:
        raise NotImplementedError


async def _answer(asked: Awaitable[bool]) -> bool:
    return await asked
