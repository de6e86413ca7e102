"""What one hook said, read from how it ended."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, cast

from actions.agent.hooks.process import Ended
from actions.agent.hooks.verdict import ALLOW, HookVerdict

_REASON = 2_000
"""Characters of a reason that are passed on."""


@dataclass(frozen=True, slots=True)
class HookFault:
    """The hook said nothing that can be used; ``why`` for a person."""

    why: str


def read_answer(ended: Ended) -> HookVerdict | HookFault:
    """Exit 2 blocks with standard error as the reason. Exit 0 may print one JSON object: ``decision`` ``deny`` or
    ``ask`` with ``reason``, also in the form ``hookSpecificOutput.permissionDecision``. Anything else is a fault.
    """
    match ended.code:
        case None:
            return HookFault("it took longer than its limit and was ended")
        case 0:
            return _decision(ended.output)
        case 2:
            return HookVerdict("block", _text(ended.error) or "A hook blocked this call and gave no reason.")
        case code:
            said = _text(ended.error)
            how = f"it was ended by signal {-code}" if code < 0 else f"it ended with exit code {code}"
            return HookFault(f"{how}: {said}" if said else how)


def _decision(output: bytes) -> HookVerdict | HookFault:
    text = output.decode(errors="replace").strip()
    if not text:
        return ALLOW
    try:
        said: Any = json.loads(text)
    except (ValueError, RecursionError):
        return HookFault("it printed something that is not JSON")
    if not isinstance(said, dict):
        return HookFault("it printed JSON that is no object")
    fields = cast("dict[str, Any]", said)
    inner = fields.get("hookSpecificOutput")
    if isinstance(inner, dict):
        inner = cast("dict[str, Any]", inner)
        decision, reason = inner.get("permissionDecision"), inner.get("permissionDecisionReason")
    else:
        decision, reason = fields.get("decision"), fields.get("reason")
    reason = str(reason)[:_REASON] if reason else ""
    match decision:
        case "deny" | "block":
            return HookVerdict("block", reason or "A hook blocked this call and gave no reason.")
        case "ask":
            return HookVerdict("ask", reason)
        case None | "allow" | "approve":
            return ALLOW
        case other:
            return HookFault(f"it printed the unknown decision {str(other)[:50]!r}")


def _text(error: bytes) -> str:
    return error.decode(errors="replace").strip()[:_REASON]
