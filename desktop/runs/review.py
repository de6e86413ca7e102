"""What reviews found, on the page of changes: read when it is asked for, and again when one of its runs changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication

from actions.catalog.run_views import ReviewFindings
from desktop.app.backend import Backend, HostEvent
from desktop.app.pane import Presenter, Report
from desktop.diff.pane import DiffPane
from desktop.runs.facts import Finding

_SEND = "execution.run.findings.send"


class ReviewPresenter(Presenter):
    """One review is open at a time.

    ``show`` brings the page to the front for a session (None where a review has none) and a run, ``shown`` is called
    once it is filled, ``sent`` is told which session got findings, ``choose`` opens the form of an action where a
    session is still to be chosen; ``in_front`` says whether the page is.
    """

    name = "review"

    def __init__(
        self,
        backend: Backend,
        pane: DiffPane,
        report: Report,
        *,
        show: Callable[[str | None, str], None],
        shown: Callable[[], None],
        sent: Callable[[str], None],
        choose: Callable[[str, Mapping[str, Any]], None],
        in_front: Callable[[], bool],
    ) -> None:
        super().__init__(backend, report)
        self._pane = pane
        self._show = show
        self._shown = shown
        self._sent = sent
        self._choose = choose
        self._in_front = in_front
        self._run_id: str | None = None
        self._review: ReviewFindings | None = None
        pane.findings_sent.connect(self._send)
        self.handles.enter_context(backend.subscribe(self._on_event))

    def open(self, run_id: str, finding: Finding | None = None, session_id: str | None = None) -> None:
        """Show the change of a review with what was found in it, at ``finding`` where one is given."""
        self._run_id, self._review = run_id, None
        self._pane.show_loading(_title())
        self._show(session_id, run_id)
        self.start(self._read(run_id, finding), "open")

    @property
    def run_ids(self) -> Sequence[str]:
        """The runs whose findings are on the page; none while another change is."""
        if self._review is None or self._pane.findings.isHidden():
            return ()
        return [who.run_id for who in self._review.reviewers]

    def _on_event(self, event: HostEvent) -> None:
        if event.type != "run_did_change" or self._review is None or self._run_id is None:
            return
        if self._in_front() and event.data.get("run_id") in self.run_ids:
            self.start(self._read(self._run_id, None), "again")

    async def _read(self, run_id: str, finding: Finding | None) -> None:
        asked = {"run_id": run_id, "with_change": True}
        outcome = await self.backend.execute("execution.run.findings.get", asked)
        if run_id != self._run_id:
            return
        if not outcome.ok:
            if self._review is None:
                self._pane.show_problem(outcome.message)
            return
        first = self._review is None
        self._review = review = ReviewFindings.model_validate(outcome.data)
        self._pane.show_review(_title(), review.workspace, review)
        at = next((one.id for one in review.findings if finding is not None and _is(one, finding)), None)
        if at is not None:
            self._pane.go_to_finding(at)
        if first:
            self._pane.findings.list.setFocus()
            self._shown()

    def _send(self, finding_ids: list[str]) -> None:
        if (review := self._review) is None or not finding_ids:
            return
        run_ids = [who.run_id for who in review.reviewers if who.findings is not None]
        given = {"run_ids": run_ids, "finding_ids": finding_ids}
        if review.session_id is None:
            self._choose(_SEND, given)
        else:
            self.start(self._send_to(review.session_id, given), "send")

    async def _send_to(self, session_id: str, given: Mapping[str, Any]) -> None:
        outcome = await self.run(_SEND, **given, session_id=session_id)
        if outcome.ok:
            self._sent(session_id)


def _is(one: Any, finding: Finding) -> bool:
    return any((said.line, said.text) == (finding.line, finding.text) for said in one.said)


def _title() -> str:
    return QCoreApplication.translate("Review", "What the reviews found")
