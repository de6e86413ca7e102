"""What a person agreed to of MCP servers: what a workspace may run, and the tools as they were seen."""

from __future__ import annotations

from alembic import op

revision = "0006"
down_revision = "0005"

_STATEMENTS = (
    """
    CREATE TABLE mcp_consents (
        workspace VARCHAR NOT NULL,
        server VARCHAR NOT NULL,
        hash VARCHAR NOT NULL,
        content JSON NOT NULL,
        environment JSON NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (workspace, server)
    )
    """,
    """
    CREATE TABLE mcp_pins (
        place VARCHAR NOT NULL,
        server VARCHAR NOT NULL,
        tool VARCHAR NOT NULL,
        hash VARCHAR NOT NULL,
        definition JSON NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (place, server, tool)
    )
    """,
)


def upgrade() -> None:
    for statement in _STATEMENTS:
        op.execute(statement)
