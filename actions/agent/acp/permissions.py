"""Approvals as ``session/request_permission`` (ACP 1, "Requesting Permission").

Each request is a task of its own: one that waits for a person holds nothing else back. A request that is decided
elsewhere (a rule, yolo, the end of the turn) is taken back from the client.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Protocol, cast

from actions.agent.acp import blocks
from actions.agent.acp.hello import sayso
from actions.agent.acp.link import Link, Refused
from actions.agent.acp.names import CallNames
from actions.agent.approvals.decision import Answer, Choice, Decision, Request
from actions.agent.loop.screen import PlanVerdict
from actions.agent.toolset.call import current_call
from actions.agent.toolset.tool import Tool
from actions.tasks import TaskOwner

_log = logging.getLogger(__name__)

ONCE, SESSION, ALWAYS, REJECT = "allow_once", "allow_session", "allow_always", "reject_once"
_CHOICES = {ONCE: Choice.ONCE, SESSION: Choice.SESSION, ALWAYS: Choice.ALWAYS, REJECT: Choice.REJECT}
PLAN_ASKING, PLAN_YOLO, PLAN_KEEP = "plan_default", "plan_yolo", "plan_keep"
_PLAN_OPTIONS = (
    (PLAN_ASKING, "Carry it out, and ask before each change", "allow_once"),
    (PLAN_YOLO, "Carry it out without asking", "allow_always"),
    (PLAN_KEEP, "Keep planning", "reject_once"),
)
_WITH_FEEDBACK: dict[str, Any] = {"_meta": {"sayso": {"feedback": True}}}
"""On an option: the client may send words with it, as ``_meta.sayso.feedback`` of the outcome."""
_CANNOT_ASK = (
    "This client cannot ask for permission ({why}), so nothing that needs one runs. Switch to mode Yolo to let the "
    "agent act without asking."
)


class Resolves(Protocol):
    """The part of the approvals that answers go to."""

    def resolve(self, request_id: str, answer: Answer) -> bool: ...


class PermissionDesk:
    """Puts the approval requests of one session before its client. Close it with the session."""

    def __init__(
        self,
        link: Link,
        session_id: str,
        names: CallNames,
        approvals: Resolves,
        find: Callable[[str], Tool | None],
        *,
        cancelled: Callable[[], None],
        notice: Callable[[str], None],
    ) -> None:
        """``cancelled`` is called when the client answers that the turn is over."""
        self._link = link
        self._session_id = session_id
        self._names = names
        self._approvals = approvals
        self._find = find
        self._cancelled = cancelled
        self._notice = notice
        self._tasks = TaskOwner(f"permissions of {session_id}")
        self._dialogs: dict[str, asyncio.Task[None]] = {}

    def requested(self, request: Request) -> None:
        """A call waits for an answer: open its dialog."""
        task = self._tasks.start(self._ask(request), name=request.id)
        self._dialogs[request.id] = task
        task.add_done_callback(lambda _: self._dialogs.pop(request.id, None))

    def decided(self, request: Request, decision: Decision | None) -> None:
        """The request has its answer, from wherever: close its dialog."""
        task = self._dialogs.pop(request.id, None)
        if task is not None and task is not asyncio.current_task():
            task.cancel()

    def answer(self, request_id: str, option_id: str, feedback: str = "") -> bool:
        """Answer a request by an option's id, also one that was put off; an unknown option is a rejection.

        Returns False when it is decided already or was never asked.
        """
        choice = _CHOICES.get(option_id, Choice.REJECT)
        return self._approvals.resolve(request_id, Answer(choice, feedback if choice is Choice.REJECT else ""))

    async def decide_plan(self, plan: str, file: str) -> PlanVerdict:
        """Put a plan before the person. A client that is gone or cannot ask is a plain no."""
        call = current_call.get()
        options = [{"optionId": i, "name": name, "kind": kind} for i, name, kind in _PLAN_OPTIONS]
        options[-1].update(_WITH_FEEDBACK)
        shown = {
            "toolCallId": self._names.of(None, call.id if call else "plan"),
            "title": "Leave plan mode and carry out this plan",
            "kind": "switch_mode",
            "status": "pending",
            "content": [blocks.as_content(plan)],
            "locations": [{"path": file}],
            "rawInput": {"plan": plan, "file": file},
        }
        answer = await self._call(shown, options, {"effect": "none"})
        chosen, feedback = outcome_of(answer)
        if chosen == "cancelled":
            self._cancelled()
        if chosen not in (PLAN_ASKING, PLAN_YOLO):
            return PlanVerdict(approved=False, feedback=feedback)
        return PlanVerdict(approved=True, mode="yolo" if chosen == PLAN_YOLO else "default", feedback=feedback)

    async def close(self) -> None:
        """Close every dialog."""
        await self._tasks.close()

    async def _ask(self, request: Request) -> None:
        answer = await self._call(self._shown(request), _options(request), _about(request))
        if sayso(_object(answer).get("outcome")).get("later") is True:
            self._approvals.resolve(request.id, Answer(Choice.LATER))
            return
        chosen, feedback = outcome_of(answer)
        if chosen == "cancelled":
            self._cancelled()
        elif not self.answer(request.id, chosen, feedback):
            _log.debug("the answer to %s came after its decision", request.id)

    async def _call(self, shown: dict[str, Any], options: list[dict[str, Any]], about: dict[str, Any]) -> Any:
        params = {
            "sessionId": self._session_id,
            "toolCall": shown,
            "options": options,
            "_meta": {"sayso": about},
        }
        try:
            return await self._link.call("session/request_permission", params)
        except Refused as error:
            self._notice(_CANNOT_ASK.format(why=error.message))
        except ConnectionError:
            return {"outcome": {"outcome": "cancelled"}}
        return None

    def _shown(self, request: Request) -> dict[str, Any]:
        wanted = request.wanted
        tool = self._find(wanted.tool)
        return {
            "toolCallId": self._names.of(wanted.source.agent_id, wanted.call.id),
            "title": wanted.ask.summary,
            "kind": tool.kind if tool else "other",
            "status": "pending",
            "content": blocks.displays(wanted.ask.preview),
            "locations": blocks.locations_of(wanted.ask.locations),
            "rawInput": blocks.parsed(wanted.call.arguments),
        }


def _options(request: Request) -> list[dict[str, Any]]:
    """In our order; what no rule can cover is offered once only."""
    options: list[dict[str, Any]] = [{"optionId": ONCE, "name": "Allow once", "kind": "allow_once"}]
    if request.releases:
        also = "; ".join(request.releases)
        options += [
            {"optionId": SESSION, "name": f"Allow for this session: {also}", "kind": "allow_always"},
            {"optionId": ALWAYS, "name": f"Always allow: {also}", "kind": "allow_always"},
        ]
    return [*options, {"optionId": REJECT, "name": "Reject", "kind": "reject_once", **_WITH_FEEDBACK}]


def _about(request: Request) -> dict[str, Any]:
    """``_meta.sayso`` of a request: what ACP has no field for."""
    wanted, source = request.wanted, request.wanted.source
    about: dict[str, Any] = {"request_id": request.id, "tool": wanted.tool, "effect": wanted.effect.value}
    if source.agent_id is not None:
        about |= {"agent_id": source.agent_id, "agent_type": source.agent_type}
    if request.releases:
        about["releases"] = list(request.releases)
    return about


def outcome_of(answer: object) -> tuple[str, str]:
    """The chosen option's id (``cancelled`` for that outcome, empty for none) and what was said with it."""
    outcome = _object(_object(answer).get("outcome"))
    said = sayso(outcome).get("feedback") or sayso(answer).get("feedback")
    feedback = said.strip() if isinstance(said, str) else ""
    if outcome.get("outcome") == "cancelled":
        return "cancelled", feedback
    chosen = outcome.get("optionId")
    return (chosen if isinstance(chosen, str) and chosen != "cancelled" else ""), feedback


def _object(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
