"""The transcript of a run's own session, live while it is looked at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from actions.catalog.views import TranscriptEvent
from desktop.app.backend import Backend, HostEvent
from desktop.app.pane import Presenter, Report
from desktop.runs.detail import RunDetail
from desktop.transcript.events import TranscriptReader
from desktop.transcript.notices import NoticeWords

_FIRST_PAGE = 300
_PAGE = 2000


class ChildTranscript(Presenter):
    """Reads nothing as long as the overview is shown; ``words`` are those of a session's page."""

    name = "run transcript"

    def __init__(self, backend: Backend, detail: RunDetail, report: Report, words: Mapping[str, str]) -> None:
        super().__init__(backend, report)
        self._detail = detail
        self._reader = TranscriptReader(detail.transcript_model, words, NoticeWords(detail).text)
        self._shown: str | None = None
        self._older: int | None = None
        self._reading = False
        self._missed = False
        detail.transcript_shown.connect(self.look)
        detail.transcript.top_near.connect(self._read_on)
        detail.transcript.answered.connect(self._answer)
        self.handles.enter_context(backend.subscribe(self._on_event))

    def look(self) -> None:
        """Another run, or another page of it: read what is to be shown, unless it is shown already."""
        session_id = self._detail.watched
        if session_id is None:
            run = self._detail.run
            if run is not None and run.session_id is None and run.state.ended:
                self._detail.show_said("missing")
            elif run is not None and run.session_id is None:
                self._detail.show_said("loading")
            return
        if session_id != self._shown:
            self._shown, self._older, self._missed = session_id, None, False
            self._detail.show_said("loading")
            self.start(self._open(session_id), "open")

    async def _open(self, session_id: str) -> None:
        self._reading = True
        page = await self._page(session_id, limit=_FIRST_PAGE, newest=True)
        if session_id != self._shown:
            return
        self._reading = False
        if page is None:
            self._shown = None  # the next look tries again
            return
        self._older = page.get("previous")
        self._reader.restart(_events(page))
        self._show()
        if self._missed:
            await self._catch_up(session_id)

    async def _catch_up(self, session_id: str) -> None:
        """Read what came after the last event that was applied."""
        while session_id == self._shown:
            page = await self._page(session_id, cursor=self._reader.last_seq, limit=_PAGE)
            if page is None or session_id != self._shown:
                return
            for event in _events(page):
                self._reader.apply(event)
            self._show()
            if page.get("next_cursor") is None:
                return

    async def _page(self, session_id: str, **asked: Any) -> Mapping[str, Any] | None:
        outcome = await self.backend.execute("session.transcript.get", {"session_id": session_id, **asked})
        if outcome.ok:
            return outcome.data
        if session_id == self._shown:
            self._detail.show_said("problem", outcome.message)
        return None

    def _read_on(self) -> None:
        """Read what is older than the oldest row, once at a time."""
        if self._shown is not None and (before := self._older) is not None:
            self._older = None
            self.start(self._read_older(self._shown, before), "older")

    async def _read_older(self, session_id: str, before: int) -> None:
        page = await self._page(session_id, limit=_PAGE, newest=True, before=before)
        if page is not None and session_id == self._shown:
            self._older = page.get("previous")
            self._reader.prepend(_events(page))

    def _on_event(self, event: HostEvent) -> None:
        if event.type != "transcript_did_append" or event.data.get("session_id") != self._shown or self._shown is None:
            return
        if self._reading:
            self._missed = True
            return
        try:
            events = [TranscriptEvent.model_validate(entry) for entry in event.data["events"]]
        except (ValidationError, KeyError):
            self.start(self._catch_up(self._shown), "catch up")
            return
        if events and events[0].seq > self._reader.last_seq + 1:
            self.start(self._catch_up(self._shown), "catch up")
            return
        for one in events:
            self._reader.apply(one)
        self._show()

    def _show(self) -> None:
        self._detail.show_said("shown" if len(self._detail.transcript_model) else "empty")

    def _answer(self, item_id: str, option_id: str) -> None:
        """Somebody answered a permission where the run asks for it."""
        model = self._detail.transcript_model
        at = model.row_of(item_id)
        if self._shown is None or at is None:
            return
        options = model[at].data.get("options") or ()
        kind = next((str(option.get("kind")) for option in options if str(option.get("id")) == option_id), "")
        asked = {"session_id": self._shown, "request_id": item_id.removeprefix("permission:"), "option_id": option_id}
        decision = "allow" if kind.startswith("allow") else "deny"
        self.start(self.run("session.permission.respond", **asked, decision=decision), "answer")


def _events(page: Mapping[str, Any]) -> list[TranscriptEvent]:
    return [TranscriptEvent.model_validate(entry) for entry in page.get("events", ())]
