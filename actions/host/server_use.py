"""The user's servers in use, put together for a home: what sessions get, and the connections that the host keeps."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from actions.catalog.registry import Catalog
from actions.catalog.server_views import FoundServer
from actions.delivery.desk import ToolDesk
from actions.delivery.servers.logins import Logins
from actions.delivery.servers.preview import Preview
from actions.delivery.servers.service import ServerUse
from actions.delivery.servers.sessions import SessionFacts, SessionServers
from actions.delivery.servers.trusting import Trusting
from actions.policy.settings import PolicySettings
from actions.servers.definitions import ServerBook, StoredServer
from actions.servers.offer.connections import Connections
from actions.servers.offer.resolver import Resolver, untrusted
from actions.servers.offer.selection import Selection
from actions.servers.pool.definition import Http, ServerDefinition
from actions.servers.pool.eras import Eras
from actions.servers.pool.login_name import login_name
from actions.servers.pool.starts import Starts
from actions.servers.pool.states import ServerRow, State
from actions.servers.pool.surroundings import Surroundings
from actions.servers.trust.consents import Consents
from actions.servers.trust.pins import Pins
from actions.sessions.events import Kind
from actions.sessions.providers import ProviderService
from actions.sessions.records import LIVE_STATES
from actions.sessions.service import SessionService
from actions.storage.database import Database
from actions.storage.paths import Paths
from actions.storage.secrets import Secret, open_secret_store

_SETTLED = (State.CONNECTED, State.FAILED, State.UNAUTHORIZED)
_LIVE = frozenset(state.value for state in LIVE_STATES)


@dataclass(frozen=True)
class Told:
    """Who hears of what changed: ``publish`` every client, ``relisted`` those who list the tools of a session."""

    publish: Callable[[str, dict[str, Any]], None]
    relisted: Callable[[], None]


@dataclass(frozen=True)
class ServerParts:
    """``use`` for actions, ``sessions`` for the agents' endpoint and their starts."""

    use: ServerUse
    sessions: SessionServers
    resolver: Resolver

    async def may_run(self, server: StoredServer, workspace: Path | None) -> str | None:
        """Why a server may not be started in a workspace, or None."""
        found = {one.name: one for one in await self.resolver.resolve(workspace)}
        offered = found.get(server.name)
        if offered is None or offered.verdict is None or offered.verdict.runs:
            return None
        return untrusted(offered.verdict)[1]

    def heard(self, type: str, data: Mapping[str, Any]) -> str | None:
        """An event of the host: a session whose agent has ended, which is told, holds no connection any more."""
        if type == "transcript_did_append":
            for event in data["events"]:
                if event["kind"] == Kind.TOOL_CALL and (title := event["data"].get("title")):
                    self.sessions.shown(str(data["session_id"]), str(title))
        session: Mapping[str, Any] = data.get("session") or {}
        if type != "session_did_change" or session.get("state") in _LIVE:
            return None
        session_id = str(data.get("session_id"))
        self.sessions.ended(session_id)
        return session_id


def build(
    paths: Paths,
    database: Database,
    catalog: Catalog,
    policy: Callable[[], PolicySettings],
    desk: ToolDesk,
    book: ServerBook,
    providers: ProviderService,
    sessions: SessionService,
    search_path: Callable[[], Awaitable[str]],
    kept: Callable[[], Mapping[str, str]],
    told: Told,
    version: str,
    of_program: Callable[[str, Path], Awaitable[list[FoundServer]]],
    strict: Callable[[], bool],
) -> ServerParts:
    """Everything; nothing is started before it is asked for."""

    def secret(name: str) -> Secret | None:
        return open_secret_store(paths).get(name)

    starts = Starts()

    async def surroundings(workspace: Path | None) -> Surroundings:
        return Surroundings(
            {**os.environ, "PATH": await search_path(), **kept()},
            secrets=secret,
            tokens=lambda: open_secret_store(paths),
            cwd=workspace,
            logs=paths.logs / "mcp",
            roots=() if workspace is None else (workspace,),
            client=("sayso", version),
            eras=Eras(paths.state / "mcp-eras.json"),
            starts=starts,
        )

    async def has_login(definition: ServerDefinition) -> bool:
        if not isinstance(definition.transport, Http):
            return False
        name = login_name(definition.name, definition.transport.url)
        return await asyncio.to_thread(lambda: secret(name) is not None)

    def changed(workspace: Path | None, row: ServerRow) -> None:
        where = None if workspace is None else str(workspace)
        told.publish("mcp_did_change", {"workspace": where, "server": row.name, "state": row.state.value})
        if row.state in _SETTLED:
            told.relisted()

    def decided(place: str) -> None:
        told.publish("mcp_did_change", {"workspace": place, "server": None, "state": None})

    async def facts_of(session_id: str) -> SessionFacts:
        session = await sessions.get(session_id)
        selection = Selection.of_json(await sessions.mcp_selection(session_id))
        return SessionFacts(session.provider, Path(session.workspace), selection)

    def tools_changed(session_id: str) -> None:
        told.publish("session_tools_did_change", {"session_id": session_id})
        sessions.tools_changed(session_id)

    consents, pins = Consents(database), Pins(database)
    resolver = Resolver(book, consents, lambda: os.environ, search_path)
    connections = Connections(surroundings, pins, changed)
    preview = Preview(catalog, policy, desk, book, resolver, connections, providers, has_login, of_program)
    served = SessionServers(
        facts_of,
        providers,
        preview,
        connections,
        secret,
        search_path,
        tools_changed,
        strict,
    )
    use = ServerUse(resolver, connections, pins, Trusting(resolver, consents, decided), preview, served, Logins())
    return ServerParts(use, served, resolver)
