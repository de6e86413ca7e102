"""The messages that the model gets, and the way back to an earlier point of them.

Whatever happens, a tool call in here has a result: a record that broke off is repaired as it is read. Each change is
one line in the session's file; nothing is written twice.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

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
        """Go back to the checkpoint: what came after it leaves the context, the note comes in its place."""
        self.wanted = None
        self._cut(revert.checkpoint)
        self._keep("revert", checkpoint=revert.checkpoint)
        self.say(revert.note)

    def compact(self, start: int, summary: str) -> None:
        """Replace the messages before ``start`` by ``summary``. Checkpoints among them are gone."""
        self._compact(start, summary)
        self._keep("compact", start=start, summary=summary)

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
                self._cut(checkpoint)
            case {"kind": "compact", "start": int(start), "summary": str(summary)}:
                self._compact(start, summary)
            case _:
                return

    def _add(self, message: ModelMessage) -> None:
        self._messages.append(message)
        if isinstance(message, ModelResponse):
            self._call_ids.update(part.tool_call_id for part in message.parts if isinstance(part, ToolCallPart))

    def _cut(self, checkpoint: int) -> None:
        del self._messages[self._checkpoints[checkpoint] :]
        self._checkpoints = {n: at for n, at in self._checkpoints.items() if n <= checkpoint}
        self._counted, self._tokens = 0, 0

    def _compact(self, start: int, summary: str) -> None:
        start = min(max(0, start), len(self._messages))
        told = ModelRequest(parts=[UserPromptPart(content=summary)])
        self._messages[:start] = [told]
        self._checkpoints = {n: at - start + 1 for n, at in self._checkpoints.items() if at > start}
        self._counted, self._tokens = 0, 0
        if not self._shares_ids:
            calls = (part for message in self._messages for part in message.parts if isinstance(part, ToolCallPart))
            self._call_ids = {part.tool_call_id for part in calls}

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


def _as_json(message: ModelMessage) -> bytes:
    """``message`` as JSON; lone surrogates, which have no bytes, are kept as escapes."""
    try:
        return _adapter.dump_json(message)
    except ValueError:
        return json.dumps(_adapter.dump_python(message, mode="json")).encode()
