"""Keeps sessions and the open transcript in step with the host, and carries what the user does to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import ValidationError

from actions.catalog.views import SessionView, Targets, TranscriptEvent
from desktop.app.backend import Backend, HostEvent, Outcome, Status
from desktop.app.pane import Presenter, Report
from desktop.composer.composer import Composer
from desktop.sessions.model import SessionListModel
from desktop.sessions.page import SessionPage
from desktop.transcript.events import TranscriptReader
from desktop.transcript.model import TranscriptModel
from desktop.transcript.notices import NoticeWords

_PAGE = 2000
_FIRST_PAGE = 300
"""Events that are read before a session is painted; what is older follows when it is wanted."""


class SessionsPresenter(Presenter):
    """One session is open at a time; ``show`` is called when another one is, ``done`` with what an action gave."""

    name = "sessions"

    def __init__(
        self,
        backend: Backend,
        model: SessionListModel,
        page: SessionPage,
        transcript: TranscriptModel,
        report: Report,
        show: Callable[[SessionView | None], None],
        done: Callable[[str, Outcome], None] = lambda action_id, outcome: None,
    ) -> None:
        super().__init__(backend, report)
        self._model = model
        self._page = page
        self._reader = TranscriptReader(transcript, page.words(), NoticeWords(page).text)
        self._show = show
        self._done = done
        self.current: str | None = None
        self._before: str | None = None
        self._older: int | None = None
        """The oldest event that was read, while there are older ones and none of them is being read."""
        self._opening = False
        self._missed = False
        self.handles.enter_context(backend.subscribe(self._on_event))
        self._connect(page.composer)

    def _connect(self, composer: Composer) -> None:
        page = self._page
        composer.sent.connect(self.send)
        composer.stop_asked.connect(lambda session_id: self._act("session.turn.cancel", session_id=session_id))
        composer.mode_asked.connect(self._next_mode)
        page.header.mode_chosen.connect(
            lambda session_id, mode: self._act("session.mode.set", session_id=session_id, mode_id=mode)
        )
        page.header.model_chosen.connect(
            lambda session_id, model: self._act("session.model.set", session_id=session_id, model_id=model)
        )
        page.header.stop_asked.connect(lambda session_id: self._act("session.stop", session_id=session_id))
        page.note.cancel_asked.connect(lambda session_id: self._act("session.turn.cancel", session_id=session_id))
        page.note.stop_asked.connect(lambda session_id: self._act("session.stop", session_id=session_id))
        page.note.resume_asked.connect(lambda session_id: self._act("session.resume", session_id=session_id))
        for signal, action_id in (
            (page.worktree.look_asked, "worktree.status"),
            (page.worktree.merge_asked, "worktree.merge"),
        ):
            signal.connect(lambda session_id, action_id=action_id: self._on_worktree(action_id, session_id))
        page.worktree.remove_asked.connect(
            lambda session_id, ignored: self._on_worktree("worktree.remove", session_id, with_ignored=ignored)
        )
        composer.queue.edited.connect(lambda message, text: self._edit_queue(message, "edit", text=text))
        composer.queue.moved.connect(lambda message, place: self._edit_queue(message, "move", position=place))
        composer.queue.dropped.connect(lambda message: self._edit_queue(message, "drop"))
        composer.queue.sent_now.connect(lambda message: self._edit_queue(message, "send_now"))
        composer.queue.steered.connect(lambda message: self._edit_queue(message, "steer"))
        page.transcript.answered.connect(self._answer_permission)
        page.transcript.top_near.connect(self._read_on)

    def _act(self, action_id: str, **input: Any) -> None:
        self.act(action_id, input)

    def act(self, action_id: str, input: Mapping[str, Any]) -> None:
        """Do something to a session; ``done`` is told what came of it."""
        self.start(self._run(action_id, input), action_id)

    async def _run(self, action_id: str, input: Mapping[str, Any]) -> None:
        outcome = await self.run(action_id, **input)
        if outcome.status is Status.PENDING or outcome.ok:
            self._done(action_id, outcome)

    def _edit_queue(self, message_id: str, operation: str, **more: Any) -> None:
        if self.current is not None:
            self._act("session.queue.edit", session_id=self.current, message_id=message_id, operation=operation, **more)

    def refresh(self) -> None:
        """Read the list again, and what the open transcript missed."""
        self.start(self._load(), "load")

    def send(self, session_id: str, text: str) -> None:
        """Say something to a session; what does not arrive is given back to its composer."""
        self.start(self._send(session_id, text), "send")

    def show_archived(self, shown: bool) -> None:
        """Read the archived sessions when they are to be listed."""
        if shown:
            self.start(self._load_archived(), "load archived")

    async def _load_archived(self) -> None:
        outcome = await self.run("session.list", limit=200, archived_only=True)
        for entry in outcome.data.get("sessions", ()):
            self._model.upsert(SessionView.model_validate(entry))

    def open_recent(self) -> None:
        """Go back to the session that was open before this one."""
        if self._before is not None and self._model.session(self._before) is not None:
            self.open(self._before)

    def open(self, session_id: str) -> None:
        """Show a session."""
        if session_id != self.current:
            self._before = self.current
            self.current = session_id
            self._older, self._opening, self._missed = None, True, False
            self._page.show_loading()
            session = self._model.session(session_id)
            if session is not None:
                self._page.show_session(session)
                self._show(session)
            self.start(self._open(session_id, shown=session is not None), "open")
        elif (session := self._model.session(session_id)) is not None:
            self._show(session)

    def _on_event(self, event: HostEvent) -> None:
        session_id = str(event.data.get("session_id") or event.data.get("id") or "")
        if event.type == "session_did_change":
            self._take_session(session_id, event.data)
        elif event.type == "targets_did_change":
            self._model.show_targets(Targets.model_validate(event.data))
        elif event.type == "worktrees_did_change":
            self._worktree_changed(str(event.data.get("worktree_id")))
        elif event.type == "transcript_did_append" and session_id == self.current:
            if self._opening:
                self._missed = True
            else:
                self._take_events(session_id, event.data)

    def _on_worktree(self, action_id: str, session_id: str, **more: object) -> None:
        self.start(self._run_worktree(action_id, session_id, more), action_id)

    async def _run_worktree(self, action_id: str, session_id: str, more: Mapping[str, object]) -> None:
        outcome = await self.backend.execute(action_id, {"session_id": session_id, **more})
        strip = self._page.worktree
        if outcome.status is Status.PENDING:
            self._done(action_id, outcome)
        elif not outcome.ok:
            strip.show_problem(session_id, outcome.message)
        elif action_id == "worktree.status":
            strip.show_status(session_id, outcome.data)
        else:
            self._done(action_id, outcome)
            if session_id == self.current:
                strip.open()

    def _worktree_changed(self, worktree_id: str) -> None:
        for session in self._model.all():
            if session.worktree is not None and session.worktree.id == worktree_id:
                self.start(self._read(session.id), "read")

    def _take_session(self, session_id: str, data: Mapping[str, Any]) -> None:
        if data.get("deleted"):
            self._model.remove(session_id)
            if session_id == self.current:
                self._leave()
            return
        try:
            self._put(SessionView.model_validate(data.get("session")))
        except ValidationError:
            self.start(self._read(session_id), "read")

    def _take_events(self, session_id: str, data: Mapping[str, Any]) -> None:
        try:
            events = [TranscriptEvent.model_validate(entry) for entry in data.get("events") or [data["event"]]]
        except (ValidationError, KeyError):
            self.start(self._catch_up(session_id), "catch_up")
            return
        if events and events[0].seq > self._reader.last_seq + 1:
            self.start(self._catch_up(session_id), "catch_up")
            return
        for event in events:
            if event.seq > self._reader.last_seq:
                self._page.announce(event)
            self._reader.apply(event)
            self._page.note.heard(event.at)
        self._page.show_loaded()

    def _leave(self) -> None:
        """The open session is gone: show another one, if there is one."""
        self.current = None
        if (first := self._model.first_session()) is not None:
            self.open(first.id)
        else:
            self._show(None)

    def _put(self, session: SessionView) -> None:
        self._model.upsert(session)
        if session.id == self.current:
            self._page.show_session(session)

    async def _load(self) -> None:
        outcome = await self.backend.execute("session.list", {"limit": 200})
        if not outcome.ok:
            self.report(outcome.message)
            return
        self._model.show_sessions(SessionView.model_validate(entry) for entry in outcome.data.get("sessions", ()))
        self._model.show_targets(Targets.model_validate(outcome.data.get("targets") or {}))
        if self.current is not None:
            session = self._model.session(self.current)
            if session is not None:
                self._page.show_session(session)
            await self._catch_up(self.current)
        elif (first := self._model.first_session()) is not None:
            self.open(first.id)
        else:
            self._show(None)

    async def _read(self, session_id: str) -> None:
        outcome = await self.backend.execute("session.status.get", {"session_id": session_id})
        if outcome.ok:
            data = outcome.data.get("session", outcome.data)
            self._put(SessionView.model_validate(data))

    async def _open(self, session_id: str, *, shown: bool) -> None:
        """Read the transcript. A session that is ``shown`` already is not brought to the front once more."""
        outcome = await self.backend.execute(
            "session.transcript.get", {"session_id": session_id, "limit": _FIRST_PAGE, "newest": True}
        )
        if session_id != self.current:
            return
        self._opening = False
        if not outcome.ok:
            self._page.show_problem(outcome.message)
            return
        events = [TranscriptEvent.model_validate(entry) for entry in outcome.data.get("events", ())]
        self._older = outcome.data.get("previous")
        self._reader.restart(events)
        self._page.show_loaded()
        if self._missed:
            self.start(self._catch_up(session_id), "catch_up")
        newest = events[-1].at if events else 0
        if (session := self._model.session(session_id)) is not None:
            self._page.show_session(session)
        else:
            await self._read(session_id)
        if not shown:
            self._show(self._model.session(session_id))
        self._page.note.heard(newest)

    def _read_on(self) -> None:
        """Read what is older than the oldest row, once at a time."""
        if self.current is not None and (before := self._older) is not None:
            self._older = None
            self.start(self._read_older(self.current, before), "read_older")

    def read_all(self) -> None:
        """Read all that is older, so that a search finds it."""
        if self.current is not None:
            self.start(self._read_everything(self.current), "read_all")

    async def _read_everything(self, session_id: str) -> None:
        while session_id == self.current and (before := self._older) is not None:
            self._older = None
            await self._read_older(session_id, before)
            if self._older == before:  # it could not be read, and that was said
                return
        if session_id == self.current:
            self._page.find_bar.search()

    async def _read_older(self, session_id: str, before: int) -> None:
        outcome = await self.backend.execute(
            "session.transcript.get", {"session_id": session_id, "limit": _PAGE, "newest": True, "before": before}
        )
        if session_id != self.current:
            return
        if not outcome.ok:
            self._older = before
            self.report(outcome.message)
            return
        self._older = outcome.data.get("previous")
        self._reader.prepend(TranscriptEvent.model_validate(entry) for entry in outcome.data.get("events", ()))

    async def _catch_up(self, session_id: str) -> None:
        """Read what came after the last event that was applied."""
        while session_id == self.current:
            outcome = await self.backend.execute(
                "session.transcript.get",
                {"session_id": session_id, "cursor": self._reader.last_seq, "limit": _PAGE},
            )
            if not outcome.ok or session_id != self.current:
                return
            for event in map(TranscriptEvent.model_validate, outcome.data.get("events", ())):
                self._reader.apply(event)
                self._page.note.heard(event.at)
            self._page.show_loaded()
            if outcome.data.get("next_cursor") is None:
                return

    async def _send(self, session_id: str, text: str) -> None:
        self._page.transcript.jump_to_newest()
        outcome = await self.run("session.message.send", session_id=session_id, message=text)
        if not outcome.ok:
            self._page.composer.give_back(session_id, text)

    def _answer_permission(self, item_id: str, option_id: str) -> None:
        if self.current is None:
            return
        options = self._page.options_of(item_id)
        kind = next((str(option.get("kind")) for option in options if str(option.get("id")) == option_id), "")
        self._act(
            "session.permission.respond",
            session_id=self.current,
            request_id=item_id.removeprefix("permission:"),
            decision="allow" if kind.startswith("allow") else "deny",
            option_id=option_id,
        )

    def _next_mode(self, session_id: str) -> None:
        session = self._model.session(session_id)
        if session is None or len(session.modes) < 2:
            return
        ids = [mode.id for mode in session.modes]
        at = ids.index(session.mode) if session.mode in ids else -1
        self._act("session.mode.set", session_id=session_id, mode_id=ids[(at + 1) % len(ids)])
