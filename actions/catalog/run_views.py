"""What actions on reviews answer with: findings, who said what, and the change that they are about."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from actions.catalog.spec import ActionOutput
from actions.catalog.views import RunState

Gravity = Literal["error", "warning", "note"]


class FindingWords(ActionOutput):
    """What one provider said of a finding, in its own words."""

    provider: str
    line: int | None = None
    severity: Gravity
    text: str


class FindingView(ActionOutput):
    """One thing to look at. ``file`` is relative to the repository, ``line`` counts in the new file; None is the file
    as a whole. ``said`` has what each of ``found_by`` said.
    """

    id: str
    file: str
    line: int | None = None
    severity: Gravity
    text: str
    rule: str = ""
    found_by: list[str] = Field(default_factory=list[str])
    said: list[FindingWords] = Field(default_factory=list[FindingWords])


class Reviewer(ActionOutput):
    """One of the runs that reviewed a change; ``problem`` says why it gave no findings."""

    run_id: str
    provider: str
    state: RunState
    findings: int | None = None
    problem: str | None = None


class ReviewFindings(ActionOutput):
    """What the reviews of one change found, merged over their providers, and the change itself where it was asked for.

    ``stale``: HEAD went from the ``head`` of ``scope`` to ``head_now`` since. ``change`` is a unified diff; without one
    ``change_problem`` says why.
    """

    reviewers: list[Reviewer]
    workspace: str
    session_id: str | None = None
    scope: dict[str, Any]
    stale: bool = False
    head_now: str | None = None
    findings: list[FindingView]
    change: str | None = None
    change_cut: bool = False
    change_problem: str | None = None
