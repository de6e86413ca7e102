"""From what an agent says on the wire to transcript events.

Source: ACP 1, ``session/update``. Agents differ in what they send; whatever is unknown or odd costs itself only.
"""

from __future__ import annotations

from typing import Any, cast

from actions.sessions.events import FINISHED, Draft, Kind
from actions.sessions.shell_calls import tool_command

TEXT_LIMIT = 256 * 1024
"""Characters of one string that are kept. An agent that dumps a file into a tool call must not fill the disk."""

_CALL_FIELDS = {
    "title": "title",
    "kind": "kind",
    "status": "status",
    "rawInput": "input",
    "rawOutput": "output",
    "locations": "locations",
    "content": "content",
    "name": "name",
}
_KEPT = ("title", "kind", "input", "locations", "content", "name")
_ACTS = frozenset({"execute", "edit", "delete", "move"})


_STATES = (
    "available_commands_update",
    "current_mode_update",
    "config_option_update",
    "session_info_update",
    "usage_update",
)


def is_said(update: dict[str, Any]) -> bool:
    """Whether an update is a part of the conversation, which an agent says once more when it loads it."""
    return update.get("sessionUpdate") not in _STATES


class UpdateReader:
    """Turns updates into drafts; remembers which message is being streamed and which calls are open."""

    def __init__(self) -> None:
        self._message: str | None = None
        self._message_kind: Kind | None = None
        self._count = 0
        self._turn = 0
        self.acted = False
        """Whether a call that edits or executes has completed."""
        self._open: set[str] = set()
        self._calls: dict[str, dict[str, Any]] = {}
        self._our_calls: set[str] = set()

    def start_turn(self, turn: int) -> None:
        """A new turn: its messages are new items. Turns of a resumed session go on counting."""
        self._turn = turn
        self._count = 0
        self._calls.clear()
        self._our_calls.clear()
        self._end_message()

    def read(self, update: dict[str, Any]) -> list[Draft]:
        """The drafts of one ``update``; none for what has no place in a transcript."""
        match update.get("sessionUpdate"):
            case "agent_message_chunk":
                return self._chunk(Kind.AGENT, update)
            case "agent_thought_chunk":
                return self._chunk(Kind.THOUGHT, update)
            case "tool_call" | "tool_call_update":
                return self.call(update)
            case "plan":
                self._end_message()
                return [Draft(Kind.PLAN, {"entries": _plain(update.get("entries") or [])}, "plan")]
            case "usage_update":
                kept = {key: _plain(update[key]) for key in ("used", "size", "cost") if update.get(key) is not None}
                return [Draft(Kind.USAGE, kept, "usage")] if kept else []
            case "available_commands_update":
                return [Draft(Kind.COMMANDS, {"commands": _commands(update)}, "commands")]
            case _:
                return []

    def call(self, call: dict[str, Any]) -> list[Draft]:
        """A tool call by its id, announced or not: merge what is given, keep what is not."""
        call_id = call.get("toolCallId")
        if not isinstance(call_id, str) or not call_id:
            return []
        self._end_message()
        data = {ours: _plain(call[theirs]) for theirs, ours in _CALL_FIELDS.items() if call.get(theirs) is not None}
        if meta := _terminal_output(call):
            data["terminal"] = meta
        status = data.get("status")
        if status in FINISHED:
            self._open.discard(call_id)
        elif status is not None or call.get("sessionUpdate") == "tool_call":
            self._open.add(call_id)
            data.setdefault("status", "pending")
        self._fold(call_id, data)
        return [Draft(Kind.TOOL_CALL, {**data, **self._our_tool(call_id, data)}, call_id)]

    def close_calls(self, status: str) -> list[Draft]:
        """End every open call, for an agent that ended its turn without doing so."""
        drafts = [Draft(Kind.TOOL_CALL, {"status": status}, call_id) for call_id in sorted(self._open)]
        self._open.clear()
        return drafts

    def folded(self, call_id: str) -> dict[str, Any]:
        """What is known of a call of this turn: ``{id, title?, kind?, input?, locations?, content?, name?}``."""
        return {"id": call_id, **self._calls.get(call_id, {})}

    def _fold(self, call_id: str, data: dict[str, Any]) -> None:
        call = {**self._calls.get(call_id, {}), **{key: data[key] for key in _KEPT if key in data}}
        self._calls[call_id] = call
        if data.get("status") == "completed" and call.get("kind") in _ACTS:
            self.acted = True

    def _our_tool(self, call_id: str, data: dict[str, Any]) -> dict[str, Any]:
        """How a shell command that calls a tool of ours is shown: as that call. Rules and requests see the command."""
        if not data.keys() & {"title", "input"}:
            return {}
        call = self._calls[call_id]
        found = tool_command(call)
        if found is not None:
            self._our_calls.add(call_id)
            return {"title": found.title, "kind": "other", "tool": found.as_json()}
        if call_id not in self._our_calls:
            return {}
        self._our_calls.discard(call_id)  # it grew to more than that
        return {"title": call.get("title"), "kind": call.get("kind"), "tool": None}

    def _chunk(self, kind: Kind, update: dict[str, Any]) -> list[Draft]:
        text = _text_of(update.get("content"))
        if not text:
            return []
        named: Any = update.get("messageId")
        if isinstance(named, str) and named:
            # One id may carry thoughts and text; they are two items.
            item_id = named if kind is Kind.AGENT else f"{named}-thought"
        elif self._message is not None and self._message_kind is kind:
            item_id = self._message
        else:
            self._count += 1
            item_id = f"m{self._turn}.{self._count}"
        self._message, self._message_kind = item_id, kind
        return [Draft(kind, {"text": text}, item_id)]

    def _end_message(self) -> None:
        self._message = self._message_kind = None


def _text_of(content: Any) -> str:
    if not isinstance(content, dict):
        return ""
    block = cast("dict[str, Any]", content)
    match block.get("type"):
        case "text":
            return _clip(str(block.get("text", "")))
        case "resource_link":
            return f"[{block.get('title') or block.get('name') or block.get('uri')}]({block.get('uri')})"
        case "resource":
            inner: Any = block.get("resource")
            return _clip(str(cast("dict[str, Any]", inner).get("text", ""))) if isinstance(inner, dict) else ""
        case str(kind):
            return f"[{kind}]"
        case _:
            return ""


def _terminal_output(call: dict[str, Any]) -> dict[str, Any]:
    # Codex and Pi carry a terminal's output beside the call, for terminals that the client never made.
    meta: Any = call.get("_meta")
    if not isinstance(meta, dict):
        return {}
    names = ("terminal_output", "terminal_output_delta", "terminal_exit")
    return {name: _plain(value) for name, value in cast("dict[str, Any]", meta).items() if name in names}


def _commands(update: dict[str, Any]) -> list[dict[str, str]]:
    given = cast("list[Any]", update.get("availableCommands") or [])
    return [
        {"name": str(command["name"]), "description": str(command.get("description") or "")}
        for command in (cast("dict[str, Any]", item) for item in given if isinstance(item, dict))
        if command.get("name")
    ]


def _plain(value: Any, depth: int = 0) -> Any:
    if isinstance(value, str):
        return _clip(value)
    if depth > 40:
        return None
    if isinstance(value, list):
        return [_plain(item, depth + 1) for item in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {str(key): _plain(item, depth + 1) for key, item in cast("dict[Any, Any]", value).items()}
    return value


def _clip(text: str) -> str:
    if len(text) <= TEXT_LIMIT:
        return text
    return f"{text[:TEXT_LIMIT]}\n… ({len(text) - TEXT_LIMIT} more characters were not kept)"
