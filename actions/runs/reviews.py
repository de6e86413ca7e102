"""What reviews found: merged over their providers, put beside the change that they are about, and sent on."""

from __future__ import annotations

import asyncio
import posixpath
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from actions.catalog.run_views import FindingView, FindingWords, Reviewer, ReviewFindings
from actions.catalog.views import FindingsMessage, RunKind, RunView
from actions.errors import ErrorCode, InvalidInput, SaysoError
from actions.git.command import GitFailed
from actions.git.scope import Receipt, Scope, top_of
from actions.runs.findings import Finding, MergedFinding, Severity, as_message, clean_path, merge
from actions.runs.heads import Heads
from actions.runs.orders import stale_words
from actions.runs.records import RunFilter, RunRecords

MOST_CHARACTERS = 2_000_000
_PLAIN = ("--src-prefix=a/", "--dst-prefix=b/", "--unified=3")


class Reviews:
    """Reads the stored results of review runs."""

    def __init__(self, records: RunRecords, heads: Heads) -> None:
        self._records = records
        self._heads = heads

    async def findings(self, run_id: str, *, with_change: bool) -> ReviewFindings:
        """What a review and the others of its change found. Raises NotFound, InvalidInput for another kind."""
        order = await self._order(_review(await self._records.get(run_id)))
        [run] = await self._heads.marked([next(run for run in order if run.id == run_id)])
        merged = merge(await asyncio.to_thread(_placed, order))
        change, problem = await self._change(run) if with_change else (None, None)
        return ReviewFindings(
            reviewers=[_reviewer(other) for other in order],
            workspace=run.workspace,
            session_id=run.host_session_id,
            scope=run.scope or {},
            stale=run.stale,
            head_now=run.head_now,
            findings=[_view(finding) for finding in merged],
            change=None if change is None else change[:MOST_CHARACTERS],
            change_cut=change is not None and len(change) > MOST_CHARACTERS,
            change_problem=problem,
        )

    async def message(
        self, run_ids: Sequence[str], *, only_errors: bool = False, only: Sequence[str] = ()
    ) -> FindingsMessage:
        """The findings of reviews, or ``only`` these ids, as a message to an agent that says which are stale.

        Raises NotFound, InvalidInput for a run of another kind or an id that is none of theirs, and ``empty_scope``
        when there is nothing to send.
        """
        runs = [_review(await self._records.get(run_id)) for run_id in dict.fromkeys(run_ids)]
        runs = await self._heads.marked(runs)
        merged = merge(await asyncio.to_thread(_placed, runs))
        if missing := set(only) - {finding.id for finding in merged}:
            message = f"is no finding of these reviews: {', '.join(sorted(missing))}"
            raise InvalidInput(f"This {message}.", [{"field": "finding_ids", "message": message}])
        chosen = [f for f in merged if not only or f.id in only]
        chosen = [f for f in chosen if not only_errors or f.severity is Severity.ERROR]
        if not chosen:
            raise SaysoError("These reviews hold no findings to send.", code=ErrorCode.EMPTY_SCOPE)
        notes = [stale_words(run) for run in runs if run.stale]
        return FindingsMessage(text=as_message(chosen, notes), count=len(chosen), notes=notes)

    async def _order(self, run: RunView) -> list[RunView]:
        """The reviews of one change, for one session and with the same words: the newest of each provider, in order."""
        wanted = RunFilter(kind=RunKind.REVIEW, workspace=run.workspace, limit=200)
        mine = (run.scope, run.instructions, run.host_session_id)
        found = {run.provider: run}
        for other in await self._records.find(wanted):
            if (other.scope, other.instructions, other.host_session_id) == mine:
                found.setdefault(other.provider, other)
        return sorted(found.values(), key=lambda other: (other.created, other.id))

    async def _change(self, run: RunView) -> tuple[str | None, str | None]:
        """The diff of a review's scope as the files are now, or why there is none."""
        try:
            return await asyncio.to_thread(_diff, Path(run.workspace), run.scope or {}), None
        except GitFailed as failure:
            return None, f"The change cannot be read any more: {failure}"


def _review(run: RunView) -> RunView:
    if run.kind is not RunKind.REVIEW:
        message = f"is a {run.kind.value} run; only reviews have findings"
        raise InvalidInput(f"{run.id} {message}.", [{"field": "run_ids", "message": f"{run.id} {message}"}])
    return run


def _findings(run: RunView) -> list[Finding]:
    rows: Sequence[Any] = (run.result or {}).get("findings") or ()
    return [Finding.model_validate(row) for row in rows]


def _reviewer(run: RunView) -> Reviewer:
    result: Mapping[str, Any] = run.result or {}
    problem = run.error.message if run.error is not None else result.get("findings_problem")
    count = len(_findings(run)) if "findings" in result else None
    return Reviewer(run_id=run.id, provider=run.provider, state=run.state, findings=count, problem=problem)


def _view(finding: MergedFinding) -> FindingView:
    return FindingView(
        id=finding.id,
        file=finding.file,
        line=finding.line,
        severity=finding.severity.value,
        text=finding.text,
        rule=finding.rule,
        found_by=list(finding.found_by),
        said=[
            FindingWords(provider=said.provider, line=said.line, severity=said.severity.value, text=said.text)
            for said in finding.said
        ],
    )


def _diff(workspace: Path, scope: Mapping[str, Any]) -> str:
    receipt = Receipt.model_validate(scope)
    place = Scope.of(top_of(workspace), receipt)
    return place.diff(_PLAIN).decode(errors="replace")


def _placed(runs: Sequence[RunView]) -> list[tuple[str, list[Finding]]]:
    """Each provider with its findings, whose files are as the repository names them: agents write them absolute, or
    from the folder that they were in. Blocks.
    """
    tops: dict[str, Path | None] = {}
    for workspace in {run.workspace for run in runs}:
        try:
            tops[workspace] = top_of(Path(workspace))
        except GitFailed:
            tops[workspace] = None
    return [(run.provider, [_at(one, tops[run.workspace], run.workspace) for one in _findings(run)]) for run in runs]


def _at(finding: Finding, top: Path | None, workspace: str) -> Finding:
    path = clean_path(finding.file) if top is None else _place(finding.file, top, Path(workspace).resolve())
    return finding.model_copy(update={"file": path})


def _place(file: str, top: Path, workspace: Path) -> str:
    path = clean_path(file)
    if path.startswith("/"):
        try:
            return Path(path).resolve().relative_to(top.resolve()).as_posix()
        except (OSError, ValueError):
            return path
    below = workspace.relative_to(top.resolve()) if workspace.is_relative_to(top.resolve()) else Path()
    nested = posixpath.normpath(PurePosixPath(below.as_posix()) / path)
    return nested if (top / nested).exists() and not (top / path).exists() else posixpath.normpath(path)
