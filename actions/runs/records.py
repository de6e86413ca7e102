"""The stored half of a run: its row in the database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, RowMapping, insert, select, tuple_, update

from actions.catalog.views import RunError, RunKind, RunState, RunView
from actions.errors import InvalidInput, NotFound
from actions.storage.database import Database
from actions.storage.schema import runs, workspaces

_DUE = "due"
_OPEN = [RunState.QUEUED.value, RunState.RUNNING.value]
_SELECT = select(runs, workspaces.c.path.label("workspace_path")).join(
    workspaces, workspaces.c.id == runs.c.workspace_id, isouter=True
)


class Due(StrEnum):
    """What the end of a run still has to bring about: a line in the transcript of its host session, a message to the
    agent there.
    """

    LINE = "line"
    AGENT = "agent"


@dataclass(frozen=True, slots=True)
class RunFilter:
    """Which runs a list shows, newest first; ``session_id`` is the host or the child session."""

    session_id: str | None = None
    provider: str | None = None
    state: str | None = None
    limit: int = 50
    kind: RunKind | None = None
    workspace: str | None = None
    before: tuple[int, str] | None = None
    """The creation and id of the last run of the page before."""


class RunRecords:
    """Reads and writes rows of ``runs``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def insert(
        self, run: RunView, *, workspace_id: str, options: dict[str, Any], due: Sequence[Due] = ()
    ) -> None:
        """Store a new run, with what is ``due`` once it has ended."""
        values = {
            "id": run.id,
            "kind": run.kind.value,
            "provider": run.provider,
            "state": run.state.value,
            "session_id": run.session_id,
            "host_session_id": run.host_session_id,
            "workspace_id": workspace_id,
            "instructions": run.instructions,
            "scope": run.scope,
            "options": {**options, _DUE: [one.value for one in due]},
            "created_at": run.created,
        }
        await self._database.write(lambda db: db.execute(insert(runs).values(**values)))

    async def change(self, run_id: str, **values: Any) -> RunView:
        """Change a run that has not ended and give it as it then is; one that ended stays as it is."""

        def work(db: Connection) -> RunView:
            db.execute(update(runs).where(runs.c.id == run_id, runs.c.state.in_(_OPEN)).values(**values))
            return _get(db, run_id)

        return await self._database.write(work)

    async def get(self, run_id: str) -> RunView:
        """One run. Raises NotFound."""
        return await self._database.read(lambda db: _get(db, run_id))

    async def find(self, wanted: RunFilter) -> list[RunView]:
        """Runs, newest first."""
        query = _SELECT.order_by(runs.c.created_at.desc(), runs.c.id.desc()).limit(wanted.limit)
        if wanted.session_id is not None:
            query = query.where(
                (runs.c.host_session_id == wanted.session_id) | (runs.c.session_id == wanted.session_id)
            )
        if wanted.provider is not None:
            query = query.where(runs.c.provider == wanted.provider)
        if wanted.state is not None:
            query = query.where(runs.c.state == wanted.state)
        if wanted.before is not None:
            query = query.where(tuple_(runs.c.created_at, runs.c.id) < wanted.before)
        if wanted.kind is not None:
            query = query.where(runs.c.kind == wanted.kind.value)
        if wanted.workspace is not None:
            query = query.where(workspaces.c.path == wanted.workspace)
        return await self._database.read(lambda db: [_view(row) for row in db.execute(query).mappings()])

    async def unfinished(self) -> list[RunView]:
        """Runs whose stored state says that they are under way."""
        query = _SELECT.where(runs.c.state.in_(_OPEN))
        return await self._database.read(lambda db: [_view(row) for row in db.execute(query).mappings()])

    async def due(self, what: Due, *, run_id: str | None = None, host_session_id: str | None = None) -> list[RunView]:
        """Runs that have ended and still have ``what`` to bring about, the oldest first."""
        query = _SELECT.where(runs.c.state.not_in(_OPEN), runs.c.options[_DUE].as_string().contains(what.value))
        if run_id is not None:
            query = query.where(runs.c.id == run_id)
        if host_session_id is not None:
            query = query.where(runs.c.host_session_id == host_session_id)
        query = query.order_by(runs.c.ended_at, runs.c.id)
        return await self._database.read(lambda db: [_view(row) for row in db.execute(query).mappings()])

    async def settle(self, run_ids: Sequence[str], what: Due) -> None:
        """It has been brought about."""

        def work(db: Connection) -> None:
            for row in db.execute(select(runs.c.id, runs.c.options).where(runs.c.id.in_(run_ids))).mappings():
                options: dict[str, Any] = row["options"] or {}
                left = [one for one in options.get(_DUE) or () if one != what.value]
                if left != options.get(_DUE):
                    values = {"options": {**options, _DUE: left}}
                    db.execute(update(runs).where(runs.c.id == row["id"]).values(**values))

        if run_ids:
            await self._database.write(work)


def page_before(cursor: str) -> tuple[int, str]:
    """Where a page begins. Raises InvalidInput for a cursor that is none of ours."""
    moment, _, run_id = cursor.partition(":")
    if not moment.isdigit() or not run_id:
        raise InvalidInput("This cursor is none of a list of runs.", [{"field": "cursor", "message": "unknown"}])
    return int(moment), run_id


def _get(db: Connection, run_id: str) -> RunView:
    row = db.execute(_SELECT.where(runs.c.id == run_id)).mappings().first()
    if row is None:
        raise NotFound(f"There is no run {run_id!r}. `sayso run list` shows them.", details={"run_id": run_id})
    return _view(row)


def _view(row: RowMapping) -> RunView:
    return RunView(
        id=row["id"],
        kind=RunKind(row["kind"]),
        provider=row["provider"],
        state=RunState(row["state"]),
        session_id=row["session_id"],
        host_session_id=row["host_session_id"],
        workspace=row["workspace_path"] or "",
        instructions=row["instructions"],
        scope=row["scope"],
        result=row["result"],
        error=RunError.model_validate(row["error"]) if row["error"] else None,
        retryable=bool(row["retryable"]),
        created=row["created_at"],
        started=row["started_at"],
        ended=row["ended_at"],
    )
