"""The environment that a session's agent was started with, kept for its next start: among the secrets, for it may hold
keys. The session's row holds the names alone.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping

from actions.errors import SaysoError
from actions.storage.secrets import Secret, SecretStore


class EnvironmentVault:
    """Variables by session. ``store`` opens the home's secrets; it may block and is called in a thread."""

    def __init__(self, store: Callable[[], SecretStore]) -> None:
        self._store = store

    async def keep(self, session_id: str, environment: Mapping[str, str]) -> None:
        """Store the variables of a session. Raises SaysoError when the secrets cannot be written."""
        value = Secret(json.dumps(dict(environment)))
        await asyncio.to_thread(lambda: self._store().set(_name(session_id), value))

    async def of(self, session_id: str) -> dict[str, str]:
        """The variables of a session. Raises SaysoError when they cannot be read: the agent would miss them."""
        found = await asyncio.to_thread(lambda: self._store().get(_name(session_id)))
        if found is None:
            raise SaysoError(
                "The environment that this session was started with is not among the secrets any more. Start a new "
                "session with it."
            )
        environment: dict[str, str] = json.loads(found.reveal())
        return environment

    async def forget(self, session_id: str) -> None:
        """Take the variables of a session out of the secrets."""
        await asyncio.to_thread(lambda: self._store().delete(_name(session_id)))


def _name(session_id: str) -> str:
    return f"session.{session_id}.environment"
