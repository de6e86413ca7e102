"""Answers to what agents ask: permissions, questions, plans; and who may give them."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from actions.catalog.context import Caller, CallerKind
from actions.catalog.questions import content_of, form_of, only_question
from actions.catalog.views import OutcomeView
from actions.errors import ErrorCode, InvalidInput, NotFound, Refused, SaysoError
from actions.execution.approval import Scope, stored_caller
from actions.execution.grants import Grant, lasts_for
from actions.sessions.actor import SessionActor
from actions.sessions.asking import Reply, accepted, chosen, declined, dismissed
from actions.sessions.asks import by_rule
from actions.sessions.hosting import Hosted, Hosting
from actions.sessions.permissions import choose
from actions.sessions.providers import BUILTIN
from actions.sessions.records import SessionRecords
from actions.sessions.requests import (
    EXIT_PLAN,
    OPEN,
    PERMISSION,
    QUESTION,
    UserRequest,
    UserRequests,
    already_closed,
)
from actions.storage.ids import now_ms

Prompt = Callable[[str, str], Awaitable[Any]]
_PEOPLE = ("ui", "voice", "cli")
_log = logging.getLogger(__name__)


class Answers:
    """Takes answers. ``prompt`` queues a message for a session: the way of words that ACP has no place for."""

    def __init__(self, hosting: Hosting, records: SessionRecords, requests: UserRequests, prompt: Prompt) -> None:
        self._hosting = hosting
        self._records = records
        self._requests = requests
        self._prompt = prompt

    async def respond_permission(
        self,
        session_id: str | None,
        request_id: str | None,
        *,
        decision: str,
        option_id: str | None = None,
        scope: str | None = None,
        feedback: str | None = None,
        decided_by: Caller,
        surface: str,
    ) -> OutcomeView:
        """Answer a permission with ``allow`` or ``deny``, or by the agent's own option id, never by position.

        What lasts (``scope``, or an option that lasts) is kept as a rule of ours, and the agent gets its option to
        allow it once; where no rule can say what would be released, an option that was named goes to the agent as it
        is. Raises NotFound, Ambiguous (several wait, or several options fit), ``stale`` (answered or withdrawn before),
        InvalidInput (the scope is not to be had; the request stays open).
        """
        request = await self._requests.select_one(session_id, request_id, (PERMISSION,))
        if request.kind == QUESTION:
            raise _another("session.user_action.answer", request)
        hosted, actor = await self._waiting(request)
        option = choose(request.options, decision, option_id, request_id=request.id)
        if decision == "deny" and scope not in (None, Scope.ONCE):
            raise InvalidInput(
                "Only a yes can last.", [{"field": "scope", "message": "once is the only scope of a no"}]
            )
        option, grant = await self._lasting(request, option, None if scope is None else Scope(scope))
        rule = None if grant is None else (grant, _made_by(decided_by, surface, grant, request))
        named = None if grant is None else {"rule_id": grant.id, "scope": grant.scope.value}
        reply = chosen(option, by=surface, feedback=feedback, rule=named)
        answer = await actor.answer(request, reply, rule=rule)
        if grant is not None:
            await self._release(grant, but=request.id)
        if feedback and not _allows(option) and hosted.record.provider != BUILTIN:
            # ACP has no place for a reason; the next message is one that every agent reads.
            await self._prompt(request.session_id, f"I did not allow that ({request.summary}). {feedback}")
        return _outcome(request, answer)

    async def answer_user_action(
        self,
        session_id: str | None,
        request_id: str | None,
        answer: Mapping[str, Any],
        *,
        decided_by: Caller,
        surface: str,
    ) -> OutcomeView:
        """Answer a question by the fields of its form, or decide on a plan.

        Raises NotFound, Ambiguous, ``stale``, InvalidInput that names each field, or ``present_user_required`` for an
        agent that would answer for its own session or for one that it descends from.
        """
        request = await self._requests.select_one(session_id, request_id, (QUESTION, EXIT_PLAN))
        if surface not in _PEOPLE:
            await self._may_answer(request, session_id, decided_by)
        if request.kind == PERMISSION:
            raise _another("session.permission.respond", request)
        hosted, actor = await self._waiting(request)
        reply = (_to_question if request.kind == QUESTION else _to_plan)(request, answer, surface)
        stored = await actor.answer(request, reply)
        reason = str(answer.get("reason") or "").strip()
        if reason and stored["outcome"] == "declined":
            await self._prompt(request.session_id, f"I did not answer your question ({request.summary}). {reason}")
        elif reason and "feedback" in stored and hosted.record.provider != BUILTIN:
            wish = "change this first" if answer.get("decision") == "request_changes" else "the reason"
            await self._prompt(request.session_id, f"I did not approve the plan; {wish}: {reason}")
        return _outcome(request, stored)

    async def _waiting(self, request: UserRequest) -> tuple[Hosted, SessionActor]:
        """The agent that waits for the answer. Raises ``stale`` when none does any more."""
        if request.state != OPEN:
            raise already_closed(request)
        try:
            hosted = await self._hosting.get(request.session_id)
        except NotFound as gone:
            raise SaysoError(
                "The session that asked this was deleted; there is nobody to answer.",
                code=ErrorCode.STALE,
                details={"request_id": request.id, "session_id": request.session_id},
            ) from gone
        if hosted.actor is None:
            raise SaysoError(
                "The agent that asked this has ended. Send the session a message to go on; it may ask again.",
                code=ErrorCode.STALE,
                details={"request_id": request.id, "session_id": request.session_id},
            )
        return hosted, hosted.actor

    async def _lasting(
        self, request: UserRequest, option: dict[str, str] | None, scope: Scope | None
    ) -> tuple[dict[str, str] | None, Grant | None]:
        """The option that the agent gets, and the rule that keeps what lasts."""
        named = None if option is None else lasts_for(option)
        if named is not None and scope is Scope.ONCE:
            raise InvalidInput(
                f"{option['name'] if option else ''!r} lasts; it cannot be chosen for once.",
                [{"field": "scope", "message": "leave it out, or choose another option"}],
            )
        wanted = scope or named or Scope.ONCE
        if wanted is Scope.ONCE:
            return option, None
        grant = await self._requests.grant(request, wanted) if request.kind == PERMISSION else None
        if grant is not None:
            return choose(request.options, "allow", None), grant
        if named is not None and scope is None:
            return option, None
        lasting = ", ".join(o["id"] for o in request.options if o["kind"] == "allow_always")
        raise InvalidInput(
            "What would be released by that cannot be told for sure, so it is not kept as a rule. Allow it once"
            + (f", or by the agent's own option: {lasting}." if lasting else "."),
            [{"field": "scope", "message": "once is the only scope of this request"}],
        )

    async def _release(self, grant: Grant, *, but: str) -> None:
        """Answer by a new rule what already waits and what the person was shown that it covers."""
        for request_id in await self._requests.released(grant, but=but):
            try:
                request = await self._requests.get(request_id)
                _, actor = await self._waiting(request)
                await actor.answer(request, by_rule(request, grant), by_rule=grant)
            except SaysoError as gone:
                _log.debug("releasing %s by rule: %s", request_id, gone)

    async def _may_answer(self, request: UserRequest, session_id: str | None, caller: Caller) -> None:
        """Raises ``present_user_required`` where an agent would answer for itself or for who started it."""
        if caller.kind is CallerKind.EDITOR and caller.session_id is None:
            return
        above = await self._line(caller.session_id) if caller.session_id else {request.session_id}
        if request.session_id in above:
            raise Refused(
                "An agent does not answer for its own session, nor for one that it was started by. A person answers: "
                "in the window, by voice, or with `sayso inbox answer` in a terminal.",
                code=ErrorCode.PRESENT_USER_REQUIRED,
                details={"request_id": request.id, "session_id": request.session_id},
            )
        if session_id not in (request.session_id, request.root_session_id):
            raise InvalidInput(
                "This request is of another session. Name that session by its session_id.",
                [{"field": "session_id", "message": f"the request is of {request.session_id}"}],
            )

    async def _line(self, session_id: str) -> set[str]:
        """A session and all that it descends from."""
        line: set[str] = set()
        following: list[str | None] = [session_id]
        while following:
            at = following.pop()
            if at is None or at in line:
                continue
            line.add(at)
            try:
                record = await self._records.get(at)
            except NotFound:
                continue
            following += [record.parent_session_id, record.root_session_id]
        return line


def _to_question(request: UserRequest, answer: Mapping[str, Any], surface: str) -> Reply:
    schema: dict[str, Any] = (request.asked or {})["schema"]
    decision = answer.get("decision")
    if decision == "reject":
        return declined(by=surface, reason=answer.get("reason"))
    if decision == "dismiss":
        return dismissed(by=surface)
    if decision == "request_changes" or answer.get("option_id"):
        raise InvalidInput(
            "This is a question: answer it, or reject or dismiss it.",
            [{"field": "decision", "message": "approve, reject or dismiss"}],
        )
    given = {entry["question"]: entry["values"] for entry in answer.get("answers") or ()}
    if answer.get("answer") is not None:
        given = only_question(schema, str(answer["answer"])) | given
    content = content_of(schema, given)
    if not content and form_of(schema):
        raise InvalidInput(
            "Nothing was answered. Answer a question, or dismiss it.", [{"field": "answers", "message": "is empty"}]
        )
    return accepted(content, by=surface)


def _to_plan(request: UserRequest, answer: Mapping[str, Any], surface: str) -> Reply:
    decision, option_id = answer.get("decision"), answer.get("option_id")
    reason = str(answer.get("reason") or "").strip() or None
    if decision is None and option_id is not None:
        named = choose(request.options, "allow", option_id)
        decision = "approve" if _allows(named) else "reject"
    match decision:
        case "approve":
            option = choose(request.options, "allow", option_id)
            if not _allows(option):
                raise InvalidInput("That option does not approve the plan.", [{"field": "option_id", "message": "no"}])
            if option is not None and lasts_for(option) and surface not in ("ui", "cli"):
                raise Refused(
                    f"“{option['name']}” lets the agent act without asking. Choose it in the window or in a terminal.",
                    code=ErrorCode.PRESENT_USER_REQUIRED,
                )
            return chosen(option, by=surface)
        case "reject" | "request_changes":
            return chosen(choose(request.options, "deny", option_id), by=surface, feedback=reason)
        case "dismiss":
            return chosen(choose(request.options, "deny", None), by=surface)
        case _:
            raise InvalidInput(
                "A plan is approved, rejected, or sent back with what should change.",
                [{"field": "decision", "message": "approve, reject, or request_changes with a reason"}],
            )


def _allows(option: dict[str, str] | None) -> bool:
    return option is not None and option["kind"].startswith("allow")


def _another(action: str, request: UserRequest) -> InvalidInput:
    return InvalidInput(
        f"{request.id} is answered with {action}.", [{"field": "request_id", "message": f"is for {action}"}]
    )


def _made_by(caller: Caller, surface: str, grant: Grant, request: UserRequest) -> dict[str, Any]:
    return {
        "by": "voice" if surface == "voice" else "user",
        "surface": surface,
        "caller": stored_caller(caller),
        "at": now_ms(),
        "scope": grant.scope.value,
        "request_id": request.id,
    }


def _outcome(request: UserRequest, answer: dict[str, Any]) -> OutcomeView:
    return OutcomeView(outcome="completed", id=request.id, status=str(answer["outcome"]), result=answer)
