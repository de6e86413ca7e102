"""Keeps the runs pane in step with the host."""

from __future__ import annotations

from collections.abc import Callable

from actions.catalog.views import RunView
from desktop.app.backend import Backend, HostEvent
from desktop.app.pane import Presenter, Report
from desktop.runs.model import RunListModel
from desktop.runs.pane import RunsPane


class RunsPresenter(Presenter):
    """Reads the list once and a run again whenever it changed."""

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
        self.handles.enter_context(backend.subscribe(self._on_event))
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
            run_id = str(event.data.get("run_id") or event.data.get("id") or "")
            if run_id:
                self.start(self._read(run_id), "read")
            else:
                self.refresh()

    async def _load(self) -> None:
        outcome = await self.backend.execute("execution.run.list", {"limit": 100})
        if outcome.ok:
            self._model.show_runs([RunView.model_validate(run) for run in outcome.data.get("runs", ())])
        else:
            self._pane.show_problem(outcome.message)

    async def _read(self, run_id: str) -> None:
        outcome = await self.backend.execute("execution.run.get", {"run_id": run_id})
        if outcome.ok:
            self._model.upsert(RunView.model_validate(outcome.data))
