"""Run by Alembic, on the connection and in the transaction that :func:`actions.storage.migrations.upgrade` opened."""

from __future__ import annotations

from alembic import context

context.configure(connection=context.config.attributes["connection"], transactional_ddl=True)
context.run_migrations()
