"""The connections to servers that the host keeps: one pool a workspace, ended when nobody needs it any more."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from actions.errors import NotFound, Refused, SaysoError
from actions.servers.offer.resolver import Offered
from actions.servers.pool.definition import ServerDefinition
from actions.servers.pool.pool import Pool
from actions.servers.pool.states import CallResult, ServerRow, State, ToolInfo
from actions.servers.pool.surroundings import Surroundings
from actions.servers.trust.pins import Pinned, Pins, ToolPin, find_tool
from actions.tasks import TaskOwner

IDLE_S = 120.0
"""Seconds that a connection is kept after it was last asked for, where no session holds it."""
_LOOK_S = 15.0
_LOADING = (State.PENDING, State.CONNECTING)
_log = logging.getLogger(__name__)

Changed = Callable[[Path | None, ServerRow], None]
"""A server of a workspace stands otherwise than before. It must not block."""


@dataclass(frozen=True)
class Known:
    """A server as it stands, with its tools beside their pins."""

    row: ServerRow
    pins: Mapping[str, ToolPin] = field(default_factory=dict[str, ToolPin])

    @property
    def loading(self) -> bool:
        """Whether it has neither connected nor failed yet."""
        return self.row.state in _LOADING

    @property
    def connected(self) -> bool:
        return self.row.state is State.CONNECTED

    @property
    def held(self) -> bool:
        """Whether a tool of it waits to be looked at."""
        return any(not pin.usable for pin in self.pins.values())

    def usable(self) -> list[ToolInfo]:
        """Its tools that may be called."""
        return [tool for tool in self.row.tools if (pin := self.pins.get(tool.name)) is not None and pin.usable]


@dataclass
class _Kept:
    definition: ServerDefinition
    place: str
    asked: float
    tools: tuple[ToolInfo, ...] | None = None
    pins: Mapping[str, ToolPin] = field(default_factory=dict[str, ToolPin])


@dataclass
class _Here:
    """The pool of one workspace; ``rows`` are as the last changes left them."""

    pool: Pool
    kept: dict[str, _Kept] = field(default_factory=dict[str, _Kept])
    rows: dict[str, ServerRow] = field(default_factory=dict[str, ServerRow])
    starting: asyncio.Lock = field(default_factory=asyncio.Lock)


class Connections:
    """``surroundings`` gives what the pool of a workspace stands in."""

    def __init__(
        self,
        surroundings: Callable[[Path | None], Awaitable[Surroundings]],
        pins: Pins,
        changed: Changed,
        *,
        idle_s: float = IDLE_S,
    ) -> None:
        self._surroundings = surroundings
        self._pins = pins
        self._changed = changed
        self._idle_s = idle_s
        self._here: dict[Path | None, _Here] = {}
        self._opening = asyncio.Lock()
        self._holders: dict[str, tuple[Path | None, frozenset[str]]] = {}
        self._tasks = TaskOwner("server connections")
        self._reaping: asyncio.Task[None] | None = None
        self._closed = False

    async def want(self, workspace: Path | None, servers: Iterable[Offered], *, even_off: bool = False) -> None:
        """Begin to connect to these, in the background; one whose definition changed is started anew.

        ``even_off``: also to one that is off here; what may not run is never started.
        """
        wanted = [
            offered
            for offered in servers
            if offered.runs is not None
            and (offered.starts or (even_off and offered.verdict is not None and offered.verdict.runs))
        ]
        if not wanted or self._closed:
            return
        if (here := await self._pool(workspace)) is None:
            return
        async with here.starting:
            now = time.monotonic()
            for offered in wanted:
                assert offered.runs is not None
                kept = here.kept.get(offered.name)
                if kept is not None and kept.definition == offered.runs:
                    kept.asked = now
                    continue
                if kept is not None:
                    await here.pool.remove(offered.name)
                    here.rows.pop(offered.name, None)
                here.kept[offered.name] = _Kept(offered.runs, offered.place, now)
            here.pool.start(kept.definition for kept in here.kept.values())
        if self._reaping is None and not self._closed:
            self._reaping = self._tasks.start(self._reap(), name="idle")

    async def settle(self, workspace: Path | None, names: Iterable[str], limit: float) -> None:
        """Wait until each of these was tried once, at most ``limit`` seconds."""
        wanted = set(names)
        here = self._here.get(workspace)
        if here is None or not wanted:
            return
        moved = asyncio.Event()
        stop = here.pool.watch(lambda row: moved.set() if row.name in wanted else None)
        try:
            async with asyncio.timeout(limit):
                while any(_loads(here, name) for name in wanted & here.kept.keys()):
                    moved.clear()
                    await moved.wait()
        except TimeoutError:
            pass
        finally:
            stop()

    async def known(self, workspace: Path | None, name: str) -> Known | None:
        """Where a server stands; None for one that nobody wanted here. Its first tools are pinned by this."""
        here = self._here.get(workspace)
        snapshot = None if here is None else here.pool.snapshot()
        if here is None or snapshot is None or (kept := here.kept.get(name)) is None:
            return None
        row = next((row for row in snapshot.servers if row.name == name), None)
        if row is None:
            return None
        kept.asked = time.monotonic()
        if row.state is not State.CONNECTED:
            return Known(row)
        return Known(row, await self._pinned(name, kept, row.tools))

    def cached(self, workspace: Path | None, name: str) -> Known | None:
        """As :meth:`known`, as of the last change and without a look at the pins: None where that is needed."""
        here = self._here.get(workspace)
        if here is None or (kept := here.kept.get(name)) is None or (row := here.rows.get(name)) is None:
            return None
        if row.state is not State.CONNECTED:
            return Known(row)
        return Known(row, kept.pins) if kept.tools is row.tools else None

    def forget_pins(self, name: str) -> None:
        """Compare a server's tools anew at the next look: its pins were changed."""
        for here in self._here.values():
            if (kept := here.kept.get(name)) is not None:
                kept.tools = None

    async def call(
        self,
        workspace: Path | None,
        server: str,
        tool: str,
        arguments: dict[str, Any],
        on_progress: Callable[[float, float | None, str | None], None] | None = None,
    ) -> CallResult:
        """Call a tool that is as it was seen. Raises NotFound, Refused (it waits to be looked at), CallTimeout,
        ServerError.
        """
        here = self._here.get(workspace)
        if here is None or (kept := here.kept.get(server)) is None:
            raise NotFound(f"The MCP server {server!r} is not connected here.", details={"server": server})
        kept.asked = time.monotonic()

        async def check(tools: tuple[ToolInfo, ...]) -> None:
            pins = await self._pinned(server, kept, tools)
            if (pin := pins.get(tool)) is None:
                find_tool(server, tools, tool)
            elif not pin.usable:
                raise held_back(server, pin)

        return await here.pool.call(server, tool, arguments, on_progress, check)

    async def pool(self, workspace: Path | None, name: str) -> Pool:
        """The pool that a wanted server is in. Raises NotFound."""
        here = self._here.get(workspace)
        if here is None or name not in here.kept:
            raise NotFound(f"The MCP server {name!r} is not connected here.", details={"server": name})
        here.kept[name].asked = time.monotonic()
        return here.pool

    async def retry(self, workspace: Path | None, name: str) -> None:
        """Try a server again that is not connected. Raises NotFound."""
        await (await self.pool(workspace, name)).retry(name)

    def hold(self, holder: str, workspace: Path | None, names: Iterable[str]) -> None:
        """Keep these connections for as long as ``holder`` (a session) lives."""
        self._holders[holder] = (workspace, frozenset(names))

    def release(self, holder: str) -> None:
        """The holder has ended."""
        self._holders.pop(holder, None)

    async def close(self) -> None:
        """End every connection and all that they started."""
        self._closed = True
        await self._tasks.close()
        await asyncio.gather(*(here.pool.close() for here in self._here.values()))
        self._here.clear()

    async def _pinned(self, name: str, kept: _Kept, tools: tuple[ToolInfo, ...]) -> Mapping[str, ToolPin]:
        if kept.tools is not tools:
            pins = await self._pins.check(kept.place, name, tools)
            kept.pins, kept.tools = pins, tools
        return kept.pins

    async def _pool(self, workspace: Path | None) -> _Here | None:
        """None when all is closed, also where that came while it was opened."""
        async with self._opening:
            if (here := self._here.get(workspace)) is None:
                around = await self._surroundings(workspace)
                if self._closed:
                    return None
                pool = Pool(around)
                here = self._here[workspace] = _Here(pool)
                pool.watch(self._listener(workspace, here))
            return here

    def _listener(self, workspace: Path | None, here: _Here) -> Callable[[ServerRow], None]:
        def listen(row: ServerRow) -> None:
            here.rows[row.name] = row
            self._changed(workspace, row)

        return listen

    async def _reap(self) -> None:
        while True:
            await asyncio.sleep(min(_LOOK_S, self._idle_s))
            for workspace, here in tuple(self._here.items()):
                held = {name for place, names in self._holders.values() if place == workspace for name in names}
                old = time.monotonic() - self._idle_s
                async with here.starting:
                    for name in [name for name, kept in here.kept.items() if name not in held and kept.asked < old]:
                        here.kept.pop(name)
                        try:
                            await here.pool.remove(name)
                        except (OSError, SaysoError) as error:
                            _log.warning("the server %s could not be ended: %s", name, error)
                        here.rows.pop(name, None)


def held_back(server: str, pin: ToolPin) -> Refused:
    """Why a tool is not called: it is not the one that was looked at."""
    what = "is new" if pin.pinned is Pinned.NEW else "has changed"
    return Refused(
        f"{pin.tool} of {server} {what} since its tools were last looked at. Look at it first: the preview of MCP "
        "servers shows what is different, and accepts it.",
        details={"server": server, "tool": pin.tool, "reason": f"pin_{pin.pinned.value}", "content_hash": pin.hash},
    )


def _loads(here: _Here, name: str) -> bool:
    row = here.rows.get(name)
    return row is None or row.state in _LOADING
