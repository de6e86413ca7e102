"""Tells of what wants a person: a permission, a question, a plan, a turn that is done, a session or run that failed.

It listens to what is published anyway. Only what happens while the host runs is told: what a new host finds waiting was
told before. Nothing is told of a session that a window shows while it has the keyboard.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast, get_args

from actions.catalog.notification import Notification, NotificationKind, ToolKind
from actions.catalog.views import RunState, SessionView
from actions.errors import SaysoError
from actions.sessions.events import Kind
from actions.storage.ids import now_ms
from actions.tasks import TaskOwner

_log = logging.getLogger(__name__)
_ASKED = (Kind.PERMISSION.value, Kind.QUESTION.value)
_ANSWERED = (Kind.PERMISSION_ANSWER.value, Kind.QUESTION_ANSWER.value)
_BROKEN = ("error", "interrupted")
_TOOLS = frozenset(get_args(ToolKind))
_ENDS = {
    RunState.SUCCEEDED.value: NotificationKind.DONE,
    RunState.FAILED.value: NotificationKind.FAILED,
    RunState.INTERRUPTED.value: NotificationKind.FAILED,
}


@dataclass(frozen=True, slots=True)
class Asked:
    """An approval that an agent or an editor asks for: the session, where it is of one, and our action's name."""

    session_id: str | None
    action: Mapping[str, str] = field(default_factory=dict[str, str])


class Notifier:
    """``session`` and ``approval`` read one by id; ``approval`` gives None for what nobody has to be told of.

    ``wanted`` says which kinds the settings allow, ``in_front`` whether a person is looking at a session.
    """

    def __init__(
        self,
        publish: Callable[[str, dict[str, Any]], None],
        session: Callable[[str], Awaitable[SessionView]],
        approval: Callable[[str], Awaitable[Asked | None]],
        wanted: Callable[[NotificationKind], bool],
        in_front: Callable[[str], bool],
    ) -> None:
        self._publish = publish
        self._session = session
        self._approval = approval
        self._wanted = wanted
        self._in_front = in_front
        self._tools: dict[str, dict[str, str]] = {}
        self._open: set[str] = set()
        self._since: int | None = None
        self._tasks = TaskOwner("notifier")

    def start(self) -> None:
        """From now on things are told."""
        self._since = now_ms()

    async def close(self) -> None:
        """Tell nothing more."""
        self._since = None
        await self._tasks.close()

    def heard(self, type: str, data: Mapping[str, Any]) -> None:
        """Something was published."""
        if self._since is None:
            return
        match type:
            case "transcript_did_append":
                self._events(str(data["session_id"]), data["events"])
            case "run_did_change" if int(data["run"].get("ended") or 0) >= self._since:
                self._run(data["run"])
            case "session_did_change" if data.get("deleted"):
                self._forget(str(data["session_id"]))
            case _:
                return

    def approval_opened(self, approval_id: str) -> None:
        """A request for approval waits."""
        if self._since is not None and approval_id not in self._open and self._wanted(NotificationKind.PERMISSION):
            self._open.add(approval_id)
            self._tasks.start(self._tell_approval(approval_id), name=f"tell {approval_id}")

    def approval_settled(self, approval_id: str) -> None:
        """It was decided, by whomever."""
        self._take_back(approval_id)

    def _events(self, session_id: str, events: Sequence[Mapping[str, Any]]) -> None:
        tools = self._tools.setdefault(session_id, {})
        answered = {event["item_id"] for event in events if event["kind"] in _ANSWERED}
        for event in events:
            kind, item, data = event["kind"], str(event["item_id"]), event["data"]
            if kind == Kind.TOOL_CALL and data.get("kind"):
                tools[item] = str(data["kind"])
            elif kind in _ASKED and event["item_id"] not in answered:
                tool = tools.get(str(data.get("tool_call_id")))
                self._tell(f"{session_id}:{item}", _asked(kind, data), session_id, tool=tool, request_id=item)
            elif kind in _ANSWERED:
                self._take_back(f"{session_id}:{item}")
            elif kind == Kind.TURN_START:
                self._take_back(f"{session_id}:end")
        ends = [event["data"].get("stop_reason") for event in events if event["kind"] == Kind.TURN_END]
        failed = any(event["kind"] == Kind.ERROR for event in events) or any(end in _BROKEN for end in ends)
        if ends:
            self._tools.pop(session_id, None)
        if failed or (ends and ends[-1] != "cancelled"):
            kind = NotificationKind.FAILED if failed else NotificationKind.DONE
            self._tell(f"{session_id}:end", kind, session_id, of_run=False)

    def _run(self, run: Mapping[str, Any]) -> None:
        session_id = run.get("session_id") or run.get("host_session_id")
        if run["state"] in _ENDS and session_id:
            self._tell(f"{run['id']}:end", _ENDS[run["state"]], str(session_id), run=str(run["kind"]))

    def _tell(
        self, id: str, kind: NotificationKind, session_id: str, *, of_run: bool = True, **more: str | None
    ) -> None:
        """``of_run`` false: not for the session of a run, of which its own end is told."""
        if id not in self._open and self._wanted(kind):
            self._open.add(id)
            self._tasks.start(self._describe(id, kind, session_id, of_run=of_run, **more), name=f"tell {id}")

    async def _tell_approval(self, approval_id: str) -> None:
        try:
            asked = await self._approval(approval_id)
        except SaysoError as gone:
            _log.info("nothing is told of %s: %s", approval_id, gone.message)
            asked = None
        kind = NotificationKind.PERMISSION
        if asked is None:
            self._open.discard(approval_id)
        elif asked.session_id is None:
            self._say(approval_id, kind, request_id=approval_id, action=dict(asked.action))
        else:
            more = {"request_id": approval_id, "action": dict(asked.action)}
            await self._describe(approval_id, kind, asked.session_id, of_run=True, **more)

    async def _describe(self, id: str, kind: NotificationKind, session_id: str, *, of_run: bool, **more: Any) -> None:
        try:
            session = await self._session(session_id)
        except SaysoError as gone:
            _log.info("nothing is told of %s: %s", session_id, gone.message)
            self._open.discard(id)
            return
        goes_on = kind is NotificationKind.DONE and more.get("run") is None and bool(session.queue)
        if goes_on or (session.kind == "run" and not of_run) or self._in_front(session_id):
            self._open.discard(id)
        else:
            names = {"session_title": session.title, "provider_name": session.provider_name}
            self._say(id, kind, session_id=session_id, **names, **more)

    def _say(self, id: str, kind: NotificationKind, **more: Any) -> None:
        if id in self._open:  # else it was answered while its session was read
            tool = more.pop("tool", None)
            known = None if tool is None else cast("ToolKind", tool if tool in _TOOLS else "other")
            notification = Notification(id=id, kind=kind, tool=known, at=now_ms(), **more)
            self._publish("notification", notification.model_dump(mode="json"))

    def _take_back(self, id: str) -> None:
        if id in self._open:
            self._open.discard(id)
            self._publish("notification_did_end", {"id": id})

    def _forget(self, session_id: str) -> None:
        self._tools.pop(session_id, None)
        for id in [id for id in self._open if id.startswith(f"{session_id}:")]:
            self._take_back(id)


def _asked(kind: str, data: Mapping[str, Any]) -> NotificationKind:
    if kind == Kind.QUESTION:
        return NotificationKind.QUESTION
    return NotificationKind.PLAN if data.get("plan") else NotificationKind.PERMISSION
