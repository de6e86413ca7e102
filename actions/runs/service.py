"""Managed runs as a service: plan, review and delegate runs take one way.

A run is one turn of one child session. It is never tried again and never moved to another provider by itself.
"""

from __future__ import annotations

import asyncio
import builtins
import contextlib
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from actions.catalog.run_views import ReviewFindings
from actions.catalog.views import (
    FindingsMessage,
    RunError,
    RunKind,
    RunList,
    RunsStarted,
    RunStart,
    RunState,
    RunView,
    WorkspaceView,
)
from actions.errors import ErrorCode, InvalidInput, NotFound, SaysoError
from actions.git.command import GitFailed
from actions.git.scope import ChangeKind, EmptyScope, read_scope
from actions.runs.findings import read_findings
from actions.runs.handover import Handover
from actions.runs.heads import Heads
from actions.runs.orders import Order
from actions.runs.records import RunFilter, RunRecords, page_before
from actions.runs.result import files_changed, outcome, retryable
from actions.runs.reviews import Reviews
from actions.sessions.child import Child
from actions.sessions.items import fold
from actions.sessions.providers import ProviderService
from actions.sessions.service import SessionService
from actions.sessions.turns import Prompt, TurnResult
from actions.sessions.workspaces import WorkspaceService
from actions.storage.database import Database
from actions.storage.ids import Prefix, new_id, now_ms
from actions.tasks import TaskOwner

_log = logging.getLogger(__name__)

_MOST_REVIEWS = 50
_AGAIN_S = 0.2
_ASK_AGAIN = (
    "Your review does not end with the block of JSON that was asked for: {problem}. Answer with that block and nothing "
    'else: {{"findings": [{{"file": "...", "line": 1, "severity": "error|warning|note", "text": "..."}}]}}'
)


class RunService:
    """Implements :class:`actions.catalog.ports.RunsPort`.

    ``publish("run_did_change", {"run_id", "run"})`` after each change was stored.
    """

    def __init__(
        self,
        database: Database,
        *,
        sessions: SessionService,
        providers: ProviderService,
        workspaces: WorkspaceService,
        publish: Callable[[str, dict[str, Any]], None],
        look_seconds: float = 2.0,
    ) -> None:
        self._records = RunRecords(database)
        self._sessions = sessions
        self._providers = providers
        self._workspaces = workspaces
        self._publish = publish
        self._ended: dict[str, asyncio.Event] = {}
        self._stopping: set[str] = set()
        self._more: dict[str, builtins.list[Prompt]] = {}
        self._handover = Handover(sessions, self._records)
        self._heads = Heads(self._head_moved, seconds=look_seconds)
        self._reviews = Reviews(self._records, self._heads)
        self._tasks = TaskOwner("runs")

    @property
    def active(self) -> int:
        """How many runs are under way."""
        return len(self._ended)

    async def reconcile(self) -> None:
        """Call once at start-up: runs that an earlier host left under way are interrupted, not started again."""
        message = "The host ended while this run was under way."
        error = RunError(code=ErrorCode.FAILED.value, message=message, reason="host_ended")
        for run in await self._records.unfinished():
            await self._finish(run.id, RunState.INTERRUPTED, None, error, quietly=True)
        await self._handover.take_up()

    async def close(self) -> None:
        """Mark what is under way as interrupted and let go of it; close the sessions next, which ends their agents."""
        await self._tasks.close()
        await self._heads.close()
        await self._handover.close()
        message = "The host was stopped while this run was under way."
        error = RunError(code=ErrorCode.FAILED.value, message=message, reason="host_stopped")
        for run_id in builtins.list(self._ended):
            await self._finish(run_id, RunState.INTERRUPTED, None, error, quietly=True)

    async def start_plan(
        self,
        *,
        providers: Sequence[str],
        instructions: str,
        workspace: str,
        host_session_id: str | None,
        model_id: str | None = None,
        retention: str = "ephemeral",
        permission_mode: str = "read_only",
        asked_by: str | None = None,
    ) -> RunsStarted:
        """Start one child session a provider, in parallel. A provider that fails to start fails alone.

        An entry that is not ``ok`` has a ``run_id`` only where a run was made. ``asked_by`` is the session whose agent
        called: it is told how its runs end. Raises InvalidInput (no provider, no
        instructions) or NotFound (workspace, host session) before anything is started.
        """
        _need_words(instructions, "Say what to plan.")
        options = {"model_id": model_id, "retention": retention, "permission_mode": permission_mode}
        order = Order(RunKind.PLAN, instructions, options=options)
        return await self._start(order, providers, workspace, host_session_id, asked_by)

    async def start_delegate(
        self,
        *,
        providers: Sequence[str],
        instructions: str,
        workspace: str,
        host_session_id: str | None,
        model_id: str | None = None,
        retention: str = "ephemeral",
        permission_mode: str = "workspace_write",
        asked_by: str | None = None,
    ) -> RunsStarted:
        """As :meth:`start_plan`, for a task that each provider is to do. Its requests show at the root session."""
        _need_words(instructions, "Say what to do.")
        options = {"model_id": model_id, "retention": retention, "permission_mode": permission_mode}
        order = Order(RunKind.DELEGATE, instructions, options=options)
        return await self._start(order, providers, workspace, host_session_id, asked_by)

    async def start_review(
        self,
        *,
        providers: Sequence[str],
        instructions: str,
        workspace: str,
        host_session_id: str | None,
        change: str = "uncommitted",
        base: str | None = None,
        model_id: str | None = None,
        permission_mode: str = "read_only",
        asked_by: str | None = None,
    ) -> RunsStarted:
        """As :meth:`start_plan`, for a change; its scope is read once and stamped on every run.

        Raises ``empty_scope`` when there is nothing to review: then no run is made.
        """
        place = await self._workspaces.find(workspace)
        kind: ChangeKind = "branch" if change == "branch" else "uncommitted"
        try:
            scope = await asyncio.to_thread(read_scope, Path(place.path), kind, base)
        except EmptyScope as nothing:
            raise SaysoError(str(nothing), code=ErrorCode.EMPTY_SCOPE, details={"workspace": place.path}) from nothing
        except GitFailed as failure:
            raise SaysoError(f"The change could not be read: {failure}", details={"workspace": place.path}) from failure
        options = {"model_id": model_id, "retention": "ephemeral", "permission_mode": permission_mode}
        order = Order(RunKind.REVIEW, instructions, scope.receipt, base, options)
        return await self._start(order, providers, place.path, host_session_id, asked_by)

    async def _start(
        self,
        order: Order,
        providers: Sequence[str],
        workspace: str,
        host_session_id: str | None,
        asked_by: str | None,
    ) -> RunsStarted:
        chosen = builtins.list(dict.fromkeys(providers))
        if not chosen:
            raise InvalidInput("Name at least one provider.", [{"field": "providers", "message": "is empty"}])
        place = await self._workspaces.find(workspace)
        root: str | None = None
        if host_session_id is not None:
            host = await self._sessions.get(host_session_id)
            root = host.root_session_id or host.id
        child = Child("", host_session_id, root)
        now = now_ms()  # a millisecond apart: lists keep the order in which they were asked
        started = await asyncio.gather(
            *(self._start_one(order, provider, place, child, asked_by, now + at) for at, provider in enumerate(chosen))
        )
        return RunsStarted(results=builtins.list(started))

    async def list(
        self,
        *,
        session_id: str | None = None,
        provider: str | None = None,
        status: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> RunList:
        """Runs, newest first; ``cursor`` is where an earlier list ended. Raises InvalidInput."""
        if status is not None and status not in builtins.list(RunState):
            known = ", ".join(RunState)
            raise InvalidInput(
                f"There is no run state {status!r}.", [{"field": "status", "message": f"one of {known}"}]
            )
        before = None if cursor is None else page_before(cursor)
        found = await self._records.find(RunFilter(session_id, provider, status, limit + 1, before=before))
        page = found[:limit]
        more = f"{page[-1].created}:{page[-1].id}" if len(found) > limit else None
        return RunList(runs=await self._heads.marked(page), next_cursor=more)

    async def get(self, run_id: str, *, asked_by: str | None = None) -> RunView:
        """One run. Raises NotFound. ``asked_by``: as in :meth:`start_plan`."""
        [run] = await self._heads.marked([await self._records.get(run_id)])
        return await self._handover.known(run, asked_by)

    async def stop(self, run_id: str, *, asked_by: str | None = None) -> RunView:
        """Cancel a run and end its agent; one that ended stays as it is. ``asked_by``: as in :meth:`start_plan`."""
        [run] = await self._heads.marked([await self._stop(run_id)])
        return await self._handover.known(run, asked_by)

    async def _stop(self, run_id: str) -> RunView:
        run = await self._records.get(run_id)
        if run.state.ended:
            return run
        self._stopping.add(run_id)
        ended = self._ended.get(run_id)
        if ended is None:
            return await self._finish(run_id, RunState.CANCELLED, None, None)
        while not ended.is_set():  # its session may be about to be made, or to be started
            with contextlib.suppress(NotFound):
                await self._sessions.stop(run.session_id or "")
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(ended.wait(), _AGAIN_S)
        return await self._records.get(run_id)

    async def send(self, run_id: str, message: str, *, resume: bool = False) -> RunView:
        """Say more to a run: it is read after the running turn, and the run ends with the turn that it gets.

        One that has ended is taken up again only with ``resume``; its result stays as it is and the answer is in its
        session. Raises InvalidInput without it, NotFound where the session was deleted.
        """
        run = await self._records.get(run_id)
        if run.session_id is None:
            raise NotFound("This run has no session to write to: it did not start, or its session was deleted.")
        more = self._more.get(run_id)
        if more is not None:
            prompt, _ = await self._sessions.prompt(run.session_id, message)
            more.append(prompt)
        elif not run.state.ended:
            raise SaysoError("This run is still being started. Send it again in a moment.", details={"run_id": run_id})
        elif not resume:
            why = "it has ended; say resume to take it up again"
            raise InvalidInput(f"The run cannot be written to: {why}.", [{"field": "resume", "message": why}])
        else:
            prompt, _ = await self._sessions.prompt(run.session_id, message)
            self._tasks.start(self._let_go(run_id, run.session_id, prompt), name=f"more of {run_id}")
        return await self.get(run_id)

    async def wait(self, run_id: str, *, timeout_s: float | None = None, asked_by: str | None = None) -> RunView:
        """Wait until the run ended; a time-out raises ``timeout`` and ends nothing. ``asked_by``: as in
        :meth:`start_plan`.
        """
        [run] = await self._heads.marked([await self._wait(run_id, timeout_s)])
        return await self._handover.known(run, asked_by)

    async def _wait(self, run_id: str, timeout_s: float | None) -> RunView:
        run = await self._records.get(run_id)
        ended = self._ended.get(run_id)
        if run.state.ended or ended is None:
            return run
        try:
            await asyncio.wait_for(ended.wait(), timeout_s)
        except TimeoutError as late:
            raise SaysoError(
                f"The run is still {run.state.value} after {timeout_s or 0:g} s. It goes on; wait again.",
                code=ErrorCode.TIMEOUT,
                details={"run_id": run_id, "state": run.state.value},
            ) from late
        return await self._records.get(run_id)

    async def findings(self, run_id: str, *, with_change: bool = False) -> ReviewFindings:
        """See :meth:`Reviews.findings`."""
        return await self._reviews.findings(run_id, with_change=with_change)

    async def findings_message(
        self, run_ids: Sequence[str], *, only_errors: bool = False, only: Sequence[str] = ()
    ) -> FindingsMessage:
        """See :meth:`Reviews.message`."""
        return await self._reviews.message(run_ids, only_errors=only_errors, only=only)

    async def _start_one(
        self, order: Order, provider: str, place: WorkspaceView, child: Child, asked_by: str | None, created: int
    ) -> RunStart:
        try:
            row = await self._providers.require(provider)
        except SaysoError as unknown:
            return RunStart(provider=provider, ok=False, error=_run_error(unknown))
        run = RunView(
            id=new_id(Prefix.RUN),
            kind=order.kind,
            provider=row.id,
            state=RunState.QUEUED,
            session_id=new_id(Prefix.SESSION),
            host_session_id=child.parent_session_id,
            workspace=place.path,
            instructions=order.instructions,
            scope=order.receipt.model_dump() if order.receipt else None,
            created=created,
        )
        due = self._handover.due(run.host_session_id, asked_by)
        await self._records.insert(run, workspace_id=place.id, options=order.options, due=due)
        self._ended[run.id] = asyncio.Event()
        self._tell(run)
        try:
            session = await self._sessions.spawn_new(
                provider=row.id,
                workspace=place.path,
                title=order.title,
                model_id=order.options["model_id"],
                child=replace(child, run_id=run.id, session_id=run.session_id),
            )
            plan_mode = row.plan_mode if order.reads_only else None
            if plan_mode and plan_mode != session.mode and plan_mode in {m.id for m in session.modes}:
                await self._sessions.set_mode(session.id, plan_mode)
            if run.id in self._stopping:
                await self._sessions.stop(session.id)
                await self._finish(run.id, RunState.CANCELLED, None, None)
                return RunStart(provider=provider, ok=True, run_id=run.id, scope=run.scope)
            prompt, _ = await self._sessions.prompt(session.id, order.prompt(), meta=order.meta(), origin="run")
        except SaysoError as failure:
            error = _run_error(failure)
            there = await self._has_session(run)
            if run.id in self._stopping:
                await self._finish(run.id, RunState.CANCELLED, None, None, there=there)
            else:
                await self._finish(run.id, RunState.FAILED, None, error, there=there, again=retryable(failure))
            return RunStart(provider=provider, ok=False, run_id=run.id, scope=run.scope, error=error)
        except asyncio.CancelledError:  # whoever asked for it has left before its agent was ready
            await asyncio.shield(self._finish(run.id, RunState.CANCELLED, None, None))
            raise
        await self._change(run.id, state=RunState.RUNNING.value, started_at=now_ms())
        self._more[run.id] = []
        self._tasks.start(self._follow(order, run.id, session.id, prompt), name=f"run {run.id}")
        return RunStart(provider=provider, ok=True, run_id=run.id, scope=run.scope)

    async def _has_session(self, run: RunView) -> bool:
        """Whether the session that was promised to a run was made."""
        try:
            await self._sessions.get(run.session_id or "")
        except NotFound:
            return False
        return True

    async def _follow(self, order: Order, run_id: str, session_id: str, prompt: Prompt) -> None:
        turn: TurnResult = await asyncio.shield(prompt.ended)
        more = self._more[run_id]
        while more and turn.error is None and turn.stop_reason != "cancelled":
            further = await asyncio.shield(more.pop(0).ended)
            turn = turn if further.stop_reason in ("dropped", "held") else further
        del self._more[run_id]
        state, result, error = outcome(turn)
        if state is RunState.SUCCEEDED and result is not None:
            if order.kind is RunKind.REVIEW:
                result |= await self._findings(turn, session_id)
            if order.kind is RunKind.DELEGATE:
                result["files"] = await self._files_changed(session_id)
        if run_id in self._stopping:
            state, error = RunState.CANCELLED, None
        await self._finish(run_id, state, result, error, again=error is not None and retryable(turn.error))
        await self._let_go(run_id, session_id)

    async def _let_go(self, run_id: str, session_id: str, prompt: Prompt | None = None) -> None:
        """End a run's agent, after the turn of ``prompt``; the session stays and can be taken up again."""
        if prompt is not None:
            await asyncio.shield(prompt.ended)
        try:
            await self._sessions.stop(session_id, because="Its run has ended.", code="run_ended")
        except SaysoError as failure:
            _log.warning("run %s: its session could not be stopped: %s", run_id, failure)

    async def _findings(self, turn: TurnResult, session_id: str) -> dict[str, Any]:
        """``{findings}``, or ``{findings_problem}`` when an agent that was asked once more could not give them."""
        found = read_findings(turn.structured, turn.text)
        if isinstance(found, str):
            try:
                again, _ = await self._sessions.prompt(session_id, _ASK_AGAIN.format(problem=found), origin="run")
                mended = await asyncio.shield(again.ended)
            except SaysoError as failure:
                return {"findings_problem": f"{found}; {failure.message}"}
            found = read_findings(mended.structured, mended.text)
        if isinstance(found, str):
            return {"findings_problem": found}
        return {"findings": [finding.model_dump(mode="json") for finding in found]}

    async def _files_changed(self, session_id: str) -> builtins.list[str]:
        """Files that the session's tool calls say they changed, each once, in the order of the first change."""
        transcript = await self._sessions.transcript(session_id, limit=10_000, kinds=["tool_call"])
        return files_changed(fold(transcript.events))

    async def _head_moved(self, workspace: str) -> None:
        """Tell everyone who shows a review of this folder that it is stale, or is not any more."""
        wanted = RunFilter(kind=RunKind.REVIEW, workspace=workspace, limit=_MOST_REVIEWS)
        for run in await self._records.find(wanted):
            self._tell(run)

    async def _finish(
        self,
        run_id: str,
        state: RunState,
        result: dict[str, Any] | None,
        error: RunError | None,
        *,
        there: bool = True,
        again: bool = False,
        quietly: bool = False,
    ) -> RunView:
        values: dict[str, Any] = {"state": state.value, "result": result, "ended_at": now_ms(), "retryable": again}
        values["error"] = error.model_dump() if error else None
        if not there:
            values["session_id"] = None
        run = await self._change(run_id, **values)
        self._stopping.discard(run_id)
        if (ended := self._ended.pop(run_id, None)) is not None:
            ended.set()
        if ended is not None or quietly:  # a run that is being stopped may come here twice
            await self._handover.ended(run, quietly=quietly)
        return run

    async def _change(self, run_id: str, **values: Any) -> RunView:
        run = await self._records.change(run_id, **values)
        self._tell(run)
        return run

    def _tell(self, run: RunView) -> None:
        shown = self._heads.known(run)
        self._publish("run_did_change", {"run_id": run.id, "run": shown.model_dump(mode="json")})


def _need_words(instructions: str, ask: str) -> None:
    if not instructions.strip():
        raise InvalidInput(ask, [{"field": "instructions", "message": "is empty"}])


def _run_error(failure: SaysoError) -> RunError:
    return RunError(code=failure.code.value, message=failure.message)
