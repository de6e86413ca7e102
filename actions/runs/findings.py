"""Findings of reviews: read from an agent's answer, checked, and merged over providers."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

_BLOCK = re.compile(r"^(?P<fence>`{3,}|~{3,})[ \t]*(?:json)?[ \t]*\r?\n(?P<body>.*?)^(?P=fence)[ \t]*$", re.M | re.S)
_SPACE = re.compile(r"\s+")
_NEAR_LINES = 2
_LIKE = 80.0


class Severity(StrEnum):
    """``error``: must not be merged so. ``warning``: look at it. ``note``: good to know."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Finding(BaseModel):
    """One thing to look at. ``line`` counts from 1 in the new file; None means the file as a whole."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    file: str = Field(min_length=1, max_length=4096)
    line: int | None = Field(default=None, ge=1)
    severity: Severity
    text: str = Field(min_length=1)
    rule: str = ""


class Said(BaseModel):
    """One provider's own words on a finding."""

    model_config = ConfigDict(frozen=True)

    provider: str
    line: int | None
    severity: Severity
    text: str


class MergedFinding(Finding):
    """What several providers found at one place. ``found_by`` names them, in the order in which they were asked.

    ``id`` is the same whenever the same reviews are merged in the same order; ``said`` holds what each one said.
    """

    id: str = ""
    found_by: tuple[str, ...] = ()
    said: tuple[Said, ...] = ()


class Findings(BaseModel):
    """The block at the end of a review: ``{"findings": [...]}``."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    findings: tuple[Finding, ...]


def read_findings(structured: dict[str, Any] | None, text: str) -> tuple[Finding, ...] | str:
    """The findings of an answer: the agent's own data where it sent any, else the last block of JSON in ``text``.

    Returns why there are none in words for the agent when nothing fits the schema.
    """
    problem = "there is no block of JSON in it"
    for candidate in _candidates(structured, text):
        try:
            return Findings.model_validate(candidate).findings
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = ".".join(str(part) for part in first["loc"])
            problem = f"{place}: {first['msg']}" if place else first["msg"]
    return problem


def merge(found: Iterable[tuple[str, Sequence[Finding]]]) -> list[MergedFinding]:
    """Findings of ``(provider, findings)`` as one list, the gravest first.

    Two are one when they are about the same file, at most two lines apart, and say much the same; then the graver
    severity, the first one's words and the names of both are kept. A provider's own findings are never merged.
    """
    merged: list[MergedFinding] = []
    in_file: dict[str, list[int]] = {}
    for provider, findings in found:
        others = {path: [at for at in rows if provider not in merged[at].found_by] for path, rows in in_file.items()}
        for finding in findings:
            said = Said(provider=provider, line=finding.line, severity=finding.severity, text=finding.text)
            path = clean_path(finding.file)
            near = others.get(path, [])
            match = next((at for at in near if _same(merged[at], finding)), None)
            if match is None:
                in_file.setdefault(path, []).append(len(merged))
                merged.append(MergedFinding(**finding.model_dump(), found_by=(provider,), said=(said,)))
            else:
                near.remove(match)
                kept = merged[match]
                severity = min(kept.severity, finding.severity, key=_rank)
                both = {"found_by": (*kept.found_by, provider), "said": (*kept.said, said)}
                merged[match] = kept.model_copy(update={"severity": severity, **both})
    return sorted(_named(merged), key=lambda f: (_rank(f.severity), f.file, f.line or 0))


def _named(merged: Iterable[MergedFinding]) -> Iterable[MergedFinding]:
    """Each with an id made of what it says; the second that says the very same gets another one."""
    seen: Counter[str] = Counter()
    for finding in merged:
        name = PurePosixPath(clean_path(finding.file)).name  # where the file is may be said in several ways
        content = json.dumps([name, finding.line, finding.text])
        seen[content] += 1
        digest = hashlib.sha256(f"{content}#{seen[content]}".encode()).hexdigest()
        yield finding.model_copy(update={"id": f"f_{digest[:10]}"})


def as_message(findings: Sequence[MergedFinding], notes: Sequence[str] = ()) -> str:
    """The findings as a message to an agent. ``notes`` say first what has changed since they were found."""
    rows = ["Reviews of this workspace found the following. Look at each and mend what is right; say which you left.\n"]
    if notes:
        rows += [*notes, "So lines may have moved and some of it may be done: look at the code as it is now.\n"]
    for finding in findings:
        place = finding.file if finding.line is None else f"{finding.file}:{finding.line}"
        rows.append(f"- [{finding.severity}] `{place}`: {finding.text} (found by {', '.join(finding.found_by)})")
    return "\n".join(rows)


def _rank(severity: Severity) -> int:
    return list(Severity).index(severity)


def _same(kept: Finding, finding: Finding) -> bool:
    """Whether two findings of one file are about the same thing."""
    if kept.line is not None and finding.line is not None and abs(kept.line - finding.line) > _NEAR_LINES:
        return False
    from rapidfuzz.fuzz import token_set_ratio

    return token_set_ratio(_SPACE.sub(" ", kept.text.lower()), _SPACE.sub(" ", finding.text.lower())) >= _LIKE


def clean_path(path: str) -> str:
    """A path as git writes it, whatever the agent's machine is."""
    return path.replace("\\", "/").removeprefix("./")


def _candidates(structured: dict[str, Any] | None, text: str) -> Iterable[object]:
    if structured is not None and "findings" in structured:
        yield structured
    bodies = [match["body"] for match in _BLOCK.finditer(text)]
    for body in (*reversed(bodies), text):
        try:
            value: object = json.loads(body)
        except (ValueError, RecursionError):
            continue
        yield {"findings": value} if isinstance(value, list) else value
