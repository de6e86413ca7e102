"""A small host in memory: it keeps what it is told and answers by the shapes of the catalog. The window's own parts are
all real; what a real host does is tested with the real host."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any

from actions.catalog.views import InboxRow, RunView, SessionView, TranscriptEvent
from desktop.app.backend import ConnectionChange, HostEvent, Outcome, Status
from desktop.status import Connection
from desktop.subscriptions import Listeners

NOW = 1_790_000_000_000


def session(id: str, **changes: Any) -> SessionView:
    values: dict[str, Any] = {
        "provider": "builtin",
        "provider_name": "Built-in agent",
        "workspace": "/home/ada/sayso",
        "workspace_id": "w1",
        "title": f"Session {id}",
        "state": "idle",
        "created": NOW,
        "updated": NOW,
        "last_activity": NOW,
    }
    return SessionView.model_validate({"id": id, **values, **changes})


def request(id: str, kind: str = "approval", **changes: Any) -> InboxRow:
    values: dict[str, Any] = {
        "session_id": "s1",
        "action": "session.delete",
        "title": f"Request {id}",
        "summary": "",
        "fields": [],
        "state": "open",
        "asked_by": "claude",
        "created": NOW,
    }
    return InboxRow.model_validate({"id": id, "kind": kind, **values, **changes})


def run(id: str, **changes: Any) -> RunView:
    values: dict[str, Any] = {
        "kind": "plan",
        "provider": "builtin",
        "state": "running",
        "workspace": "/home/ada/sayso",
        "created": NOW,
    }
    return RunView.model_validate({"id": id, **values, **changes})


def event(seq: int, kind: str, item_id: str | None = None, /, turn: int = 1, **data: Any) -> TranscriptEvent:
    return TranscriptEvent(seq=seq, kind=kind, item_id=item_id, turn=turn, at=NOW, data=data)


class InMemoryHost:
    """Implements :class:`desktop.app.backend.Backend`. ``answers`` beats what it would say itself."""

    def __init__(self) -> None:
        self.sessions: dict[str, SessionView] = {}
        self.transcripts: dict[str, list[TranscriptEvent]] = {}
        self.requests: dict[str, InboxRow] = {}
        self.runs: dict[str, RunView] = {}
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.shown: list[tuple[str | None, bool]] = []
        self.answers: dict[str, Callable[[Mapping[str, Any]], Outcome]] = {}
        self._events: Listeners[HostEvent] = Listeners()
        self._changes: Listeners[ConnectionChange] = Listeners()
        self._seq = 0

    @property
    def listeners(self) -> int:
        return len(self._events) + len(self._changes)

    def subscribe(self, listener: Callable[[HostEvent], None]) -> AbstractContextManager[None]:
        return self._events.subscribe(listener)

    def subscribe_connection(self, listener: Callable[[ConnectionChange], None]) -> AbstractContextManager[None]:
        listener(ConnectionChange(Connection.CONNECTED, missed=True))
        return self._changes.subscribe(listener)

    def change_connection(self, state: Connection, reason: str = "", *, missed: bool = False) -> None:
        self._changes.tell(ConnectionChange(state, reason, missed))

    def publish(self, type: str, **data: Any) -> None:
        self._seq += 1
        self._events.tell(HostEvent(type, data, self._seq))

    def append(self, session_id: str, *events: TranscriptEvent) -> None:
        self.transcripts.setdefault(session_id, []).extend(events)
        rows = [entry.model_dump(mode="json") for entry in events]
        self.publish("transcript_did_append", session_id=session_id, events=rows)

    def completed(self, data: Mapping[str, Any]) -> Outcome:
        """For ``answers``: it is done, with that."""
        return Outcome(Status.COMPLETED, data)

    def called(self, action_id: str) -> list[dict[str, Any]]:
        return [input for name, input in self.calls if name == action_id]

    async def showing(self, session_id: str | None, *, focused: bool) -> None:
        self.shown.append((session_id, focused))

    async def execute(
        self,
        action_id: str,
        input: Mapping[str, Any] | None = None,
        *,
        patience_s: float | None = None,
        attached: bool = False,
    ) -> Outcome:
        given = dict(input or {})
        self.calls.append((action_id, given))
        await asyncio.sleep(0)
        if action_id in self.answers:
            return self.answers[action_id](given)
        return Outcome(Status.COMPLETED, self._answer(action_id, given))

    def _answer(self, action_id: str, given: Mapping[str, Any]) -> dict[str, Any]:
        match action_id:
            case "session.list":
                return {"sessions": [entry.model_dump(mode="json") for entry in self.sessions.values()]}
            case "session.transcript.get":
                after = int(given.get("cursor") or 0)
                events = [entry for entry in self.transcripts.get(given["session_id"], []) if entry.seq > after]
                if given.get("newest"):
                    before = given.get("before") or len(events) + 1
                    events = [entry for entry in events if entry.seq < before][-given["limit"] :]
                    older = events[0].seq if events and events[0].seq > 1 else None
                    return {"events": [entry.model_dump(mode="json") for entry in events], "previous": older}
                return {"events": [entry.model_dump(mode="json") for entry in events], "next_cursor": None}
            case "inbox.list":
                return {"rows": [row.model_dump(mode="json") for row in self.requests.values()]}
            case "approval.request.decide" | "session.permission.respond" | "session.user_action.answer":
                self.requests.pop(str(given.get("approval_id") or given.get("request_id")), None)
                return {"outcome": "completed"}
            case "execution.run.list":
                return {"runs": [entry.model_dump(mode="json") for entry in self.runs.values()]}
            case "execution.run.get":
                return self.runs[str(given["run_id"])].model_dump(mode="json")
            case _:
                return {}


def failed(message: str, code: str = "failed", **details: Any) -> Outcome:
    return Outcome(Status.FAILED, code=code, message=message, details=details)
