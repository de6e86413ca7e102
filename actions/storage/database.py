"""``sayso.db``: SQLite in WAL mode behind one thread.

SQLite calls block, so all of them run on one dedicated thread; the event loop only awaits. One thread also means one
writer: no call of this process ever waits for a lock of another. Writes that wait while the disk flushes are stored
together with one flush, for twenty sessions that stream would else wait for each other's. Opening, checking and
migrating: :mod:`.opening`.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from actions.errors import ErrorCode, SaysoError
from actions.storage.engine import BEGIN_OPTION, new_engine
from actions.storage.opening import Notice, prepare

T = TypeVar("T")
_log = logging.getLogger(__name__)
NOTES_S = 0.05
"""Seconds that a note waits for others."""
_TOGETHER = 64
"""Writes in one transaction at most: the first of them waits for the last."""


@dataclass(frozen=True, slots=True)
class _Write:
    fn: Callable[[Connection], Any]
    done: Future[Any]

    def settle(self, run: Callable[[], Any]) -> None:
        try:
            self.done.set_result(run())
        except BaseException as error:  # noqa: BLE001 - it is the caller's, who waits on another thread
            self.done.set_exception(error)


class Database:
    """The home's database.

    Args:
        file: ``sayso.db``; made when it is missing.
        backups: the folder for copies made before a migration; the newest five are kept.
    """

    def __init__(self, file: Path, backups: Path) -> None:
        self.file = file
        self.notices: tuple[Notice, ...] = ()
        """What a person should know about the last opening, e.g. that a corrupt file was set aside."""
        self._backups = backups
        self._thread: ThreadPoolExecutor | None = None
        self._engine: Engine | None = None
        self._waiting: deque[_Write] = deque()
        self._noted: list[_Write] = []
        self._noting: asyncio.TimerHandle | None = None

    async def open(self) -> None:
        """Check, migrate and open the file.

        Raises:
            SaysoError: the file is of a newer Sayso (it is left untouched), the disk is full, or it cannot be written.
        """
        if self._thread is not None:
            raise RuntimeError("the database is already open")
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sayso-database")
        try:
            await self._on_thread(self._open)
        except BaseException:
            self._thread.shutdown(wait=False)
            self._thread = None
            raise

    async def read(self, fn: Callable[[Connection], T]) -> T:
        """Run ``fn`` in a read transaction on the database's thread and return what it returns.

        ``fn`` must not keep the connection or a lazy result. Raises what ``fn`` raises; failures of the disk or the
        file as SaysoError.
        """
        return await self._on_thread(lambda: self._transact(fn, "BEGIN"))

    async def write(self, fn: Callable[[Connection], T]) -> T:
        """Run ``fn`` in a write transaction: all of it is stored, flushed to the disk, or none.

        A write that was handed over completes even when the caller is cancelled meanwhile. Raises as :meth:`read`.
        Where the disk refuses a transaction of several writes, each is tried again by itself: ``fn`` may run twice.
        """
        if self._thread is None:
            raise _closing()
        self._hand_over_notes()
        write = _Write(fn, Future())
        self._waiting.append(write)
        self._thread.submit(self._write_waiting)
        return await _uncancelled(write.done)

    def note(self, fn: Callable[[Connection], object], what: str) -> None:
        """As :meth:`write`, for nobody to wait for: it is stored within a moment, with others, and before anything is
        read or written that was asked for after it. A failure is in the log under ``what``; a crash in that moment
        loses it.
        """
        if self._thread is None:
            raise _closing()
        write = _Write(fn, Future())
        write.done.add_done_callback(lambda done: _tell_failure(what, done.exception()))
        self._noted.append(write)
        if self._noting is None:
            self._noting = asyncio.get_running_loop().call_later(NOTES_S, self._hand_over_notes)

    async def close(self) -> None:
        """Finish what was handed over, then close the file. Closing twice is harmless."""
        self._hand_over_notes()
        thread, self._thread = self._thread, None
        if thread is None:
            return
        await _uncancelled(thread.submit(self._close))
        thread.shutdown(wait=True)

    def _hand_over_notes(self) -> None:
        if self._noting is not None and self._thread is not None:
            self._noting.cancel()
            self._noting = None
            self._waiting.extend(self._noted)
            for _ in range(0, len(self._noted), _TOGETHER):
                self._thread.submit(self._write_waiting)
            self._noted.clear()

    def _open(self) -> None:
        self.notices = prepare(self.file, self._backups)
        self._engine = new_engine(self.file)

    def _close(self) -> None:
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.dispose()

    async def _on_thread(self, call: Callable[[], T]) -> T:
        if self._thread is None:
            raise _closing()
        self._hand_over_notes()
        return await _uncancelled(self._thread.submit(call))

    def _write_waiting(self) -> None:
        """Store what waits by now; an earlier call may have done so."""
        group = [self._waiting.popleft() for _ in range(min(len(self._waiting), _TOGETHER))]
        results = self._together(group) if len(group) > 1 else None
        for at, write in enumerate(group):
            if results is None:
                write.settle(lambda write=write: self._transact(write.fn, "BEGIN IMMEDIATE"))
            elif isinstance(error := results[at], _Failed):
                write.done.set_exception(error.reason)
            else:
                write.done.set_result(results[at])

    def _together(self, group: Sequence[_Write]) -> list[Any] | None:
        """What each write gives, or why it alone failed; None where the transaction failed: nothing is stored then."""

        def all_of_it(connection: Connection) -> list[Any]:
            results: list[Any] = []
            for write in group:
                try:
                    with connection.begin_nested():
                        results.append(write.fn(connection))
                except DBAPIError:
                    raise
                except Exception as error:  # noqa: BLE001 - as above; it stored nothing, and the others go on
                    results.append(_Failed(error))
            return results

        try:
            return self._transact(all_of_it, "BEGIN IMMEDIATE")
        except (DBAPIError, SaysoError):
            return None

    def _transact(self, fn: Callable[[Connection], T], begin: str) -> T:
        if self._engine is None:
            raise _closing()
        try:
            with self._engine.connect() as plain:
                connection = plain.execution_options(**{BEGIN_OPTION: begin})
                with connection.begin():
                    return fn(connection)
        except DBAPIError as error:
            if (explained := explain(self.file, error)) is not None:
                raise explained from error
            raise


@dataclass(frozen=True, slots=True)
class _Failed:
    reason: Exception


def _tell_failure(what: str, error: BaseException | None) -> None:
    if error is not None:
        _log.error("%s could not be recorded", what, exc_info=error)


def _closing() -> SaysoError:
    return SaysoError("The host is closing. Try again when it runs.", code=ErrorCode.HOST_UNAVAILABLE)


async def _uncancelled(future: Future[T]) -> T:
    """Await a thread's work; a cancelled caller stops waiting, the work goes on."""
    return await asyncio.shield(asyncio.wrap_future(future))


def explain(file: Path, error: DBAPIError) -> SaysoError | None:
    """The words for a failure of disk or file; None for a mistake in our own statement."""
    reason = str(error.orig).lower()
    for sign, words in _FAILURES.items():
        if sign in reason:
            return SaysoError(f"{file}: {words}", details={"path": str(file), "reason": reason})
    return None


_FAILURES = {
    "disk is full": "the disk is full, so nothing was stored. Make room, then try again.",
    "readonly": "it cannot be written. Make the file and its folder writable, then try again.",
    "unable to open": "it cannot be opened. Make its folder readable and writable, then try again.",
    "disk i/o error": "the disk reports an error, so nothing was stored. Check the disk and its free space.",
    "locked": "another program holds it. Close that program, then try again.",
    "malformed": "it is damaged. Start Sayso again: the damaged file is set aside, never deleted.",
    "not a database": "it is damaged. Start Sayso again: the damaged file is set aside, never deleted.",
}
