"""One prompt of the scout: the work in a thread, the answer as it comes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path

from actions.agent.acp.client import TurnClient
from actions.agent.acp.request import Ended, Request, Stop, StopReason
from actions.agent.acp.saving import SavePlan
from actions.agent.acp.sessions import Mode, Session
from actions.agent.scout.ask import answer_pieces, greeting
from actions.agent.scout.cancel import ScoutCancelled
from actions.agent.scout.draft import Look, draft_plan
from actions.agent.scout.markdown import pieces
from actions.agent.scout.plan import Plan

_NO_REVIEW = (
    "The review run is not in this version of the built-in agent. Start the review with another provider; the scout "
    "can draft a plan or find the places that matter."
)
_READS_ONLY = "Mode Plan reads only, so nothing was written. Switch to mode Ask and say it again."


class ScoutTurn:
    """Runs the prompts of one session. ``model`` is the model that the user asked for, which is not there yet."""

    def __init__(self, client: TurnClient, *, asks: bool, model: str | None) -> None:
        self._client = client
        self._asks = asks
        self._model = model

    async def run(self, request: Request, session: Session, number: int, stop: Stop) -> Ended:
        """Do what ``request`` wants. ``number`` keeps the ids of tool calls of different turns apart."""
        match request.run:
            case None:
                return await self._free(request, session, number, stop)
            case "plan":
                ended = await self._plan(request, session, number, stop)
                if request.save_to is None or ended.plan is None:
                    return ended
                saved = await self._save(request.save_to, session, ended.answer, number, stop)
                return Ended(saved.reason, ended.answer, ended.plan)
            case "review":
                return await self._say([_NO_REVIEW], "refusal")
            case other:
                return await self._say([f"The scout has no run named {other!r}, only `plan`."], "refusal")

    async def _free(self, request: Request, session: Session, number: int, stop: Stop) -> Ended:
        if request.save_to is not None:
            if session.mode is Mode.PLAN:
                return await self._say([_READS_ONLY], "end_turn")
            return await self._save(request.save_to, session, session.plan, number, stop)
        if hello := greeting(request.text, planning=session.mode is Mode.PLAN, model=self._model):
            return await self._say([hello], "end_turn")
        if session.mode is Mode.PLAN:
            return await self._plan(request, session, number, stop)
        try:
            plan = await self._look(Path(session.cwd), request.text, number, stop)
        except ScoutCancelled:
            return Ended("cancelled")
        return await self._say(answer_pieces(plan, self._model), "end_turn")

    async def _plan(self, request: Request, session: Session, number: int, stop: Stop) -> Ended:
        try:
            plan = await self._look(Path(session.cwd), request.text, number, stop)
        except ScoutCancelled:
            return Ended("cancelled")
        ended = await self._say(pieces(plan), "end_turn")
        return Ended(ended.reason, ended.answer, plan)

    async def _save(self, said: str, session: Session, plan: str | None, number: int, stop: Stop) -> Ended:
        return await SavePlan(self._client, asks=self._asks).run(said, Path(session.cwd), plan, f"save-{number}", stop)

    async def _say(self, texts: Iterable[str], reason: StopReason) -> Ended:
        said: list[str] = []
        for text in texts:
            await self._client.say(text)
            said.append(text)
        return Ended(reason, "".join(said))

    async def _look(self, root: Path, instructions: str, number: int, stop: Stop) -> Plan:
        """The plan, drafted in a thread; each look is told as it starts and as it ends. Raises ScoutCancelled."""
        loop = asyncio.get_running_loop()
        looks: asyncio.Queue[Look | None] = asyncio.Queue()

        def work() -> Plan:
            try:
                return draft_plan(
                    root, instructions, stop.work, lambda look: loop.call_soon_threadsafe(looks.put_nowait, look)
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
        await self._client.progress(done)
        while (look := await looks.get()) is not None:
            call_id = f"look-{number}-{look.key}"
            await self._client.look(call_id, look)
            if look.result is None:
                open_call = call_id
            else:
                open_call = None
                done += 1
                await self._client.progress(done)
        if open_call:
            await self._client.stopped(open_call, "stopped before its end")
