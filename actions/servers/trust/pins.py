"""Tools as they were seen: a tool that says something else now, or is new, waits until a person looked at it.

Trusted on first use: the tools that a server has when it is first seen are kept. What it says later is compared.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects.sqlite import insert

from actions.errors import ErrorCode, NotFound, SaysoError
from actions.servers.pool.states import ToolInfo
from actions.servers.trust.changes import Change, changes
from actions.storage.database import Database
from actions.storage.ids import now_ms
from actions.storage.schema import mcp_pins


class Pinned(StrEnum):
    """What a tool is beside its pin."""

    SAME = "same"
    CHANGED = "changed"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class ToolPin:
    """A tool beside its pin. ``hash`` is that of the definition now: what :meth:`Pins.accept` takes."""

    tool: str
    pinned: Pinned
    hash: str
    changes: tuple[Change, ...] = ()

    @property
    def usable(self) -> bool:
        """Whether it may be called without another look."""
        return self.pinned is Pinned.SAME


def definition_of(tool: ToolInfo) -> dict[str, Any]:
    """All that a server says of a tool, canonical."""
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "input_schema": tool.input_schema,
        "output_schema": tool.output_schema,
        "annotations": tool.annotations,
    }


def pin_hash(tool: ToolInfo) -> str:
    """Changes with anything that the server says of the tool."""
    text = json.dumps(definition_of(tool), sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


class Pins:
    """Keeps them in the database. ``place`` is the workspace whose file defines the server, or ``device``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def check(self, place: str, server: str, tools: Sequence[ToolInfo]) -> Mapping[str, ToolPin]:
        """Each tool beside its pin. The first tools of a server are kept as they are."""
        if not tools:
            return {}
        now = {tool.name: (pin_hash(tool), definition_of(tool)) for tool in tools}

        def work(db: Connection) -> dict[str, ToolPin]:
            kept = _kept(db, place, server)
            if not kept:
                _put(db, place, server, now)
                kept = now
            return {name: _beside(name, *now[name], kept.get(name)) for name in now}

        known = await self._database.read(lambda db: _kept(db, place, server))
        if known:  # the usual case asks for no write transaction
            return {name: _beside(name, *now[name], known.get(name)) for name in now}
        return await self._database.write(work)

    async def accept(self, place: str, server: str, tool: ToolInfo, content_hash: str) -> None:
        """Keep a tool as it is now. Raises ``stale`` when it is not what was looked at."""
        current = pin_hash(tool)
        if content_hash != current:
            raise SaysoError(
                f"{tool.name} of {server} has changed again since you looked at it. Look at it once more.",
                code=ErrorCode.STALE,
                details={"server": server, "tool": tool.name, "content_hash": current},
            )
        await self._database.write(lambda db: _put(db, place, server, {tool.name: (current, definition_of(tool))}))

    async def forget(self, place: str, server: str) -> None:
        """Forget a server's tools: the next that are seen are kept."""
        gone = delete(mcp_pins).where(mcp_pins.c.place == place, mcp_pins.c.server == server)
        await self._database.write(lambda db: db.execute(gone))


def find_tool(server: str, tools: Iterable[ToolInfo], name: str) -> ToolInfo:
    """One of a server's tools. Raises NotFound with those there are."""
    listed = {tool.name: tool for tool in tools}
    if (found := listed.get(name)) is None:
        candidates = [{"name": known} for known in list(listed)[:20]]
        raise NotFound(
            f"{server} has no tool {name!r}. `sayso mcp preview` shows what it has.",
            details={"server": server, "tool": name, "candidates": candidates},
        )
    return found


def _beside(
    name: str, current: str, definition: Mapping[str, Any], pin: tuple[str, Mapping[str, Any]] | None
) -> ToolPin:
    if pin is None:
        return ToolPin(name, Pinned.NEW, current)
    if pin[0] == current:
        return ToolPin(name, Pinned.SAME, current)
    return ToolPin(name, Pinned.CHANGED, current, changes(pin[1], definition))


def _kept(db: Connection, place: str, server: str) -> dict[str, tuple[str, Mapping[str, Any]]]:
    rows = db.execute(select(mcp_pins).where(mcp_pins.c.place == place, mcp_pins.c.server == server)).mappings()
    return {row["tool"]: (row["hash"], row["definition"]) for row in rows}


def _put(db: Connection, place: str, server: str, tools: Mapping[str, tuple[str, Mapping[str, Any]]]) -> None:
    for name, (content_hash, definition) in tools.items():
        row = {
            "place": place, "server": server, "tool": name, "hash": content_hash, "definition": dict(definition),
            "at": now_ms(),
        }  # fmt: skip
        put = insert(mcp_pins).values(**row)
        db.execute(put.on_conflict_do_update(index_elements=["place", "server", "tool"], set_=row))
