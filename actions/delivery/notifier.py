"""Tells of what wants a person: a permission, a question, a turn that is done, a session or a run that failed.

It listens to what is published anyway. Only what happens while the host runs is told: what a new host finds waiting was
told before. Nothing is told of a session that a window shows while it has the keyboard.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, cast, get_args

from actions.catalog.notification import Notification, NotificationKind, ToolKind
from actions.catalog.spec import ActionSpec
from actions.catalog.views import RunState, SessionView
from actions.errors import SaysoError
from actions.sessions.events import Kind
from actions.storage.ids import now_ms
from actions.tasks import TaskOwner

_log = logging.getLogger(__name__)
_ASKED = {Kind.PERMISSION.value: NotificationKind.PERMISSION, Kind.QUESTION.value: NotificationKind.QUESTION}
_ANSWERED = (Kind.PERMISSION_ANSWER.value, Kind.QUESTION_ANSWER.value)
_BROKEN = ("error", "interrupted")
_TOOLS = frozenset(get_args(ToolKind))


class Notifier:
    """``wanted`` says which kinds the settings allow, ``in_front`` whether a person is looking at a session."""

    def __init__(
        self,
        publish: Callable[[str, dict[str, Any]], None],
        session: Callable[[str], Awaitable[SessionView]],
        wanted: Callable[[NotificationKind], bool],
        in_front: Callable[[str], bool],
    ) -> None:
        self._publish = publish
        self._session = session
        self._wanted = wanted
        self._in_front = in_front
        self._tools: dict[str, dict[str, str]] = {}
        self._open: set[str] = set()
        self._on = False
        self._tasks = TaskOwner("notifier")

    def start(self) -> None:
        """From now on things are told."""
        self._on = True

    async def close(self) -> None:
        """Tell nothing more."""
        self._on = False
        await self._tasks.close()

    def heard(self, type: str, data: Mapping[str, Any]) -> None:
        """Something was published."""
        if not self._on:
            return
        if type == "transcript_did_append":
            self._events(str(data["session_id"]), data["events"])
        elif type == "run_did_change":
            self._run(data["run"])
        elif type == "session_did_change" and data.get("deleted"):
            self._forget(str(data["session_id"]))

    def approval_opened(self, approval_id: str, session_id: str | None, spec: ActionSpec | None) -> None:
        """An agent asks for an action of ours."""
        if self._on and session_id is not None:
            action = {} if spec is None else {"en": spec.title.en, "zh": spec.title.in_language("zh")}
            self._tell(f"{session_id}:{approval_id}", NotificationKind.PERMISSION, session_id, action=action)

    def approval_settled(self, approval_id: str) -> None:
        """It was decided, by whomever."""
        for id in [id for id in self._open if id.endswith(f":{approval_id}")]:
            self._take_back(id)

    def _events(self, session_id: str, events: Sequence[Mapping[str, Any]]) -> None:
        tools = self._tools.setdefault(session_id, {})
        answered = {event["item_id"] for event in events if event["kind"] in _ANSWERED}
        for event in events:
            kind, item, data = event["kind"], str(event["item_id"]), event["data"]
            if kind == Kind.TOOL_CALL and data.get("kind"):
                tools[item] = str(data["kind"])
            elif kind in _ASKED and event["item_id"] not in answered:
                tool = tools.get(str(data.get("tool_call_id")))
                self._tell(f"{session_id}:{item}", _ASKED[kind], session_id, tool=tool)
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
        kinds = {RunState.FAILED.value: NotificationKind.FAILED, RunState.SUCCEEDED.value: NotificationKind.DONE}
        session_id = run.get("session_id") or run.get("host_session_id")
        if run["state"] in kinds and session_id:
            self._tell(f"{run['id']}:end", kinds[run["state"]], str(session_id), run=str(run["kind"]))

    def _tell(
        self,
        id: str,
        kind: NotificationKind,
        session_id: str,
        *,
        tool: str | None = None,
        action: dict[str, str] | None = None,
        run: str | None = None,
        of_run: bool = True,
    ) -> None:
        """``of_run`` false: not for the session of a run, of which its own end is told."""
        if id in self._open or not self._wanted(kind):
            return
        self._open.add(id)
        told = self._describe(id, kind, session_id, tool=tool, action=action or {}, run=run, of_run=of_run)
        self._tasks.start(told, name=f"tell {id}")

    async def _describe(
        self,
        id: str,
        kind: NotificationKind,
        session_id: str,
        *,
        tool: str | None,
        action: dict[str, str],
        run: str | None,
        of_run: bool,
    ) -> None:
        try:
            session = await self._session(session_id)
        except SaysoError as gone:
            _log.info("nothing is told of %s: %s", session_id, gone.message)
            self._open.discard(id)
            return
        goes_on = kind is NotificationKind.DONE and run is None and bool(session.queue)
        if goes_on or (session.kind == "run" and not of_run) or self._in_front(session_id):
            self._open.discard(id)
            return
        if id not in self._open:  # answered while its session was read
            return
        notification = Notification(
            id=id,
            kind=kind,
            session_id=session_id,
            session_title=session.title,
            provider_name=session.provider_name,
            tool=cast("ToolKind", tool if tool in _TOOLS else "other") if tool is not None else None,
            action=action,
            run=cast("Any", run),
            at=now_ms(),
        )
        self._publish("notification", notification.model_dump(mode="json"))

    def _take_back(self, id: str) -> None:
        if id in self._open:
            self._open.discard(id)
            self._publish("notification_did_end", {"id": id})

    def _forget(self, session_id: str) -> None:
        self._tools.pop(session_id, None)
        for id in [id for id in self._open if id.startswith(f"{session_id}:")]:
            self._take_back(id)
