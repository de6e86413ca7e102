"""What a session is besides its context: mode, title, todo list, plan."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, cast

from actions.agent.session.store import Record, SessionFile

Item = tuple[str, str]


class Mode(StrEnum):
    """How a session treats calls: ask by their effect, plan without writing, approve all, or run unattended."""

    DEFAULT = "default"
    PLAN = "plan"
    YOLO = "yolo"
    AFK = "afk"


@dataclass(frozen=True, slots=True)
class SessionState:
    """The kept state. ``plan`` is the Markdown of the last plan, ``todo`` holds ``(title, status)``.

    ``mode`` never holds what counts for one run only: an agent started with ``--afk`` keeps the mode it had.
    """

    mode: Mode = Mode.DEFAULT
    title: str | None = None
    todo: tuple[Item, ...] = ()
    plan: str | None = None


class StateKeeper:
    """The state now, kept at each change."""

    def __init__(self, file: SessionFile, now: SessionState | None = None) -> None:
        self._file = file
        self.now = now or SessionState()

    def change(self, **fields: Any) -> bool:
        """Set fields of :class:`SessionState`. Returns whether anything changed."""
        changed = {key: value for key, value in fields.items() if getattr(self.now, key) != value}
        if changed:
            self.now = replace(self.now, **changed)
            self._file.append("state", **changed)
        return bool(changed)


def state_of(records: Iterable[Record]) -> SessionState:
    """The state that ``records`` end with; what cannot be understood counts as never said."""
    said: dict[str, Any] = {}
    for record in records:
        if record["kind"] == "state":
            said.update(record)
    return SessionState(
        mode=Mode(said["mode"]) if said.get("mode") in [*Mode] else Mode.DEFAULT,
        title=_text(said.get("title")),
        todo=tuple(_items(said.get("todo"))),
        plan=_text(said.get("plan")),
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _items(value: object) -> Iterable[Item]:
    for item in cast("list[object]", value) if isinstance(value, list) else ():
        match item:
            case [str(title), str(status)]:
                yield title, status
            case _:
                continue
