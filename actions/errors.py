"""The one error hierarchy.

    SaysoError                any failure that a person or a program is told about
    ├── InvalidInput          invalid_input: names each bad field
    ├── NotFound              not_found
    ├── Ambiguous             ambiguous: lists the candidates
    ├── SessionNotSelected    session_not_selected
    ├── Refused               action_disabled | unsupported_surface | present_user_required | rejected
    ├── HostUnavailable       host_unavailable
    └── NotImplementedYet     not_implemented

Each carries a code of the closed set :class:`ErrorCode`, a sentence for a person that says what to do next, and
details for a machine (JSON values only, never a secret).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any


class ErrorCode(StrEnum):
    """Every code that an outcome or a command may carry. The set is closed: clients may switch on it."""

    UNKNOWN_ACTION = "unknown_action"
    UNKNOWN_TOOL = "unknown_tool"
    ACTION_DISABLED = "action_disabled"
    UNSUPPORTED_SURFACE = "unsupported_surface"
    INVALID_INPUT = "invalid_input"
    SESSION_NOT_SELECTED = "session_not_selected"
    NOT_FOUND = "not_found"
    AMBIGUOUS = "ambiguous"
    EMPTY_SCOPE = "empty_scope"
    REJECTED = "rejected"
    EXPIRED = "expired"
    STALE = "stale"
    CANCELLED = "cancelled"
    TIMEOUT = "timeout"
    OUTCOME_UNKNOWN = "outcome_unknown"
    PRESENT_USER_REQUIRED = "present_user_required"
    NOT_IMPLEMENTED = "not_implemented"
    HOST_UNAVAILABLE = "host_unavailable"
    FAILED = "failed"


class SaysoError(Exception):
    """A failure with a code, a message for a person and details for a machine."""

    code: ErrorCode = ErrorCode.FAILED

    def __init__(
        self, message: str, *, code: ErrorCode | None = None, details: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        if code is not None:
            self.code = code
        self.details: dict[str, Any] = dict(details or {})

    def as_json(self) -> dict[str, Any]:
        """``{"code", "message", "details"}``, the shape of ``error`` in the command's JSON."""
        return {"code": self.code.value, "message": self.message, "details": self.details}


class InvalidInput(SaysoError):
    """The input does not fit; ``details["fields"]`` lists ``{"field", "message"}`` for each bad one."""

    code = ErrorCode.INVALID_INPUT

    def __init__(self, message: str, fields: Sequence[Mapping[str, str]] = (), **details: Any) -> None:
        super().__init__(message, details={"fields": [dict(f) for f in fields], **details})


class NotFound(SaysoError):
    """Nothing has this id, path or name."""

    code = ErrorCode.NOT_FOUND


class Ambiguous(SaysoError):
    """Several things fit; ``details["candidates"]`` lists them."""

    code = ErrorCode.AMBIGUOUS

    def __init__(self, message: str, candidates: Sequence[Mapping[str, Any]]) -> None:
        super().__init__(message, details={"candidates": [dict(c) for c in candidates]})


class SessionNotSelected(SaysoError):
    """The action needs a session and neither the input nor the caller named one."""

    code = ErrorCode.SESSION_NOT_SELECTED


class Refused(SaysoError):
    """Policy or a person said no; the code tells which."""

    code = ErrorCode.REJECTED


class HostUnavailable(SaysoError):
    """The host process does not answer and could not be started."""

    code = ErrorCode.HOST_UNAVAILABLE


class NotImplementedYet(SaysoError):
    """The action is declared, its handler comes later."""

    code = ErrorCode.NOT_IMPLEMENTED
