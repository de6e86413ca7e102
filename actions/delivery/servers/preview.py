"""Exactly what a session would get: every tool of ours and of the user's servers, and what keeps the others away."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol

from actions.catalog.context import Caller, CallerKind
from actions.catalog.registry import Catalog
from actions.catalog.server_use_views import ServerState, ToolPreview, ToolRow, Totals
from actions.catalog.server_views import FoundServer
from actions.catalog.spec import ActionSpec, Exposure, Surface
from actions.delivery.desk import CALL, EXECUTE, Seat, ToolDesk
from actions.delivery.servers.rows import OURS, collisions, server_row, shown_name, tool_rows
from actions.policy.approval import asks_first
from actions.policy.availability import availability
from actions.policy.exposure import exposed
from actions.policy.settings import PolicySettings
from actions.servers.definitions import ServerBook
from actions.servers.offer.connections import Connections, Known
from actions.servers.offer.cost import tool_tokens
from actions.servers.offer.resolver import Facts, Offered, Resolver
from actions.servers.offer.selection import Selection
from actions.servers.offer.ways import Ability, Way
from actions.servers.pool.definition import ServerDefinition
from actions.sessions.abilities import ability_of
from actions.sessions.provider import Provider

_OUR_WAY = {"native_mcp": Way.NATIVE, "shell_bridge": Way.BRIDGE, "none": Way.NONE}


class Providers(Protocol):
    """Rows of providers, and what their agents said when they were last started."""

    async def require(self, provider_id: str, /) -> Provider: ...

    def known_capabilities(self, provider_id: str, /) -> Mapping[str, Any]: ...


class Preview:
    """``has_login`` tells whether a server has a login that Sayso keeps, ``of_program`` which servers a program's own
    files name.
    """

    def __init__(
        self,
        catalog: Catalog,
        policy: Callable[[], PolicySettings],
        desk: ToolDesk,
        book: ServerBook,
        resolver: Resolver,
        connections: Connections,
        providers: Providers,
        has_login: Callable[[ServerDefinition], Awaitable[bool]],
        of_program: Callable[[str, Path], Awaitable[list[FoundServer]]],
    ) -> None:
        self._catalog = catalog
        self._policy = policy
        self._desk = desk
        self._book = book
        self._resolver = resolver
        self._connections = connections
        self._providers = providers
        self._has_login = has_login
        self._of_program = of_program

    async def of(self, provider_id: str, workspace: Path, selection: Selection, *, wait_s: float = 0.0) -> ToolPreview:
        """What a session of this provider would get there. Raises NotFound."""
        provider = await self._providers.require(provider_id)
        ability = ability_of(provider, self._providers.known_capabilities(provider_id))
        offered = await self.offered(workspace, ability, selection, wait_s=wait_s)
        known = {one.name: await self._connections.known(workspace, one.name) for one in offered if one.starts}
        asks = self._asks(workspace)
        template = provider.mcp_tool_name
        tools: list[ToolRow] = self._ours(ability, template, workspace)
        servers: list[ServerState] = []
        for one in offered:
            found = known.get(one.name)
            theirs = [] if found is None or not found.connected else tool_rows(one, found, template, asks=asks)
            tools += theirs
            servers.append(server_row(one, found, theirs))
        given = [tool for tool in tools if tool.available and tool.exposure == "direct"]
        return ToolPreview(
            tools=tools,
            servers=servers,
            totals=Totals(tools=len(given), tokens=sum(tool.tokens for tool in given)),
            collisions=collisions(tools),
            loading=any(found is None or found.loading for found in known.values()),
            problems=await asyncio.to_thread(self._problems, workspace),
            brought=await self._brought(provider, workspace),
        )

    async def offered(
        self, workspace: Path, ability: Ability, selection: Selection, *, wait_s: float
    ) -> tuple[Offered, ...]:
        """What the resolver says, with what the connections know. Begins to connect; waits at most ``wait_s``."""
        first = await self._resolver.resolve(workspace, ability, selection)
        await self._connections.want(workspace, first)
        starting = [one.name for one in first if one.starts]
        if wait_s > 0:
            await self._connections.settle(workspace, starting, wait_s)
        known = {name: await self._connections.known(workspace, name) for name in starting}
        kept = [one.name for one in first if one.starts and one.runs is not None and await self._has_login(one.runs)]
        return await self._resolver.resolve(workspace, ability, selection, facts_of(known, kept))

    async def _brought(self, provider: Provider, workspace: Path) -> list[FoundServer]:
        if provider.own_servers is None:
            return []
        return [one for one in await self._of_program(provider.own_servers, workspace) if one.enabled]

    def _ours(self, ability: Ability, template: str | None, workspace: Path) -> list[ToolRow]:
        seat = Seat(Surface.SESSION_AGENT, Caller(CallerKind.SESSION), str(workspace))
        direct = {str(tool["name"]): tool for tool in self._desk.tools(seat)}
        way = _OUR_WAY[ability.delivery]
        rows: list[ToolRow] = []
        for spec in self._catalog:
            if not spec.implemented:
                continue
            rows.append(self._our_row(spec, direct.get(spec.tool_name), ability, way, template, str(workspace)))
        execute = direct[EXECUTE]
        none = _none(ability, way)
        rows.append(_row(execute, way, template, available=none is None, why=("gets_none", none) if none else None))
        return rows

    def _our_row(
        self,
        spec: ActionSpec,
        listed: Mapping[str, Any] | None,
        ability: Ability,
        way: Way,
        template: str | None,
        workspace: str,
    ) -> ToolRow:
        policy = self._policy()
        may = availability(spec, Surface.SESSION_AGENT, policy, workspace=workspace)
        how = exposed(spec, Surface.SESSION_AGENT, policy, workspace=workspace)
        asks = asks_first(spec, Surface.SESSION_AGENT, policy, workspace=workspace).asks
        if none := _none(ability, way):
            why = ("gets_none", none)
        elif not may.available:
            why = ("off", may.reason)
        elif how.exposure is not Exposure.DIRECT:
            why = ("by_search", "Found by search, run by action_execute.")
        else:
            why = None
        if listed is None:
            listed = {"name": spec.tool_name, "title": spec.title.en, "description": spec.description.en}
        return _row(
            listed,
            way,
            template,
            available=none is None and may.available,
            why=why,
            exposure=how.exposure,
            asks=asks,
        )

    def _asks(self, workspace: Path) -> bool:
        spec = self._catalog.specs[CALL]
        return asks_first(spec, Surface.SESSION_AGENT, self._policy(), workspace=str(workspace)).asks

    def _problems(self, workspace: Path) -> list[dict[str, Any]]:
        return [
            {"file": str(problem.file), "line": problem.line, "message": problem.message}
            for problem in self._book.problems(workspace)
        ]


def facts_of(known: Mapping[str, Known | None], logged_in: Iterable[str]) -> Facts:
    """What the connections know, for the resolver; also of those that want a login first."""
    return Facts(
        unseen=frozenset(name for name, found in known.items() if found is None or not found.connected),
        held=frozenset(name for name, found in known.items() if found is not None and found.held),
        logged_in=frozenset(logged_in)
        | {
            name
            for name, found in known.items()
            if found is not None and found.row.failure is not None and found.row.failure.login
        },
    )


def _none(ability: Ability, way: Way) -> str | None:
    return f"{ability.name} gets none of the tools of Sayso." if way is Way.NONE else None


def _row(
    listed: Mapping[str, Any],
    way: Way,
    template: str | None,
    *,
    available: bool,
    why: tuple[str, str] | None,
    exposure: Exposure = Exposure.DIRECT,
    asks: bool = False,
) -> ToolRow:
    code, reason = why or (None, None)
    name, schema = str(listed["name"]), dict(listed.get("inputSchema") or {})
    shown = shown_name(way, template, OURS, name, set()) if way is Way.NATIVE else name
    description = str(listed.get("description") or "")
    return ToolRow(
        name=name,
        source=OURS,
        shown_as=shown,
        title=listed.get("title"),
        description=description,
        delivery=way.value,
        exposure=exposure.value,
        approval="asks" if asks else "allowed",
        available=available,
        reason_code=code,
        reason=reason,
        tokens=tool_tokens(shown, description, schema) if exposure is Exposure.DIRECT else 0,
        input_schema=schema,
    )
