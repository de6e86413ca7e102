"""What a review found, as data: the result of a review run.

Paths are POSIX and relative to the repository's top folder, line numbers are 1-based and of the new file.
"""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from actions.git.scope import Receipt


class Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)


class Severity(StrEnum):
    """``error``: must not be merged so. ``warning``: look at it. ``note``: good to know."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"

    @property
    def rank(self) -> int:
        return list(Severity).index(self)


class Finding(Frozen):
    """One thing to look at. ``line`` is None where the file as a whole is meant; ``rule`` names the check."""

    file: str
    line: int | None = None
    severity: Severity
    rule: str
    text: str


class Check(Frozen):
    """A check and how it went; ``skipped`` says why it did not run."""

    name: str
    findings: int = 0
    skipped: str | None = None


class Review(Frozen):
    """The whole result. ``author`` is always the scout: no model wrote this.

    ``left_out`` counts the findings past the limit.
    """

    summary: str
    author: str = "scout"
    instructions: str = ""
    scope: Receipt
    findings: tuple[Finding, ...] = ()
    left_out: int = 0
    checks: tuple[Check, ...] = ()
