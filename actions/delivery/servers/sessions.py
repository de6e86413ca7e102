"""What each running session was promised of the user's servers, handed over, and seen to have."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from actions.catalog.server_use_views import DeliveredServer, SessionTools
from actions.delivery.servers.handing import entry
from actions.delivery.servers.preview import Preview, Providers
from actions.delivery.servers.rows import OURS, through_name
from actions.delivery.servers.strict import CONNECT_S, require_all
from actions.errors import ErrorCode, NotFound, SaysoError
from actions.servers.offer.connections import Connections, Known
from actions.servers.offer.resolver import Offered
from actions.servers.offer.selection import Selection
from actions.servers.offer.ways import Ability, Way
from actions.servers.pool.definition import SecretSource
from actions.servers.pool.description import described
from actions.servers.pool.hidden import visible
from actions.servers.pool.states import ToolInfo
from actions.sessions.abilities import ability_of
from actions.sessions.mcp_names import tool_in
from actions.storage.ids import now_ms

LOOK_S = 3.0
"""Seconds that a start waits for servers to say what tools they have; who is late goes through Sayso."""
LIST_S = 3.0
"""Seconds that an agent's list of tools waits for servers that still connect."""


@dataclass(frozen=True)
class SessionFacts:
    """A session as it is to be served."""

    provider: str
    workspace: Path
    selection: Selection


class SessionFactsOf(Protocol):
    """Raises NotFound."""

    def __call__(self, session_id: str, /) -> Awaitable[SessionFacts]: ...


@dataclass
class _Served:
    """One running session: ``promised`` are the usable tools of each server at the start."""

    workspace: Path
    ability: Ability
    servers: Mapping[str, Offered]
    promised: Mapping[str, int]
    listed_at: int | None = None
    client: str | None = None
    listed: dict[str, int] = field(default_factory=dict[str, int])
    called: set[str] = field(default_factory=set[str])
    names: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    template: str | None = None


class SessionServers:
    """``changed`` is told when there is more to say of a session; while ``strict`` holds, none starts without all of
    its servers.
    """

    def __init__(
        self,
        facts_of: SessionFactsOf,
        providers: Providers,
        preview: Preview,
        connections: Connections,
        secrets: SecretSource,
        search_path: Callable[[], Awaitable[str]],
        changed: Callable[[str], None],
        strict: Callable[[], bool] = lambda: False,
    ) -> None:
        self._facts_of = facts_of
        self._providers = providers
        self._preview = preview
        self._connections = connections
        self._secrets = secrets
        self._search_path = search_path
        self._changed = changed
        self._strict = strict
        self._served: dict[str, _Served] = {}

    # The start and the end of a session's agent

    async def hand_over(self, session_id: str, capabilities: Mapping[str, Any]) -> list[Any]:
        """The servers that the agent connects to itself; the others are promised through us, or by the bridge.

        Raises SaysoError for a secret that was chosen and cannot be read, and in a strict start for a server that is
        not there.
        """
        facts = await self._facts_of(session_id)
        provider = await self._providers.require(facts.provider)
        ability = ability_of(provider, capabilities)
        strict = self._strict()
        wait = CONNECT_S if strict else LOOK_S
        offered = await self._preview.offered(facts.workspace, ability, facts.selection, wait_s=wait)
        if strict:
            wanted = [one.name for one in offered if one.selected]
            require_all(offered, {name: await self._connections.known(facts.workspace, name) for name in wanted})
        given = {one.name: one for one in offered if one.delivered}
        known = {name: await self._connections.known(facts.workspace, name) for name in given}
        promised = {name: 0 if found is None else len(found.usable()) for name, found in known.items()}
        ours = [name for name, one in given.items() if one.way in (Way.SAYSO, Way.BRIDGE)]
        self._connections.hold(session_id, facts.workspace, ours)
        self._served[session_id] = _Served(facts.workspace, ability, given, promised, template=provider.mcp_tool_name)
        path = await self._search_path()
        native = [one for one in given.values() if one.way is Way.NATIVE and one.runs is not None]
        return [await entry(one.runs, self._secrets, path) for one in native if one.runs is not None]

    def ended(self, session_id: str) -> None:
        """Its agent has ended: nothing is kept for it any more."""
        self._connections.release(session_id)

    # What the agent sees

    async def ready(self, session_id: str) -> None:
        """Give servers that still connect a moment, for the list that the agent is about to get."""
        if (served := self._served.get(session_id)) is not None and (names := _through(served)):
            await self._connections.want(served.workspace, [served.servers[name] for name in names])
            await self._connections.settle(served.workspace, names, LIST_S)
            for name in names:
                await self._connections.known(served.workspace, name)

    def tools(self, session_id: str) -> list[dict[str, Any]]:
        """The tools of servers that go through us, as MCP lists them, by server."""
        if (served := self._served.get(session_id)) is None:
            return []
        taken: set[str] = set()
        found: list[dict[str, Any]] = []
        served.names = {}
        for server in _through(served):
            known = self._connections.cached(served.workspace, server)
            usable = [] if known is None or not known.connected else known.usable()
            served.listed[server] = len(usable)
            for tool in usable:
                name = through_name(server, tool.name, taken)
                served.names[name] = (server, tool.name)
                found.append(_listed(name, server, tool))
        return found

    def meant(self, session_id: str, name: str) -> tuple[str, str] | None:
        """The server and the tool that a name on our endpoint stands for in this session."""
        if (served := self._served.get(session_id)) is None:
            return None
        if name not in served.names:
            self.tools(session_id)
        return served.names.get(name)

    def seen(self, session_id: str, what: str, client: str) -> None:
        """What its agent did at our endpoint: said ``hello``, or asked for the ``list`` of tools."""
        if (served := self._served.get(session_id)) is None:
            return
        served.client = client or served.client
        if what == "list":
            served.listed_at = now_ms()
            self._changed(session_id)

    def listed(self, session_id: str, counts: Mapping[str, int]) -> None:
        """Its agent has listed the tools by the command in its shell: so many of each server."""
        if (served := self._served.get(session_id)) is not None:
            served.listed.update(counts)
            self.seen(session_id, "list", "sayso tools list")

    # What it uses

    async def given(self, session_id: str) -> tuple[Path, Mapping[str, Offered]]:
        """The workspace of a session, and the servers that it has; of one that does not run, those it would get."""
        if (served := self._served.get(session_id)) is not None:
            return served.workspace, served.servers
        facts = await self._facts_of(session_id)
        provider = await self._providers.require(facts.provider)
        ability = ability_of(provider, self._providers.known_capabilities(facts.provider))
        offered = await self._preview.offered(facts.workspace, ability, facts.selection, wait_s=0.0)
        return facts.workspace, {one.name: one for one in offered if one.starts}

    def used(self, session_id: str, server: str) -> None:
        """A tool of a server was called."""
        if (served := self._served.get(session_id)) is not None and server not in served.called:
            served.called.add(server)
            self._changed(session_id)

    def shown(self, session_id: str, title: str) -> None:
        """Its agent has shown a tool call under this title: one of a server that it connects to itself was called."""
        if (served := self._served.get(session_id)) is None:
            return
        native = tuple(name for name, one in served.servers.items() if one.way is Way.NATIVE)
        name = re.split(r"[\s:(]", title.strip(), maxsplit=1)[0]
        if native and (found := tool_in(served.template, name, native)) is not None:
            self.used(session_id, found[0])

    def report(self, session_id: str) -> SessionTools | None:
        """What was promised, and what is known to have come; None for a session whose agent never ran here."""
        if (served := self._served.get(session_id)) is None:
            return None
        servers = [self._told(served, name) for name in served.servers]
        delivery: Any = served.ability.delivery
        return SessionTools(delivery=delivery, listed_at=served.listed_at, client=served.client, servers=servers)

    def _told(self, served: _Served, name: str) -> DeliveredServer:
        offered, promised = served.servers[name], served.promised[name]
        known = self._connections.cached(served.workspace, name)
        delivered: int | None = None
        message = offered.way_reason
        if name in served.called:
            evidence, delivered = "called", served.listed.get(name)
        elif offered.way is Way.NATIVE:
            evidence = "handed_over"
            message = f"{served.ability.name} connects to it itself and does not say what became of it."
        elif known is not None and known.row.failure is not None:
            evidence, delivered, message = "failed", 0, known.row.failure.message
        elif served.listed_at is not None and name in served.listed:
            evidence, delivered = "listed", served.listed[name]
        else:
            evidence, message = "not_yet", f"{served.ability.name} has not listed the tools yet."
        return DeliveredServer(
            name=name, delivery=offered.way.value, promised=promised, delivered=delivered, evidence=evidence,
            message=message,
        )  # fmt: skip


def unknown_server(server: str, known: Mapping[str, Any], *, ours: bool = True) -> NotFound:
    """There is no such source of tools here."""
    names = [*([OURS] if ours else []), *known]
    return NotFound(
        f"There is no source of tools {server!r} here. There is: {', '.join(names) or 'none'}.",
        details={"source": server, "candidates": [{"name": name} for name in names]},
    )


def not_connected(server: str, known: Known | None) -> SaysoError:
    """Why a server has no tools now."""
    failure = None if known is None else known.row.failure
    why = "It has not answered yet." if failure is None else failure.message
    details = {"server": server, "reason": "loading" if failure is None else failure.reason.value}
    return SaysoError(f"The MCP server {server} is not connected: {why}", code=ErrorCode.FAILED, details=details)


def _through(served: _Served) -> list[str]:
    return [name for name, one in served.servers.items() if one.way is Way.SAYSO]


def _listed(name: str, server: str, tool: ToolInfo) -> dict[str, Any]:
    listed: dict[str, Any] = {
        "name": name,
        "title": visible(tool.title or tool.name),
        "description": described(server, tool.name, tool.description),
        "inputSchema": {**tool.input_schema, "type": "object"},
    }
    if tool.annotations:
        listed["annotations"] = dict(tool.annotations)
    return listed
