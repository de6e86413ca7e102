"""How the services of this room are put together, for the host and for tests."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from actions.sessions.actor import CANCEL_WAIT
from actions.sessions.connection import START_TIMEOUT
from actions.sessions.detection import Detection
from actions.sessions.launcher import Launcher, McpServers
from actions.sessions.ledger import ProcessLedger
from actions.sessions.providers import BUILTIN, ProviderService
from actions.sessions.registry import ProviderFile
from actions.sessions.service import SessionService
from actions.sessions.workspaces import WorkspaceService
from actions.storage.database import Database
from actions.storage.paths import Paths


@dataclass(frozen=True, slots=True)
class SessionRoom:
    """The services; call ``sessions.reconcile()`` before the first start and ``sessions.close()`` at the end."""

    sessions: SessionService
    providers: ProviderService
    workspaces: WorkspaceService


def build_sessions(
    database: Database,
    paths: Paths,
    *,
    publish: Callable[[str, dict[str, Any]], None],
    secret: Callable[[str], Awaitable[str]],
    session_env: Callable[[str], Mapping[str, str]],
    default_provider: Callable[[], str] = lambda: BUILTIN,
    mcp_servers: McpServers | None = None,
    start_timeout: float = START_TIMEOUT,
    cancel_wait: float = CANCEL_WAIT,
) -> SessionRoom:
    """Build the services of one home.

    ``secret(name)`` gives a stored secret or raises SaysoError; ``session_env(session id)`` gives what the agent needs
    to reach the host (``SAYSO_TOKEN``, ``SAYSO_ENDPOINT``); ``mcp_servers`` gives what goes into session/new.
    """
    detection = Detection()
    ledger = ProcessLedger(database)
    launcher = Launcher(
        ledger,
        logs=paths.logs / "agents",
        search_path=detection.search_path,
        secret=secret,
        session_env=session_env,
        mcp_servers=mcp_servers,
        start_timeout=start_timeout,
    )
    providers = ProviderService(ProviderFile(paths.providers_file), detection, launcher, default_provider)
    workspaces = WorkspaceService(database, publish)
    sessions = SessionService(
        database,
        providers=providers,
        workspaces=workspaces,
        launcher=launcher,
        ledger=ledger,
        publish=publish,
        cancel_wait=cancel_wait,
    )
    return SessionRoom(sessions, providers, workspaces)
