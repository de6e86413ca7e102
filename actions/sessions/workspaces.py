"""Workspaces: the directories that sessions work in."""

from __future__ import annotations

import asyncio
import builtins
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, RowMapping, exists, func, insert, select, update

from actions.catalog.views import WorkspaceList, WorkspaceView
from actions.errors import Ambiguous, InvalidInput, NotFound
from actions.git.files import best_files, files_of
from actions.sessions.branches import git_branches
from actions.storage.database import Database
from actions.storage.ids import Prefix, new_id, now_ms
from actions.storage.schema import workspaces, worktrees

_FILES_S = 2.0
"""Seconds that a list of files is good for: somebody types on."""


class WorkspaceService:
    """Implements :class:`actions.catalog.ports.WorkspacesPort`."""

    def __init__(self, database: Database, publish: Callable[[str, dict[str, Any]], None]) -> None:
        self._database = database
        self._publish = publish
        self._files: tuple[str, float, builtins.list[str]] | None = None

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
        """Every workspace by name; one whose directory vanished says so. Worktrees are listed apart from them."""
        rows = [row for row in await self._database.read(_rows) if row["listed"]]
        return WorkspaceList(workspaces=await asyncio.to_thread(lambda: [_view(row) for row in rows]))

    async def find(self, reference: str) -> WorkspaceView:
        """By id, id prefix, name or directory; a directory that is not registered yet, or no more, is added.

        Raises NotFound, or Ambiguous with the candidates.
        """
        row = await self._row(reference)
        if row is None or row["removed_at"] is not None:
            return await self.add(reference if row is None else str(row["path"]))
        return await asyncio.to_thread(_view, row)

    async def known(self, reference: str) -> WorkspaceView | None:
        """As :meth:`find`, for readers: nothing is added. Raises Ambiguous with the candidates."""
        row = await self._row(reference)
        return None if row is None else await asyncio.to_thread(_view, row)

    async def trust(self, reference: str, *, trusted: bool) -> WorkspaceView:
        """Whether the user trusts what lies in it. Raises NotFound, Ambiguous."""
        row = await self._row(reference)
        if row is None:
            raise NotFound(f"There is no workspace {reference!r}. `sayso workspace list` shows them.")
        change = update(workspaces).where(workspaces.c.id == row["id"]).values(trusted=trusted)
        await self._database.write(lambda db: db.execute(change))
        self._publish("workspaces_did_change", {"workspace_id": row["id"]})
        return await asyncio.to_thread(_view, {**row, "trusted": trusted})

    async def remove(self, reference: str) -> WorkspaceView:
        """Take it off the list; no file is touched, and its sessions keep it. Raises NotFound, InvalidInput, Ambiguous.

        Whether sessions are at work there is the caller's to ask.
        """
        row = await self._row(reference)
        if row is None or row["removed_at"] is not None:
            raise NotFound(
                f"There is no workspace {reference!r}. `sayso workspace list` shows them.",
                details={"workspace": reference},
            )
        if not row["listed"]:
            raise InvalidInput(
                f"{row['path']} is a worktree. Remove it with: sayso worktree remove",
                [{"field": "workspace", "message": "is a worktree"}],
            )
        gone = update(workspaces).where(workspaces.c.id == row["id"]).values(removed_at=now_ms())
        await self._database.write(lambda db: db.execute(gone))
        self._publish("workspaces_did_change", {"workspace_id": row["id"], "removed": True})
        return await asyncio.to_thread(_view, row)

    async def _row(self, reference: str) -> RowMapping | None:
        rows = await self._database.read(_rows)
        found = await asyncio.to_thread(_matches, rows, reference)
        if len(found) > 1:
            raise Ambiguous(
                f"Several workspaces fit {reference!r}.", [{"id": r["id"], "label": r["path"]} for r in found]
            )
        return found[0] if found else None

    async def branches(self, path: str) -> list[str]:
        """The local branches of a directory's repository, the current one first; none where it is no repository."""
        return await git_branches(Path(path))

    async def files(self, path: str, query: str, *, most: int = 20) -> builtins.list[str]:
        """The files of a directory that ``query`` fits best, relative to it; the list is as old as two seconds."""
        now = time.monotonic()
        known = self._files
        if known is None or known[0] != path or now - known[1] > _FILES_S:
            known = self._files = (path, now, await asyncio.to_thread(files_of, Path(path)))
        listed = known[2]

        def best() -> builtins.list[str]:
            found = best_files(listed, query, 2 * most)
            return [file for file in found if (Path(path) / file).is_file()][:most]  # git knows deleted ones, too

        return await asyncio.to_thread(best)


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
    else:
        back = {"removed_at": None, "name": name or known["name"]}
        db.execute(update(workspaces).where(workspaces.c.path == path).values(**back))
    added = known is None or known["removed_at"] is not None
    return db.execute(select(workspaces).where(workspaces.c.path == path)).mappings().one(), added


def _rows(db: Connection) -> Sequence[RowMapping]:
    """Every row, with ``listed``: neither taken off the list nor a worktree, nor a folder in one."""
    inside = func.substr(workspaces.c.path, 1, func.length(worktrees.c.path) + 1) == worktrees.c.path + "/"
    in_worktree = exists().where((workspaces.c.path == worktrees.c.path) | inside)
    listed = (workspaces.c.removed_at.is_(None) & ~in_worktree).label("listed")
    return db.execute(select(workspaces, listed).order_by(workspaces.c.name, workspaces.c.path)).mappings().all()


def _matches(rows: Sequence[RowMapping], reference: str) -> Sequence[RowMapping]:
    real = str(Path(reference).expanduser().resolve()) if reference else ""
    listed = [row for row in rows if row["listed"]]
    for key, wanted, among in (("id", reference, rows), ("path", reference, rows), ("path", real, rows),
                               ("name", reference, listed)):  # fmt: skip
        if exact := [row for row in among if row[key] == wanted]:
            return exact
    folded = reference.casefold()
    named = [row for row in listed if str(row["name"]).casefold() == folded]
    return named or [row for row in listed if reference and str(row["id"]).startswith(reference)]


def _view(row: Mapping[Any, Any]) -> WorkspaceView:
    return WorkspaceView(
        id=row["id"],
        path=row["path"],
        name=row["name"],
        trusted=bool(row["trusted"]),
        exists=Path(row["path"]).is_dir(),
    )
