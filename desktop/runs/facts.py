"""What a run was about and what it found, read from its receipt and its result. Pure Python."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_ORDER = {"error": 0, "warning": 1, "note": 2}


@dataclass(frozen=True)
class Receipt:
    """The scope of a review as it was stamped; ``head`` and ``base`` are short commit ids or empty."""

    change: str
    branch: str
    head: str
    base: str
    commits: int
    files: int
    added: int
    deleted: int
    staged: int
    unstaged: int
    untracked: int


@dataclass(frozen=True)
class Finding:
    """One thing to look at; ``line`` None means the file as a whole."""

    file: str
    line: int | None
    severity: str
    text: str
    rule: str = ""

    @property
    def place(self) -> str:
        return self.file if self.line is None else f"{self.file}:{self.line}"


def read_receipt(scope: Mapping[str, Any] | None) -> Receipt | None:
    """The receipt of a run, or None for one without."""
    if not scope or "change" not in scope:
        return None

    def count(name: str) -> int:
        return int(scope.get(name) or 0)

    return Receipt(
        change=str(scope["change"]),
        branch=str(scope.get("branch") or ""),
        head=str(scope.get("head") or "")[:8],
        base=str(scope.get("base") or "")[:8],
        commits=count("commits"),
        files=count("files"),
        added=count("added"),
        deleted=count("deleted"),
        staged=count("staged"),
        unstaged=count("unstaged"),
        untracked=count("untracked"),
    )


def read_findings(result: Mapping[str, Any] | None) -> list[Finding] | None:
    """The findings of a review, the gravest first and then by place; None where it gave none that could be read."""
    given = (result or {}).get("findings")
    if not isinstance(given, list):
        return None
    found = [
        Finding(
            str(entry.get("file") or ""),
            entry.get("line") if isinstance(entry.get("line"), int) else None,
            str(entry.get("severity") or "note"),
            str(entry.get("text") or ""),
            str(entry.get("rule") or ""),
        )
        for entry in given
        if isinstance(entry, dict)
    ]
    return sorted(found, key=lambda one: (_ORDER.get(one.severity, 2), one.file, one.line or 0))
