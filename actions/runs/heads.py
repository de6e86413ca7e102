"""Where the repositories of reviews stand: which commit HEAD names now, and that it has moved on."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from actions.catalog.views import RunView
from actions.git.command import GitFailed, run_git
from actions.git.scope import head_of, top_of
from actions.tasks import TaskOwner

_MOST = 50
_WATCHED = ("HEAD", "logs/HEAD", "packed-refs", "reftable/tables.list")
_log = logging.getLogger(__name__)

_Stamp = tuple[tuple[int, int] | None, ...]


class Heads:
    """Marks reviews that are stale, and calls ``moved`` with a folder whose HEAD went to another commit.

    Watched is what was asked about, the last fifty folders: a look every ``seconds`` at the times of a few files, and
    git is only run when one of them has changed.
    """

    def __init__(self, moved: Callable[[str], Awaitable[None]], *, seconds: float = 2.0) -> None:
        self._moved = moved
        self._seconds = seconds
        self._heads: dict[str, str | None] = {}
        self._files: dict[str, list[Path]] = {}
        self._stamps: dict[str, _Stamp] = {}
        self._tasks = TaskOwner("heads of reviews")

    async def close(self) -> None:
        """Watch no more."""
        await self._tasks.close()

    async def marked(self, runs: Sequence[RunView]) -> list[RunView]:
        """The runs with what is known of their HEAD now; one look a folder."""
        places = list(dict.fromkeys(run.workspace for run in runs if run.scope is not None))
        await asyncio.gather(*(self._look(place) for place in places))
        return [self.known(run) for run in runs]

    def known(self, run: RunView) -> RunView:
        """A run with what was seen last, without a look."""
        if run.scope is None or run.workspace not in self._heads:
            return run
        now = self._heads[run.workspace]
        return run.model_copy(update={"head_now": now, "stale": now != run.scope.get("head")})

    async def _look(self, place: str) -> None:
        """Read HEAD and have it watched. A folder that is gone, or no repository any more, is not known."""
        stamp = await asyncio.to_thread(self._stamp, place)
        try:
            head = await asyncio.to_thread(_head, place)
        except GitFailed:
            self._forget(place)
            return
        self._heads.pop(place, None)  # the last one asked about goes to the end
        self._heads[place], self._stamps[place] = head, stamp
        for old in list(self._heads)[:-_MOST]:
            self._forget(old)
        if not len(self._tasks):
            self._tasks.start(self._watch(), name="watch")

    def _forget(self, place: str) -> None:
        for known in (self._heads, self._stamps, self._files):
            known.pop(place, None)

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(self._seconds)
            for place, stamp in list(self._stamps.items()):
                now = await asyncio.to_thread(self._stamp, place)
                if now != stamp and self._stamps.get(place) == stamp:
                    await self._look_again(place, now)

    async def _look_again(self, place: str, stamp: _Stamp) -> None:
        before = self._heads.get(place)
        self._stamps[place] = stamp
        self._files.pop(place, None)  # another branch is another file
        try:
            now = await asyncio.to_thread(_head, place)
        except GitFailed as failure:
            _log.info("the HEAD of %s cannot be read: %s", place, failure)
            self._forget(place)
            return
        if now != before:
            self._heads[place] = now
            await self._moved(place)

    def _stamp(self, place: str) -> _Stamp:
        """Times and sizes of the files that change with HEAD. Blocks."""
        if place not in self._files:
            self._files[place] = _files_of(Path(place))
        return tuple(_state(path) for path in self._files[place])


def _head(place: str) -> str | None:
    """The commit that HEAD names, None before the first one. Blocks. Raises GitFailed without a repository."""
    head = head_of(Path(place))
    if head is None:
        top_of(Path(place))
    return head


def _files_of(place: Path) -> list[Path]:
    try:
        asked = [part for name in _WATCHED for part in ("--git-path", name)]
        lines = os.fsdecode(run_git(place, ["rev-parse", *asked])).splitlines()
    except GitFailed:
        return []
    try:
        branch = os.fsdecode(run_git(place, ["symbolic-ref", "--quiet", "HEAD"])).strip()
        lines += os.fsdecode(run_git(place, ["rev-parse", "--git-path", branch])).splitlines()
    except GitFailed:  # detached: HEAD itself names the commit
        pass
    return [place / line for line in lines]


def _state(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
