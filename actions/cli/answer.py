"""What a command gives back, and the exit code that it stands for (docs/cli.md, exit codes)."""

from __future__ import annotations

from typing import Any, NamedTuple

from actions.errors import ErrorCode, SaysoError

DONE, FAILED, USAGE, PENDING, REFUSED, TRY_AGAIN, INTERRUPTED = 0, 1, 2, 3, 4, 75, 130

_EXITS = {
    ErrorCode.INVALID_INPUT: USAGE,
    ErrorCode.SESSION_NOT_SELECTED: USAGE,
    ErrorCode.AMBIGUOUS: USAGE,
    ErrorCode.REJECTED: REFUSED,
    ErrorCode.ACTION_DISABLED: REFUSED,
    ErrorCode.UNSUPPORTED_SURFACE: REFUSED,
    ErrorCode.PRESENT_USER_REQUIRED: REFUSED,
}


class Answer(NamedTuple):
    """``data`` of ``kind`` for programs; ``text`` for people where it is not made from the data.

    With an ``error`` the document says that the command failed and carries the data all the same. ``printed`` says that
    a stream has been written already.
    """

    kind: str
    data: Any
    exit: int = DONE
    text: str | None = None
    error: dict[str, Any] | None = None
    printed: bool = False


class Pending(Exception):
    """The call waits for an approval; ``data`` is ``{approval_id, action}``."""

    def __init__(self, data: dict[str, Any]) -> None:
        super().__init__(data.get("approval_id"))
        self.data = data


def exit_of(error: SaysoError) -> int:
    if error.details.get("retryable") is True:
        return TRY_AGAIN
    return _EXITS.get(error.code, FAILED)


def error_from(raw: dict[str, Any]) -> SaysoError:
    """The error of an outcome. A code of a newer host that is not known here is ``failed``."""
    details = dict(raw.get("details") or {})
    try:
        code = ErrorCode(str(raw.get("code")))
    except ValueError:
        code = ErrorCode.FAILED
        details["code"] = raw.get("code")
    return SaysoError(str(raw.get("message") or "It failed, and nothing says why."), code=code, details=details)


def usage(message: str, field: str | None = None, **details: Any) -> SaysoError:
    """Wrong usage: exit 2. ``field`` is the argument that is wrong."""
    fields = [{"field": field, "message": message}] if field is not None else []
    return SaysoError(message, code=ErrorCode.INVALID_INPUT, details={"fields": fields, **details})
