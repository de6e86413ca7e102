"""Which worktrees there are: their rows, and the same in memory, so that a session's view needs no query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import Any

from sqlalchemy import RowMapping, delete, insert, select, update

from actions.catalog.worktree_views import MergeDone, SessionWorktree, WorktreeState, WorktreeView
from actions.storage.database import Database
from actions.storage.ids import now_ms
from actions.storage.schema import worktrees


@dataclass(frozen=True, slots=True)
class Worktree:
    """One row. ``repository`` is the folder of the main work tree; ``prefix`` is where in it the workspace lies."""

    id: str
    path: Path
    repository: Path
    workspace_id: str | None
    branch: str
    base: str | None
    base_commit: str
    state: WorktreeState
    created: int
    reason: str | None = None
    detail: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def place(self) -> Path:
        """Where a session works."""
        inside = self.path / str(self.detail.get("prefix") or "")
        return inside if inside.is_dir() else self.path

    @property
    def view(self) -> WorktreeView:
        merged = self.detail.get("merged")
        return WorktreeView(
            id=self.id,
            path=str(self.path),
            place=str(self.place),
            repository=str(self.repository),
            workspace_id=self.workspace_id,
            branch=self.branch,
            base=self.base,
            base_commit=self.base_commit,
            state=self.state,
            reason=self.reason,
            merged=MergeDone.model_validate(merged) if merged else None,
            notes=list(self.detail.get("notes") or ()),
            created=self.created,
        )


class WorktreeBook:
    """Reads and writes the rows of worktrees."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._by_path: dict[Path, Worktree] = {}

    async def load(self) -> None:
        """Read every row; once, at the start."""
        query = select(worktrees).order_by(worktrees.c.created_at)
        rows = await self._database.read(lambda db: [_worktree(row) for row in db.execute(query).mappings()])
        self._by_path = {row.path: row for row in rows}

    @property
    def all(self) -> list[Worktree]:
        """Every worktree, also those that are gone or removed, oldest first."""
        return list(self._by_path.values())

    def around(self, folder: PurePath) -> Worktree | None:
        """The worktree that ``folder`` is, or lies in."""
        return next((self._by_path[p] for p in (Path(folder), *Path(folder).parents) if p in self._by_path), None)

    def of_session(self, folder: str) -> SessionWorktree | None:
        """The worktree of a session that works in ``folder``, as its header shows it."""
        found = self.around(Path(folder)) if folder else None
        if found is None:
            return None
        return SessionWorktree(
            id=found.id,
            branch=found.branch,
            base=found.base,
            repository=str(found.repository),
            state=found.state,
        )

    async def add(self, row: Worktree) -> None:
        """Store a new one."""
        values = {
            "id": row.id,
            "path": str(row.path),
            "repository": str(row.repository),
            "workspace_id": row.workspace_id,
            "branch": row.branch,
            "base": row.base,
            "base_commit": row.base_commit,
            "state": row.state.value,
            "reason": row.reason,
            "detail": dict(row.detail),
            "created_at": row.created,
            "updated_at": row.created,
        }
        await self._database.write(lambda db: db.execute(insert(worktrees).values(**values)))
        self._by_path[row.path] = row

    async def change(
        self,
        row: Worktree,
        *,
        state: WorktreeState | None = None,
        reason: str | None = None,
        detail: Mapping[str, Any] | None = None,
    ) -> Worktree:
        """Store what changed; ``reason`` always holds as given. ``detail`` is laid over what is there."""
        new = replace(
            row,
            state=state or row.state,
            reason=reason,
            detail={**row.detail, **(detail or {})},
        )
        values = {
            "state": new.state.value,
            "reason": new.reason,
            "detail": dict(new.detail),
            "updated_at": now_ms(),
        }
        await self._database.write(
            lambda db: db.execute(update(worktrees).where(worktrees.c.id == row.id).values(values))
        )
        self._by_path[row.path] = new
        return new

    async def forget(self, row: Worktree) -> None:
        """One that never came to be."""
        await self._database.write(lambda db: db.execute(delete(worktrees).where(worktrees.c.id == row.id)))
        self._by_path.pop(row.path, None)


def _worktree(row: RowMapping) -> Worktree:
    return Worktree(
        id=row["id"],
        path=Path(row["path"]),
        repository=Path(row["repository"]),
        workspace_id=row["workspace_id"],
        branch=row["branch"],
        base=row["base"],
        base_commit=row["base_commit"],
        state=WorktreeState(row["state"]),
        created=row["created_at"],
        reason=row["reason"],
        detail=dict(row["detail"] or {}),
    )
