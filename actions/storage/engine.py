"""How a connection to ``sayso.db`` is set up."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event

BEGIN_OPTION = "sayso_begin"
"""Execution option of a connection: the statement that starts its transactions."""

_BUSY_MS = 5000


def new_engine(file: Path) -> Engine:
    """An engine whose connections are durable (WAL, ``synchronous=FULL``) and hold foreign keys.

    The driver's own transaction handling is off: it commits before DDL, so that a migration could stop half way.
    """
    engine = create_engine(URL.create("sqlite", database=str(file)), pool_size=1, max_overflow=1)
    event.listen(engine, "connect", _set_up)
    event.listen(engine, "begin", _begin)
    return engine


def _set_up(connection: sqlite3.Connection, _record: Any) -> None:
    connection.isolation_level = None
    for pragma in (f"busy_timeout={_BUSY_MS}", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get(BEGIN_OPTION, "BEGIN"))
