"""The agent's own record of a session that is deleted: an agent that offers to forget it is asked to."""

from __future__ import annotations

import logging
from pathlib import Path

from actions.errors import SaysoError
from actions.sessions.conversation import can_delete
from actions.sessions.hosting import Hosted
from actions.sessions.launcher import Launcher
from actions.sessions.link import Ears
from actions.sessions.providers import ProviderService
from actions.sessions.vault import EnvironmentVault

_log = logging.getLogger(__name__)


class AgentMemory:
    """Has agents forget (ACP 1, session/delete). For sessions whose agent has ended: it is started for this alone."""

    def __init__(self, launcher: Launcher, providers: ProviderService, vault: EnvironmentVault) -> None:
        self._launcher = launcher
        self._providers = providers
        self._vault = vault

    async def forget(self, hosted: Hosted) -> bool:
        """Whether the agent deleted its record. One that cannot be asked keeps it; ours is deleted all the same."""
        record, facts = hosted.record, hosted.facts
        if record.agent_session_id is None or not can_delete(facts.get("capabilities") or {}):
            return False
        deaf = Ears(lambda incoming: None, lambda: None, lambda: None)
        try:
            provider = await self._providers.require(record.provider)
            environment = await self._vault.of(record.id) if facts.get("environment") else {}
            link = await self._launcher.connect(
                provider, Path(record.workspace), session_id=record.id, ears=deaf, environment=environment
            )
            try:
                await link.connection.delete_session(record.agent_session_id)
            finally:
                await self._launcher.end(link, "deleted")
        except (SaysoError, OSError) as error:
            _log.warning("the agent of session %s did not delete its record: %s", record.id, error)
            return False
        return True
