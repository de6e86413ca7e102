"""The wire of one agent, written down on demand: a JSON line a message, secrets masked, bounded.

Masked are, by their type, the values of the environment variables and headers of MCP servers, and the answers of a
sign-in; and wherever they stand, the values that the host knows to be secret. What an agent or a person says of other
secrets stands there as it was said.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, cast

from actions.storage.ids import now_ms

LIMIT = 8 * 1024 * 1024
"""Bytes of a file; at this size it is set aside (``.1``) and a new one begun, so a session has at most twice that."""

_LONGEST = 64 * 1024
_SHORTEST_SECRET = 6
_HIDDEN = "•••"
_KEEPS_SECRETS = re.compile(r"(?i)(key|token|secret|password|passwd|credential|auth)")

_log = logging.getLogger(__name__)


def secrets_of(environment: Mapping[str, str], declared: Iterable[str]) -> tuple[str, ...]:
    """The values to mask: those ``declared`` to be secret, and those of variables whose name says so."""
    named = [value for name, value in environment.items() if _KEEPS_SECRETS.search(name)]
    # A short value ("1", "auto") would blot out half the log; the longest first, for one may hold another.
    return tuple(sorted({v for v in (*declared, *named) if len(v) >= _SHORTEST_SECRET}, key=len, reverse=True))


class WireTap:
    """Where a connection's messages pass. It writes while a log is ``open``; ``note`` never raises."""

    def __init__(self, file: Path, secrets: Sequence[str], *, limit: int = LIMIT) -> None:
        self._file = file
        # As they stand inside JSON text: quotes and line breaks of a secret are escaped there.
        self._secrets = [json.dumps(secret, ensure_ascii=False)[1:-1] for secret in secrets]
        self._limit = limit
        self.open = False

    def note(self, direction: Literal["in", "out"], message: Mapping[str, Any]) -> None:
        """Write one message, when the log is open."""
        if not self.open:
            return
        entry = {"at": now_ms(), "direction": direction, "message": _typed(message)}
        line = json.dumps(entry, ensure_ascii=False, separators=(",", ":"))
        for secret in self._secrets:
            line = line.replace(secret, _HIDDEN)
        if len(line) > _LONGEST:
            cut = {"at": entry["at"], "direction": direction, "cut": line[:_LONGEST], "length": len(line)}
            line = json.dumps(cut, ensure_ascii=False)
        try:
            self._write(line.encode("utf-8", "replace") + b"\n")
        except OSError as error:
            self.open = False
            _log.warning("the wire log %s is closed: %s", self._file, error)

    def _write(self, line: bytes) -> None:
        if self._file.exists() and self._file.stat().st_size + len(line) > self._limit:
            self._file.replace(self._file.with_suffix(".jsonl.1"))
        with self._file.open("ab") as out:
            if out.tell() == 0:
                self._file.chmod(0o600)
            out.write(line)


def wire_file(logs: Path, session_id: str) -> Path:
    """Where a session's wire log is."""
    return logs / f"{session_id}.wire.jsonl"


def _typed(message: Mapping[str, Any]) -> dict[str, Any]:
    """The message with the secrets masked that its schema names: MCP servers' env and headers, sign-in answers."""
    params = message.get("params")
    if not isinstance(params, dict):
        return dict(message)
    masked = dict(cast("dict[str, Any]", params))
    if message.get("method") == "authenticate":
        masked = {key: value if key == "methodId" else _HIDDEN for key, value in masked.items()}
    servers: Any = masked.get("mcpServers")
    if isinstance(servers, list):
        masked["mcpServers"] = [_server(server) for server in cast("list[Any]", servers)]
    return {**message, "params": masked}


def _server(server: Any) -> Any:
    if not isinstance(server, dict):
        return server
    shown = dict(cast("dict[str, Any]", server))
    for name in ("env", "headers"):
        pairs: Any = shown.get(name)
        if isinstance(pairs, list):
            shown[name] = [
                {**cast("dict[str, Any]", pair), "value": _HIDDEN} if isinstance(pair, dict) else pair
                for pair in cast("list[Any]", pairs)
            ]
    return shown
