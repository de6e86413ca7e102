"""A running agent with its session, what it was started for, and where its news go."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from actions.catalog.views import SessionMark
from actions.sessions.events import Draft
from actions.sessions.incoming import Incoming
from actions.sessions.modes import ModeState
from actions.sessions.private import PrivateFolder
from actions.sessions.process import AgentProcess
from actions.sessions.quirks import Quirks
from actions.sessions.tool_delivery import NOTHING, Delivered
from actions.sessions.wirelog import WireTap

if TYPE_CHECKING:
    from acp.schema import InitializeResponse

    from actions.sessions.connection import AgentConnection


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a session should start with.

    ``resume`` and ``fork`` are the agent's own id of an earlier conversation, to go on with or to begin a second one
    from. With ``strict`` one that cannot be taken up fails the start; else a new one is begun, which says so.
    """

    mode: str | None = None
    model: str | None = None
    options: Mapping[str, str | bool] = field(default_factory=dict[str, str | bool])
    resume: str | None = None
    fork: str | None = None
    strict: bool = False
    sign_in: str | None = None
    """The sign-in method to call, and to try once more after, when the agent wants one."""
    environment: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def takes_up(self) -> bool:
        """Whether it is about an earlier conversation."""
        return self.resume is not None or self.fork is not None


@dataclass(frozen=True, slots=True)
class Ears:
    """Where a link's news go. All are called synchronously and in order.

    ``forget`` is called with the answer to a load: what came in before it was the conversation once more. ``room``
    holds a flood back. ``waits`` is told of each method that the agent has to answer.
    """

    incoming: Callable[[Incoming], None]
    ended: Callable[[], None]
    forget: Callable[[], None]
    room: Callable[[], Awaitable[None]] | None = None
    waits: Callable[[str], None] | None = None


@dataclass(slots=True)
class Link:
    """A running agent with its session."""

    process: AgentProcess
    connection: AgentConnection
    ledger_row: str
    ears: Ears
    tap: WireTap
    private: PrivateFolder
    quirks: Quirks
    agent_session_id: str = ""
    fresh: bool = False
    """Whether the agent's conversation is a new one, in which nothing was said yet."""
    tools: Delivered = NOTHING
    modes: ModeState = field(default_factory=ModeState)
    initialized: InitializeResponse | None = None
    notices: list[Draft] = field(default_factory=list[Draft])
    has_key: bool = False
    """Whether the variable is set with which the row's sign-in needs no person."""
    marks: set[SessionMark] = field(default_factory=set[SessionMark])
    """What is to be known of its asking for as long as it runs."""
    asks_in: str | None = None
    """The mode in which it asks, once it confirmed that, until another one was chosen."""
    ms: dict[str, int] = field(default_factory=dict[str, int])
    """Milliseconds that each step of the start took."""

    @property
    def capabilities(self) -> dict[str, Any]:
        """What the agent said it can do, as JSON."""
        if self.initialized is None or self.initialized.agent_capabilities is None:
            return {}
        return self.initialized.agent_capabilities.model_dump(mode="json", by_alias=True, exclude_none=True)
