"""The full-text index over transcripts."""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"

# Written out, not taken from the schema module: that one moves on, a revision never changes.
_STATEMENTS = (
    """
    CREATE TABLE transcript_items (
        id INTEGER NOT NULL,
        session_id VARCHAR NOT NULL,
        seq INTEGER NOT NULL,
        item_id VARCHAR,
        kind VARCHAR NOT NULL,
        turn INTEGER NOT NULL,
        at INTEGER NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (id),
        FOREIGN KEY(session_id) REFERENCES sessions (id) ON DELETE CASCADE
    )
    """,
    """
    CREATE INDEX transcript_items_by_session ON transcript_items (session_id, seq)
    """,
    """
    CREATE TABLE transcript_indexed (
        session_id VARCHAR NOT NULL,
        seq INTEGER NOT NULL,
        PRIMARY KEY (session_id),
        FOREIGN KEY(session_id) REFERENCES sessions (id) ON DELETE CASCADE
    )
    """,
    """
    CREATE VIRTUAL TABLE transcript_words USING fts5 (
        words, pairs, content='', tokenize='unicode61 remove_diacritics 2', prefix='2 3 4'
    )
    """,
)


def upgrade() -> None:
    for statement in _STATEMENTS:
        op.execute(statement)
