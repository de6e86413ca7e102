"""From what an agent asks on the wire to the request that a person sees, and to the answer that the agent gets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from actions.catalog.questions import form_of, main_fields
from actions.sessions.events import Draft, Kind
from actions.sessions.incoming import QuestionAsk
from actions.sessions.permissions import plan_of, summary_of
from actions.sessions.requests import EXIT_PLAN, PERMISSION, QUESTION, UserRequest
from actions.storage.ids import Prefix, new_id

_SUMMARY_LIMIT = 300


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer: ``stored`` as the transcript keeps it, ``wire`` as the agent gets it (None: it is told "nobody")."""

    stored: dict[str, Any]
    wire: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """Whose requests these are, and where they are shown."""

    session_id: str
    root_session_id: str

    def permission(self, call: dict[str, Any], options: Sequence[dict[str, str]]) -> UserRequest:
        """A request for ``call`` (folded so far): a plan to look at where it wants to leave plan mode."""
        plan = plan_of(call)
        return UserRequest(
            new_id(Prefix.REQUEST),
            self.session_id,
            self.root_session_id,
            summary_of(call),
            tuple(options),
            tool_call=call,
            kind=EXIT_PLAN if plan else PERMISSION,
            asked={"plan": plan} if plan else None,
        )

    def question(self, ask: QuestionAsk) -> UserRequest:
        """A question with its form. Raises InvalidInput for a form that cannot be shown."""
        asked = main_fields(form_of(ask.schema))
        only = asked[0] if len(asked) == 1 else None
        kind = "several" if only is not None and only.type == "list" else "choice"
        options = [
            {"id": str(option.value), "name": option.label, "kind": kind} for option in (only.options if only else ())
        ]
        line = " ".join(ask.message.split()) or "A question"
        return UserRequest(
            new_id(Prefix.REQUEST),
            self.session_id,
            self.root_session_id,
            line if len(line) <= _SUMMARY_LIMIT else line[: _SUMMARY_LIMIT - 1] + "…",
            tuple(options),
            tool_call={"id": ask.tool_call_id} if ask.tool_call_id else None,
            kind=QUESTION,
            asked={"message": ask.message, "schema": ask.schema},
        )


def shown(request: UserRequest) -> Draft:
    """The request as the transcript has it."""
    asked = request.asked or {}
    call_id = (request.tool_call or {}).get("id")
    if request.kind == QUESTION:
        fields = [field.model_dump(mode="json") for field in form_of(asked["schema"])]
        said = {"message": asked["message"], "fields": fields}
        return Draft(Kind.QUESTION, {"tool_call_id": call_id, "title": request.summary, **said}, request.id)
    data: dict[str, Any] = {"tool_call_id": call_id, "title": request.summary, "options": list(request.options)}
    if request.kind == EXIT_PLAN:
        data["plan"] = asked["plan"]
    return Draft(Kind.PERMISSION, data, request.id)


def chosen(
    option: dict[str, str] | None, *, by: str, feedback: str | None = None, rule: Mapping[str, Any] | None = None
) -> Reply:
    """The answer with one of the agent's options; None is the outcome ``cancelled``.

    ``rule`` names what answered in advance, or what this answer made: ``{rule_id, scope}``.
    """
    if option is None:
        stored: dict[str, Any] = {"outcome": "cancelled", "by": by}
    else:
        named = {"option_id": option["id"], "name": option["name"], "kind": option["kind"]}
        stored = {"outcome": "selected", **named, "by": by, **(rule or {})}
    wire: dict[str, Any] = {"outcome": stored["outcome"]}
    if option is not None:
        wire["optionId"] = option["id"]
    if feedback:
        stored["feedback"] = feedback
        wire["_meta"] = {"sayso": {"feedback": feedback}}
    return Reply(stored, wire)


def accepted(content: dict[str, Any], *, by: str) -> Reply:
    """The form filled in."""
    return Reply({"outcome": "answered", "content": content, "by": by}, {"action": "accept", "content": content})


def declined(*, by: str, reason: str | None = None) -> Reply:
    """A no to being asked."""
    return Reply({"outcome": "declined", "by": by, **({"reason": reason} if reason else {})}, {"action": "decline"})


def dismissed(*, by: str) -> Reply:
    """Closed without an answer."""
    return Reply({"outcome": "dismissed", "by": by}, {"action": "cancel"})


def withdrawn(by: str) -> Reply:
    """Nobody decides any more."""
    return Reply({"outcome": "cancelled", "by": by})
