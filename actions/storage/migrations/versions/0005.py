"""Git worktrees that sessions work in, and workspaces that were taken off the list but are still a session's."""

from __future__ import annotations

from alembic import op

revision = "0005"
down_revision = "0004"

_STATEMENTS = (
    "ALTER TABLE workspaces ADD COLUMN removed_at INTEGER",
    """
    CREATE TABLE worktrees (
        id VARCHAR NOT NULL,
        path VARCHAR NOT NULL,
        repository VARCHAR NOT NULL,
        workspace_id VARCHAR,
        branch VARCHAR NOT NULL,
        base VARCHAR,
        base_commit VARCHAR NOT NULL,
        state VARCHAR NOT NULL,
        reason TEXT,
        detail JSON,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        PRIMARY KEY (id),
        UNIQUE (path),
        FOREIGN KEY(workspace_id) REFERENCES workspaces (id)
    )
    """,
    "CREATE INDEX worktrees_by_repository ON worktrees (repository, state)",
)


def upgrade() -> None:
    for statement in _STATEMENTS:
        op.execute(statement)
