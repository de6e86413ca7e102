"""The rows of a transcript and what the user did with them. Pure Python: no widget, no event loop.

An item is known by its id: the same id again changes its row, a new id appends one. Whoever draws subscribes and is
told which rows changed; state such as "expanded" lives here, because a card may be bound to another row at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from enum import StrEnum
from operator import attrgetter
from typing import Any

from desktop.subscriptions import Listeners


class Kind(StrEnum):
    """What a row is; one card class draws each."""

    USER = "user"
    AGENT = "agent"
    THOUGHT = "thought"
    TOOL = "tool"
    PLAN = "plan"
    PERMISSION = "permission"
    ERROR = "error"
    NOTICE = "notice"


@dataclass(frozen=True, slots=True)
class Item:
    """One row. ``text`` is markdown for agent and thought, plain for the rest; ``data`` depends on the kind.

    tool: ``status`` (pending, running, completed, failed), ``tool_kind``, ``input``, ``output``
    plan: ``entries`` [{content, status}]
    permission: ``options`` [{id, name, kind}], ``answer`` (an option's id, or None while open), ``input``
    notice: ``about`` (mode, ...), ``run_id`` of a run that has ended
    """

    id: str
    kind: Kind
    text: str = ""
    streaming: bool = False
    data: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True)
class Change:
    """What a listener must draw again: everything (``reset``), else rows appended or changed.

    ``prepended`` rows came before the first one; ``rows`` are numbered with them.
    """

    reset: bool = False
    appended: int = 0
    prepended: int = 0
    rows: frozenset[int] = frozenset()


class TranscriptModel:
    """Rows by position and by id."""

    def __init__(self, items: Iterable[Item] = ()) -> None:
        self._items: list[Item] = []
        self._known: dict[str, int] | None = None
        self._expanded: set[str] = set()
        self._listeners: Listeners[Change] = Listeners()
        self.reset(items)

    def __len__(self) -> int:
        return len(self._items)

    def __getitem__(self, row: int) -> Item:
        return self._items[row]

    def row_of(self, item_id: str) -> int | None:
        return self._row.get(item_id)

    def subscribe(self, listener: Callable[[Change], None]) -> AbstractContextManager[None]:
        """Hear every change until the handle is closed."""
        return self._listeners.subscribe(listener)

    @property
    def _row(self) -> dict[str, int]:
        """Rows by id, made when somebody first asks: nobody does before the rows are drawn."""
        if self._known is None:
            self._known = dict(zip(map(attrgetter("id"), self._items), range(len(self._items)), strict=True))
        return self._known

    @property
    def listeners(self) -> int:
        return len(self._listeners)

    def reset(self, items: Iterable[Item]) -> None:
        """Show another session, or the same one from the start."""
        self._items = list(items)
        self._known = None
        self._expanded.clear()
        self._listeners.tell(Change(reset=True))

    def upsert(self, item: Item) -> None:
        """Append ``item``, or change the row that has its id. An equal item tells nobody."""
        row = self._row.get(item.id)
        if row is None:
            self._row[item.id] = len(self._items)
            self._items.append(item)
            self._listeners.tell(Change(appended=1))
        elif self._items[row] != item:
            self._items[row] = item
            self._listeners.tell(Change(rows=frozenset({row})))

    def prepend(self, items: Iterable[Item]) -> None:
        """Put older ``items`` before the first row. One whose id has a row already is the beginning of that row."""
        fresh: list[Item] = []
        begun: set[str] = set()
        for item in items:
            row = self._row.get(item.id)
            if row is None:
                fresh.append(replace(item, streaming=False))
            else:
                begun.add(item.id)
                self._items[row] = _completed(item, self._items[row])
        self._items = fresh + self._items
        self._known = None
        if fresh or begun:
            rows = frozenset(self._row[item_id] for item_id in begun)
            self._listeners.tell(Change(prepended=len(fresh), rows=rows))

    def append_text(self, item_id: str, kind: Kind, text: str) -> None:
        """Add streamed ``text`` to an item; the first piece makes the row."""
        row = self._row.get(item_id)
        if row is None:
            self.upsert(Item(item_id, kind, text, streaming=True))
            return
        self._items[row] = replace(self._items[row], text=self._items[row].text + text, streaming=True)
        self._listeners.tell(Change(rows=frozenset({row})))

    def settle(self) -> None:
        """The turn is over: nothing streams any more."""
        rows = frozenset(row for row, item in enumerate(self._items) if item.streaming)
        for row in rows:
            self._items[row] = replace(self._items[row], streaming=False)
        if rows:
            self._listeners.tell(Change(rows=rows))

    def is_expanded(self, item_id: str) -> bool:
        return item_id in self._expanded

    def set_expanded(self, item_id: str, expanded: bool) -> None:
        (self._expanded.add if expanded else self._expanded.discard)(item_id)
        row = self._row.get(item_id)
        if row is not None:
            self._listeners.tell(Change(rows=frozenset({row})))


def _completed(older: Item, newer: Item) -> Item:
    """One item of which the first part was read last."""
    if newer.kind in (Kind.AGENT, Kind.THOUGHT):
        return replace(newer, text=older.text + newer.text)
    text = older.text if not newer.text or newer.text == newer.data.get("tool_kind") else newer.text
    return replace(newer, text=text, data={**older.data, **newer.data})
