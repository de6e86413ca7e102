"""Commands that are one action, and `sayso actions run`, which is any of them."""

from __future__ import annotations

from typing import Any, cast

from actions.cli.answer import FAILED, Answer, usage
from actions.cli.commands import load
from actions.cli.invocation import Invocation

ENDS_WITH_ITS_COMMAND = frozenset({"providers.check"})
"""Actions that nobody hears the end of once the command is gone."""


def action(call: Invocation) -> Answer:
    """The action of the command, with the arguments as its input. A check that found something wrong has failed."""
    action_id = call.command["action"]
    data = call.execute(
        action_id, call.values, effect=call.command["effect"], attached=action_id in ENDS_WITH_ITS_COMMAND
    )
    if data.get("ok") is False and data.get("error"):
        return Answer(call.command["kind"], data, exit=FAILED, error={"details": {}, **data["error"]})
    return Answer(call.command["kind"], data)


def run(call: Invocation) -> Answer:
    """Any action by its id."""
    raw = call.value("input", {})
    if not isinstance(raw, dict):
        raise usage('--input must be a JSON object, such as {"query": "review"}.', "input")
    given = cast("dict[str, Any]", raw)
    if (session := call.value("session_id")) is not None:
        given.setdefault("session_id", session)
    action_id = call.values["id"]
    known = next((c for c in load().commands if c["action"] == action_id), None)
    outcome = call.outcome(action_id, given, effect=known["effect"] if known else "write")
    return Answer(known["kind"] if known else outcome["kind"], outcome["data"])
