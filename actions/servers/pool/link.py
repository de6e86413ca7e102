"""An open session with a server: the handshake of its era, its tools, its calls."""

from __future__ import annotations

import math
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, cast

import anyio
import mcp_types as types
from mcp.client._transport import TransportStreams
from mcp.client.session import ClientRequestContext, ClientSession
from mcp.shared.dispatcher import CallOptions
from mcp.shared.exceptions import MCPError
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher
from mcp.shared.transport_context import TransportContext
from mcp_types import CONNECTION_CLOSED
from pydantic import TypeAdapter, ValidationError

from actions.servers.pool.http import Trace, trace
from actions.servers.pool.states import CallResult

PAGE_LIMIT = 250
PROBE_LIMIT = 4.0
_ANYTHING: TypeAdapter[Any] = TypeAdapter(Any)
_raw: ContextVar[list[dict[str, Any]] | None] = ContextVar("_raw", default=None)
Progress = Callable[[float, float | None, str | None], None]
"""Progress, total, message. Called between messages of the server: quick, and it may not raise."""


class NotModern(Exception):
    """The probe of the modern era was not answered, or killed the server: connect anew in the handshake era."""


class Malformed(Exception):
    """The server's answer is not what the protocol says."""


class Met(Exception):
    """A request failed; ``error`` is the library's word, ``trace`` what HTTP said."""

    def __init__(self, error: Exception, met: Trace) -> None:
        super().__init__(str(error))
        self.error = error
        self.trace = met


class Link:
    """One initialized session."""

    def __init__(self, session: ClientSession) -> None:
        self._session = session

    @property
    def protocol(self) -> str | None:
        """The negotiated version."""
        return self._session.protocol_version

    @property
    def modern(self) -> bool:
        """Whether the server speaks the stateless era of 2026-07-28."""
        return self._session.discover_result is not None

    @property
    def server_info(self) -> str | None:
        """Name and version as the server tells them."""
        info = self._session.server_info
        return None if info is None else f"{info.name} {info.version}".strip()

    @property
    def instructions(self) -> str | None:
        """The server's words to a model."""
        return self._session.instructions

    async def negotiate(self, *, modern: bool, patient: bool = False) -> None:
        """Settle the era. With ``modern`` ask for it first, for four seconds, or ``patient`` for ever.

        Raises NotModern, Met, Malformed.
        """
        if modern and await self._discover(math.inf if patient else PROBE_LIMIT):
            return
        met, token = _tracing()
        try:
            await self._session.initialize()
        except MCPError as error:
            raise Met(error, met) from error
        except ValidationError as error:
            raise Malformed(f"invalid answer to initialize: {_first(error)}") from error
        except RuntimeError as error:
            raise Malformed(str(error)) from error
        finally:
            trace.reset(token)

    async def entries(self) -> list[object]:
        """The raw entries of all pages of ``tools/list``. Raises Met, Malformed."""
        found: list[object] = []
        cursor: str | None = None
        for _ in range(PAGE_LIMIT):
            params = types.PaginatedRequestParams(cursor=cursor)
            answer = await self._request(types.ListToolsRequest(params=params if cursor else None))
            entries = answer.get("tools")
            if not isinstance(entries, list):
                raise Malformed("invalid answer to tools/list: it has no list of tools")
            found += cast("list[object]", entries)
            cursor = answer.get("nextCursor")
            if not cursor:
                return found
        raise Malformed(f"its list of tools has no end: the pagination limit of {PAGE_LIMIT} pages was reached")

    async def call(self, tool: str, arguments: dict[str, Any], progress: Progress) -> CallResult:
        """Call a tool; waits for ever. A cancelled call is cancelled at the server. Raises Met, Malformed."""

        async def note(done: float, total: float | None, message: str | None) -> None:
            progress(done, total, message)

        request = types.CallToolRequest(params=types.CallToolRequestParams(name=tool, arguments=arguments))
        answer = await self._request(request, note)
        if answer.get("resultType") == "input_required":
            raise Malformed("the server wants to ask the user something within the call, which is not supported here")
        content = answer.get("content")
        if content is None and "toolResult" in answer:
            # Before the standard of 2024-11-05 a result was any value under this name
            old = answer["toolResult"]
            text = old if isinstance(old, str) else _ANYTHING.dump_json(old).decode()
            return CallResult(({"type": "text", "text": text},))
        if not isinstance(content, list):
            if "structuredContent" not in answer:
                raise Malformed("the answer to the call has no content")
            content = []
        blocks = tuple(
            cast("dict[str, Any]", block) for block in cast("list[object]", content) if isinstance(block, dict)
        )
        return CallResult(blocks, answer.get("structuredContent"), answer.get("isError") is True)

    async def _discover(self, limit: float) -> bool:
        met, token = _tracing()
        try:
            with anyio.move_on_after(limit) as probe:
                await self._session.discover()
                return True
            if probe.cancelled_caught:
                raise NotModern
        except MCPError as error:
            if error.code == CONNECTION_CLOSED:
                raise NotModern from error
            if met.status in (401, 403, 429) or (met.status or 0) >= 500:
                raise Met(error, met) from error
        except (RuntimeError, ValidationError):
            pass  # it speaks, but not this era
        finally:
            trace.reset(token)
        return False

    async def _request(self, request: types.ClientRequest, progress: Any = None) -> dict[str, Any]:
        """The result as it came: the library's own check would lose what is good in it."""
        box: list[dict[str, Any]] = []
        met, token = _tracing()
        raw = _raw.set(box)
        try:
            await self._session.send_request(request, _ANYTHING, progress_callback=progress)
        except ValidationError:
            if not box:
                raise
        except MCPError as error:
            raise Met(error, met) from error
        finally:
            _raw.reset(raw)
            trace.reset(token)
        return box[0]


class _Dispatcher(JSONRPCDispatcher[TransportContext]):
    """Lets a request keep its result before the session checks it, and tells when nothing can come any more."""

    def __init__(self, streams: TransportStreams, on_closed: Callable[[], None]) -> None:
        super().__init__(*streams)
        self._on_closed = on_closed

    async def run(self, *args: Any, **more: Any) -> None:
        try:
            await super().run(*args, **more)
        finally:
            self._on_closed()

    async def send_raw_request(self, method: str, params: Any, opts: CallOptions | None = None, **more: Any) -> Any:
        result = await super().send_raw_request(method, params, opts, **more)
        if (box := _raw.get()) is not None:
            box.append(result)
        return result


@asynccontextmanager
async def open_link(
    streams: TransportStreams,
    *,
    client: tuple[str, str],
    roots: tuple[Path, ...],
    on_changed: Callable[[], None],
    on_closed: Callable[[], None],
) -> AsyncGenerator[Link]:
    """A session over ``streams``, not yet negotiated.

    ``on_changed``: the server says that its tools changed. ``on_closed``: no answer can come any more.
    """

    async def notice(message: types.ServerNotification | Exception) -> None:
        if isinstance(message, types.ToolListChangedNotification):
            on_changed()

    async def list_roots(context: ClientRequestContext) -> types.ListRootsResult:
        return types.ListRootsResult(roots=[types.Root(uri=root.as_uri(), name=root.name) for root in roots])  # pyright: ignore[reportArgumentType] # a URI as text is taken

    session = ClientSession(
        dispatcher=_Dispatcher(streams, on_closed),
        list_roots_callback=list_roots if roots else None,
        message_handler=notice,
        client_info=types.Implementation(name=client[0], version=client[1]),
    )
    async with session:
        yield Link(session)


def _tracing() -> tuple[Trace, Any]:
    met = Trace()
    return met, trace.set(met)


def _first(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
