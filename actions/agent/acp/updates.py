"""What a turn shows, as ``session/update`` notifications (ACP 1, "Prompt Turn" and "Tool Calls")."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from actions.agent.acp import blocks
from actions.agent.acp.link import Link
from actions.agent.acp.names import CallNames
from actions.agent.toolset.asking import Ask
from actions.agent.toolset.call import ToolCall
from actions.agent.toolset.display import key_argument
from actions.agent.toolset.results import MediaPart, ToolResult
from actions.agent.toolset.tool import Tool

_PAUSE = 0.3
"""Seconds between two looks at the output of a running call."""
_TAIL = 4_000
"""Characters of live output that are shown: ACP replaces a call's content as a whole."""
_KEY_WITHIN = 2_000
"""Characters of streaming arguments in which the title is looked for; a file's text comes after its path."""
_PLAN_STATES = {"pending": "pending", "in_progress": "in_progress", "done": "completed"}


@dataclass
class _Shown:
    """A call that is on the client's screen and has not ended."""

    name: str
    wire_id: str
    tool: Tool | None
    title: str
    arguments: str = ""
    output: str = ""
    flush: asyncio.TimerHandle | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Under:
    """Where a subagent's calls belong: the wire id of the parent's call, and who the subagent is."""

    parent: str
    agent_id: str
    agent_type: str

    def meta(self) -> dict[str, Any]:
        return {"parent_call": self.parent, "agent_id": self.agent_id, "agent_type": self.agent_type}


class WireScreen:
    """Implements :class:`actions.agent.loop.screen.Screen` for one session of one client."""

    def __init__(
        self,
        link: Link,
        session_id: str,
        cwd: Path,
        names: CallNames,
        mode_changed: Callable[[], None],
        under: Under | None = None,
    ) -> None:
        """``mode_changed`` tells the client the options in their new state, the newer form of the mode."""
        self._mode_changed = mode_changed
        self._link = link
        self._session_id = session_id
        self._cwd = cwd
        self._names = names
        self._under = under
        self._agent = under.agent_id if under else None
        self._held: list[str] | None = []
        self.entitles = True
        """Off: a title that the agent finds is kept, not announced."""
        self._parent: WireScreen | None = None
        self._parent_call = ""
        self._calls: dict[str, _Shown] = {}
        self.within_line = False
        """Whether the answer so far ends in the middle of a line."""

    @property
    def _root(self) -> WireScreen:
        return self if self._parent is None else self._parent._root

    def user(self, text: str, media: Sequence[MediaPart] = ()) -> None:
        if text:
            self.update("user_message_chunk", content=blocks.text(text))
        for part in media:
            self.update("user_message_chunk", content=blocks.media(part))

    def text(self, text: str) -> None:
        self._say("agent_message_chunk", text)

    def thought(self, text: str) -> None:
        if self._parent is None:
            self._say("agent_thought_chunk", text)

    def call_started(self, call_id: str, name: str, tool: Tool | None) -> None:
        shown = _Shown(name, self._names.new(self._agent, call_id), tool, name)
        self._calls[call_id] = shown
        self._start(shown)

    def call_arguments(self, call_id: str, delta: str) -> None:
        shown = self._calls.get(call_id)
        if shown is None:
            return
        shown.arguments += delta
        meta: dict[str, Any] = {"sayso": {"arguments_delta": delta, **self._meta()}}
        title = self._new_title(shown) if len(shown.arguments) <= _KEY_WITHIN else {}
        self._change(shown, _meta=meta, **title)

    def call_made(self, call: ToolCall, tool: Tool | None) -> None:
        shown = self._calls.get(call.id)
        raw = blocks.parsed(call.arguments)
        if shown is None:
            shown = _Shown(call.name, self._names.new(self._agent, call.id), tool, call.name, call.arguments)
            self._calls[call.id] = shown
            self._new_title(shown)
            self._start(shown, raw_input=raw)
            return
        shown.arguments = call.arguments
        self._change(shown, rawInput=raw, **self._new_title(shown))

    def call_prepared(self, call_id: str, ask: Ask) -> None:
        if (shown := self._calls.get(call_id)) and (told := blocks.preview(ask)):
            self._change(shown, **told)

    def call_running(self, call_id: str) -> None:
        if shown := self._calls.get(call_id):
            self._change(shown, status="in_progress")

    def call_output(self, call_id: str, text: str) -> None:
        shown = self._calls.get(call_id)
        if shown is None or not text:
            return
        shown.output = (shown.output + text)[-_TAIL:]
        if shown.flush is None:
            shown.flush = asyncio.get_running_loop().call_later(_PAUSE, self._flush, shown)

    def call_ended(self, call_id: str, result: ToolResult) -> None:
        shown = self._calls.pop(call_id, None)
        if shown is None:
            return
        if shown.flush is not None:
            shown.flush.cancel()
        status = "failed" if result.is_error else "completed"
        places = {"locations": blocks.locations_of(result.locations)} if result.locations else {}
        content = blocks.contents_of(result)
        raw = blocks.raw_output(result)
        self._change(shown, status=status, rawOutput=raw, **places, **({"content": content} if content else {}))

    def todo(self, items: Sequence[tuple[str, str]]) -> None:
        if self._parent is not None:
            return
        entries = [
            {"content": title, "priority": "medium", "status": _PLAN_STATES.get(status, "pending")}
            for title, status in items
        ]
        self.update("plan", entries=entries)

    def usage(self, used: int, window: int, cost_usd: Decimal | None) -> None:
        cost = {} if cost_usd is None else {"cost": {"amount": float(cost_usd), "currency": "USD"}}
        self.update("usage_update", used=max(used, 0), size=max(window, 0), **cost)

    def notice(self, text: str) -> None:
        """ACP has no notices: a line of its own in the answer, marked in ``_meta`` for a client that knows better."""
        if self._held is not None:
            self._held.append(text)
            return
        before = "\n\n" if self._root.within_line else ""
        self._root.within_line = False
        block = {**blocks.text(f"{before}> {text}\n\n"), "_meta": {"sayso": {"notice": text}}}
        self.update("agent_message_chunk", content=block)

    def release(self) -> None:
        """The client knows the session now: give it the notices that came before."""
        held, self._held = self._held, None
        for text in held or ():
            self.notice(text)

    def mode(self, mode: str) -> None:
        self.update("current_mode_update", currentModeId=mode)
        self._mode_changed()

    def title(self, title: str) -> None:
        if self.entitles:
            self.update("session_info_update", title=title)

    def commands(self, commands: Sequence[dict[str, Any]]) -> None:
        self.update("available_commands_update", availableCommands=list(commands))

    def child(self, parent_call: str, agent_id: str, agent_type: str) -> WireScreen:
        under = Under(self._names.of(self._agent, parent_call), agent_id, agent_type)
        screen = WireScreen(self._link, self._session_id, self._cwd, self._names, self._mode_changed, under)
        screen._parent, screen._parent_call, screen._held = self, parent_call, None
        return screen

    def update(self, update: str, /, **fields: Any) -> None:
        """Send one update; ``fields`` in the protocol's own words."""
        params = {"sessionId": self._session_id, "update": {"sessionUpdate": update, **fields}}
        self._link.notify("session/update", params)

    def _say(self, kind: str, text: str) -> None:
        if not text:
            return
        if self._parent is not None:
            self._parent.call_output(self._parent_call, text)
        else:
            self.update(kind, content=blocks.text(text))
            if kind == "agent_message_chunk":
                self.within_line = not text.endswith("\n")

    def _start(self, shown: _Shown, raw_input: Any = None) -> None:
        meta = {"_meta": {"sayso": self._meta()}} if self._under else {}
        given = {} if raw_input is None else {"rawInput": raw_input}
        kind = shown.tool.kind if shown.tool else "other"
        self.update(
            "tool_call", toolCallId=shown.wire_id, title=shown.title, kind=kind, status="pending", **given, **meta
        )

    def _change(self, shown: _Shown, **fields: Any) -> None:
        if self._under and "_meta" not in fields:
            fields["_meta"] = {"sayso": self._meta()}
        self.update("tool_call_update", toolCallId=shown.wire_id, **fields)

    def _flush(self, shown: _Shown) -> None:
        shown.flush = None
        self._change(shown, content=[blocks.as_content(blocks.fenced(shown.output))])

    def _new_title(self, shown: _Shown) -> dict[str, Any]:
        """The title as the arguments now make it, where that changes it."""
        key = key_argument(shown.tool, shown.arguments, self._cwd)
        title = f"{shown.name} {key}" if key else shown.name
        if title == shown.title:
            return {}
        shown.title = title
        return {"title": title}

    def _meta(self) -> dict[str, Any]:
        return self._under.meta() if self._under else {}
