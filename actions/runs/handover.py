"""The result of a run on its way to the session that hosts it: a line in its transcript, and a message to its agent.

The agent gets one only where it started the run itself and has not learnt the result from a call of its own, at the end
of its turn: until then it may still ask. Several that ended by then are one message. An agent that has ended is not
started for it: it is told when somebody takes its session up again. What is still due is stored with the run, so that a
host that dies tells neither twice nor never.
"""

from __future__ import annotations

import asyncio
import logging

from actions.catalog.views import RunState, RunView
from actions.errors import ErrorCode, NotFound, SaysoError
from actions.runs.records import Due, RunRecords
from actions.sessions.events import Draft, notice
from actions.sessions.service import SessionService
from actions.storage.ids import now_ms
from actions.tasks import TaskOwner

RUN_ENDED = "run_ended"
_MOST_TEXT = 20_000
_LOOKED_AT = 200
"""Newest events among which one is sought that a host may have stored just before it died."""
_WORTH_MS = 7 * 24 * 3600 * 1000
"""An agent whose session is taken up later than that is not told: whoever does that has read the transcript."""
_log = logging.getLogger(__name__)


class Handover:
    """``asked_by`` of :meth:`due` and :meth:`known` is the session whose agent called, None for anybody else."""

    def __init__(self, sessions: SessionService, records: RunRecords) -> None:
        self._sessions = sessions
        self._records = records
        self._telling: dict[str, bool] = {}
        """The sessions whose agents are being told, and whether another run has ended meanwhile."""
        self._tasks = TaskOwner("results of runs")

    async def close(self) -> None:
        await self._tasks.close()

    async def take_up(self) -> None:
        """After a start of the host: go on with what an earlier one left due."""
        for run in await self._records.due(Due.LINE):
            if not await self._has_line(run):
                await self._note(run)
            await self._records.settle([run.id], Due.LINE)
        late = now_ms() - _WORTH_MS
        runs = await self._records.due(Due.AGENT)
        await self._records.settle([run.id for run in runs if (run.ended or 0) < late], Due.AGENT)
        for run in runs:
            if (run.ended or 0) >= late:
                self._tell_soon(run.host_session_id)

    @staticmethod
    def due(host_session_id: str | None, asked_by: str | None) -> list[Due]:
        """What a new run is to bring about once it has ended."""
        if host_session_id is None:
            return []
        return [Due.LINE, Due.AGENT] if asked_by == host_session_id else [Due.LINE]

    async def known(self, run: RunView, asked_by: str | None) -> RunView:
        """The answer of a call gives the run: where it has ended, the agent that called knows so from now on."""
        if run.state.ended and asked_by is not None and asked_by == run.host_session_id:
            await self._records.settle([run.id], Due.AGENT)
        return run

    async def ended(self, run: RunView, *, quietly: bool = False) -> None:
        """A run has ended. ``quietly``: the host is ending or beginning, no agent is told yet."""
        if run.host_session_id is None:
            return
        if await self._note(run):
            await self._records.settle([run.id], Due.LINE)
        if not quietly and await self._records.due(Due.AGENT, run_id=run.id):
            self._tell_soon(run.host_session_id)

    async def _note(self, run: RunView) -> bool:
        """Put the line into the transcript; true when nothing is left to do about it."""
        try:
            await self._sessions.care.note(run.host_session_id or "", _line(run))
        except NotFound:
            await self._records.settle([run.id], Due.AGENT)
        except SaysoError as failure:
            _log.warning("run %s: its end is not in the transcript of its session: %s", run.id, failure)
            return False
        return True

    async def _has_line(self, run: RunView) -> bool:
        try:
            newest = await self._sessions.newest(run.host_session_id or "", limit=_LOOKED_AT, kinds=["notice"])
        except NotFound:
            return False
        return any(event.data.get("run_id") == run.id for event in newest.events)

    def _tell_soon(self, session_id: str | None) -> None:
        if session_id is None:
            return
        if session_id in self._telling:
            self._telling[session_id] = True
            return
        self._telling[session_id] = True
        self._tasks.start(self._tell_all(session_id), name=f"results for {session_id}")

    async def _tell_all(self, session_id: str) -> None:
        try:
            while self._telling[session_id]:
                self._telling[session_id] = False
                await self._tell(session_id)
        except SaysoError as failure:
            level = logging.DEBUG if failure.code is ErrorCode.HOST_UNAVAILABLE else logging.WARNING
            _log.log(level, "session %s was not told of its runs: %s", session_id, failure)
        finally:
            del self._telling[session_id]

    async def _tell(self, session_id: str) -> None:
        try:
            await self._sessions.care.ready(session_id)
            told = await self._told(session_id)
        except NotFound:
            gone = await self._records.due(Due.AGENT, host_session_id=session_id)
            await self._records.settle([run.id for run in gone], Due.AGENT)
            return
        runs = await self._records.due(Due.AGENT, host_session_id=session_id)
        if new := [run for run in runs if not any(run.id in text for text in told)]:
            words = "\n\n".join(_message(run) for run in new)
            prompt, _ = await self._sessions.prompt(session_id, words, origin="run")
            await asyncio.shield(prompt.ended)  # by then it is in the transcript, or somebody took it out of the line
        await self._records.settle([run.id for run in runs], Due.AGENT)

    async def _told(self, session_id: str) -> list[str]:
        """What the agent was told last, or waits to be told."""
        newest = await self._sessions.newest(session_id, limit=_LOOKED_AT, kinds=["user"])
        said = [str(event.data.get("text")) for event in newest.events if event.data.get("origin") == "run"]
        return said + [message.text for message in (await self._sessions.get(session_id)).queue]


def _line(run: RunView) -> Draft:
    facts = {"run_kind": run.kind.value, "provider": run.provider, "state": run.state.value, "summary": _summary(run)}
    told = notice(_words(run), RUN_ENDED, **facts)
    return Draft(told.kind, {**told.data, "run_id": run.id})


def _words(run: RunView) -> str:
    said = f": {summary}" if (summary := _summary(run)) else "."
    return f"{run.kind.value.capitalize()} run by {run.provider} {_ENDS[run.state]}{said}"


def _summary(run: RunView) -> str:
    return run.error.message if run.error is not None else str((run.result or {}).get("summary") or "")


def _message(run: RunView) -> str:
    text = str((run.result or {}).get("text") or "").strip()
    cut = "" if len(text) <= _MOST_TEXT else "\n\n(The end is left out; execution.run.get has all of it.)"
    head = f"[Sayso] A run that you started has ended. {_words(run)}\nRun: {run.id}"
    return f"{head}\n\n{text[:_MOST_TEXT]}{cut}" if text else head


_ENDS = {
    RunState.SUCCEEDED: "succeeded",
    RunState.FAILED: "failed",
    RunState.CANCELLED: "was cancelled",
    RunState.INTERRUPTED: "was interrupted",
}
