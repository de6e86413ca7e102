"""What the window needs of a host. Panes know this and nothing else of the world outside.

The real one is :mod:`desktop.app.remote`; everything that the user does ends in :meth:`Backend.execute`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from desktop.status import Connection


class Status(StrEnum):
    """How a call ended; the outcomes of ``execute``."""

    COMPLETED = "completed"
    PENDING = "pending"
    REJECTED = "rejected"
    FAILED = "failed"


@dataclass(frozen=True)
class Outcome:
    """What became of a call. ``data`` is the action's output; ``code`` and ``message`` say why it failed; ``details``
    carries the bad fields of an ``invalid_input``."""

    status: Status
    data: Mapping[str, Any] = field(default_factory=dict[str, Any])
    approval_id: str | None = None
    code: str = ""
    message: str = ""
    details: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def ok(self) -> bool:
        return self.status is Status.COMPLETED


@dataclass(frozen=True)
class HostEvent:
    """Something that happened in the host, named ``<subject>_did_<verb>`` or ``<subject>_will_<verb>``."""

    type: str
    data: Mapping[str, Any] = field(default_factory=dict[str, Any])
    seq: int = 0


@dataclass(frozen=True)
class ConnectionChange:
    """Where the line to the host stands. ``missed`` asks for everything to be read again."""

    state: Connection
    reason: str = ""
    missed: bool = False


class Backend(Protocol):
    """Calls and events of one host."""

    async def execute(
        self,
        action_id: str,
        input: Mapping[str, Any] | None = None,
        *,
        patience_s: float | None = None,
        attached: bool = False,
    ) -> Outcome:
        """Run an action on the ``ui`` surface. A host that is away is a failed outcome, not an exception.

        ``patience_s``: seconds that the call waits for the answer to the request that it may become.
        ``attached``: the action ends when this call is cancelled.
        """
        ...

    async def showing(self, session_id: str | None, *, focused: bool) -> None:
        """Tell the host which session the window shows; one that cannot be reached is told after it connects."""
        ...

    def subscribe(self, listener: Callable[[HostEvent], None]) -> AbstractContextManager[None]:
        """Hear every event, in order, until the handle is closed."""
        ...

    def subscribe_connection(self, listener: Callable[[ConnectionChange], None]) -> AbstractContextManager[None]:
        """Hear where the line stands, at once and after each change."""
        ...
