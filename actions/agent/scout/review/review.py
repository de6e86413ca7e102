"""From a change to a review, in a few looks, each announced to whoever watches."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from actions.agent.scout.cancel import Cancel
from actions.agent.scout.draft import Look, Watch
from actions.agent.scout.process import run_quietly
from actions.agent.scout.review.change import Change, read_change
from actions.agent.scout.review.findings import Check, Finding, Review, Severity
from actions.agent.scout.review.leftovers import conflict_markers, debug_leftovers, todos
from actions.agent.scout.review.linters import Planned, findings_of, plan_linters
from actions.agent.scout.review.secrets import SECRET, secrets
from actions.agent.scout.review.shape import large_additions, lock_out_of_step, untested_code
from actions.agent.scout.review.whitespace import whitespace_errors
from actions.git.scope import ChangeKind
from actions.words import counted

MOST_FINDINGS = 500
LINTER_SECONDS = 120.0

MayRun = Callable[[Sequence[str], str], bool]
"""Whether a command that runs code of the workspace may be run, and why it is wanted. Called in the working thread."""

LOOKS: tuple[tuple[str, str, str], ...] = (
    ("change", "Read the change (git diff)", "read"),
    ("secrets", "Scan the added lines for secrets (detect-secrets)", "search"),
    ("lines", "Check the added lines", "search"),
    ("shape", "Look at the change as a whole", "think"),
    ("linters", "Run the linters that the repository configures", "execute"),
)
"""Key, title and ACP tool kind of each look, in order."""


def nobody(argv: Sequence[str], why: str) -> bool:
    """Nobody is there to ask: nothing of the workspace is run."""
    return False


class ReviewRun:
    """One review of the repository around ``root``.

    Reads only; the linters read too, and one that runs code of the workspace runs only when ``may_run`` says so.
    """

    def __init__(self, root: Path, cancel: Cancel, watch: Watch = lambda look: None, may_run: MayRun = nobody) -> None:
        self._root = root
        self._cancel = cancel
        self._watch = watch
        self._may_run = may_run
        self._findings: list[Finding] = []
        self._checks: list[Check] = []

    def run(self, change: ChangeKind = "uncommitted", base: str | None = None, instructions: str = "") -> Review:
        """The review. Raises EmptyScope, GitFailed when git itself fails, ScoutCancelled on a cancel."""
        self._start("change")
        found = read_change(self._root, change, base, self._cancel)
        receipt = found.receipt
        self._end(
            "change",
            f"{counted(receipt.files, 'file')}, +{receipt.added} -{receipt.deleted}",
            [f.path for f in found.files],
        )

        self._start("secrets")
        before = len(self._findings)
        self._check("secrets", secrets(found))
        self._end("secrets", self._since(before))

        self._start("lines")
        before = len(self._findings)
        self._check("conflict markers", conflict_markers(found))
        self._check("white space", whitespace_errors(found))
        self._check("debug left-overs", debug_leftovers(found))
        self._check("notes added", todos(found))
        self._end("lines", self._since(before))

        self._start("shape")
        before = len(self._findings)
        self._check("large or binary files", large_additions(found))
        self._check("tests", untested_code(found))
        self._check("lock files", lock_out_of_step(found, self._cancel))
        self._end("shape", self._since(before))

        self._start("linters")
        ran = self._lint(found)
        self._end("linters", ran)
        return self._review(found, instructions)

    def _check(self, name: str, findings: Iterable[Finding]) -> None:
        self._cancel.check()
        before = len(self._findings)
        for at, finding in enumerate(findings):
            if at % 100 == 0:
                self._cancel.check()
            self._findings.append(finding)
        self._checks.append(Check(name=name, findings=len(self._findings) - before))

    def _lint(self, change: Change) -> str:
        names: list[str] = []
        for planned in plan_linters(change):
            self._cancel.check()
            if isinstance(planned, tuple):
                name, why = planned
                self._checks.append(Check(name=name, skipped=why))
                continue
            skipped = self._run_linter(planned, change)
            if skipped is not None:
                self._checks.append(Check(name=planned.linter.name, skipped=skipped))
            else:
                names.append(planned.linter.name)
        return f"ran {', '.join(names)}" if names else "none ran"

    def _run_linter(self, planned: Planned, change: Change) -> str | None:
        """Run it and keep what it found. Returns why it did not come to that, or None."""
        name = planned.linter.name
        if not planned.trusted and not self._may_run(planned.argv, f"{name} runs code of this workspace"):
            return f"{name} runs code of this workspace, and nobody allowed it"
        try:
            output = run_quietly(planned.argv, change.top, self._cancel, seconds=LINTER_SECONDS)
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"{name} did not end well: {error}"
        try:
            if output.code != 0 and not output.out.strip():
                raise ValueError("it failed and said nothing that could be read")
            self._check(name, findings_of(planned, output.out, change))
        except (ValueError, KeyError, TypeError):
            said = (output.err or output.out).strip().splitlines()
            return f"{name} could not check the files: {said[0][:200] if said else f'exit {output.code}'}"
        return None

    def _review(self, change: Change, instructions: str) -> Review:
        findings = _without_quotes(self._findings)
        ordered = sorted(findings, key=lambda f: (f.severity.rank, f.file, f.line or 0, f.rule, f.text))
        kept = tuple(dict.fromkeys(ordered))
        return Review(
            summary=_summary(kept, change),
            instructions=instructions,
            scope=change.receipt,
            findings=kept[:MOST_FINDINGS],
            left_out=max(len(kept) - MOST_FINDINGS, 0),
            checks=tuple(self._checks),
        )

    def _start(self, key: str) -> None:
        self._cancel.check()
        self._watch(_KNOWN[key])

    def _end(self, key: str, result: str, paths: Sequence[str] = ()) -> None:
        self._watch(replace(_KNOWN[key], result=result, places=tuple((path, None) for path in paths[:50])))

    def _since(self, before: int) -> str:
        count = len(self._findings) - before
        return "nothing found" if count == 0 else f"{count} finding{'' if count == 1 else 's'}"


_KNOWN = {key: Look(key, title, kind) for key, title, kind in LOOKS}


def _without_quotes(findings: Sequence[Finding]) -> Iterator[Finding]:
    """A review is kept and passed on: nothing may quote a line that holds a secret, a linter neither."""
    hidden = {(finding.file, finding.line) for finding in findings if finding.rule == SECRET}
    for finding in findings:
        if finding.rule != SECRET and (finding.file, finding.line) in hidden:
            finding = finding.model_copy(update={"text": "also on the line that looks like a secret"})
        yield finding


def _summary(findings: Sequence[Finding], change: Change) -> str:
    files = f"{change.receipt.files} changed file{'' if change.receipt.files == 1 else 's'}"
    if not findings:
        return f"Nothing stands out in {files}."
    counts = [(severity, sum(f.severity is severity for f in findings)) for severity in Severity]
    words = [f"{count} {severity}{'' if count == 1 else 's'}" for severity, count in counts if count]
    return f"{', '.join(words)} in {files}."
