"""Numbered changes of the database schema, applied in order."""

from shop.database import connect, create_schema

MIGRATIONS = [
    "ALTER TABLE product ADD COLUMN organic INTEGER DEFAULT 0",
    # FIXME: fails when it runs twice, SQLite has no IF NOT EXISTS for columns
    "ALTER TABLE purchase ADD COLUMN note TEXT",
]


def migrate():
    connection = connect()
    create_schema(connection)
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    for number, statement in enumerate(MIGRATIONS[version:], start=version + 1):
        connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {number}")
    connection.commit()
