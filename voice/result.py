"""What a voice command gives back, and how it is printed: the JSON envelope and exit codes of ``sayso``."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from actions.errors import ErrorCode, SaysoError

_EXITS: Mapping[ErrorCode, int] = {
    ErrorCode.INVALID_INPUT: 2,
    ErrorCode.SESSION_NOT_SELECTED: 2,
    ErrorCode.AMBIGUOUS: 2,
    ErrorCode.REJECTED: 4,
    ErrorCode.ACTION_DISABLED: 4,
    ErrorCode.UNSUPPORTED_SURFACE: 4,
    ErrorCode.PRESENT_USER_REQUIRED: 4,
}
"""Every other code exits 1."""


@dataclass(frozen=True)
class CommandResult:
    """A finished command: ``data`` (JSON values) of ``kind`` for machines, ``text`` for people, the exit code."""

    kind: str
    data: Any
    text: str
    exit: int = 0

    def as_json(self) -> str:
        """The one JSON document that ``--json`` prints."""
        return json.dumps({"ok": True, "kind": self.kind, "data": self.data}, ensure_ascii=False)


Command = Callable[[Sequence[str], Any], CommandResult]
"""Takes the arguments behind the command's name (without ``--json``) and the context that ``sayso`` passes."""


def error_json(error: SaysoError) -> str:
    """The one JSON document for a failure."""
    return json.dumps({"ok": False, "error": error.as_json()}, ensure_ascii=False)


def exit_code(error: SaysoError) -> int:
    """The exit code of ``sayso`` for ``error``."""
    return _EXITS.get(error.code, 1)
