"""The result of a run on its way to the session that hosts it: a line in its transcript, and a message to its agent.

The agent gets one only where it started the run itself and has not learnt the result from a call of its own, at the end
of its turn: until then it may still ask. Several that ended by then are one message. An agent that has ended is not
started for it; the line in the transcript stays.
"""

from __future__ import annotations

import logging

from actions.catalog.views import RunState, RunView, SessionState
from actions.errors import NotFound, SaysoError
from actions.sessions.events import Draft, notice
from actions.sessions.service import SessionService
from actions.tasks import TaskOwner

RUN_ENDED = "run_ended"
_MOST_TEXT = 20_000
_log = logging.getLogger(__name__)


class Handover:
    """``asked_by`` of :meth:`expect` and :meth:`known` is the session whose agent called, None for anybody else."""

    def __init__(self, sessions: SessionService) -> None:
        self._sessions = sessions
        self._expected: set[str] = set()
        self._ended: dict[str, list[RunView]] = {}
        self._tasks = TaskOwner("results of runs")

    async def close(self) -> None:
        await self._tasks.close()

    def expect(self, run: RunView, asked_by: str | None) -> None:
        """A run was made: its agent is to be told, where it is the host session's own."""
        if asked_by is not None and asked_by == run.host_session_id:
            self._expected.add(run.id)

    def known(self, run: RunView, asked_by: str | None) -> RunView:
        """The answer of a call gives the run: where it has ended, the agent that called knows so from now on."""
        if run.state.ended and asked_by is not None and asked_by == run.host_session_id:
            self._expected.discard(run.id)
        return run

    async def ended(self, run: RunView, *, quietly: bool = False) -> None:
        """A run has ended. ``quietly``: the host is ending or beginning, no agent is told."""
        session_id = run.host_session_id
        if session_id is None:
            return
        try:
            await self._sessions.care.note(session_id, _line(run))
        except NotFound:
            self._expected.discard(run.id)
            return
        except SaysoError as failure:
            _log.warning("run %s: its end is not in the transcript of its session: %s", run.id, failure)
        if quietly or run.id not in self._expected:
            return
        waiting = self._ended.setdefault(session_id, [])
        waiting.append(run)
        if len(waiting) == 1:
            self._tasks.start(self._tell(session_id), name=f"results for {session_id}")

    async def _tell(self, session_id: str) -> None:
        try:
            session = await self._sessions.wait(session_id, until="idle")
            runs = [run for run in self._ended.pop(session_id, ()) if run.id in self._expected]
            self._expected.difference_update(run.id for run in runs)
            if runs and session.state is SessionState.IDLE:
                await self._sessions.prompt(session_id, "\n\n".join(_message(run) for run in runs), origin="run")
        except SaysoError as failure:
            _log.warning("session %s was not told of its runs: %s", session_id, failure)
        finally:
            self._ended.pop(session_id, None)


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
