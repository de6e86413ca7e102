"""How an agent keeps to asking: whether it asked before it acted, waited for the answer, and stayed in its mode."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from actions.catalog.views import SessionMark
from actions.sessions.events import Draft, notice
from actions.sessions.provider import Provider
from actions.sessions.setting_up import not_in_ask_mode

if TYPE_CHECKING:
    from actions.sessions.link import Link


class Conduct:
    """Watches one running agent. ``marks`` are for the session, from its first to its last agent."""

    def __init__(self, provider: Provider) -> None:
        self.marks: set[SessionMark] = set()
        self.asked = False
        """Whether it ever asked, rightly or not."""
        self.turn_over = False
        """Whether its first turn has ended: by then it has listed its tools, or it will work without them."""
        self._provider = provider
        self._hasty: set[str] = set()

    def unasked(self, link: Link, *, acted: bool) -> list[Draft]:
        """At the end of a turn: it changed files or ran commands in a mode in which it should ask, and never asked."""
        self.turn_over = True
        should = self._provider.asks in ("client", "own_config")
        in_mode = self._provider.ask_mode in (None, link.modes.mode.current)
        if not (acted and should and in_mode) or self.asked:
            return []
        self.asked = True  # said once
        self.marks.add("did_not_ask")
        name = self._provider.name
        return [notice(f"{name} changed files or ran commands. It did not ask.", "did_not_ask", provider=name)]

    def hasty(self, update: dict[str, Any], title: str | None, *, waits: bool) -> list[Draft]:
        """A call that was carried out while a person was still being asked about it (``waits``)."""
        call_id = str(update.get("toolCallId") or "")
        done = update.get("sessionUpdate") in ("tool_call", "tool_call_update") and update.get("status") == "completed"
        if not (done and waits) or call_id in self._hasty:
            return []
        self._hasty.add(call_id)
        name, call = self._provider.name, title or "a tool call"
        text = f"{name} did not wait for your answer: {call} is done already."
        return [notice(text, "did_not_wait", provider=name, title=call)]

    def left_its_mode(self, link: Link, *, in_turn: bool) -> list[Draft]:
        """It went out of the mode in which it asks. Within a turn that may be what a person just agreed to."""
        if link.asks_in in (None, link.modes.mode.current):
            return []
        link.asks_in = None
        return [] if in_turn else [not_in_ask_mode(self._provider, link)]
