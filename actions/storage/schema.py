"""The tables of ``sayso.db`` in SQLAlchemy Core.

Times are integers: UTC, milliseconds. Ids are the strings of :mod:`actions.storage.ids`. States are the values of the
enums of the package that owns the row. A change here needs a migration in ``migrations/versions`` and a new
:data:`REVISION`; a test compares the two.
"""

from __future__ import annotations

from sqlalchemy import (
    DDL,
    JSON,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    event,
    text,
)

REVISION = "0006"
"""The revision that this code reads and writes; the newest file in ``migrations/versions``."""

metadata = MetaData()


def _json(name: str, *, nullable: bool = True) -> Column[object]:
    return Column(name, JSON(none_as_null=True), nullable=nullable)


def _flag(name: str) -> Column[bool]:
    return Column(name, Boolean(create_constraint=False), nullable=False, server_default=text("0"))


workspaces = Table(
    "workspaces",
    metadata,
    Column("id", String, primary_key=True),
    Column("path", String, nullable=False, unique=True),
    Column("name", String, nullable=False),
    _flag("trusted"),
    Column("added_at", Integer, nullable=False),
    Column("removed_at", Integer),
)

worktrees = Table(
    "worktrees",
    metadata,
    Column("id", String, primary_key=True),
    Column("path", String, nullable=False, unique=True),
    Column("repository", String, nullable=False),
    Column("workspace_id", String, ForeignKey("workspaces.id")),
    Column("branch", String, nullable=False),
    Column("base", String),
    Column("base_commit", String, nullable=False),
    Column("state", String, nullable=False),
    Column("reason", Text),
    _json("detail"),
    Column("created_at", Integer, nullable=False),
    Column("updated_at", Integer, nullable=False),
    Index("worktrees_by_repository", "repository", "state"),
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", String, primary_key=True),
    Column("provider", String, nullable=False),
    Column("workspace_id", String, ForeignKey("workspaces.id")),
    Column("title", String, nullable=False, server_default=text("''")),
    Column("state", String, nullable=False),
    Column("mode", String),
    Column("model", String),
    Column("parent_session_id", String),
    Column("root_session_id", String),
    Column("run_id", String),
    Column("kind", String, nullable=False, server_default=text("'user'")),
    Column("agent_session_id", String),
    Column("archived_at", Integer),
    _flag("pinned"),
    _flag("unread"),
    Column("created_at", Integer, nullable=False),
    Column("updated_at", Integer, nullable=False),
    Column("last_activity_at", Integer, nullable=False),
    _json("end_reason"),
    _json("modes"),
    _json("detail"),
    Index("sessions_by_activity", "archived_at", "last_activity_at"),
    Index("sessions_by_root", "root_session_id"),
    Index("sessions_by_workspace", "workspace_id", "last_activity_at"),
    Index("sessions_by_state", "state"),
)

transcript_events = Table(
    "transcript_events",
    metadata,
    Column("session_id", String, ForeignKey("sessions.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("kind", String, nullable=False),
    Column("item_id", String),
    Column("turn", Integer),
    _json("payload", nullable=False),
    Column("created_at", Integer, nullable=False),
    Index("transcript_events_by_item", "session_id", "item_id"),
)

processes = Table(
    "processes",
    metadata,
    Column("id", String, primary_key=True),
    Column("pid", Integer, nullable=False),
    Column("start_time", Integer, nullable=False),
    Column("pgid", Integer),
    Column("session_id", String),
    _json("argv", nullable=False),
    Column("purpose", String, nullable=False),
    Column("started_at", Integer, nullable=False),
    Column("ended_at", Integer),
    Column("end_reason", String),
    Index("processes_alive", "pid", sqlite_where=text("ended_at IS NULL")),
    Index("processes_by_session", "session_id"),
)

approvals = Table(
    "approvals",
    metadata,
    Column("id", String, primary_key=True),
    Column("status", String, nullable=False),
    Column("action_id", String, nullable=False),
    Column("spec_hash", String, nullable=False),
    Column("input", Text, nullable=False),  # canonical JSON text: what was shown is byte for byte what runs
    Column("summary", Text, nullable=False),
    _json("fields", nullable=False),
    Column("surface", String, nullable=False),
    _json("caller", nullable=False),
    _json("origin"),
    _json("staleness"),
    Column("session_id", String),
    Column("root_session_id", String),
    Column("created_at", Integer, nullable=False),
    Column("updated_at", Integer, nullable=False),
    Column("deferred_until", Integer),
    Column("expires_at", Integer),
    _json("decision"),
    _json("execution"),
    Column("idempotency_key", String),
    Column("version", Integer, nullable=False),
    Index("approvals_by_status", "status", "created_at"),
    Index("approvals_by_session", "session_id", "status"),
    Index("approvals_by_root", "root_session_id", "status"),
    Index("approvals_by_time", "created_at"),
)

user_requests = Table(
    "user_requests",
    metadata,
    Column("id", String, primary_key=True),
    Column("kind", String, nullable=False),
    Column("session_id", String),
    Column("root_session_id", String),
    Column("summary", Text, nullable=False),
    _json("fields"),
    _json("options"),
    _json("tool_call"),
    Column("state", String, nullable=False),
    _json("answer"),
    Column("created_at", Integer, nullable=False),
    Column("decided_at", Integer),
    _json("asked"),  # after the others, where the revision that added it puts it
    Index("user_requests_by_state", "state", "created_at"),
    Index("user_requests_by_session", "session_id", "state"),
    Index("user_requests_by_root", "root_session_id", "state"),
)

runs = Table(
    "runs",
    metadata,
    Column("id", String, primary_key=True),
    Column("kind", String, nullable=False),
    Column("provider", String, nullable=False),
    Column("state", String, nullable=False),
    Column("host_session_id", String),
    Column("session_id", String),
    Column("workspace_id", String, ForeignKey("workspaces.id")),
    Column("instructions", Text, nullable=False, server_default=text("''")),
    _json("scope"),
    _json("options"),
    _json("result"),
    _json("error"),
    _flag("retryable"),
    Column("created_at", Integer, nullable=False),
    Column("started_at", Integer),
    Column("ended_at", Integer),
    Index("runs_by_state", "state", "created_at"),
    Index("runs_by_host_session", "host_session_id", "created_at"),
    Index("runs_by_session", "session_id"),
    Index("runs_by_time", "created_at"),
)

audit = Table(
    "audit",
    metadata,
    Column("id", String, primary_key=True),
    Column("at", Integer, nullable=False),
    Column("action_id", String, nullable=False),
    Column("surface", String, nullable=False),
    _json("caller", nullable=False),
    Column("input_hash", String),
    Column("outcome", String, nullable=False),
    Column("code", String),
    Column("approval_id", String),
    Column("session_id", String),
    Column("ms", Integer, nullable=False),
    Index("audit_by_time", "at"),
    Index("audit_by_action", "action_id", "at"),
)

meta = Table(
    "meta",
    metadata,
    Column("key", String, primary_key=True),
    _json("value"),
)

approval_rules = Table(
    "approval_rules",
    metadata,
    Column("id", String, primary_key=True),
    Column("action_id", String, nullable=False),
    Column("scope", String, nullable=False),
    Column("session_id", String),
    Column("surface", String, nullable=False),
    _json("match"),
    Column("created_at", Integer, nullable=False),
    _json("created_by", nullable=False),
    Column("revoked_at", Integer),
    Index("approval_rules_in_force", "action_id", sqlite_where=text("revoked_at IS NULL")),
)

idempotency = Table(
    "idempotency",
    metadata,
    Column("key", String, primary_key=True),
    Column("action_id", String, nullable=False),
    Column("input_hash", String, nullable=False),
    _json("outcome"),
    Column("at", Integer, nullable=False),
    Index("idempotency_by_time", "at"),
)

mcp_consents = Table(
    "mcp_consents",
    metadata,
    Column("workspace", String, primary_key=True),
    Column("server", String, primary_key=True),
    Column("hash", String, nullable=False),
    _json("content", nullable=False),
    _json("environment", nullable=False),
    Column("at", Integer, nullable=False),
)

mcp_pins = Table(
    "mcp_pins",
    metadata,
    Column("place", String, primary_key=True),
    Column("server", String, primary_key=True),
    Column("tool", String, primary_key=True),
    Column("hash", String, nullable=False),
    _json("definition", nullable=False),
    Column("at", Integer, nullable=False),
)

transcript_items = Table(
    "transcript_items",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("session_id", String, ForeignKey("sessions.id", ondelete="CASCADE"), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("item_id", String),
    Column("kind", String, nullable=False),
    Column("turn", Integer, nullable=False),
    Column("at", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Index("transcript_items_by_session", "session_id", "seq"),
)

transcript_indexed = Table(
    "transcript_indexed",
    metadata,
    Column("session_id", String, ForeignKey("sessions.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", Integer, nullable=False),
)

# The words of transcript_items by its id. SQLAlchemy has no words for virtual tables.
event.listen(
    metadata,
    "after_create",
    DDL(
        "CREATE VIRTUAL TABLE transcript_words USING fts5 "
        "(words, pairs, content='', tokenize='unicode61 remove_diacritics 2', prefix='2 3 4')"
    ),
)
