"""What happens before ``sayso.db`` is used: is it whole, is it ours, is it of our revision?

missing or empty  -> made
corrupt, not ours -> set aside under a name with the time, never deleted; a new one is made
newer             -> refused, untouched
older             -> copied to the backups folder, then migrated in one transaction
"""

from __future__ import annotations

import os
import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy.exc import DBAPIError

from actions.errors import SaysoError
from actions.storage.schema import REVISION

KEPT_BACKUPS = 5
_HEADER = b"SQLite format 3\x00"
_ALWAYS_CHECKED = 64 * 1024 * 1024  # bytes; checking reads every page, about a second for 500 MB


@dataclass(frozen=True)
class Notice:
    """Something about the file that a person should know; shown by ``sayso doctor`` and in the window."""

    kind: str
    message: str
    path: Path


def prepare(file: Path, backups: Path) -> tuple[Notice, ...]:
    """Leave ``file`` as a whole database of this revision.

    Raises:
        SaysoError: newer revision, full disk, no permission.
    """
    notices: tuple[Notice, ...] = ()
    try:
        if file.is_dir():
            raise SaysoError(f"{file} is a folder, but the database belongs there. Move it away, then start again.")
        if not _is_empty(file) and (why := _what_is_wrong(file)) is not None:
            notices = (_set_aside(file, why),)
        if _is_empty(file):
            _create(file)
            return notices
        revision = _revision(file)
        if revision != REVISION:
            notices += _migrate(file, backups, revision)
    except (OSError, sqlite3.Error, DBAPIError) as error:
        raise SaysoError(
            f"{file} cannot be opened: {error}. Make its folder writable and make room on the disk, then start again.",
            details={"path": str(file), "reason": str(error)},
        ) from error
    return notices


def _is_empty(file: Path) -> bool:
    return not file.exists() or file.stat().st_size == 0


def _what_is_wrong(file: Path) -> str | None:
    """Why this file cannot be our database, or None. Raises sqlite3.OperationalError when that cannot be told."""
    with file.open("rb") as opened:
        if opened.read(len(_HEADER)) != _HEADER:
            return "it is not a SQLite database"
    # A log left behind means that the last host did not end in order: look at every page then.
    thorough = file.stat().st_size <= _ALWAYS_CHECKED or Path(f"{file}-wal").exists()
    connection = _connect(file)
    try:
        if thorough:
            answer = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            if answer != "ok":
                return str(answer).strip().splitlines()[-1]
        tables = {str(row[0]) for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        return None if "alembic_version" in tables else "Sayso did not make it"
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError as error:
        return str(error)
    finally:
        connection.close()


def _set_aside(file: Path, why: str) -> Notice:
    stamp = _stamp()
    kept = file.with_name(f"{file.name}.corrupt-{stamp}")
    for suffix in ("-wal", "-shm", ""):
        part = Path(f"{file}{suffix}")
        if part.exists():
            part.rename(f"{kept}{suffix}")
    return Notice(
        "database_set_aside",
        f"The database could not be read ({why}). It was kept as {kept}, and Sayso started with an empty one.",
        kept,
    )


def _revision(file: Path) -> str:
    connection = _connect(file)
    try:
        row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    finally:
        connection.close()
    return "" if row is None else str(row[0])


def _create(file: Path) -> None:
    """The newest schema at once; that it equals the migrated one is tested. One transaction, so a crash leaves none."""
    from actions.storage.engine import new_engine
    from actions.storage.schema import metadata

    os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
    engine = new_engine(file)
    try:
        with engine.begin() as connection:
            metadata.create_all(connection)
            connection.exec_driver_sql("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)")
            connection.exec_driver_sql("INSERT INTO alembic_version VALUES (?)", (REVISION,))
    finally:
        engine.dispose()


def _migrate(file: Path, backups: Path, revision: str) -> tuple[Notice, ...]:
    from actions.storage import migrations

    if revision not in migrations.known_revisions():
        raise SaysoError(
            f"{file} was written by a newer Sayso (revision {revision}; this one knows {REVISION}). It was left "
            "untouched. Install the newer Sayso again, or set SAYSO_HOME to another folder.",
            details={"path": str(file), "revision": revision, "known": REVISION},
        )
    copy = back_up(file, backups, revision)
    try:
        migrations.upgrade(file, REVISION)
    except DBAPIError as error:
        raise SaysoError(
            f"{file} could not be brought from revision {revision} to {REVISION} ({error.orig}); it is as it was, and "
            f"a copy is {copy}. Make room on the disk; if that is not it, report this with the sentence above.",
            details={"path": str(file), "revision": revision, "backup": str(copy)},
        ) from error
    return (
        Notice(
            "database_migrated",
            f"The database was brought from revision {revision} to {REVISION}. A copy of the old one is {copy}.",
            copy,
        ),
    )


def back_up(file: Path, backups: Path, revision: str) -> Path:
    """Copy ``file`` with all that is committed into ``backups``; the newest :data:`KEPT_BACKUPS` stay there."""
    backups.mkdir(mode=0o700, parents=True, exist_ok=True)
    copy = backups / f"{file.stem}-{revision}-{_stamp()}{file.suffix}"
    half = copy.with_suffix(".part")
    half.unlink(missing_ok=True)
    connection = _connect(file)
    try:
        connection.execute("VACUUM INTO ?", (str(half),))
    except sqlite3.Error:
        half.unlink(missing_ok=True)
        raise
    finally:
        connection.close()
    half.chmod(0o600)
    half.replace(copy)
    for old in sorted(backups.glob(f"{file.stem}-*{file.suffix}"), key=lambda f: f.stat().st_mtime_ns)[:-KEPT_BACKUPS]:
        old.unlink()
    return copy


def _connect(file: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("PRAGMA busy_timeout=5000")
    return connection


def _stamp() -> str:
    return datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")
