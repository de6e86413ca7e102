"""Approvals as ``session/request_permission`` (ACP 1, "Requesting Permission").

Each request is a task of its own: one that waits for a person holds nothing else back. A request that is decided
elsewhere (a rule, yolo, the end of the turn) is taken back from the client.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Any, Protocol, cast

from actions.agent.acp import blocks
from actions.agent.acp.hello import sayso
from actions.agent.acp.link import Link, Refused
from actions.agent.acp.names import CallNames
from actions.agent.approvals.decision import Answer, Choice, Request
from actions.agent.approvals.desk import Decided, DeskEvent, DeskWatcher, Requested
from actions.agent.toolset.tool import Tool
from actions.tasks import TaskOwner

_log = logging.getLogger(__name__)

ONCE, SESSION, ALWAYS, REJECT = "allow_once", "allow_session", "allow_always", "reject_once"
_CHOICES = {ONCE: Choice.ONCE, SESSION: Choice.SESSION, ALWAYS: Choice.ALWAYS, REJECT: Choice.REJECT}
WITH_FEEDBACK: dict[str, Any] = {"_meta": {"sayso": {"feedback": True}}}
"""On an option: the client may send words with it, as ``_meta.sayso.feedback`` of the outcome."""
_CANNOT_ASK = (
    "This client cannot ask for permission ({why}), so nothing that needs one runs. Switch to mode Yolo to let the "
    "agent act without asking."
)
_GONE = {"outcome": {"outcome": "cancelled"}}


class Requests(Protocol):
    """The part of the approvals that is needed here."""

    def resolve(self, request_id: str, answer: Answer) -> bool: ...

    def watch(self, watcher: DeskWatcher) -> Callable[[], None]: ...


class PermissionDesk:
    """Puts the approval requests of one session, also those of its subagents, before its client."""

    def __init__(
        self,
        link: Link,
        session_id: str,
        names: CallNames,
        approvals: Requests,
        find: Callable[[str], Tool | None],
        *,
        cancelled: Callable[[], None],
        notice: Callable[[str], None],
    ) -> None:
        """``cancelled`` is called when the client answers that the turn is over. Close it with the session."""
        self._link = link
        self._session_id = session_id
        self._names = names
        self._approvals = approvals
        self._find = find
        self._cancelled = cancelled
        self._notice = notice
        self._tasks = TaskOwner(f"permissions of {session_id}")
        self._dialogs: dict[str, asyncio.Task[None]] = {}
        self._unwatch = approvals.watch(self._told)

    def answer(self, request_id: str, option_id: str, feedback: str = "") -> bool:
        """Answer a request by an option's id, also one that was put off; an unknown option is a rejection.

        Returns False when it is decided already or was never asked.
        """
        choice = _CHOICES.get(option_id, Choice.REJECT)
        return self._approvals.resolve(request_id, Answer(choice, feedback if choice is Choice.REJECT else ""))

    async def close(self) -> None:
        """Close every dialog."""
        self._unwatch()
        await self._tasks.close()

    def _told(self, event: DeskEvent) -> None:
        request = event.request
        if isinstance(event, Requested):
            task = self._dialogs[request.id] = self._tasks.start(self._ask(request), name=request.id)
            task.add_done_callback(lambda _: self._dialogs.pop(request.id, None))
        elif isinstance(event, Decided):
            dialog = self._dialogs.pop(request.id, None)
            if dialog is not None and dialog is not asyncio.current_task():
                dialog.cancel()

    async def _ask(self, request: Request) -> None:
        answer = await ask_permission(
            self._link, self._session_id, self._shown(request), _options(request), _about(request), self._notice
        )
        if sayso(answer).get("later") is True:
            self._approvals.resolve(request.id, Answer(Choice.LATER))
            return
        chosen, feedback = outcome_of(answer)
        if chosen == "cancelled":
            self._cancelled()
        elif not self.answer(request.id, chosen, feedback):
            _log.debug("the answer to %s came after its decision", request.id)

    def _shown(self, request: Request) -> dict[str, Any]:
        wanted = request.wanted
        tool = self._find(wanted.tool)
        return {
            "toolCallId": self._names.of(wanted.source.agent_id, wanted.call.id),
            "title": wanted.ask.summary,
            "kind": tool.kind if tool else "other",
            "status": "pending",
            **blocks.preview(wanted.ask),
            "rawInput": blocks.parsed(wanted.call.arguments),
        }


async def ask_permission(
    link: Link,
    session_id: str,
    call: dict[str, Any],
    options: Sequence[dict[str, Any]],
    about: dict[str, Any],
    notice: Callable[[str], None],
) -> Any:
    """The client's answer as it came. ``about`` goes into ``_meta.sayso``.

    A client that is gone answers ``cancelled``; one that answers with an error chose nothing, and ``notice`` says so.
    """
    params = {"sessionId": session_id, "toolCall": call, "options": list(options), "_meta": {"sayso": about}}
    try:
        return await link.call("session/request_permission", params)
    except Refused as error:
        notice(_CANNOT_ASK.format(why=error.message))
        return None
    except ConnectionError:
        return _GONE


def outcome_of(answer: object) -> tuple[str, str]:
    """The chosen option's id (``cancelled`` for that outcome, empty for none) and what was said with it."""
    outcome = _object(_object(answer).get("outcome"))
    said = sayso(outcome).get("feedback") or sayso(answer).get("feedback")
    feedback = said.strip() if isinstance(said, str) else ""
    if outcome.get("outcome") == "cancelled":
        return "cancelled", feedback
    chosen = outcome.get("optionId")
    return (chosen if isinstance(chosen, str) and chosen != "cancelled" else ""), feedback


def _options(request: Request) -> list[dict[str, Any]]:
    """In our order; what no rule can cover is offered once only."""
    options: list[dict[str, Any]] = [{"optionId": ONCE, "name": "Allow once", "kind": "allow_once"}]
    if request.releases:
        also = "; ".join(request.releases)
        options += [
            {"optionId": SESSION, "name": f"Allow for this session: {also}", "kind": "allow_always"},
            {"optionId": ALWAYS, "name": f"Always allow: {also}", "kind": "allow_always"},
        ]
    return [*options, {"optionId": REJECT, "name": "Reject", "kind": "reject_once", **WITH_FEEDBACK}]


def _about(request: Request) -> dict[str, Any]:
    """What ACP has no field for."""
    wanted, source = request.wanted, request.wanted.source
    about: dict[str, Any] = {"request_id": request.id, "tool": wanted.tool, "effect": wanted.effect.value}
    if source.agent_id is not None:
        about |= {"agent_id": source.agent_id, "agent_type": source.agent_type}
    if request.releases:
        about["releases"] = list(request.releases)
    return about


def _object(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
