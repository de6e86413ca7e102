"""Alembic's revisions, driven from here; there is no ini file. Going back is not offered: restore a backup instead.

A new revision: change ``schema.py`` and its ``REVISION``, add ``versions/000N.py``, add a dump of a populated database
of the revision before to ``tests/fixtures/databases``.
"""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parent


def known_revisions() -> frozenset[str]:
    """Every revision that this Sayso can read."""
    return frozenset(file.stem for file in (_FOLDER / "versions").glob("[0-9]*.py"))


def upgrade(file: Path, revision: str) -> None:
    """Bring ``file`` to ``revision`` in one transaction. Alembic is imported here, when it is needed, and only then."""
    from alembic import command
    from alembic.config import Config

    from actions.storage.engine import BEGIN_OPTION, new_engine

    config = Config()
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    engine = new_engine(file)
    try:
        with engine.connect() as plain, plain.execution_options(**{BEGIN_OPTION: "BEGIN IMMEDIATE"}).begin():
            config.attributes["connection"] = plain
            command.upgrade(config, revision)
    finally:
        engine.dispose()
