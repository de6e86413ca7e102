"""What an agent asks of a person besides a permission: the form of a question, the text of a plan."""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.execute("ALTER TABLE user_requests ADD COLUMN asked JSON")
