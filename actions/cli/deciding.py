"""`sayso inbox approve|reject|answer`: a person decides a row of any kind. The host checks that it is a person."""

from __future__ import annotations

import sys
from typing import Any, cast

from actions.cli.answer import FAILED, Answer, error_from, exit_of, usage
from actions.cli.invocation import Invocation
from actions.cli.printable import printable, when
from actions.cli.request_text import request_lines
from actions.errors import ErrorCode, Refused, SaysoError

_ANSWER_FIELDS = frozenset({"decision", "reason", "answer", "answers", "option_id", "scope", "feedback"})
_QUESTIONS = ("question", "exit_plan")
_WAITING = ("open", "deferred")
_BY = {"ui": " in the window", "voice": " by voice", "cli": " at the command line", "rule": " by a rule"}
_TAKE_BACK = "Take it back later with: sayso approval rule revoke"


def approve(call: Invocation) -> Answer:
    row = _row(call)
    scope = call.value("scope", "once")
    if row["kind"] == "approval":
        return _decide(call, row, "approve", {"decision": "approve", "scope": scope})
    if row["kind"] == "permission":
        option_id = _lasting(row, scope)
        kept = None if option_id else scope  # a rule of ours, or the agent's own option as it is
        return _decide(call, row, "allow", {"decision": "allow", "scope": kept, "option_id": option_id}, scope)
    if row["kind"] == "exit_plan":
        return _decide(call, row, "approve", {"decision": "approve"})
    raise _does_not_fit(row, "approve")


def reject(call: Invocation) -> Answer:
    row = _row(call)
    feedback = call.value("feedback")
    if row["kind"] == "approval":
        return _decide(call, row, "reject", {"decision": "reject", "feedback": feedback})
    if row["kind"] == "permission":
        return _decide(call, row, "deny", {"decision": "deny", "feedback": feedback})
    if row["kind"] in _QUESTIONS:
        decision = "request_changes" if feedback and row["kind"] == "exit_plan" else "reject"
        return _decide(call, row, "reject", {"decision": decision, "reason": feedback})
    raise _does_not_fit(row, "reject")


def answer(call: Invocation) -> Answer:
    row = _row(call)
    return _decide(call, row, "send this answer to", answer_fields(call.values["json_input"]))


def answer_fields(given: Any) -> dict[str, Any]:
    """The input that an answer stands for: a text, ``{question: value}``, or the action's own fields."""
    if isinstance(given, dict):
        fields = cast("dict[str, Any]", given)
        if fields and fields.keys() <= _ANSWER_FIELDS:
            return fields
        return {"answers": [{"question": q, "values": _values(v)} for q, v in fields.items()]}
    if isinstance(given, list):
        return {"answers": given}
    return {"answer": _values(given)[0]}


def _values(given: Any) -> list[str]:
    if isinstance(given, list):
        return [value for item in cast("list[Any]", given) for value in _values(item)]
    if isinstance(given, bool):
        return ["true" if given else "false"]
    return [given if isinstance(given, str) else "" if given is None else str(given)]


def _row(call: Invocation) -> dict[str, Any]:
    """The row to decide. Whether this is a person is asked first: elsewhere nothing is said of any row."""
    host = call.host()
    hello = call.checked("hello", host=host)
    if not hello["present"]:
        raise Refused(
            "Only a person decides: run this in an interactive terminal, and not from inside an agent. The request "
            "stays open; the window and voice can decide it, too.",
            code=ErrorCode.PRESENT_USER_REQUIRED,
        )
    row = call.execute("inbox.get", {"id": call.values["id"]}, effect="read", host=host)
    if row["kind"] != "failed_run" and row["state"] not in _WAITING:
        raise _closed(row)
    return row


def _closed(row: dict[str, Any]) -> SaysoError:
    """Who decided it, what and when: before anybody is asked for a yes that would change nothing."""
    detail: dict[str, Any] = row.get("detail") or {}
    decision: dict[str, Any] = detail.get("decision") or detail.get("answer") or {}
    surface, at = decision.get("surface") or decision.get("by"), decision.get("at") or detail.get("decided_at")
    by = _BY.get(str(surface), f" by {printable(str(surface))}") if surface else ""
    said = str(row["state"]).replace("_", " ")
    if (outcome := decision.get("outcome")) and outcome != said:
        said += f" ({printable(str(decision.get('name') or outcome))})"
    moment = f" on {when(at)}" if isinstance(at, int) else ""
    return SaysoError(
        f"This request was decided already: {said}{by}{moment}. That stands; nothing was changed.",
        code=ErrorCode.STALE,
        details={"id": row["id"], "state": row["state"], "decision": decision},
    )


def _decide(
    call: Invocation, row: dict[str, Any], verb: str, fields: dict[str, Any], scope: str | None = None
) -> Answer:
    if not call.value("yes") and sys.stdin is not None and sys.stdin.isatty():
        _ask(row, verb, scope or str(fields.get("scope") or "once"), fields.get("option_id"))
    if row["kind"] == "approval":
        action, target = "approval.request.decide", {"approval_id": row["id"]}
    else:
        answers = row["kind"] in _QUESTIONS
        action = "session.user_action.answer" if answers else "session.permission.respond"
        target = {"session_id": row["session_id"], "request_id": row["id"]}
    sent = {name: value for name, value in {**fields, **target}.items() if value is not None}
    data = call.execute(action, sent)
    if error := data.get("error"):
        # Decided all the same: what was approved failed when it was carried out.
        return Answer("outcome", data, exit=exit_of(error_from(error)) or FAILED, error={"details": {}, **error})
    return Answer("outcome", data)


def _ask(row: dict[str, Any], verb: str, scope: str, option_id: object) -> None:
    """Show the request on standard error and take a yes. Raises ``cancelled`` for anything else."""
    lines = request_lines(row)
    if option_id is None and (rule := _rules(row).get(scope)):
        lines += [f"With --scope {scope} this is allowed from now on: {printable(rule)}"]
        lines += [] if row["releases"] else [_TAKE_BACK]
    if scope != "once" and row["releases"]:
        lines += [f"With --scope {scope} this also releases:", *(f"  {printable(text)}" for text in row["releases"])]
        lines += [_TAKE_BACK]
    named = [option["name"] for option in row.get("options") or () if option["id"] == option_id]
    lines += [f"In the agent's own words: {printable(name)}" for name in named]
    sys.stderr.write("\n".join(lines) + f"\n{verb.capitalize()} this request? [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in ("y", "yes", "是", "好"):
        raise SaysoError("Nothing was decided; the request still waits.", code=ErrorCode.CANCELLED)


def _lasting(row: dict[str, Any], scope: str) -> str | None:
    """The agent's own option for a permission that lasts, where no rule of ours can be made of it: the one named after
    ``scope`` where there are several, else the first. Raises ``invalid_input`` where there is neither.
    """
    if scope == "once" or scope in _rules(row):
        return None
    lasting = [option for option in row["options"] if option["kind"] == "allow_always"]
    option = next((option for option in lasting if option["id"] == f"allow_{scope}"), next(iter(lasting), None))
    if option is None:
        raise usage(
            f"{row['title']}: what would be released by that cannot be told for sure, and the agent offers nothing "
            "that lasts. Approve it with --scope once.",
            "scope",
        )
    return option["id"]


def _rules(row: dict[str, Any]) -> dict[str, str]:
    """What each wider scope would release from now on, in words."""
    detail: dict[str, Any] = row.get("detail") or {}
    rules: dict[str, str] = detail.get("rules") or {}
    return rules


def _does_not_fit(row: dict[str, Any], verb: str) -> SaysoError:
    if row["kind"] == "failed_run":
        return usage(f"{row['id']} is a failed run: there is nothing to {verb}. See: sayso run list", "id")
    return usage(f"{row['id']} is a question: answer it with sayso inbox answer {row['id']} --json-input JSON", "id")
