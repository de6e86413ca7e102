"""The review as Markdown, in the pieces in which it is streamed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from actions.agent.scout.markdown import cell
from actions.agent.scout.review.findings import Finding, Review, Severity
from actions.git.scope import Receipt
from actions.words import counted

NO_MODEL = (
    "*Checked by the scout: rules, a secrets scanner and the repository's own linters. No model read this change; it "
    "says nothing about whether the code does what it should.*"
)
_TITLES = {Severity.ERROR: "Errors", Severity.WARNING: "Warnings", Severity.NOTE: "Notes"}
_SHORT = 12


def pieces(review: Review) -> Iterator[str]:
    """One piece a section, each ending with a blank line but for the last."""
    sections = [f"# Review\n\n{NO_MODEL}\n\n{review.summary}\n", _scope(review.scope)]
    for severity, findings in groupby(review.findings, key=lambda finding: finding.severity):
        sections.append(f"## {_TITLES[severity]}\n\n" + "".join(_row(finding) for finding in findings))
    if review.left_out:
        sections.append(f"{review.left_out} more findings are left out.\n")
    sections.append(_checks(review))
    for at, section in enumerate(sections):
        yield section if at == len(sections) - 1 else section + "\n"


def _scope(scope: Receipt) -> str:
    head = (scope.head or "no commit yet")[:_SHORT]
    if scope.change == "branch":
        what = f"{scope.commits} commits from {cell((scope.base or '')[:_SHORT])} to {cell(head)}"
    else:
        what = (
            f"uncommitted changes on {cell(head)}: {scope.staged} files staged, {scope.unstaged} not staged, "
            f"{scope.untracked} untracked"
        )
    where = f" on {cell(scope.branch)}" if scope.branch else ""
    return f"Scope: {what}{where}; {counted(scope.files, 'file')}, +{scope.added} -{scope.deleted}.\n"


def _row(finding: Finding) -> str:
    place = finding.file if finding.line is None else f"{finding.file}:{finding.line}"
    return f"- {cell(place)} {finding.text} ({finding.rule})\n"


def _checks(review: Review) -> str:
    ran = ", ".join(f"{check.name} ({check.findings})" for check in review.checks if check.skipped is None)
    skipped = "".join(f"- {check.name}: not run, {check.skipped}\n" for check in review.checks if check.skipped)
    return f"## Checks\n\n- {ran}\n{skipped}"
