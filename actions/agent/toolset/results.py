"""What a tool call returns."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal


class ErrorClass(StrEnum):
    """Why a call has no good result. The set is closed."""

    NOT_FOUND = "not_found"
    BAD_JSON = "bad_json"
    INVALID_INPUT = "invalid_input"
    TOOL_ERROR = "tool_error"
    REJECTED = "rejected"
    BLOCKED = "blocked"
    TIMEOUT = "timeout"
    CANCELLED = "cancelled"
    OUTCOME_UNKNOWN = "outcome_unknown"


@dataclass(frozen=True, slots=True)
class TextPart:
    """Words for the model."""

    text: str


@dataclass(frozen=True, slots=True)
class MediaPart:
    """An image, a sound or a video. ``data`` is base64 text, ``mime`` like ``image/png``."""

    data: str
    mime: str


Part = TextPart | MediaPart
Output = str | tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class DiffDisplay:
    """A file before and after. ``old`` is None for a new file."""

    path: str
    old: str | None
    new: str


@dataclass(frozen=True, slots=True)
class TextDisplay:
    """Text for a person: a command's output, a plan. ``kind`` says how to draw it."""

    text: str
    kind: Literal["text", "command", "markdown"] = "text"


@dataclass(frozen=True, slots=True)
class TodoDisplay:
    """The todo list as it stands: ``(title, status)``, status is ``pending``, ``in_progress`` or ``done``."""

    items: tuple[tuple[str, str], ...]


Display = DiffDisplay | TextDisplay | TodoDisplay


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a file that a call touched; ``line`` counts from 1."""

    path: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The end of one call.

    ``output`` and ``message`` are for the model (message first, see :mod:`actions.agent.toolset.messages`), ``display``
    and ``locations`` for a person. ``error`` None means success. ``feedback`` is what a person said to a rejection.
    """

    output: Output = ""
    message: str = ""
    error: ErrorClass | None = None
    display: tuple[Display, ...] = ()
    locations: tuple[Location, ...] = ()
    feedback: str | None = None

    @property
    def is_error(self) -> bool:
        return self.error is not None

    def with_output(self, output: Output) -> ToolResult:
        return ToolResult(output, self.message, self.error, self.display, self.locations, self.feedback)


def failure(error: ErrorClass, message: str, output: Output = "") -> ToolResult:
    """A call that ended without a good result, in words for the model."""
    return ToolResult(output=output, message=message, error=error)


class ToolFailure(Exception):
    """Raise in a tool to end its call with ``result``; shorter than passing it up."""

    def __init__(self, message: str, *, error: ErrorClass = ErrorClass.TOOL_ERROR, output: Output = "") -> None:
        super().__init__(message)
        self.result = failure(error, message, output)
