"""The messages that the model gets, and the way back to an earlier point of them.

Whatever happens, a tool call in here has a result: a record that broke off is repaired as it is read. Each change is
one line in the session's file; nothing is written twice.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from pydantic import TypeAdapter
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from actions.agent.session.size import tokens_of
from actions.agent.session.store import Record, SessionFile

_INTERRUPTED = (
    "<system>ERROR: the agent ended while this call was open. Whether it had an effect is not known: look before you "
    "do it again.</system>"
)
_adapter: TypeAdapter[ModelMessage] = TypeAdapter(ModelMessage)


@dataclass(frozen=True, slots=True)
class Revert:
    """A way back that a tool asked for: to ``checkpoint``, with ``note`` from the later self."""

    checkpoint: int
    note: str


class Context:
    """The messages of one session or subagent. ``file`` None keeps nothing; a subagent shares the ``call_ids`` of its
    session, because all calls of a session are shown side by side.

    Implements :class:`actions.agent.tools.needs.Checkpoints`. A checkpoint is a number; it stands after a message.
    """

    def __init__(self, file: SessionFile | None = None, *, call_ids: set[str] | None = None) -> None:
        self._file = file
        self._shares_ids = call_ids is not None
        self._messages: list[ModelMessage] = []
        self._checkpoints: dict[int, int] = {}
        self._next_checkpoint = 0
        self._call_ids: set[str] = set() if call_ids is None else call_ids
        self._counted, self._tokens = 0, 0
        self._asked: tuple[int, ...] = ()
        self._summed = False
        self.wanted: Revert | None = None

    @classmethod
    def read(cls, records: Iterable[Record], file: SessionFile | None = None) -> Context:
        """The context that ``records`` end with."""
        context = cls()
        for record in records:
            context._replay(record)
        context._close_open_calls()
        context._file = file
        return context

    @property
    def messages(self) -> Sequence[ModelMessage]:
        return self._messages

    @property
    def asked(self) -> Sequence[int]:
        """Where in :attr:`messages` that stands which came from outside in the newest turn: its prompt, what a person
        said since, notices of background work. Empty when no turn began since the load."""
        return self._asked

    @property
    def summed(self) -> bool:
        """Whether the first message is a summary of what stood before."""
        return self._summed

    @property
    def tokens(self) -> int:
        """How many tokens the context takes: what the model counted last, and an estimate for what came since."""
        return self._tokens + sum(tokens_of(message) for message in self._messages[self._counted :])

    def counted(self, tokens: int) -> None:
        """The model counted the context as it is now."""
        self._counted, self._tokens = len(self._messages), tokens

    def add(self, message: ModelMessage) -> None:
        """Add ``message`` and keep it. Results of all calls of a response have to follow it."""
        self._add(message)
        if self._file is not None:
            self._file.append_raw("message", b'{"message":' + _as_json(message) + b"}")

    def begin_turn(self) -> None:
        """A new turn: what was asked in the one before it is done."""
        self._asked = ()

    def ask(self, message: ModelRequest) -> None:
        """Add what came from outside in this turn, its prompt first of all: it outlasts the way back and compaction."""
        self._asked = (*self._asked, len(self._messages))
        self.add(message)

    def mend(self) -> None:
        """Give every open call of the last message a result: nothing may follow without one. A load does the same."""
        self._close_open_calls()

    def say(self, text: str) -> None:
        """Add words in the user's place: a reminder, a notice, a note."""
        self.add(ModelRequest(parts=[UserPromptPart(content=text)]))

    @property
    def call_ids(self) -> set[str]:
        """The ids that calls have: for a subagent to share."""
        return self._call_ids

    def fresh_id(self, call_id: str) -> str:
        """``call_id``, or another one when a call of this session already has it."""
        chosen, number = call_id or "call", 1
        while chosen in self._call_ids:
            number += 1
            chosen = f"{call_id or 'call'}-{number}"
        self._call_ids.add(chosen)
        return chosen

    @property
    def last(self) -> int:
        return max(self._checkpoints, default=-1)

    @property
    def next(self) -> int:
        """The number that the next checkpoint will have."""
        return self._next_checkpoint

    def checkpoint(self) -> int:
        """Mark this point. Returns its number."""
        number = self._next_checkpoint
        self._checkpoints[number] = len(self._messages)
        self._next_checkpoint += 1
        self._keep("checkpoint")
        return number

    def go_back(self, checkpoint: int, note: str) -> None:
        """Ask for the way back; it is gone after the step. Raises ValueError for a checkpoint that is not there."""
        if checkpoint not in self._checkpoints:
            known = f"{min(self._checkpoints)} to {self.last}" if self._checkpoints else "none yet"
            raise ValueError(f"there is no checkpoint {checkpoint}; there are {known}")
        self.wanted = Revert(checkpoint, note)

    def revert(self, revert: Revert) -> None:
        """Go back to the checkpoint: what came after it leaves the context, but for what was asked in the running turn;
        the note comes behind."""
        self.wanted = None
        asked = self._asked
        self._cut(revert.checkpoint, asked)
        self._keep("revert", checkpoint=revert.checkpoint, asked=asked)
        self.say(revert.note)

    def compact(self, start: int, summary: str) -> None:
        """Replace the messages before ``start`` by ``summary``, behind which stays what was asked in the running turn.
        Checkpoints among them are gone."""
        asked = self._asked
        self._compact(start, summary, asked)
        self._keep("compact", start=start, summary=summary, asked=asked)

    def shorten(self, at: int, message: ModelRequest) -> None:
        """Put ``message`` in the place of the results at ``at``: the same calls, fewer words."""
        self._shorten(at, message)
        if self._file is not None:
            self._file.append_raw("shorten", b'{"at":%d,"message":' % at + _as_json(message) + b"}")

    def _replay(self, record: Record) -> None:
        match record:
            case {"kind": "message"}:
                try:
                    read = _adapter.validate_python(record.get("message"))
                except ValueError:
                    return
                if (message := self._without_strays(read)) is not None:
                    self._add(self._close_open_calls(message) or message)
            case {"kind": "checkpoint"}:
                self._close_open_calls()
                self.checkpoint()
            case {"kind": "revert", "checkpoint": int(checkpoint)} if checkpoint in self._checkpoints:
                self._cut(checkpoint, _indices(record.get("asked")))
            case {"kind": "compact", "start": int(start), "summary": str(summary)}:
                self._compact(start, summary, _indices(record.get("asked")))
            case {"kind": "shorten", "at": int(at)}:
                self._replay_shorten(at, record.get("message"))
            case _:
                return

    def _add(self, message: ModelMessage) -> None:
        self._messages.append(message)
        if isinstance(message, ModelResponse):
            self._call_ids.update(part.tool_call_id for part in message.parts if isinstance(part, ToolCallPart))

    def _cut(self, checkpoint: int, asked: Sequence[int]) -> None:
        at = self._checkpoints[checkpoint]
        carried = [self._messages[index] for index in asked if at <= index < len(self._messages)]
        self._messages[at:] = carried
        if self._asked:
            kept = [index for index in self._asked if index < at]
            self._asked = (*kept, *range(at, at + len(carried)))
        self._checkpoints = {n: at for n, at in self._checkpoints.items() if n <= checkpoint}
        self._counted, self._tokens = 0, 0

    def _compact(self, start: int, summary: str, asked: Sequence[int]) -> None:
        start = min(max(0, start), len(self._messages))
        told: list[ModelMessage] = [ModelRequest(parts=[UserPromptPart(content=summary)])]
        told += [self._messages[index] for index in asked if 0 <= index < start]
        moved = len(told) - start
        if self._asked:
            later = [index + moved for index in self._asked if index >= start]
            self._asked = (*range(1, len(told)), *later)
        self._messages[:start] = told
        self._summed = True
        self._checkpoints = {n: at + moved for n, at in self._checkpoints.items() if at > start}
        self._counted, self._tokens = 0, 0
        if not self._shares_ids:
            calls = (part for message in self._messages for part in message.parts if isinstance(part, ToolCallPart))
            self._call_ids = {part.tool_call_id for part in calls}

    def _shorten(self, at: int, message: ModelRequest) -> None:
        self._messages[at] = message
        self._counted, self._tokens = 0, 0

    def _replay_shorten(self, at: int, kept: object) -> None:
        """Only where the same calls are answered: a line that was lost must not put a result to a foreign call."""
        try:
            read = _adapter.validate_python(kept)
        except ValueError:
            return
        there = self._messages[at] if 0 <= at < len(self._messages) else None
        if isinstance(there, ModelRequest) and isinstance(read, ModelRequest) and _answers(there) == _answers(read):
            self._shorten(at, read)

    def _without_strays(self, message: ModelMessage) -> ModelMessage | None:
        """``message`` without results of calls that the message before it did not make; None when nothing is left. A
        line that was lost, or a second agent that wrote to the same file, leaves such, and no model takes them.
        """
        if not isinstance(message, ModelRequest):
            return message
        last = self._messages[-1] if self._messages else None
        made = last.parts if isinstance(last, ModelResponse) else ()
        waiting = {part.tool_call_id for part in made if isinstance(part, ToolCallPart)}
        kept = [part for part in message.parts if not isinstance(part, ToolReturnPart) or part.tool_call_id in waiting]
        if len(kept) == len(message.parts):
            return message
        return ModelRequest(parts=kept) if kept else None

    def _close_open_calls(self, following: ModelMessage | None = None) -> ModelMessage | None:
        """Give every call of the last response that has no result in ``following`` one that says so: in ``following``,
        which is returned then, where that has the other results, else in a message of their own.
        """
        last = self._messages[-1] if self._messages else None
        if not isinstance(last, ModelResponse):
            return None
        parts = following.parts if isinstance(following, ModelRequest) else ()
        answered = {part.tool_call_id for part in parts if isinstance(part, ToolReturnPart)}
        missing = [
            ToolReturnPart(part.tool_name, _INTERRUPTED, part.tool_call_id, metadata={"error": "outcome_unknown"})
            for part in last.parts
            if isinstance(part, ToolCallPart) and part.tool_call_id not in answered
        ]
        if missing and answered:
            return ModelRequest(parts=[*missing, *parts])
        if missing:
            self._messages.append(ModelRequest(parts=missing))
        return None

    def _keep(self, kind: str, **fields: object) -> None:
        if self._file is not None:
            self._file.append(kind, **fields)


def _indices(value: object) -> Sequence[int]:
    """As they are kept; files of earlier versions have one number, or none."""
    values = cast("list[object]", value) if isinstance(value, list) else [value]
    return [index for index in values if isinstance(index, int)]


def _answers(message: ModelRequest) -> list[str]:
    return [part.tool_call_id for part in message.parts if isinstance(part, ToolReturnPart)]


def _as_json(message: ModelMessage) -> bytes:
    """``message`` as JSON; lone surrogates, which have no bytes, are kept as escapes."""
    try:
        return _adapter.dump_json(message)
    except ValueError:
        return json.dumps(_adapter.dump_python(message, mode="json")).encode()
