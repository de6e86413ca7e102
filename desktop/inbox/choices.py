"""Which answers a request takes, and the action that gives each. Pure Python: the buttons are made from this."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from actions.catalog.form import FormField
from actions.catalog.questions import main_fields, own_words
from actions.catalog.views import InboxKind, InboxRow

_FEW = 6
"""How many options of a question stand as buttons; more are a list to choose from."""


class Answer(StrEnum):
    """The answers that the window words itself; a provider's own options come with their own words."""

    APPROVE = "approve"
    REJECT = "reject"
    LATER = "later"
    SEND = "send"
    REQUEST_CHANGES = "request_changes"
    OPEN_RUN = "open_run"
    DISMISS = "dismiss"
    DECLINE = "decline"
    ALWAYS = "always"
    OPTION = "option"


@dataclass(frozen=True)
class Choice:
    """One answer: ``action`` with ``input`` is executed; ``feedback`` names the input field for the user's text."""

    answer: Answer
    action: str
    input: Mapping[str, Any] = field(default_factory=dict[str, Any])
    label: str = ""
    feedback: str | None = None
    needs_text: bool = False
    main: bool = False
    about: str = ""
    """What an option of a question means, in the agent's words."""
    whole_form: bool = False
    """The answers to the whole form go with it."""

    def filled(self, text: str) -> dict[str, Any]:
        """The input to execute, with the user's text where this answer takes it."""
        result = dict(self.input)
        if self.feedback is not None and text.strip():
            result[self.feedback] = text.strip()
        return result


def choices(row: InboxRow) -> list[Choice]:
    """The answers to a request, the main one first. Empty when it can no longer be answered."""
    if row.kind is InboxKind.FAILED_RUN:  # nothing to decide, but to look at
        return [Choice(Answer.OPEN_RUN, "ui.open", {"target": "run", "id": row.id}, main=True)]
    if not row.decidable:
        return []
    match row.kind:
        case InboxKind.APPROVAL:
            return _approval(row)
        case InboxKind.PERMISSION:
            return _permission(row)
        case InboxKind.QUESTION:
            return _question(row)
        case InboxKind.EXIT_PLAN:
            return _exit_plan(row)


def takes_text(row: InboxRow) -> bool:
    """Whether any answer carries words of the user."""
    return any(choice.feedback for choice in choices(row))


def _approval(row: InboxRow) -> list[Choice]:
    decide = {"approval_id": row.id}
    return [
        Choice(Answer.APPROVE, "approval.request.decide", decide | {"decision": "approve", "scope": "once"}, main=True),
        Choice(Answer.REJECT, "approval.request.decide", decide | {"decision": "reject"}, feedback="feedback"),
        Choice(Answer.LATER, "approval.request.defer", decide),
    ]


def _permission(row: InboxRow) -> list[Choice]:
    def one(option_id: str, name: str, kind: str) -> Choice:
        decision = "allow" if kind.startswith("allow") else "deny"
        return Choice(
            Answer.OPTION,
            "session.permission.respond",
            _request(row) | {"decision": decision, "option_id": option_id},
            label=name,
            feedback="feedback" if decision == "deny" else None,
            main=kind == "allow_once",
        )

    offered = [one(option.id, option.name, option.kind) for option in row.options]
    if "always" in rules(row) and not any(option.kind == "allow_always" for option in row.options):
        always = _request(row) | {"decision": "allow", "scope": "always"}
        offered.append(Choice(Answer.ALWAYS, "session.permission.respond", always))
    return offered


def rules(row: InboxRow) -> dict[str, str]:
    """What each wider scope of a permission would release from now on, in words; empty where no rule can be made."""
    return dict((row.detail or {}).get("rules") or {})


def form(row: InboxRow) -> list[FormField]:
    """The fields that a question asks for."""
    return [FormField.model_validate(field) for field in (row.detail or {}).get("form") or ()]


def picked(row: InboxRow) -> FormField | None:
    """The only field of a question that is one choice among a few: its options are the answers."""
    asked = main_fields(form(row))
    few = len(asked) == 1 and asked[0].type == "string" and 0 < len(asked[0].options) <= _FEW
    return asked[0] if few else None


def plan(row: InboxRow) -> str:
    """The plan that an agent wants to carry out, in Markdown."""
    return str((row.detail or {}).get("plan") or "")


def form_answers(fields: Sequence[FormField], values: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What was entered into a form, as the action takes it."""
    composed = {field.path for field in fields if field.type == "json"}
    return [
        {"question": path, "values": [json.dumps(value)] if path in composed else _texts(value)}
        for path, value in values.items()
        if value is not None
    ]


def _texts(value: Any) -> list[str]:
    if isinstance(value, list):
        return [text for item in value for text in _texts(item)]
    if isinstance(value, bool):
        return ["true" if value else "false"]
    return [str(value)]


def _question(row: InboxRow) -> list[Choice]:
    answer = "session.user_action.answer"
    dismiss = Choice(Answer.DISMISS, answer, _request(row) | {"decision": "dismiss"})
    field = picked(row)
    if field is not None:
        offered = [
            Choice(
                Answer.OPTION,
                answer,
                _request(row) | {"answers": [{"question": field.path, "values": [option.value]}]},
                label=option.label,
                about=option.description or "",
            )
            for option in field.options
        ]
        words = [Choice(Answer.SEND, answer, _request(row), feedback="answer", needs_text=True)]
        return [*offered, *(words if own_words(form(row)) else ()), dismiss]
    if form(row):
        decline = Choice(Answer.DECLINE, answer, _request(row) | {"decision": "reject"})
        return [Choice(Answer.SEND, answer, _request(row), main=True, whole_form=True), decline, dismiss]
    if row.options:
        return [
            Choice(Answer.OPTION, answer, _request(row) | {"answer": option.id}, label=option.name, main=at == 0)
            for at, option in enumerate(row.options)
        ]
    return [Choice(Answer.SEND, answer, _request(row), feedback="answer", needs_text=True, main=True)]


def _exit_plan(row: InboxRow) -> list[Choice]:
    answer = "session.user_action.answer"
    changes = _request(row) | {"decision": "request_changes"}
    lasting = [
        Choice(
            Answer.OPTION,
            answer,
            _request(row) | {"decision": "approve", "option_id": option.id},
            label=option.name,
        )
        for option in row.options
        if option.kind == "allow_always"
    ]
    return [
        Choice(Answer.APPROVE, answer, _request(row) | {"decision": "approve"}, main=True),
        *lasting,
        Choice(Answer.REQUEST_CHANGES, answer, changes, feedback="reason", needs_text=True),
        Choice(Answer.REJECT, answer, _request(row) | {"decision": "reject"}, feedback="reason"),
    ]


def _request(row: InboxRow) -> dict[str, Any]:
    request: dict[str, Any] = {"request_id": row.id}
    if row.session_id is not None:
        request["session_id"] = row.session_id
    return request
