"""The person behind the client, for what is no plain permission: questions and plans."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from actions.agent.acp import blocks
from actions.agent.acp.link import Link
from actions.agent.acp.names import CallNames
from actions.agent.acp.permissions import WITH_FEEDBACK, ask_permission, outcome_of
from actions.agent.acp.questions import FormQuestions
from actions.agent.loop.screen import PlanVerdict
from actions.agent.toolset.call import current_call

CARRY_OUT, CARRY_OUT_YOLO, KEEP_PLANNING = "plan_default", "plan_yolo", "plan_keep"
_OPTIONS: tuple[dict[str, Any], ...] = (
    {"optionId": CARRY_OUT, "name": "Carry it out, and ask before each change", "kind": "allow_once"},
    {"optionId": CARRY_OUT_YOLO, "name": "Carry it out without asking", "kind": "allow_always"},
    {"optionId": KEEP_PLANNING, "name": "Keep planning", "kind": "reject_once", **WITH_FEEDBACK},
)


class WirePerson:
    """Implements :class:`actions.agent.loop.screen.Person`. ``cancelled``: the client says that the turn is over."""

    def __init__(
        self,
        link: Link,
        session_id: str,
        names: CallNames,
        *,
        forms: bool,
        cancelled: Callable[[], None],
        notice: Callable[[str], None],
    ) -> None:
        self._link = link
        self._session_id = session_id
        self._names = names
        self._questions = FormQuestions(link, session_id, names, available=forms)
        self._cancelled = cancelled
        self._notice = notice

    @property
    def questions(self) -> FormQuestions:
        return self._questions

    async def decide_plan(self, plan: str, file: str) -> PlanVerdict:
        """A request of kind ``switch_mode`` with options of its own. A client that is gone or cannot ask means no."""
        call = current_call.get()
        shown = {
            "toolCallId": self._names.of(None, call.id if call else "plan"),
            "title": "Leave plan mode and carry out this plan",
            "kind": "switch_mode",
            "status": "pending",
            "content": [blocks.as_content(plan)],
            "locations": [{"path": file}],
            "rawInput": {"plan": plan, "file": file},
        }
        about = {"effect": "none", "tool": "ExitPlanMode"}
        answer = await ask_permission(self._link, self._session_id, shown, _OPTIONS, about, self._notice)
        chosen, feedback = outcome_of(answer)
        if chosen == "cancelled":
            self._cancelled()
        if chosen not in (CARRY_OUT, CARRY_OUT_YOLO):
            return PlanVerdict(approved=False, feedback=feedback)
        return PlanVerdict(approved=True, mode="yolo" if chosen == CARRY_OUT_YOLO else "default", feedback=feedback)
