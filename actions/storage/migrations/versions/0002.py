"""Rules that answer approvals in advance, and recorded outcomes of repeated calls."""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"

# Written out, not taken from the schema module: that one moves on, a revision never changes.
_STATEMENTS = (
    """
    CREATE TABLE approval_rules (
        id VARCHAR NOT NULL,
        action_id VARCHAR NOT NULL,
        scope VARCHAR NOT NULL,
        session_id VARCHAR,
        surface VARCHAR NOT NULL,
        "match" JSON,
        created_at INTEGER NOT NULL,
        created_by JSON NOT NULL,
        revoked_at INTEGER,
        PRIMARY KEY (id)
    )
    """,
    """
    CREATE INDEX approval_rules_in_force ON approval_rules (action_id) WHERE revoked_at IS NULL
    """,
    """
    CREATE TABLE idempotency (
        "key" VARCHAR NOT NULL,
        action_id VARCHAR NOT NULL,
        input_hash VARCHAR NOT NULL,
        outcome JSON,
        at INTEGER NOT NULL,
        PRIMARY KEY ("key")
    )
    """,
    """
    CREATE INDEX idempotency_by_time ON idempotency (at)
    """,
)


def upgrade() -> None:
    for statement in _STATEMENTS:
        op.execute(statement)
