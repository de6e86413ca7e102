"""Managed runs as a service: plan runs now; review and delegate runs take the same way.

A run is one turn of one child session. It is never tried again and never moved to another provider by itself.
"""

from __future__ import annotations

import asyncio
import builtins
import logging
from collections.abc import Callable, Sequence
from importlib import resources
from typing import Any

from actions.catalog.views import RunError, RunKind, RunList, RunsStarted, RunStart, RunState, RunView, WorkspaceView
from actions.errors import ErrorCode, InvalidInput, SaysoError
from actions.runs.records import RunFilter, RunRecords
from actions.runs.result import outcome
from actions.sessions.providers import BUILTIN, ProviderService
from actions.sessions.service import Child, SessionService
from actions.sessions.turns import Prompt, TurnResult
from actions.sessions.workspaces import WorkspaceService
from actions.storage.database import Database
from actions.storage.ids import Prefix, new_id, now_ms
from actions.tasks import TaskOwner

_log = logging.getLogger(__name__)


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
    ) -> None:
        self._records = RunRecords(database)
        self._sessions = sessions
        self._providers = providers
        self._workspaces = workspaces
        self._publish = publish
        self._ended: dict[str, asyncio.Event] = {}
        self._stopping: set[str] = set()
        self._tasks = TaskOwner("runs")

    @property
    def active(self) -> int:
        """How many runs are under way."""
        return len(self._ended)

    async def reconcile(self) -> None:
        """Call once at start-up: runs that an earlier host left under way are interrupted, not started again."""
        error = RunError(code=ErrorCode.FAILED.value, message="The host ended while this run was under way.")
        for run in await self._records.unfinished():
            await self._finish(run.id, RunState.INTERRUPTED, None, error)

    async def close(self) -> None:
        """Mark what is under way as interrupted and let go of it; close the sessions next, which ends their agents."""
        await self._tasks.close()
        error = RunError(code=ErrorCode.FAILED.value, message="The host was stopped while this run was under way.")
        for run_id in builtins.list(self._ended):
            await self._finish(run_id, RunState.INTERRUPTED, None, error)

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
    ) -> RunsStarted:
        """Start one child session a provider, in parallel. A provider that fails to start fails alone.

        An entry that is not ``ok`` has a ``run_id`` only where a run was made. Raises InvalidInput (no provider, no
        instructions) or NotFound (workspace, host session) before anything is started.
        """
        chosen = list(dict.fromkeys(providers))
        if not chosen:
            raise InvalidInput("Name at least one provider.", [{"field": "providers", "message": "is empty"}])
        if not instructions.strip():
            raise InvalidInput("Say what to plan.", [{"field": "instructions", "message": "is empty"}])
        place = await self._workspaces.find(workspace)
        root: str | None = None
        if host_session_id is not None:
            host = await self._sessions.get(host_session_id)
            root = host.root_session_id or host.id
        child = Child("", host_session_id, root)
        options = {"model_id": model_id, "retention": retention, "permission_mode": permission_mode}
        started = await asyncio.gather(
            *(self._start_one(RunKind.PLAN, provider, instructions, place, child, options) for provider in chosen)
        )
        return RunsStarted(results=list(started))

    async def list(
        self, *, session_id: str | None = None, provider: str | None = None, status: str | None = None, limit: int = 50
    ) -> RunList:
        """Runs, newest first."""
        if status is not None and status not in builtins.list(RunState):
            known = ", ".join(RunState)
            raise InvalidInput(
                f"There is no run state {status!r}.", [{"field": "status", "message": f"one of {known}"}]
            )
        return RunList(runs=await self._records.find(RunFilter(session_id, provider, status, limit)))

    async def get(self, run_id: str) -> RunView:
        """One run. Raises NotFound."""
        return await self._records.get(run_id)

    async def stop(self, run_id: str) -> RunView:
        """Cancel a run and end its agent; one that ended stays as it is."""
        run = await self._records.get(run_id)
        if run.state.ended:
            return run
        self._stopping.add(run_id)
        if run.session_id is not None:
            await self._sessions.stop(run.session_id)
        ended = self._ended.get(run_id)
        if ended is not None:
            await ended.wait()
            return await self._records.get(run_id)
        return await self._finish(run_id, RunState.CANCELLED, None, None)

    async def wait(self, run_id: str, *, timeout_s: float | None = None) -> RunView:
        """Wait until the run ended; a time-out raises ``timeout`` and ends nothing."""
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

    async def _start_one(
        self,
        kind: RunKind,
        provider: str,
        instructions: str,
        place: WorkspaceView,
        child: Child,
        options: dict[str, Any],
    ) -> RunStart:
        try:
            row = await self._providers.require(provider)
        except SaysoError as unknown:
            return RunStart(provider=provider, ok=False, error=_run_error(unknown))
        run = RunView(
            id=new_id(Prefix.RUN),
            kind=kind,
            provider=row.id,
            state=RunState.QUEUED,
            host_session_id=child.parent_session_id,
            workspace=place.path,
            instructions=instructions,
            created=now_ms(),
        )
        await self._records.insert(run, workspace_id=place.id, options=options)
        self._ended[run.id] = asyncio.Event()
        self._tell(run)
        try:
            session = await self._sessions.spawn_new(
                provider=row.id,
                workspace=place.path,
                title=f"Plan: {_first_line(instructions)}",
                model_id=options["model_id"],
                child=Child(run.id, child.parent_session_id, child.root_session_id),
            )
            await self._change(run.id, session_id=session.id)
            if row.plan_mode and row.plan_mode != session.mode and row.plan_mode in {m.id for m in session.modes}:
                await self._sessions.set_mode(session.id, row.plan_mode)
            if run.id in self._stopping:
                await self._sessions.stop(session.id)
                await self._finish(run.id, RunState.CANCELLED, None, None)
                return RunStart(provider=provider, ok=True, run_id=run.id)
            meta = {"sayso": {"run": kind.value, "instructions": instructions}}
            text = instructions if row.id == BUILTIN else _prompt(kind, instructions)
            prompt, _ = await self._sessions.prompt(session.id, text, meta=meta, origin="run")
        except SaysoError as failure:
            error = _run_error(failure)
            await self._finish(run.id, RunState.FAILED, None, error, session_id=failure.details.get("session_id"))
            return RunStart(provider=provider, ok=False, run_id=run.id, error=error)
        await self._change(run.id, state=RunState.RUNNING.value, started_at=now_ms())
        self._tasks.start(self._follow(run.id, session.id, prompt), name=f"run {run.id}")
        return RunStart(provider=provider, ok=True, run_id=run.id)

    async def _follow(self, run_id: str, session_id: str, prompt: Prompt) -> None:
        turn: TurnResult = await asyncio.shield(prompt.ended)
        state, result, error = outcome(turn)
        if run_id in self._stopping:
            state, error = RunState.CANCELLED, None
        await self._finish(run_id, state, result, error)
        # The agent has done its one turn; the session stays and can be taken up again.
        try:
            await self._sessions.stop(session_id, because="Its run has ended.")
        except SaysoError as failure:
            _log.warning("run %s: its session could not be stopped: %s", run_id, failure)

    async def _finish(
        self,
        run_id: str,
        state: RunState,
        result: dict[str, Any] | None,
        error: RunError | None,
        *,
        session_id: str | None = None,
    ) -> RunView:
        values: dict[str, Any] = {"state": state.value, "result": result, "ended_at": now_ms()}
        values["error"] = error.model_dump() if error else None
        if session_id is not None:
            values["session_id"] = session_id
        run = await self._change(run_id, **values)
        self._stopping.discard(run_id)
        if (ended := self._ended.pop(run_id, None)) is not None:
            ended.set()
        return run

    async def _change(self, run_id: str, **values: Any) -> RunView:
        run = await self._records.change(run_id, **values)
        self._tell(run)
        return run

    def _tell(self, run: RunView) -> None:
        self._publish("run_did_change", {"run_id": run.id, "run": run.model_dump(mode="json")})


def _prompt(kind: RunKind, instructions: str) -> str:
    template = resources.files("actions.runs").joinpath(f"prompts/{kind.value}.md").read_text(encoding="utf-8")
    return template.replace("{instructions}", instructions.strip())


def _first_line(text: str) -> str:
    line = " ".join(text.strip().splitlines()[0].split())
    return line if len(line) <= 60 else line[:59] + "…"


def _run_error(failure: SaysoError) -> RunError:
    return RunError(code=failure.code.value, message=failure.message)
