"""The words of a transcript: which kinds of event there are and what each carries.

Events that share an ``item_id`` tell the life of one item; :mod:`actions.sessions.items` folds them.

=================== ================== =====================================================================
kind                item_id            data
=================== ================== =====================================================================
user                the message's      ``{text, origin?, steered?}``; origin ``run`` marks a prompt that Sayso wrote,
                                       ``steered`` one that joined a running turn
agent, thought      the message's      ``{text}``, the next piece of it
tool_call           the call's         fields to merge: ``title, kind, status, input, output, content, locations``,
                                       ``tool: {source, name, arguments, via}`` for a command that calls one of ours
plan                ``plan``           ``{entries: [{content, priority, status}]}``, complete each time
mode                none               ``{mode, mode_name}``, what the agent acknowledged
commands            ``commands``       ``{commands: [{name, description}]}``, complete each time
usage               ``usage``          ``{used, size, cost?}`` of the context window
permission          the request's      ``{tool_call_id, title, options: [{id, name, kind}], plan?}``; ``plan`` is the
                                       Markdown of a plan that it asks to carry out
permission_answer   the request's      ``{outcome: selected|cancelled, option_id?, name?, kind?, by, feedback?,
                                       rule_id?, scope?}``; by ``rule`` where one answered in advance
question            the request's      ``{tool_call_id, title, message, fields: [...]}``
question_answer     the request's      ``{outcome: answered|declined|dismissed|cancelled, content?, by, reason?}``
notice              none               ``{text, code, facts?}``: what a person should know; nothing went wrong
                                       ``run_ended`` adds ``run_id``
error               none               ``{message, code, stderr?}``
turn_start          none               ``{}``
turn_end            none               ``{stop_reason, usage?, structured?}``; stop_reason as in ACP, ``interrupted``
                                       when the agent died, ``error`` when it refused the prompt
=================== ================== =====================================================================

A call's ``status`` is ACP's (pending, in_progress, completed, failed) or ours: ``cancelled``, ``unfinished``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Kind(StrEnum):
    """The kinds of event, as stored and as clients see them."""

    USER = "user"
    AGENT = "agent"
    THOUGHT = "thought"
    TOOL_CALL = "tool_call"
    PLAN = "plan"
    MODE = "mode"
    COMMANDS = "commands"
    USAGE = "usage"
    PERMISSION = "permission"
    PERMISSION_ANSWER = "permission_answer"
    QUESTION = "question"
    QUESTION_ANSWER = "question_answer"
    NOTICE = "notice"
    ERROR = "error"
    TURN_START = "turn_start"
    TURN_END = "turn_end"


FINISHED = frozenset({"completed", "failed", "cancelled", "unfinished"})
"""The statuses of a call after which nothing comes."""


@dataclass(frozen=True, slots=True)
class Draft:
    """An event that is not stored yet."""

    kind: Kind
    data: dict[str, Any]
    item_id: str | None = None


def notice(text: str, code: str, **facts: str) -> Draft:
    """Something a person should know although nothing went wrong. ``facts`` are the parts of ``text`` that differ from
    one to the next: with them a window says it in its own language.
    """
    return Draft(Kind.NOTICE, {"text": text, "code": code, **({"facts": facts} if facts else {})})


def error(message: str, code: str, stderr: str = "") -> Draft:
    """A failure that ended a turn or the agent."""
    return Draft(Kind.ERROR, {"message": message, "code": code, **({"stderr": stderr} if stderr else {})})


def coalesce(drafts: list[Draft]) -> list[Draft]:
    """Join neighbouring pieces of one message, so that a burst of tokens becomes one event."""
    joined: list[Draft] = []
    for draft in drafts:
        last = joined[-1] if joined else None
        if (
            last is not None
            and draft.kind in (Kind.AGENT, Kind.THOUGHT)
            and (last.kind, last.item_id) == (draft.kind, draft.item_id)
            and last.data.keys() == draft.data.keys() == {"text"}
        ):
            joined[-1] = Draft(draft.kind, {"text": last.data["text"] + draft.data["text"]}, draft.item_id)
        else:
            joined.append(draft)
    return joined
