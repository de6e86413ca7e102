"""Tool calls that do not say of what kind they are."""

from __future__ import annotations

import re
from typing import Any

from actions.sessions.incoming import Incoming, PermissionAsk, Update

_KINDS = {
    "shell": "execute",
    "bash": "execute",
    "writefile": "edit",
    "strreplacefile": "edit",
    "readfile": "read",
    "grep": "search",
    "glob": "search",
    "searchweb": "search",
    "fetchurl": "fetch",
    "think": "think",
}


class GuessKinds:
    """Takes the kind from the tool's name, with which the title begins. The first sight of a call counts.

    WORKAROUND(MoonshotAI/kimi-cli 1.50, seen by us): calls carry no ``kind``, so that nothing could tell whether the
    agent acted without asking. The title grows while the arguments stream; its first word stays.
    """

    def __init__(self) -> None:
        self._kinds: dict[str, str] = {}

    def __call__(self, entry: Incoming) -> None:
        match entry:
            case Update(update=call) if call.get("sessionUpdate") in ("tool_call", "tool_call_update"):
                self._complete(call)
            case PermissionAsk(tool_call=call):
                self._complete(call)
            case _:
                pass

    def _complete(self, call: dict[str, Any]) -> None:
        call_id = str(call.get("toolCallId", ""))
        word = re.match(r"\w+", str(call.get("title") or ""))
        if call_id not in self._kinds and word and (kind := _KINDS.get(word.group().casefold())):
            self._kinds[call_id] = kind
        if call.get("kind") in (None, "other") and call_id in self._kinds:
            call["kind"] = self._kinds[call_id]
