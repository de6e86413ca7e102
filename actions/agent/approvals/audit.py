"""The record of what was let through and what was not: one JSON object a line, bounded, the user's alone."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from pydantic_core import to_json

from actions.agent.approvals.decision import Decision, Source, Wanted
from actions.agent.toolset.asking import Scope
from actions.catalog.spec import Effect
from actions.tasks import TaskOwner

AuditEvent = Literal["decided", "cancelled", "deferred", "stale"]
_Row = tuple[float, AuditEvent, str, str, Effect, Scope, Source, Decision | None]
_log = logging.getLogger(__name__)
_SUBJECT = 500
"""Characters of a command, path or feedback that are kept."""


class Audit:
    """``note`` only puts a row in memory; an owned task writes them ``delay`` seconds later, :meth:`close` the rest.

    A file past ``limit`` bytes becomes the old one, of which there is one. More than ``waiting`` rows in memory are
    written at once: memory stays bounded even while no task gets a turn.
    """

    def __init__(self, file: Path, *, limit: int = 2_000_000, delay: float = 0.5, waiting: int = 5_000) -> None:
        self._file, self._limit, self._delay, self._waiting = file, limit, delay, waiting
        self._rows: list[_Row] = []
        self._tasks = TaskOwner("approval audit")
        self._writing = False
        self._closed = False

    def note(self, event: AuditEvent, wanted: Wanted, decision: Decision | None = None) -> None:
        """Keep a row. Touches no file unless too many rows wait."""
        # Not the whole ``wanted``: its preview may be large.
        self._rows.append(
            (time.time(), event, wanted.call.id, wanted.tool, wanted.effect, wanted.ask.scope, wanted.source, decision)
        )
        if not self._writing:
            self._begin()
        if len(self._rows) >= self._waiting:
            self.flush()

    def flush(self) -> None:
        """Write what waits. A failure is logged: the record never stops a call."""
        rows, self._rows = self._rows, []
        if not rows:
            return
        lines = b"".join(map(_line, rows))
        try:
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle = os.open(self._file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                os.write(handle, lines)
                size = os.fstat(handle).st_size
            finally:
                os.close(handle)
            if size > self._limit:
                self._file.replace(self._file.with_name(self._file.name + ".old"))
        except OSError as error:
            _log.error("%d approval rows could not be written to %s: %s", len(rows), self._file, error)

    async def close(self) -> None:
        """Write what waits; later rows are written one by one."""
        self._closed, self._writing = True, False
        await self._tasks.close()
        self.flush()

    def _begin(self) -> None:
        if self._closed:
            self.flush()
            return
        try:
            asyncio.get_running_loop()
        except RuntimeError:  # no loop: close() writes
            return
        self._writing = True
        self._tasks.start(self._soon(), name="write")

    async def _soon(self) -> None:
        try:
            await asyncio.sleep(self._delay)
        finally:
            self._writing = False
        self.flush()


def _line(row: _Row) -> bytes:
    at, event, call, tool, effect, scope, source, decision = row
    said: dict[str, object] = {
        "at": datetime.fromtimestamp(at, UTC),
        "event": event,
        "call": call,
        "tool": tool,
        "effect": effect,
        "scope": scope.kind,
        "subject": scope.subject[:_SUBJECT],
        "source": source.kind,
        "source_id": source.id,
    }
    if source.agent_id is not None:
        said |= {"agent": source.agent_id, "agent_type": source.agent_type}
    if decision is not None:
        said |= {"approved": decision.approved, "mode": decision.decided_by}
        if decision.rule is not None:
            said["rule"] = decision.rule
        if decision.feedback:
            said["feedback"] = decision.feedback[:_SUBJECT]
    try:
        return to_json(said) + b"\n"  # a quarter of what the standard library takes: there is one for each call
    except ValueError:  # a lone surrogate
        return json.dumps(said, default=str).encode() + b"\n"
