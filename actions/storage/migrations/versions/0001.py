"""The first tables."""

from __future__ import annotations

from alembic import op

revision = "0001"
down_revision = None

# Written out, not taken from the schema module: that one moves on, a revision never changes.
_STATEMENTS = (
    """
    CREATE TABLE approvals (
        id VARCHAR NOT NULL,
        status VARCHAR NOT NULL,
        action_id VARCHAR NOT NULL,
        spec_hash VARCHAR NOT NULL,
        input TEXT NOT NULL,
        summary TEXT NOT NULL,
        fields JSON NOT NULL,
        surface VARCHAR NOT NULL,
        caller JSON NOT NULL,
        origin JSON,
        staleness JSON,
        session_id VARCHAR,
        root_session_id VARCHAR,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        deferred_until INTEGER,
        expires_at INTEGER,
        decision JSON,
        execution JSON,
        idempotency_key VARCHAR,
        version INTEGER NOT NULL,
        PRIMARY KEY (id)
    )
    """,
    """
    CREATE INDEX approvals_by_root ON approvals (root_session_id, status)
    """,
    """
    CREATE INDEX approvals_by_session ON approvals (session_id, status)
    """,
    """
    CREATE INDEX approvals_by_status ON approvals (status, created_at)
    """,
    """
    CREATE INDEX approvals_by_time ON approvals (created_at)
    """,
    """
    CREATE TABLE audit (
        id VARCHAR NOT NULL,
        at INTEGER NOT NULL,
        action_id VARCHAR NOT NULL,
        surface VARCHAR NOT NULL,
        caller JSON NOT NULL,
        input_hash VARCHAR,
        outcome VARCHAR NOT NULL,
        code VARCHAR,
        approval_id VARCHAR,
        session_id VARCHAR,
        ms INTEGER NOT NULL,
        PRIMARY KEY (id)
    )
    """,
    """
    CREATE INDEX audit_by_action ON audit (action_id, at)
    """,
    """
    CREATE INDEX audit_by_time ON audit (at)
    """,
    """
    CREATE TABLE meta (
        "key" VARCHAR NOT NULL,
        value JSON,
        PRIMARY KEY ("key")
    )
    """,
    """
    CREATE TABLE processes (
        id VARCHAR NOT NULL,
        pid INTEGER NOT NULL,
        start_time INTEGER NOT NULL,
        pgid INTEGER,
        session_id VARCHAR,
        argv JSON NOT NULL,
        purpose VARCHAR NOT NULL,
        started_at INTEGER NOT NULL,
        ended_at INTEGER,
        end_reason VARCHAR,
        PRIMARY KEY (id)
    )
    """,
    """
    CREATE INDEX processes_alive ON processes (pid) WHERE ended_at IS NULL
    """,
    """
    CREATE INDEX processes_by_session ON processes (session_id)
    """,
    """
    CREATE TABLE user_requests (
        id VARCHAR NOT NULL,
        kind VARCHAR NOT NULL,
        session_id VARCHAR,
        root_session_id VARCHAR,
        summary TEXT NOT NULL,
        fields JSON,
        options JSON,
        tool_call JSON,
        state VARCHAR NOT NULL,
        answer JSON,
        created_at INTEGER NOT NULL,
        decided_at INTEGER,
        PRIMARY KEY (id)
    )
    """,
    """
    CREATE INDEX user_requests_by_root ON user_requests (root_session_id, state)
    """,
    """
    CREATE INDEX user_requests_by_session ON user_requests (session_id, state)
    """,
    """
    CREATE INDEX user_requests_by_state ON user_requests (state, created_at)
    """,
    """
    CREATE TABLE workspaces (
        id VARCHAR NOT NULL,
        path VARCHAR NOT NULL,
        name VARCHAR NOT NULL,
        trusted BOOLEAN DEFAULT 0 NOT NULL,
        added_at INTEGER NOT NULL,
        PRIMARY KEY (id),
        UNIQUE (path)
    )
    """,
    """
    CREATE TABLE runs (
        id VARCHAR NOT NULL,
        kind VARCHAR NOT NULL,
        provider VARCHAR NOT NULL,
        state VARCHAR NOT NULL,
        host_session_id VARCHAR,
        session_id VARCHAR,
        workspace_id VARCHAR,
        instructions TEXT DEFAULT '' NOT NULL,
        scope JSON,
        options JSON,
        result JSON,
        error JSON,
        retryable BOOLEAN DEFAULT 0 NOT NULL,
        created_at INTEGER NOT NULL,
        started_at INTEGER,
        ended_at INTEGER,
        PRIMARY KEY (id),
        FOREIGN KEY(workspace_id) REFERENCES workspaces (id)
    )
    """,
    """
    CREATE INDEX runs_by_host_session ON runs (host_session_id, created_at)
    """,
    """
    CREATE INDEX runs_by_session ON runs (session_id)
    """,
    """
    CREATE INDEX runs_by_state ON runs (state, created_at)
    """,
    """
    CREATE INDEX runs_by_time ON runs (created_at)
    """,
    """
    CREATE TABLE sessions (
        id VARCHAR NOT NULL,
        provider VARCHAR NOT NULL,
        workspace_id VARCHAR,
        title VARCHAR DEFAULT '' NOT NULL,
        state VARCHAR NOT NULL,
        mode VARCHAR,
        model VARCHAR,
        parent_session_id VARCHAR,
        root_session_id VARCHAR,
        run_id VARCHAR,
        kind VARCHAR DEFAULT 'user' NOT NULL,
        agent_session_id VARCHAR,
        archived_at INTEGER,
        pinned BOOLEAN DEFAULT 0 NOT NULL,
        unread BOOLEAN DEFAULT 0 NOT NULL,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        last_activity_at INTEGER NOT NULL,
        end_reason JSON,
        modes JSON,
        detail JSON,
        PRIMARY KEY (id),
        FOREIGN KEY(workspace_id) REFERENCES workspaces (id)
    )
    """,
    """
    CREATE INDEX sessions_by_activity ON sessions (archived_at, last_activity_at)
    """,
    """
    CREATE INDEX sessions_by_root ON sessions (root_session_id)
    """,
    """
    CREATE INDEX sessions_by_state ON sessions (state)
    """,
    """
    CREATE INDEX sessions_by_workspace ON sessions (workspace_id, last_activity_at)
    """,
    """
    CREATE TABLE transcript_events (
        session_id VARCHAR NOT NULL,
        seq INTEGER NOT NULL,
        kind VARCHAR NOT NULL,
        item_id VARCHAR,
        turn INTEGER,
        payload JSON NOT NULL,
        created_at INTEGER NOT NULL,
        PRIMARY KEY (session_id, seq),
        FOREIGN KEY(session_id) REFERENCES sessions (id) ON DELETE CASCADE
    )
    """,
    """
    CREATE INDEX transcript_events_by_item ON transcript_events (session_id, item_id)
    """,
)


def upgrade() -> None:
    for statement in _STATEMENTS:
        op.execute(statement)
