"""Hosted sessions as a service: what handlers, runs and the window call."""

from __future__ import annotations

import asyncio
import builtins
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from actions.catalog.context import Caller, Progress
from actions.catalog.server_use_views import SessionTools
from actions.catalog.views import (
    OutcomeView,
    SearchHits,
    SessionList,
    SessionState,
    SessionView,
    Transcript,
    TranscriptEvent,
    TurnEnd,
)
from actions.catalog.worktree_views import SessionWorktree
from actions.errors import InvalidInput, SaysoError
from actions.servers.offer.selection import Selection
from actions.sessions.actor import CANCEL_WAIT, Backstage
from actions.sessions.answers import Answers
from actions.sessions.care import SessionCare
from actions.sessions.child import Child
from actions.sessions.deletion import Deletion
from actions.sessions.events import Kind
from actions.sessions.export import as_json_lines, as_markdown
from actions.sessions.forgetting import AgentMemory
from actions.sessions.hosting import Hosted, Hosting, timed_out
from actions.sessions.index import TranscriptIndex
from actions.sessions.launcher import Launcher
from actions.sessions.ledger import ProcessLedger
from actions.sessions.link import Wishes
from actions.sessions.providers import ProviderService
from actions.sessions.records import ListFilter, SessionRecord, SessionRecords
from actions.sessions.requests import UserRequests
from actions.sessions.slow_start import PATIENCE_S
from actions.sessions.targets import TargetStore
from actions.sessions.transcript import TranscriptLog
from actions.sessions.turns import Prompt, TurnResult
from actions.sessions.vault import EnvironmentVault
from actions.sessions.view import session_view
from actions.sessions.workspaces import WorkspaceService
from actions.storage.database import Database
from actions.storage.ids import Prefix, new_id, now_ms
from actions.tasks import TaskOwner

_log = logging.getLogger(__name__)

Publish = Callable[[str, dict[str, Any]], None]
_TITLE_LIMIT = 80
_EXPORT_PAGE = 5_000
_REST = (SessionState.STOPPED, SessionState.FAILED, SessionState.INTERRUPTED)


class SessionService:
    """Implements :class:`actions.catalog.ports.SessionsPort`.

    ``publish(type, data)`` gets ``session_did_change {session_id, session}``, ``transcript_did_append {session_id,
    events}`` and ``inbox_did_change {}``, each after the fact was stored; it must not block. ``shown`` says whether a
    window shows a session.
    """

    def __init__(
        self,
        database: Database,
        *,
        providers: ProviderService,
        workspaces: WorkspaceService,
        launcher: Launcher,
        ledger: ProcessLedger,
        vault: EnvironmentVault,
        logs: Path,
        publish: Publish,
        shown: Callable[[str], bool] = lambda session_id: False,
        worktree_of: Callable[[str], SessionWorktree | None] = lambda folder: None,
        tools_of: Callable[[str], SessionTools | None] = lambda session_id: None,
        cancel_wait: float = CANCEL_WAIT,
        patience: float = PATIENCE_S,
    ) -> None:
        self._providers = providers
        self._workspaces = workspaces
        self._publish = publish
        self._records = SessionRecords(database)
        self._log = TranscriptLog(database)
        self._index = TranscriptIndex(database)
        requests = UserRequests(database)
        backstage = Backstage(
            self._log,
            requests,
            launcher,
            published=self._appended,
            inbox_changed=lambda: publish("inbox_did_change", {}),
            cancel_wait=cancel_wait,
        )
        self._hosting = Hosting(
            self._records, providers, ledger, backstage, vault, self._changed, worktree_of, patience=patience
        )
        self._answers = Answers(self._hosting, self._records, requests, self.prompt)
        self.care = SessionCare(
            self._hosting,
            self._records,
            vault,
            Deletion(database, self._index, logs),
            AgentMemory(launcher, providers, vault),
            TargetStore(database),
            logs=logs,
            view=self.get,
            publish=publish,
        )
        self._shown = shown
        self._worktree_of = worktree_of
        self._tools_of = tools_of
        self._tasks = TaskOwner("after events")
        self._closing = False

    @property
    def active(self) -> int:
        """How many agents run; a host without any may end itself."""
        return self._hosting.active

    @property
    def working(self) -> int:
        """How many sessions are starting, in a turn or waiting for an answer: a host with any of them stays."""
        return self._hosting.working

    async def reconcile(self) -> None:
        """Call once, before the first start: orphans of an earlier host are ended, unfinished turns are marked."""
        await self._hosting.reconcile()

    async def close(self) -> None:
        """End every agent and store how each session stands."""
        self._closing = True
        await self._hosting.close()
        await self._tasks.close()

    async def list(
        self,
        *,
        limit: int = 50,
        cursor: str | None = None,
        active_only: bool = False,
        archived_only: bool = False,
        resumable_only: bool = False,
        workspace: str | None = None,
        include_preview: bool = False,
        include_runs: bool = False,
    ) -> SessionList:
        """Sessions, newest activity first. Raises InvalidInput for a cursor that is none of ours."""
        before = _cursor(cursor)
        place = await self._workspaces.known(workspace) if workspace else None
        if workspace and place is None:
            return SessionList(sessions=[])
        wanted = ListFilter(
            limit + 1, before, active_only, archived_only, resumable_only, place.id if place else None, include_runs
        )
        records = await self._records.find(wanted)
        page = records[:limit]
        previews = await self._records.previews([r.id for r in page]) if include_preview else {}
        more = f"{page[-1].last_activity}:{page[-1].id}" if len(records) > limit else None
        views = [self._view(r, previews.get(r.id)) for r in page]
        return SessionList(sessions=views, next_cursor=more, targets=await self.care.targets())

    async def get(self, session_id: str) -> SessionView:
        """One session as it is now. Raises NotFound."""
        return self._view(await self._records.get(session_id))

    async def spawn_new(
        self,
        *,
        provider: str,
        workspace: str,
        title: str | None = None,
        mode_id: str | None = None,
        model_id: str | None = None,
        initial_message: str | None = None,
        environment: Mapping[str, str] | None = None,
        mcp_selection: Mapping[str, Any] | None = None,
        wait: bool = False,
        timeout_s: float | None = None,
        child: Child | None = None,
        told: Progress | None = None,
    ) -> SessionView:
        """Start an agent in a directory; returns once it answered session/new (with ``wait``: once its turn ended).

        ``told`` hears of a start that takes long. A caller that is cancelled before the agent is ready ends it.
        Raises NotFound (provider, directory, program) or SaysoError; a session that could not start stays in the list
        with its reason, and ``details["session_id"]`` names it.
        """
        row = await self._providers.require(provider)
        place = await self._workspaces.find(workspace)
        now = now_ms()
        record = SessionRecord(
            id=(child and child.session_id) or new_id(Prefix.SESSION),
            provider=row.id,
            workspace_id=place.id,
            workspace=place.path,
            title=(title or "").strip() or _title(initial_message) or f"{row.name} in {place.name}",
            state=SessionState.STARTING,
            created=now,
            updated=now,
            last_activity=now,
            kind="run" if child else "user",
            parent_session_id=child.parent_session_id if child else None,
            root_session_id=child.root_session_id if child else None,
            run_id=child.run_id if child else None,
            detail={
                "titled": bool(title),
                "untitled": not title and not initial_message,
                "wished_mode": mode_id,
                "wished_model": model_id,
                "environment": sorted(environment or ()),
                "mcp_selection": None if mcp_selection is None else Selection.of_json(mcp_selection).as_json(),
            },
        )
        wishes = Wishes(mode_id, model_id, environment=dict(environment or {}))
        try:
            await self._hosting.create(record, wishes, told=told)
        except asyncio.CancelledError:
            await asyncio.shield(self._hosting.give_up(record.id))
            raise
        if initial_message:
            await self.send(record.id, initial_message, wait=wait, timeout_s=timeout_s)
        return await self.get(record.id)

    async def mcp_selection(self, session_id: str) -> Mapping[str, Any] | None:
        """What this session takes and leaves of the user's MCP servers, where somebody chose. Raises NotFound."""
        return (await self._hosting.get(session_id)).facts.get("mcp_selection")

    async def set_mcp_selection(self, session_id: str, selection: Mapping[str, Any] | None) -> SessionView:
        """Choose for its agent's next start. Raises NotFound, InvalidInput."""
        kept = None if selection is None else Selection.of_json(selection).as_json()
        await self._hosting.change(await self._hosting.get(session_id), detail={"mcp_selection": kept})
        return await self.get(session_id)

    async def send(
        self, session_id: str, message: str, *, wait: bool = False, timeout_s: float | None = None
    ) -> TurnEnd:
        """Give the agent a message, after those that wait; a session without an agent gets one first.

        With ``wait``, until the turn has ended: then raises what the agent failed with, or ``timeout``, which ends
        nothing. A message that was still waiting when the turn before it was cancelled says ``held``.
        """
        if not message.strip():
            raise InvalidInput("The message is empty.", [{"field": "message", "message": "must not be empty"}])
        prompt, queued = await self.prompt(session_id, message)
        hosted = await self._hosting.get(session_id)
        if not wait:
            return TurnEnd(session_id=session_id, state=hosted.state, queued=queued)
        try:
            result = await asyncio.wait_for(asyncio.shield(prompt.ended), timeout_s)
        except TimeoutError as late:
            raise timed_out(session_id, hosted.state, timeout_s) from late
        if result.error is not None:
            result.error.details.setdefault("session_id", session_id)
            raise result.error
        return TurnEnd(
            session_id=session_id,
            state=(await self._hosting.get(session_id)).state,
            stop_reason=result.stop_reason,
            text=result.text,
        )

    async def prompt(
        self,
        session_id: str,
        text: str,
        *,
        meta: dict[str, Any] | None = None,
        origin: Literal["user", "run"] = "user",
    ) -> tuple[Prompt, bool]:
        """Queue a message with ``_meta``; gives it (``ended`` resolves with its turn) and whether it has to wait."""
        hosted = await self._hosting.get(session_id)
        ended: asyncio.Future[TurnResult] = asyncio.get_running_loop().create_future()
        prompt = Prompt(new_id(Prefix.CALL), text, ended, meta, origin)
        while True:
            actor = await self._hosting.start(hosted)
            if actor.takes_messages:
                break
            await self._hosting.wait_for(hosted, lambda h: h.running is None, None)
        queued = actor.send(prompt)
        if queued:
            await self._keep(hosted, prompt)
        if hosted.facts.get("untitled"):
            title = _title(text) or hosted.record.title
            await self._hosting.change(hosted, title=title, detail={"untitled": False})
        return prompt, queued

    async def _keep(self, hosted: Hosted, prompt: Prompt) -> None:
        """Store a message that waits before anyone is told that it does: a host that dies must not lose it."""
        try:
            await self._hosting.change(hosted, detail={})
        except SaysoError:
            if hosted.queue.remove(prompt):  # else its turn has begun meanwhile
                raise

    async def cancel_turn(self, session_id: str) -> SessionView:
        """Cancel the running turn; messages that wait are kept until the next one is sent."""
        hosted = await self._hosting.get(session_id)
        if (actor := hosted.running) is not None:
            await actor.cancel_turn()
        return await self.get(session_id)

    async def stop(self, session_id: str, *, because: str = "Stopped by you.", code: str = "stopped") -> SessionView:
        """End the agent and everything it started. The session stays and can be taken up again."""
        hosted = await self._hosting.get(session_id)
        await self._hosting.stop(hosted, SessionState.STOPPED, {"code": code, "message": because})
        return await self.get(session_id)

    async def set_title(self, session_id: str, title: str) -> SessionView:
        """Name the session. Raises InvalidInput for an empty title."""
        if not title.strip():
            raise InvalidInput("The title is empty.", [{"field": "title", "message": "must not be empty"}])
        hosted = await self._hosting.get(session_id)
        await self._hosting.change(hosted, title=title.strip(), detail={"titled": True, "untitled": False})
        return await self.get(session_id)

    async def set_mode(self, session_id: str, mode_id: str) -> SessionView:
        """Change the agent's mode, starting the agent if need be. Raises InvalidInput with the modes it has."""
        hosted = await self._hosting.get(session_id)
        actor = await self._hosting.start(hosted)
        await actor.set_mode(mode_id)
        await self._hosting.change(hosted, detail={"wished_mode": mode_id})
        return await self.get(session_id)

    async def set_archived(self, session_id: str, archived: bool) -> SessionView:
        """Put a session away, which ends its agent, or take it out again."""
        if archived:
            await self.stop(session_id)
        hosted = await self._hosting.get(session_id)
        await self._hosting.change(hosted, archived_at=now_ms() if archived else None)
        return await self.get(session_id)

    async def set_pinned(self, session_id: str, pinned: bool) -> SessionView:
        """Keep a session at the top of lists, or not."""
        hosted = await self._hosting.get(session_id)
        await self._hosting.change(hosted, pinned=pinned)
        return await self.get(session_id)

    async def transcript(
        self, session_id: str, *, cursor: int | None = None, limit: int = 500, kinds: Sequence[str] = ()
    ) -> Transcript:
        """Events after ``cursor`` (a seq), oldest first. Raises NotFound."""
        await self._records.get(session_id)
        events = await self._log.read(session_id, after=cursor, limit=limit + 1, kinds=kinds)
        page = events[:limit]
        more = page[-1].seq if len(events) > limit else None
        return Transcript(session_id=session_id, events=page, next_cursor=more)

    async def newest(
        self, session_id: str, *, before: int | None = None, limit: int = 500, kinds: Sequence[str] = ()
    ) -> Transcript:
        """The newest events, oldest of them first: what a window shows before it reads on. Raises NotFound."""
        await self._records.get(session_id)
        events = await self._log.newest(session_id, before=before, limit=limit, kinds=kinds)
        older = events[0].seq if events and events[0].seq > 1 else None
        return Transcript(session_id=session_id, events=events, previous=older)

    async def search(self, query: str, *, limit: int = 50) -> SearchHits:
        """Items of all transcripts that hold every word of ``query``, newest first."""
        return SearchHits(hits=await self._index.search(query, limit=limit))

    async def export(self, session_id: str, *, form: str) -> str:
        """A transcript as one text, ``markdown`` or ``jsonl``. Raises NotFound."""
        session = await self.get(session_id)
        events: builtins.list[TranscriptEvent] = []
        while page := await self._log.read(session_id, after=events[-1].seq if events else None, limit=_EXPORT_PAGE):
            events += page
        write = as_json_lines if form == "jsonl" else as_markdown
        return await asyncio.to_thread(write, session, events)

    async def wait(self, session_id: str, *, until: str, timeout_s: float | None = None) -> SessionView:
        """Wait until the session rests (``idle``) or a person is needed, by it or a child run (``attention``).

        Raises ``timeout``, which ends nothing.
        """
        if until not in ("idle", "attention"):
            raise InvalidInput("Wait for idle or attention.", [{"field": "until", "message": "idle or attention"}])
        hosted = await self._hosting.get(session_id)

        def rests(now: Hosted) -> bool:
            return now.state in (SessionState.IDLE, *_REST)

        def needs_someone(now: Hosted) -> bool:
            return now.state in _REST or self._hosting.waiting_for(session_id) > 0

        await self._hosting.wait_for(hosted, rests if until == "idle" else needs_someone, timeout_s)
        return await self.get(session_id)

    async def respond_permission(
        self,
        session_id: str | None,
        request_id: str | None,
        *,
        decision: str,
        option_id: str | None = None,
        scope: str | None = None,
        feedback: str | None = None,
        decided_by: Caller,
        surface: str,
    ) -> OutcomeView:
        """See :meth:`Answers.respond_permission`."""
        return await self._answers.respond_permission(
            session_id,
            request_id,
            decision=decision,
            option_id=option_id,
            scope=scope,
            feedback=feedback,
            decided_by=decided_by,
            surface=surface,
        )

    async def answer_user_action(
        self,
        session_id: str | None,
        request_id: str | None,
        answer: Mapping[str, Any],
        *,
        decided_by: Caller,
        surface: str,
    ) -> OutcomeView:
        """See :meth:`Answers.answer_user_action`."""
        return await self._answers.answer_user_action(
            session_id, request_id, answer, decided_by=decided_by, surface=surface
        )

    def _appended(self, session_id: str, events: Sequence[TranscriptEvent]) -> None:
        rows = [event.model_dump(mode="json") for event in events]
        self._publish("transcript_did_append", {"session_id": session_id, "events": rows})
        ended = any(event.kind == Kind.TURN_END for event in events)
        answered = {event.item_id for event in events if event.kind in (Kind.PERMISSION_ANSWER, Kind.QUESTION_ANSWER)}
        asked = [event for event in events if event.kind in (Kind.PERMISSION, Kind.QUESTION)]
        asks = any(event.item_id not in answered for event in asked)
        if (ended or asks) and not self._closing:
            self._tasks.start(self._after(session_id, ended=ended, asks=asks), name=f"after {session_id}")

    async def _after(self, session_id: str, *, ended: bool, asks: bool) -> None:
        try:
            await self.care.needs_reading(session_id, asks=asks, shown=self._shown)
            if ended:
                await self._index.catch_up(session_id)
        except SaysoError as failure:
            _log.warning("session %s: %s", session_id, failure.message)

    def _changed(self, hosted: Hosted) -> None:
        view = self._view(hosted.record)
        self._publish("session_did_change", {"session_id": view.id, "session": view.model_dump(mode="json")})

    def tools_changed(self, session_id: str) -> None:
        """Tell everyone who shows a session that its agent has listed its tools, or used them."""
        if (hosted := self._hosting.peek(session_id)) is not None:
            self._changed(hosted)

    def _view(self, record: SessionRecord, preview: str | None = None) -> SessionView:
        hosted = self._hosting.peek(record.id)
        actor, detail = (hosted.actor, hosted.detail) if hosted else (None, record.detail)
        if hosted:  # the row that was read may be older than what is in memory
            record = replace(hosted.record, last_activity=max(record.last_activity, hosted.record.last_activity))
        return session_view(
            record,
            actor,
            detail,
            provider_name=self._providers.name_of(record.provider),
            waiting_for=self._hosting.waiting_for(record.id),
            preview=preview,
            worktree=self._worktree_of(record.workspace),
            tools=self._tools_of(record.id),
            slow=hosted.slow.reason if hosted is not None and hosted.slow is not None else None,
        )


def _title(message: str | None) -> str:
    lines: builtins.list[str] = (message or "").strip().splitlines()
    line = " ".join(lines[0].split()) if lines else ""
    return line if len(line) <= _TITLE_LIMIT else line[: _TITLE_LIMIT - 1] + "…"


def _cursor(cursor: str | None) -> tuple[int, str] | None:
    if cursor is None:
        return None
    moment, _, session_id = cursor.partition(":")
    if not moment.isdigit() or not session_id:
        raise InvalidInput("This cursor is none of a list of sessions.", [{"field": "cursor", "message": "unknown"}])
    return int(moment), session_id
