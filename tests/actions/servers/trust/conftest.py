"""A real database, and a workspace with a server of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from actions.storage.database import Database


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    database = Database(tmp_path / "data" / "sayso.db", tmp_path / "backups")
    (tmp_path / "data").mkdir()
    await database.open()
    yield database
    await database.close()


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A workspace whose server is a script in it."""
    folder = tmp_path / "shop"
    (folder / "tools").mkdir(parents=True)
    (folder / "tools" / "server.py").write_text("print('one')\n")
    return folder
