"""What the agent keeps of a session: folder, mode and the last turns, one small JSON file each."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from actions.errors import NotFound, SaysoError
from actions.storage.files import write_atomic
from actions.storage.ids import Prefix, new_id

MOST_TURNS = 20
_TURN_TEXT = 200_000
_ID = re.compile(r"^ses_[0-9a-z]{1,40}$")


class Mode(StrEnum):
    """ACP session modes of the scout."""

    ASK = "ask"
    PLAN = "plan"


class Turn(BaseModel):
    """What was asked, and what was answered as Markdown."""

    model_config = ConfigDict(frozen=True)

    prompt: str
    answer: str


class Session(BaseModel):
    """One session. ``plan`` is the Markdown of the last plan; ``updated`` is an ISO time in UTC."""

    model_config = ConfigDict(frozen=True)

    id: str
    cwd: str
    mode: Mode = Mode.ASK
    title: str | None = None
    updated: str = ""
    plan: str | None = None
    turns: tuple[Turn, ...] = ()

    def with_turn(self, turn: Turn) -> Session:
        """The session after ``turn``; only the last 20 are kept."""
        cut = Turn(prompt=turn.prompt[:_TURN_TEXT], answer=turn.answer[:_TURN_TEXT])
        title = self.title or " ".join(turn.prompt.split())[:80] or None
        return self.model_copy(update={"turns": (*self.turns, cut)[-MOST_TURNS:], "title": title})


class SessionStore:
    """Sessions as files in ``folder``. A home that cannot be written to costs the later load, nothing else."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def new(self, cwd: str) -> Session:
        return Session(id=new_id(Prefix.SESSION), cwd=cwd)

    def save(self, session: Session) -> str | None:
        """Keep ``session``. Returns why it could not be kept, or None."""
        try:
            write_atomic(self._file(session.id), session.model_dump_json().encode())
        except SaysoError as error:
            return str(error)
        return None

    def load(self, session_id: str) -> Session:
        """The session as it was kept. Raises NotFound for an id that is unknown or whose file cannot be read."""
        if _ID.match(session_id):
            try:
                return Session.model_validate_json(self._file(session_id).read_bytes())
            except (OSError, ValueError):
                pass  # Told below, in the same words as an id that never was.
        raise NotFound(f"There is no session {session_id!r}. Start a new one.", details={"sessionId": session_id})

    def all(self) -> list[Session]:
        """Every session that can be read, newest first."""
        found: list[Session] = []
        for file in sorted(self._folder.glob("ses_*.json"), reverse=True):
            try:
                found.append(self.load(file.stem))
            except NotFound:
                continue
        return sorted(found, key=lambda session: session.updated, reverse=True)

    def _file(self, session_id: str) -> Path:
        return self._folder / f"{session_id}.json"
