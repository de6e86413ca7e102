"""Sessions on disk: one file of JSON lines each, only ever appended to, so that a step costs the same at any length.

The first line says which session it is; each further line is a record ``{"kind": ...}``: ``message``, ``checkpoint``,
``revert``, ``compact`` and ``shorten`` (see :mod:`actions.agent.session.context`), ``state`` (changed fields of
:class:`~actions.agent.session.state.SessionState` and ``cwd``) and ``turn`` (prompt and answer of a turn without a
model). Files are private to the user. A home that cannot be written to costs the later load, nothing else.
"""

from __future__ import annotations

import errno
import fcntl
import json
import logging
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from actions.agent.session.lines import last_line_ends, objects, titles
from actions.errors import NotFound, SaysoError
from actions.storage.ids import Prefix, new_id

_ID = re.compile(r"^ses_[0-9a-z]{1,40}$")
_log = logging.getLogger(__name__)
Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class SessionHead:
    """A session in a list. ``updated`` is an ISO time in UTC."""

    id: str
    cwd: str
    title: str | None
    updated: str


class SessionFile:
    """The record of one session. Writing never raises: the first failure is logged and the rest stays in memory."""

    def __init__(self, path: Path | None, session_id: str, cwd: str) -> None:
        self.id = session_id
        self.cwd = cwd
        self._path = path
        self._handle: int | None = None

    def append(self, kind: str, **fields: Any) -> None:
        """Add a record; ``fields`` are JSON values."""
        self.append_raw(kind, json.dumps(fields, ensure_ascii=True).encode())

    def append_raw(self, kind: str, fields: bytes) -> None:
        """Add a record whose fields are already JSON: an object as bytes."""
        rest = fields[1:] if fields == b"{}" else b"," + fields[1:]
        self._write(b'{"kind":"' + kind.encode() + b'"' + rest + b"\n")

    def records(self) -> Iterator[Record]:
        """What was kept, in order; a torn or broken line is left out."""
        if self._path is not None and self._path.exists():
            for at, record in enumerate(objects(self._path)):
                if at:
                    yield record

    def lock(self) -> None:
        """Keep the session for this process until :meth:`close`: two that append would tear one conversation.

        Raises SaysoError while another process has it. A file that cannot be opened for writing is not locked.
        """
        if self._path is None:
            return
        try:
            self._handle = self._open(self._path) if self._handle is None else self._handle
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.close()
            raise SaysoError(
                f"The session {self.id} is open in another process. End that one first, or fork the session.",
                details={"sessionId": self.id, "reason": "in_use"},
            ) from None
        except OSError as error:
            _log.warning("this session is not locked: %s", error.strerror or error)

    def close(self) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def _write(self, line: bytes) -> None:
        if self._path is None:
            return
        try:
            if self._handle is None:
                self._handle = self._open(self._path)
            if os.write(self._handle, line) < len(line):
                raise OSError(errno.ENOSPC, "only a part of a line could be written")
        except OSError as error:
            _log.warning("this session cannot be loaded later: %s", error.strerror or error)
            self._path = None
            self.close()

    def _open(self, path: Path) -> int:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0), 0o600)
        size = os.fstat(handle).st_size
        if size == 0:
            head = {"kind": "session", "version": 1, "id": self.id, "cwd": self.cwd, "created": _now()}
            os.write(handle, json.dumps(head).encode() + b"\n")
        elif (whole := last_line_ends(handle, size)) != size:
            os.ftruncate(handle, whole)
        return handle


class SessionStore:
    """The sessions in ``folder``; None keeps nothing."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def create(self, cwd: str) -> SessionFile:
        """A new session in ``cwd``, at once on disk."""
        session_id = new_id(Prefix.SESSION)
        file = SessionFile(self._path(session_id), session_id, cwd)
        file.append("state", cwd=cwd)
        file.lock()
        return file

    def delete(self, session_id: str) -> None:
        """Take a kept session away; one that there is not is no mistake. Raises SaysoError while a process has it."""
        path = self._path(session_id)
        if path is not None and path.exists():
            file = SessionFile(path, session_id, "")
            file.lock()
            path.unlink(missing_ok=True)
            file.close()
        if path is not None:
            path.with_suffix(".json").unlink(missing_ok=True)

    def open(self, session_id: str, cwd: str | None = None) -> SessionFile:
        """The kept session, not locked yet; ``cwd`` moves it to another folder. Raises NotFound."""
        path = self._path(session_id)
        if path is not None and not path.exists():
            self._take_over(path)
        head = _head(path) if path is not None and path.exists() else None
        if head is None:
            raise NotFound(f"There is no session {session_id!r}. Start a new one.", details={"sessionId": session_id})
        file = SessionFile(path, session_id, head.cwd)
        if cwd is not None and cwd != head.cwd:
            file.cwd = cwd
            file.append("state", cwd=cwd)
        return file

    def fork(self, session_id: str, cwd: str | None = None) -> SessionFile:
        """A copy under a new id, from here on a session of its own. Raises NotFound."""
        source = self.open(session_id)
        copy = self.create(cwd or source.cwd)
        for record in source.records():
            fields = {key: value for key, value in record.items() if key not in ("kind", "cwd")}
            if fields or record["kind"] != "state":
                copy.append(record["kind"], **fields)
        source.close()
        return copy

    def list(self, cwd: str | None = None, limit: int = 100) -> list[SessionHead]:
        """Those that can be read, newest first. Reads the two ends of each file only."""
        if self._folder is None:
            return []
        files = [*self._folder.glob("ses_*.jsonl"), *self._folder.glob("ses_*.json")]
        found: list[SessionHead] = []
        for file in sorted(files, key=_changed, reverse=True):
            head = _head(file) if file.suffix == ".jsonl" else _old_head(file)
            if head is not None and cwd in (None, head.cwd):
                found.append(head)
            if len(found) == limit:
                break
        return found

    def _path(self, session_id: str) -> Path | None:
        if not _ID.match(session_id):
            raise NotFound(f"There is no session {session_id!r}. Start a new one.", details={"sessionId": session_id})
        return self._folder / f"{session_id}.jsonl" if self._folder is not None else None

    def _take_over(self, path: Path) -> None:
        """Write a session that an earlier version kept as one JSON object as lines; the old file goes."""
        old = path.with_suffix(".json")
        kept = _old(old)
        if kept is None:
            return
        file = SessionFile(path, path.stem, str(kept.get("cwd", "")))
        mode = "plan" if kept.get("mode") == "plan" else "default"
        file.append("state", mode=mode, title=kept.get("title"), plan=kept.get("plan"))
        for turn in kept.get("turns") or ():
            file.append("turn", prompt=str(turn.get("prompt", "")), answer=str(turn.get("answer", "")))
        file.close()
        if path.exists():
            old.unlink(missing_ok=True)


def _head(path: Path) -> SessionHead | None:
    first = next(objects(path, most=1), None)
    if first is None or first.get("kind") != "session":
        return None
    said = titles(path)
    return SessionHead(path.stem, said.get("cwd") or str(first.get("cwd", "")), said.get("title"), _updated(path))


def _old_head(path: Path) -> SessionHead | None:
    kept = _old(path)
    if kept is None or path.with_suffix(".jsonl").exists():
        return None
    return SessionHead(path.stem, str(kept.get("cwd", "")), kept.get("title"), str(kept.get("updated") or ""))


def _old(path: Path) -> Mapping[str, Any] | None:
    try:
        kept: object = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return cast("Mapping[str, Any]", kept) if isinstance(kept, dict) else None


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _updated(path: Path) -> str:
    return datetime.fromtimestamp(_changed(path), UTC).isoformat(timespec="seconds")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
