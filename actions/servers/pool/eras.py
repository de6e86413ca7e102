"""Remembers which servers did not understand the question for the modern era: asking costs each start four seconds."""

from __future__ import annotations

import hashlib
import json
import logging
import time
from pathlib import Path
from typing import Any, cast

from actions.errors import SaysoError
from actions.servers.pool.definition import ServerDefinition, Stdio
from actions.storage.files import write_atomic

KEEP = 7 * 24 * 3600.0
"""Seconds until a server is asked again: the next version of it may understand."""
_ONCE = "once:"
_log = logging.getLogger(__name__)


class Eras:
    """In memory, and in ``file`` for the next process. A file that is lost or damaged costs those seconds again."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._old: dict[str, float] | None = None

    def is_old(self, definition: ServerDefinition) -> bool:
        """Whether this server is one to be addressed in the handshake era at once. Reads a file."""
        return time.time() - self._known().get(_mark(definition), 0.0) < KEEP

    def note_old(self, definition: ServerDefinition) -> None:
        """This server did not survive or answer the question. Writes a file.

        It counts from the second time: a program that was fetched first, or had a slow day, is no old server.
        """
        known = self._known()
        mark = _mark(definition)
        known[mark if _ONCE + mark in known else _ONCE + mark] = time.time()
        if self._file is not None:
            try:
                write_atomic(self._file, json.dumps(known).encode())
            except SaysoError as error:
                _log.warning("%s", error)

    def _known(self) -> dict[str, float]:
        if self._old is None:
            self._old = {} if self._file is None else _read(self._file)
        return self._old


def _read(file: Path) -> dict[str, float]:
    try:
        content: Any = json.loads(file.read_bytes())
    except (OSError, ValueError):
        return {}
    if not isinstance(content, dict):
        return {}
    entries = cast("dict[str, Any]", content)
    oldest = time.time() - KEEP
    return {mark: when for mark, when in entries.items() if isinstance(when, int | float) and when > oldest}


def _mark(definition: ServerDefinition) -> str:
    """How a server is started or reached, as a hash: arguments are nobody's business in a file."""
    transport = definition.transport
    parts = (transport.command, *transport.args) if isinstance(transport, Stdio) else (transport.url,)
    return hashlib.sha256("\0".join(parts).encode(errors="surrogateescape")).hexdigest()[:24]
