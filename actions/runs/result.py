"""What a finished turn means for its run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from actions.catalog.views import RunError, RunState
from actions.errors import ErrorCode, SaysoError
from actions.sessions.items import Item
from actions.sessions.turns import TurnResult

_SUMMARY_LIMIT = 280
_CHANGES = ("edit", "delete", "move")


def outcome(turn: TurnResult) -> tuple[RunState, dict[str, Any] | None, RunError | None]:
    """The run's state, result and error. A turn that ended well but said nothing is no success."""
    match turn.stop_reason:
        case "cancelled":
            return RunState.CANCELLED, None, None
        case "interrupted":
            return RunState.INTERRUPTED, None, _error(turn, "The agent ended before it was done.", "agent_ended")
        case "error" | "refusal":
            return (
                RunState.FAILED,
                result_of(turn) if turn.text else None,
                _error(turn, "The agent refused the task.", "refused"),
            )
        case "max_tokens" | "max_turn_requests":
            return (
                RunState.FAILED,
                result_of(turn),
                _error(turn, "The agent reached its limit before it was done.", "limit"),
            )
        case _ if not turn.text.strip() and not turn.structured:
            return RunState.FAILED, None, _error(turn, "The agent ended its turn without an answer.", "no_answer")
        case _:
            return RunState.SUCCEEDED, result_of(turn), None


def files_changed(items: Iterable[Item]) -> list[str]:
    """Paths that finished tool calls say they edited, deleted or moved, each once, in the order of the first change."""
    paths: dict[str, None] = {}
    for item in items:
        if item.data.get("kind") in _CHANGES and item.data.get("status") == "completed":
            diffs = (part.get("path") for part in item.data.get("content") or () if part.get("type") == "diff")
            places = (place.get("path") for place in item.data.get("locations") or ())
            paths.update(dict.fromkeys(str(path) for path in (*diffs, *places) if path))
    return list(paths)


def result_of(turn: TurnResult) -> dict[str, Any]:
    """``{summary, text, structured}``: one line, the answer in Markdown, the agent's own data where it sends any."""
    return {"summary": _summary(turn), "text": turn.text, "structured": turn.structured}


def _summary(turn: TurnResult) -> str:
    given = (turn.structured or {}).get("summary")
    if isinstance(given, str) and given.strip():
        return _short(given)
    for line in turn.text.splitlines():
        plain = line.strip().strip("#*-_>` ").strip()
        if plain and plain.casefold() not in ("plan", "summary"):
            return _short(plain)
    return ""


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SUMMARY_LIMIT else line[: _SUMMARY_LIMIT - 1] + "…"


def retryable(failure: SaysoError | None) -> bool:
    """Whether the provider's own class of error says that trying again may help."""
    return failure is not None and failure.details.get("retryable") is True


def _error(turn: TurnResult, default: str, reason: str) -> RunError:
    if turn.error is not None:
        return RunError(code=turn.error.code.value, message=turn.error.message)
    return RunError(code=ErrorCode.FAILED.value, message=default, reason=reason)
