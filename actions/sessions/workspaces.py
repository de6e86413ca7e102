"""Workspaces: the directories that sessions work in."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, RowMapping, insert, select, update

from actions.catalog.views import WorkspaceList, WorkspaceView
from actions.errors import Ambiguous, InvalidInput, NotFound
from actions.sessions.branches import git_branches
from actions.storage.database import Database
from actions.storage.ids import Prefix, new_id, now_ms
from actions.storage.schema import workspaces


class WorkspaceService:
    """Implements :class:`actions.catalog.ports.WorkspacesPort`."""

    def __init__(self, database: Database, publish: Callable[[str, dict[str, Any]], None]) -> None:
        self._database = database
        self._publish = publish

    async def add(self, path: str, *, name: str | None = None) -> WorkspaceView:
        """Register a directory by its real path; again is harmless, and a new name replaces the old one.

        Raises NotFound where there is nothing, InvalidInput where it is no directory.
        """
        real = await asyncio.to_thread(_directory, path)
        row, created = await self._database.write(lambda db: _add(db, str(real), name))
        view = await asyncio.to_thread(_view, row)
        if created:
            self._publish("workspaces_did_change", {"workspace_id": view.id})
        return view

    async def list(self) -> WorkspaceList:
        """Every workspace by name; one whose directory vanished says so."""
        rows = await self._database.read(_rows)
        return WorkspaceList(workspaces=await asyncio.to_thread(lambda: [_view(row) for row in rows]))

    async def find(self, reference: str) -> WorkspaceView:
        """By id, id prefix, name or directory; a directory that is not registered yet is added.

        Raises NotFound, or Ambiguous with the candidates.
        """
        return await self.known(reference) or await self.add(reference)

    async def known(self, reference: str) -> WorkspaceView | None:
        """As :meth:`find`, for readers: nothing is added. Raises Ambiguous with the candidates."""
        rows = await self._database.read(_rows)
        found = await asyncio.to_thread(_matches, rows, reference)
        if len(found) > 1:
            raise Ambiguous(
                f"Several workspaces fit {reference!r}.", [{"id": r["id"], "label": r["path"]} for r in found]
            )
        return await asyncio.to_thread(_view, found[0]) if found else None

    async def branches(self, path: str) -> list[str]:
        """The local branches of a directory's repository, the current one first; none where it is no repository."""
        return await git_branches(Path(path))


def _directory(path: str) -> Path:
    try:
        real = Path(path).expanduser().resolve(strict=True)
    except (OSError, RuntimeError) as error:
        raise NotFound(
            f"There is no folder {path}. Check the path, or make the folder first.", details={"path": path}
        ) from error
    if not real.is_dir():
        raise InvalidInput(
            f"{path} is a file. A workspace is a folder.", [{"field": "path", "message": "not a folder"}]
        )
    return real


def _add(db: Connection, path: str, name: str | None) -> tuple[RowMapping, bool]:
    known = db.execute(select(workspaces).where(workspaces.c.path == path)).mappings().first()
    if known is None:
        values = {"id": new_id(Prefix.WORKSPACE), "path": path, "name": name or Path(path).name or path}
        db.execute(insert(workspaces).values(**values, added_at=now_ms()))
    elif name and name != known["name"]:
        db.execute(update(workspaces).where(workspaces.c.path == path).values(name=name))
    return db.execute(select(workspaces).where(workspaces.c.path == path)).mappings().one(), known is None


def _rows(db: Connection) -> Sequence[RowMapping]:
    return db.execute(select(workspaces).order_by(workspaces.c.name, workspaces.c.path)).mappings().all()


def _matches(rows: Sequence[RowMapping], reference: str) -> Sequence[RowMapping]:
    real = str(Path(reference).expanduser().resolve()) if reference else ""
    for key, wanted in (("id", reference), ("path", reference), ("path", real), ("name", reference)):
        if exact := [row for row in rows if row[key] == wanted]:
            return exact
    folded = reference.casefold()
    named = [row for row in rows if str(row["name"]).casefold() == folded]
    return named or [row for row in rows if reference and str(row["id"]).startswith(reference)]


def _view(row: RowMapping) -> WorkspaceView:
    return WorkspaceView(
        id=row["id"],
        path=row["path"],
        name=row["name"],
        trusted=bool(row["trusted"]),
        exists=Path(row["path"]).is_dir(),
    )
