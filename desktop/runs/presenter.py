"""Keeps the runs pane in step with the host."""

from __future__ import annotations

from collections.abc import Callable

from pydantic import ValidationError

from actions.catalog.views import RunView
from desktop.app.backend import Backend, HostEvent, Outcome
from desktop.app.pane import Presenter, Report
from desktop.runs.model import RunListModel
from desktop.runs.pane import RunsPane

_PAGE = 100


class RunsPresenter(Presenter):
    """Reads the newest runs, older ones when the end of the list is near; a run that changes comes with its event."""

    name = "runs"

    def __init__(
        self,
        backend: Backend,
        pane: RunsPane,
        model: RunListModel,
        report: Report,
        show_session: Callable[[str], None] = lambda session_id: None,
    ) -> None:
        """``show_session`` is called when findings were sent to a session."""
        super().__init__(backend, report)
        self._pane = pane
        self._model = model
        self._show_session = show_session
        self._cursor: str | None = None
        """Where the list goes on, while there is more and none of it is being read."""
        self.handles.enter_context(backend.subscribe(self._on_event))
        pane.end_near.connect(self._read_on)
        pane.detail.findings_asked.connect(
            lambda run_id, session_id: self.start(self._send_findings(run_id, session_id), "findings")
        )
        pane.detail.stop_asked.connect(lambda run_id: self.start(self.run("execution.run.stop", run_id=run_id), "stop"))

    async def _send_findings(self, run_id: str, session_id: str) -> None:
        outcome = await self.run("execution.run.findings.send", run_ids=[run_id], session_id=session_id)
        if outcome.ok:
            self._show_session(session_id)

    def refresh(self) -> None:
        self.start(self._load(), "load")

    def _on_event(self, event: HostEvent) -> None:
        if event.type == "run_did_change":
            try:
                self._model.upsert(RunView.model_validate(event.data.get("run")))
            except ValidationError:  # of a host of another version
                self.start(self._read(str(event.data.get("run_id"))), "read")

    async def _load(self) -> None:
        outcome = await self.backend.execute("execution.run.list", {"limit": _PAGE})
        if outcome.ok:
            self._cursor = outcome.data.get("next_cursor")
            self._model.show_runs(_runs(outcome))
        else:
            self._pane.show_problem(outcome.message)

    def _read_on(self) -> None:
        """Read what is older than the last row, once at a time."""
        if (cursor := self._cursor) is not None:
            self._cursor = None
            self.start(self._load_older(cursor), "older")

    async def _load_older(self, cursor: str) -> None:
        outcome = await self.run("execution.run.list", limit=_PAGE, cursor=cursor)
        if outcome.ok:
            self._cursor = outcome.data.get("next_cursor")
            self._model.extend(_runs(outcome))
        else:
            self._cursor = cursor

    async def _read(self, run_id: str) -> None:
        outcome = await self.backend.execute("execution.run.get", {"run_id": run_id})
        if outcome.ok:
            self._model.upsert(RunView.model_validate(outcome.data))


def _runs(outcome: Outcome) -> list[RunView]:
    return [RunView.model_validate(run) for run in outcome.data.get("runs", ())]
