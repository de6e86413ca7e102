"""A server, and its tools, as the preview shows them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Literal

from actions.catalog.secrecy import is_secret
from actions.catalog.server_use_views import Collision, HiddenView, ServerState, ToolRow
from actions.delivery.servers.trusting import change_views
from actions.servers.definitions import Standing, StoredServer
from actions.servers.offer.connections import Known, held_back
from actions.servers.offer.cost import tool_tokens
from actions.servers.offer.resolver import AVAILABLE_HERE, FORCED_OUT, SERVERS_OFF, Offered
from actions.servers.offer.ways import Way
from actions.servers.pool.definition import Http, SecretRef
from actions.servers.pool.description import described
from actions.servers.pool.hidden import hidden, visible
from actions.servers.pool.naming import tool_name
from actions.servers.pool.states import State, ToolInfo
from actions.servers.trust.pins import ToolPin
from actions.sessions.mcp_names import name_for

OURS = "sayso"
OFF = "off"
Auth = Literal["none", "secret", "environment", "plain_text", "login"]


def server_row(offered: Offered, known: Known | None, tools: Sequence[ToolRow]) -> ServerState:
    """``known`` is None for a server that is not connected to; ``tools`` are its own."""
    stored, row = offered.stored, None if known is None else known.row
    failure = None if row is None else row.failure
    state = OFF if not offered.selected else State.PENDING.value if row is None else row.state.value
    verdict = offered.verdict
    return ServerState(
        name=offered.name,
        title=stored.title,
        state=state,
        reason="failed" if state == State.FAILED.value else offered.reason,
        message=offered.message,
        tools=sum(tool.available for tool in tools),
        error=None if failure is None else failure.message,
        error_code=None if failure is None else failure.reason.value,
        stderr=None if row is None else (failure.tail if failure is not None else row.tail) or None,
        exit_code=None if failure is None else failure.exit_code,
        transport=_transport(stored),
        scope=stored.scope.value,
        file=str(stored.source),
        line=stored.line,
        auth=_auth(stored),
        selected=offered.selected,
        selectable=offered.selected or offered.reason in (AVAILABLE_HERE, FORCED_OUT, SERVERS_OFF),
        availability=_availability(offered),
        delivery=offered.way.value if offered.selected else Way.NONE.value,
        delivery_code=offered.way_code,
        delivery_reason=offered.way_reason,
        trust=None if verdict is None else verdict.trust.value,
        environment=[] if verdict is None else list(verdict.environment),
        changes=[] if verdict is None else change_views(verdict.changes),
        protocol=None if row is None else row.protocol,
        server_info=None if row is None or row.server_info is None else visible(row.server_info),
        elapsed_s=None if row is None else round(row.elapsed, 1),
        retry_in_s=None if row is None or row.retry_in is None else round(row.retry_in, 1),
        can_log_in=offered.runs is not None and isinstance(offered.runs.transport, Http),
        warnings=[] if row is None else [visible(warning) for warning in row.warnings],
        tokens=sum(tool.tokens for tool in tools if tool.available),
    )


def tool_rows(offered: Offered, known: Known, template: str | None, *, asks: bool) -> list[ToolRow]:
    """Every tool of a connected server, also those that cannot be used, with the reason.

    ``template`` is how the agent names tools of servers; ``asks`` whether a call through Sayso asks first.
    """
    taken: set[str] = set()
    rows = [_tool(offered, tool, known.pins.get(tool.name), template, taken, asks=asks) for tool in known.row.tools]
    skipped = [
        ToolRow(
            name=visible(tool.name)[:200],
            source=offered.name,
            shown_as=visible(tool.name)[:200],
            delivery=Way.NONE.value,
            exposure="direct",
            approval="agent",
            available=False,
            reason_code="invalid",
            reason=visible(tool.reason),
        )
        for tool in known.row.skipped
    ]
    return [*rows, *skipped]


def through_name(server: str, tool: str, taken: set[str]) -> str:
    """The name of a server's tool on our own endpoint."""
    name = tool_name(server, tool, taken.__contains__)
    taken.add(name)
    return name


def shown_name(way: Way, template: str | None, server: str, tool: str, taken: set[str]) -> str:
    """The name that the agent's model sees."""
    if way is Way.NATIVE:
        return name_for(template, server, tool)
    through = through_name(server, tool, taken)
    return name_for(template, OURS, through) if way is Way.SAYSO else tool


def collisions(rows: Iterable[ToolRow]) -> list[Collision]:
    """Usable direct tools that one name stands for. Commands of a shell name their source, so they cannot collide."""
    named: defaultdict[str, list[ToolRow]] = defaultdict(list)
    for row in rows:
        if row.available and row.exposure == "direct" and row.delivery in (Way.NATIVE.value, Way.SAYSO.value):
            named[row.shown_as].append(row)
    return [
        Collision(name=name, tools=[{"source": row.source, "name": row.name} for row in found])
        for name, found in sorted(named.items())
        if len(found) > 1
    ]


def hidden_in(tool: ToolInfo) -> list[HiddenView]:
    """What a reader does not see in the words of a tool."""
    words = (("name", tool.name), ("title", tool.title or ""), ("description", tool.description))
    return [
        HiddenView(kind=found.kind.value, where=where, says=found.says[:500])
        for where, text in (*words, ("input_schema", _schema_words(tool.input_schema)))
        for found in hidden(text)
    ]


def _tool(
    offered: Offered, tool: ToolInfo, pin: ToolPin | None, template: str | None, taken: set[str], *, asks: bool
) -> ToolRow:
    way = offered.way
    shown = shown_name(way, template, offered.name, tool.name, taken)
    code, reason = None, None
    if way is Way.NONE:
        code, reason = offered.reason, offered.way_reason or offered.message
    elif pin is not None and not pin.usable:
        code, reason = f"pin_{pin.pinned.value}", held_back(offered.name, pin).message
    approval = "agent" if way in (Way.NATIVE, Way.NONE) else "asks" if asks else "allowed"
    description = tool.description if way is Way.NATIVE else described(offered.name, tool.name, tool.description)
    return ToolRow(
        name=tool.name,
        source=offered.name,
        shown_as=shown,
        title=None if tool.title is None else visible(tool.title),
        description=visible(tool.description),
        delivery=way.value,
        exposure="direct",
        approval=approval,
        available=reason is None,
        reason_code=code,
        reason=reason,
        tokens=tool_tokens(shown, description, tool.input_schema),
        input_schema=dict(tool.input_schema),
        hidden=hidden_in(tool),
        pin=None if pin is None else pin.pinned.value,
        content_hash=None if pin is None else pin.hash,
        changes=[] if pin is None else change_views(pin.changes),
    )


def _schema_words(value: object) -> str:
    """All texts of a schema, one a line."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return "\n".join(_schema_words(inner) for pair in value.items() for inner in pair)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType] # JSON
    if isinstance(value, list):
        return "\n".join(_schema_words(inner) for inner in value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType] # JSON
    return ""


def _transport(stored: StoredServer) -> Literal["stdio", "http", "sse", "unknown"]:
    if stored.definition is None:
        return "unknown"
    transport = stored.definition.transport
    return transport.transport if isinstance(transport, Http) else "stdio"


def _auth(stored: StoredServer) -> Auth:
    """How it is told who you are: by what its file says."""
    if stored.definition is None:
        return "none"
    transport = stored.definition.transport
    if isinstance(transport, Http):
        if transport.oauth is not None:
            return "login"
        values = transport.headers
    else:
        values = transport.env
    if any(isinstance(value, SecretRef) for value in values.values()):
        return "secret"
    if any(not isinstance(value, str) or is_secret(name, value) for name, value in values.items()):
        return "plain_text"
    return "environment" if any("${" in value for value in values.values() if isinstance(value, str)) else "none"


def _availability(offered: Offered) -> Literal["active", "available", "unavailable"]:
    if offered.selected:
        return "active"
    off = (AVAILABLE_HERE, FORCED_OUT, SERVERS_OFF, Standing.BINDING_DISABLED.value)
    return "available" if offered.reason in off else "unavailable"
