"""Local figures about tool calls. They never leave this machine, and one setting switches them off."""

from __future__ import annotations

import json
import logging
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from actions.agent.toolset.dedup import Action

DupType = Literal["normal", "same_step", "cross_step"]
Event = dict[str, Any]
Sink = Callable[[str, Event], None]
"""Takes an event's name and its fields."""
FILE_LIMIT = 1_000_000
_AT_ONCE = 100
_log = logging.getLogger(__name__)


class Telemetry:
    """The events of one toolset. A sink that fails changes nothing: it is named in the log once. ``write_out``: how a
    sink that gathers events is told to keep them now.
    """

    def __init__(self, sink: Sink, write_out: Callable[[], None] | None = None) -> None:
        self._sink, self._write_out = sink, write_out
        self._failed = False

    def flush(self) -> None:
        """A step is over: no call waits for what is written now."""
        if self._write_out is not None:
            self._safely(self._write_out)

    def call(
        self, tool: str, outcome: str, seconds: float, dup_type: DupType, error: str | None, raised: str | None
    ) -> None:
        """The end of one call: ``outcome`` is success, error or cancelled; ``error`` its type, ``raised`` its class."""
        fields: Event = {
            "tool_name": tool,
            "outcome": outcome,
            "duration_ms": round(seconds * 1000, 3),
            "dup_type": dup_type,
        }
        if outcome == "error":
            fields |= {"error_type": error, "error_class": raised}
        self._send("tool_call", fields)

    def dedup(self, dup_type: DupType, key: str, step: int, call_id: str) -> None:
        """A call that was there before; ``key`` is the beginning of the key's digest."""
        self._send("tool_call_dedup", {"dup_type": dup_type, "key": key, "step": step, "call_id": call_id})

    def repeat(self, tool: str, count: int, action: Action) -> None:
        """A call in a streak of two or more."""
        self._send("tool_call_repeat", {"tool_name": tool, "repeat_count": count, "action": action})

    def stop(self, tool: str, count: int, step: int) -> None:
        """The turn was ended because of a streak."""
        self._send("tool_call_stop", {"tool_name": tool, "repeat_count": count, "step": step})

    def hook(self, tool: str, verdict: str) -> None:
        """Hooks had a say before a call."""
        self._send("tool_hook", {"tool_name": tool, "verdict": verdict})

    def permission(self, tool: str, approved: bool, mode: str, step: int) -> None:
        """A call was approved or rejected; ``mode`` is yolo, afk, rule or manual."""
        self._send("tool_permission", {"tool_name": tool, "approved": approved, "mode": mode, "step": step})

    def _send(self, name: str, fields: Event) -> None:
        self._safely(lambda: self._sink(name, fields))

    def _safely(self, keep: Callable[[], None]) -> None:
        try:
            keep()
        except Exception as error:  # noqa: BLE001 - figures must never cost a call
            if not self._failed:
                self._failed = True
                _log.warning("tool telemetry cannot be kept: %s", error)


class JsonLines:
    """A sink: one JSON object a line, written when it is flushed or has many. At ``limit`` bytes the file becomes
    ``NAME.1`` and a new one begins.
    """

    def __init__(self, path: Path, limit: int = FILE_LIMIT) -> None:
        self._path, self._limit = path, limit
        self._waiting: list[bytes] = []

    def __call__(self, name: str, fields: Event) -> None:
        self._waiting.append(json.dumps({"event": name, "at": round(time.time(), 3), **fields}).encode() + b"\n")
        if len(self._waiting) >= _AT_ONCE:
            self.flush()

    def flush(self) -> None:
        """Write what waits. Raises OSError; what could not be written is given up."""
        lines, self._waiting = b"".join(self._waiting), []
        if not lines:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(handle, lines)
            size = os.fstat(handle).st_size
        finally:
            os.close(handle)
        if size > self._limit:
            self._path.replace(self._path.with_name(f"{self._path.name}.1"))


def local_telemetry(state: Path, *, enabled: bool) -> Telemetry | None:
    """Telemetry into the state folder; None when the setting is off."""
    if not enabled:
        return None
    lines = JsonLines(state / "tool-calls.jsonl")
    return Telemetry(lines, lines.flush)
