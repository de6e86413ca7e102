"""Keeps the inbox in step with the host and carries the answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from actions.catalog.views import ApprovalView, InboxRow
from desktop.app.backend import Backend, HostEvent
from desktop.app.pane import Presenter, Report
from desktop.inbox.choices import Answer, Choice
from desktop.inbox.model import InboxModel
from desktop.inbox.pane import InboxPane


class InboxPresenter(Presenter):
    """One read at a time; changes that come meanwhile lead to one more."""

    name = "inbox"

    def __init__(
        self,
        backend: Backend,
        pane: InboxPane,
        model: InboxModel,
        report: Report,
        open_run: Callable[[str], None],
        waiting: Callable[[int], None],
    ) -> None:
        super().__init__(backend, report)
        self._pane = pane
        self._model = model
        self._open_run = open_run
        self._waiting = waiting
        self._loading = False
        self._again = False
        self.handles.enter_context(backend.subscribe(self._on_event))
        pane.answered.connect(self._on_answer)
        pane.history_asked.connect(lambda: self.start(self._read_history(), "history"))

    def refresh(self) -> None:
        if self._loading:
            self._again = True
        else:
            self._loading = True
            self.start(self._load(), "load")

    def _on_event(self, event: HostEvent) -> None:
        if event.type == "inbox_did_change":
            self.refresh()
            if self._pane.past.isChecked():
                self.start(self._read_history(), "history")

    async def _read_history(self) -> None:
        outcome = await self.backend.execute("approval.request.list", {"limit": 200})
        if outcome.ok:
            found = [ApprovalView.model_validate(one) for one in outcome.data.get("requests", ())]
            self._pane.history.show_requests(found)
        else:
            self._pane.history.show_problem(outcome.message)

    async def _load(self) -> None:
        try:
            outcome = await self.backend.execute("inbox.list", {})
        finally:
            self._loading = False
        if outcome.ok:
            rows = [InboxRow.model_validate(row) for row in outcome.data.get("rows", ())]
            self._model.show_rows(rows)
            self._waiting(len(rows))
        else:
            self._pane.show_problem(outcome.message)
        if self._again:
            self._again = False
            self.refresh()

    def _on_answer(self, request_id: str, choice: Choice, input: Mapping[str, Any]) -> None:
        if choice.answer is Answer.OPEN_RUN:
            self._pane.detail.again(request_id)
            self._open_run(str(input.get("id")))
        else:
            self.start(self._send(request_id, choice.action, dict(input)), "answer")

    async def _send(self, request_id: str, action_id: str, input: dict[str, Any]) -> None:
        outcome = await self.backend.execute(action_id, input)
        if not outcome.ok:
            self._pane.detail.failed(request_id, outcome.message, outcome.details.get("fields") or ())
        self.refresh()
