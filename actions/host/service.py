"""The host: every service of a home, built once, started in order and ended in the reverse."""

from __future__ import annotations

import asyncio
import logging
import os
import uuid
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from starlette.requests import Request

from actions.catalog.ports import Ports
from actions.catalog.registry import load
from actions.delivery.desk import Seat, ToolDesk
from actions.delivery.endpoint import claim_of, local_app, token_of
from actions.delivery.events import EventHub
from actions.delivery.guidance import bridge_appendix
from actions.delivery.mcp.gateway import Gateway
from actions.delivery.mcp.local import local_routes
from actions.delivery.notifier import Notifier
from actions.delivery.peers import become_subreaper
from actions.delivery.results import ResultFiles
from actions.delivery.server import LocalServer, peer_of
from actions.delivery.sources import ToolSources
from actions.delivery.window_tools import WindowTools
from actions.delivery.windows import Windows
from actions.errors import SaysoError
from actions.execution.approval import Status
from actions.execution.approvals import Approvals
from actions.execution.directory import Directory
from actions.execution.door import Door
from actions.execution.inbox import Inbox
from actions.execution.judge import Judge
from actions.execution.port import ApprovalsForHandlers
from actions.host import server_use
from actions.host.calls import HostCalls, HostFacts
from actions.host.life import Life
from actions.host.policy_file import PolicyFile
from actions.host.preferences import Preferences
from actions.host.references import References
from actions.host.seats import Seats
from actions.host.telling import SETTING_OF, worth_telling
from actions.host.tokens import SessionTokens
from actions.keeper import Keeper
from actions.policy.presence import Peer
from actions.runs.service import RunService
from actions.servers.files.book import Book
from actions.servers.service import ServersService
from actions.sessions.detection import Detection
from actions.sessions.launcher import Launcher
from actions.sessions.ledger import ProcessLedger
from actions.sessions.providers import ProviderService, advice_on, refusal_on
from actions.sessions.registry import ProviderFile
from actions.sessions.service import SessionService
from actions.sessions.tool_delivery import ToolDelivery
from actions.sessions.vault import EnvironmentVault
from actions.sessions.workspaces import WorkspaceService
from actions.sessions.worktrees.book import WorktreeBook
from actions.sessions.worktrees.service import WorktreeService, WorktreeSettings
from actions.storage.database import Database
from actions.storage.declarations import (
    DELEGATION,
    HOST_IDLE_SECONDS,
    PROVIDER_DEFAULT,
    STRICT_SERVERS,
    VOICE_APPROVALS,
    WORKTREE_PLACE,
    WORKTREE_PREFIX,
)
from actions.storage.lock import HomeLock
from actions.storage.paths import Paths
from actions.storage.secrets import open_secret_store
from actions.storage.settings import SettingsFile

_log = logging.getLogger(__name__)

KEPT = "SAYSO_KEPT"
"""The variable that all carry which a host has to take with it: agents, MCP servers and what those start."""


class Host:
    """One home's host. ``start`` it, wait for ``ended``, then ``close`` it; or use it as an async context.

    With ``linger`` it ends when nobody has needed it for as long as the settings say.
    """

    def __init__(self, paths: Paths, *, linger: bool = False) -> None:
        self.paths = paths
        self.hub = EventHub()
        self.catalog = load()
        settings_file = SettingsFile(paths.settings_file)
        self.policy = PolicyFile(settings_file, self.catalog.specs, self._policy_changed)
        self.windows = Windows(self.hub)
        self.tokens = SessionTokens()
        self.database = Database(paths.database_file, paths.backups)
        self._lock = HomeLock(paths.lock_file, paths.data)
        self._mark = uuid.uuid4().hex
        self._keeper = Keeper(KEPT, self._mark)
        judge = Judge(self.policy.current, lambda: self.policy.settings().get(VOICE_APPROVALS))
        self.ledger = ProcessLedger(self.database)
        detection = Detection()
        launcher = Launcher(
            self.ledger,
            logs=paths.logs,
            search_path=detection.search_path,
            secret=self._secret,
            session_env=self._session_env,
            mcp_servers=self._user_servers,
            tools=ToolDelivery(
                lambda: self.gateway,
                lambda: bridge_appendix(self.policy.settings().get(DELEGATION)),
                self._session_env,
            ),
            trusted=self._trusted,
            advice=lambda provider: advice_on(detection, provider),
            refusal=lambda provider: refusal_on(detection, provider),
            client_tools=WindowTools(self.windows, lambda session_id: self.sessions.get(session_id)),
        )
        self.providers = ProviderService(
            ProviderFile(paths.providers_file),
            detection,
            launcher,
            default=lambda: self.policy.settings().get(PROVIDER_DEFAULT),
        )
        self.workspaces = WorkspaceService(self.database, self._publish)
        book = WorktreeBook(self.database)
        self.worktrees = WorktreeService(
            book, self.workspaces, paths.data / "worktrees", self._worktree_settings, self._publish
        )
        self.sessions = SessionService(
            self.database,
            providers=self.providers,
            workspaces=self.workspaces,
            launcher=launcher,
            ledger=self.ledger,
            vault=EnvironmentVault(lambda: open_secret_store(paths)),
            logs=paths.logs,
            publish=self._publish,
            shown=self.windows.shows,
            worktree_of=book.of_session,
            tools_of=lambda session_id: self.server_use.sessions.report(session_id),
        )
        server_book = Book(paths.mcp_file, lambda: os.environ)
        self.servers = ServersService(
            server_book,
            may_run=lambda server, workspace: self.server_use.may_run(server, workspace),
            environ=lambda: {**os.environ, **self._kept()},
            secrets=lambda: open_secret_store(paths),
            publish=self.hub.publish,
        )
        self.runs = RunService(
            self.database,
            sessions=self.sessions,
            providers=self.providers,
            workspaces=self.workspaces,
            publish=self._run_event,
        )
        self.approvals = Approvals(self.database, self.catalog, judge, self._ports, self._approval_changed)
        self.notifier = Notifier(
            self.hub.publish,
            self.sessions.get,
            worth_telling(self.approvals, self.catalog),
            lambda kind: self.policy.settings().get(SETTING_OF[kind]),
            lambda session_id: self.windows.shows(session_id, focused=True),
        )
        self.inbox = Inbox(self.database, self.approvals, self.catalog)
        self.directory = Directory(self.catalog, self.policy)
        self.door = Door(self.catalog, judge, self.database, self.approvals, self._ports)
        desk = ToolDesk(
            self.catalog,
            self.policy.current,
            self.door,
            lambda: self.policy.settings().get(DELEGATION),
            lambda: self.server_use.sessions,
        )
        self.server_use = server_use.build(
            paths,
            self.database,
            self.catalog,
            self.policy.current,
            desk,
            server_book,
            self.providers,
            self.sessions,
            detection.search_path,
            self._kept,
            server_use.Told(self.hub.publish, lambda: self.gateway.tools_changed()),
            _version(),
            self.servers.of_program,
            lambda: self.policy.settings().get(STRICT_SERVERS),
        )
        seats = Seats(os.getpid(), self._session_of, self.sessions, lambda: self._all_ports.references)
        self.gateway = Gateway(
            desk,
            self.tokens,
            seats.of_session,
            ResultFiles(paths.state / "results"),
            version=_version(),
            seen=self.server_use.sessions.seen,
        )
        for_handlers = ApprovalsForHandlers(self.approvals, self.catalog, judge)
        self._all_ports = Ports(
            sessions=self.sessions,
            care=self.sessions.care,
            runs=self.runs,
            workspaces=self.workspaces,
            worktrees=self.worktrees,
            servers=self.servers,
            server_use=self.server_use.use,
            providers=self.providers,
            approvals=for_handlers,
            inbox=self.inbox,
            directory=self.directory,
            preferences=Preferences(settings_file, self.policy, self.hub.publish),
            references=References(self.sessions, self.sessions.care, self.runs, self.workspaces, for_handlers),
            window=self.windows,
        )
        self.life = Life(self._busy, lambda: self.policy.settings().get(HOST_IDLE_SECONDS) if linger else None)
        facts = HostFacts(os.getpid(), _version(), self.hub.epoch, str(paths.data))
        calls = HostCalls(
            facts,
            self.door,
            self.directory,
            self.windows,
            self._session_of,
            self.status,
            self._asked_to_stop,
            self.sessions.care.seen,
            seats,
            ToolSources(desk, self.server_use.use),
        )

        async def seat_for(request: Request) -> Seat:
            claim = claim_of(request.query_params)
            return await seats.of_peer(
                peer_of(request), claim, token_of(request), request.query_params.get("workspace")
            )

        self._server = LocalServer(
            local_app(calls, self.hub, peer_of, self.life.touch, local_routes(self.gateway, seat_for)),
            paths.socket_file,
        )
        self._serving: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Take the home's lock, open the database, settle what the last host left, and serve.

        Raises SaysoError with the fix: the home is in use or cannot be written, the database is of a newer version.
        """
        self.paths.ensure()
        self._lock.acquire()
        try:
            become_subreaper()
            await self.database.open()
            await self.ledger.reconcile()
            await self.worktrees.reconcile()
            await self.sessions.reconcile()
            await self.runs.reconcile()
            await self.approvals.start()
            self.servers.start()
            self.notifier.start()
            try:
                self._serving = await self._server.start()
            except OSError as error:
                raise SaysoError(
                    f"The socket {self.paths.socket_file} cannot be made: {error.strerror or error}. "
                    "Set SAYSO_HOME to a folder on a local disk."
                ) from error
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """End every agent, record what was cut off, and give the home back. Harmless when it did not start."""
        self.hub.publish("host_will_stop", {})
        await self.notifier.close()
        await self.servers.close()
        await self.server_use.use.close()
        await self.sessions.close()
        await self.runs.close()
        await self.gateway.close()
        await self.door.close()
        await self.approvals.close()
        self.hub.close()
        if self._serving is not None:
            self._server.stop()
            await self._serving
            self._serving = None
        await self.database.close()
        await asyncio.to_thread(self._keeper.release)
        self._server.remove()
        self._lock.release()

    async def __aenter__(self) -> Host:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def status(self) -> dict[str, Any]:
        """What the host is doing, for ``host.status`` and the doctor."""
        settings = self.policy.settings()
        return {
            "pid": os.getpid(),
            "version": _version(),
            "uptime_ms": self.life.uptime_ms,
            "agents": self.sessions.active,
            "sessions_working": self.sessions.working,
            "clients": len(self.hub.subscribers),
            "problems": [problem.message for problem in settings.problems]
            + [notice.message for notice in self.database.notices],
        }

    def _worktree_settings(self) -> WorktreeSettings:
        settings = self.policy.settings()
        return WorktreeSettings(settings.get(WORKTREE_PLACE) == "beside", settings.get(WORKTREE_PREFIX))

    def _asked_to_stop(self) -> None:
        self.life.stop("a client asked it to")

    def _policy_changed(self) -> None:
        self.hub.publish("catalog_did_change", {})
        self.gateway.tools_changed()

    def _ports(self) -> Ports:
        return self._all_ports

    def _busy(self) -> bool:
        return bool(self.sessions.working or self.hub.subscribers or self.gateway.connected)

    def _session_of(self, peer: Peer, token: str | None) -> str | None:
        """By the agent that the process descends from; its token counts only where no such agent is known."""
        return self.ledger.session_of(peer.ancestors) or self.tokens.session_of(token)

    def _session_env(self, session_id: str) -> Mapping[str, str]:
        return {
            **self._kept(),
            "SAYSO_SESSION_ID": session_id,
            "SAYSO_TOKEN": self.tokens.issue(session_id),
            "SAYSO_ENDPOINT": f"unix:{self.paths.socket_file}",
        }

    def _kept(self) -> Mapping[str, str]:
        """What goes into the environment of all that must not outlive this host, however it ends."""
        try:
            self._keeper.start()
        except OSError as error:
            _log.warning("what runs would outlive this host if it were killed: %s", error)
        return {KEPT: self._mark}

    async def _user_servers(self, session_id: str, capabilities: Mapping[str, Any]) -> list[Any]:
        return await self.server_use.sessions.hand_over(session_id, capabilities)

    async def _trusted(self, folder: Path) -> bool:
        """A worktree is trusted as the workspace is that it was made from."""
        tree = self.worktrees.around(folder)
        reference = tree.workspace_id if tree is not None and tree.workspace_id else str(folder)
        known = await self.workspaces.known(reference)
        return known is not None and known.trusted

    async def _secret(self, name: str) -> str:
        found = await asyncio.to_thread(lambda: open_secret_store(self.paths).get(name))
        if found is None:
            raise SaysoError(f"There is no secret {name!r}. Store it first, or take it out of the provider's env.")
        return found.reveal()

    def _publish(self, type: str, data: dict[str, Any]) -> None:
        self.hub.publish(type, data)
        self.notifier.heard(type, data)
        if (ended := self.server_use.heard(type, data)) is not None:
            self.tokens.revoke(ended)

    def _approval_changed(self, approval_id: str, status: Status) -> None:
        self.hub.publish("inbox_did_change", {"id": approval_id, "status": status.value})
        if status is Status.OPEN:
            self.notifier.approval_opened(approval_id)
        else:
            self.notifier.approval_settled(approval_id)

    def _run_event(self, type: str, data: dict[str, Any]) -> None:
        self._publish(type, data)
        self.hub.publish("inbox_did_change", {})


def _version() -> str:
    try:
        return version("sayso")
    except PackageNotFoundError:
        return "0"
