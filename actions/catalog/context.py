"""What a handler is given: who calls, on which surface, and the services behind ports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from actions.catalog.ports import Ports
    from actions.catalog.spec import Surface


Progress = Callable[[float, float | None, str | None], None]
"""Progress, total, message, of a call that is at work. It must not block."""


class CallerKind(StrEnum):
    """What proved itself at the other end of a call."""

    WINDOW = "window"
    COMMAND = "command"
    SESSION = "session"
    EDITOR = "editor"
    HOST = "host"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls, as the host established it; nothing here is taken from the caller's word alone.

    ``session_id`` is the hosted session that the caller acts for. ``chain`` is the way from the root session down
    to the call (root session, child run, tool call). ``present`` says that a person was proven at the other end.
    """

    kind: CallerKind = CallerKind.UNKNOWN
    session_id: str | None = None
    chain: tuple[str, ...] = ()
    present: bool = False
    pid: int | None = None
    label: str = ""


@dataclass(frozen=True)
class ActionContext:
    """The call that a handler runs in. ``workspace`` is the directory that the caller works in, where it said so;
    ``progress`` is there where the caller listens.
    """

    caller: Caller
    surface: Surface
    ports: Ports
    workspace: str | None = None
    language: str = "en"
    extra: dict[str, Any] = field(default_factory=dict[str, Any])
    progress: Progress | None = None
