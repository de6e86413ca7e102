"""Permission requests that name neither the server nor the tool."""

from __future__ import annotations

from typing import Any, cast

from actions.sessions.incoming import Incoming, PermissionAsk, Update

_EMPTY = ("", "Approve MCP tool call")


class NameFromCall:
    """Takes server and tool from the call that was announced before, else from the request's own input.

    WORKAROUND(codex-acp 2.6: the title is null, the earlier ``tool_call`` has ``rawInput.server`` and ``.tool``; 0.16:
    the title is always the same, the request has ``rawInput.server_name``; both seen by us)
    """

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def __call__(self, entry: Incoming) -> None:
        match entry:
            case Update(update=call) if call.get("sessionUpdate") == "tool_call":
                if name := _name(call):
                    self._names[str(call.get("toolCallId"))] = name
            case PermissionAsk(tool_call=call) if str(call.get("title") or "") in _EMPTY:
                if name := self._names.get(str(call.get("toolCallId"))) or _name(call):
                    call["title"] = name
            case _:
                pass


def _name(call: dict[str, Any]) -> str:
    given: Any = call.get("rawInput")
    if not isinstance(given, dict):
        return ""
    values = cast("dict[str, Any]", given)
    server = values.get("server") or values.get("server_name")
    tool = values.get("tool") or values.get("tool_name")
    return " ".join(str(part) for part in (tool, f"({server})" if server else None) if part)
