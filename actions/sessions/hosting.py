"""Which sessions have an agent running, and how one gets there: start, resume, save, end, reconcile."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from actions.catalog.context import Progress
from actions.catalog.views import SessionState
from actions.catalog.worktree_views import SessionWorktree
from actions.errors import ErrorCode, NotFound, SaysoError
from actions.sessions.actor import Backstage, SessionActor
from actions.sessions.conversation import can_load, can_resume
from actions.sessions.events import Draft, Kind, error, notice
from actions.sessions.groups import Reaper
from actions.sessions.ledger import ProcessLedger
from actions.sessions.link import Wishes
from actions.sessions.provider import Provider
from actions.sessions.providers import ProviderService
from actions.sessions.records import LIVE_STATES, SessionRecord, SessionRecords
from actions.sessions.slow_start import PATIENCE_S, SlowStart
from actions.sessions.turns import Prompt, PromptQueue, TurnResult
from actions.sessions.vault import EnvironmentVault
from actions.sessions.view import columns_of
from actions.sessions.worktrees.words import folder_gone
from actions.tasks import TaskOwner

_CLOSE_SECONDS = 8.0
_REAP_SECONDS = 5.0
_SAVE_SECONDS = 0.02
"""What changes together is saved together, and after the events that it follows from: a turn does not wait for it."""

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Hosted:
    """A session in memory: its row, its waiting messages and, while one runs, its agent."""

    record: SessionRecord
    queue: PromptQueue
    facts: dict[str, Any]
    actor: SessionActor | None = None
    one_start: asyncio.Lock = field(default_factory=asyncio.Lock)
    starting: asyncio.Task[Any] | None = None
    slow: SlowStart | None = None
    """The watch over the start that is under way."""
    told: Progress | None = None
    """Who wants to hear of a start that takes long."""
    changed: set[asyncio.Event] = field(default_factory=set[asyncio.Event])
    saving: asyncio.Task[None] | None = None
    dirty: bool = False
    leaving: bool = False
    """It is being deleted: nothing starts it again."""

    @property
    def state(self) -> SessionState:
        """What it does now."""
        return self.actor.state if self.actor is not None else self.record.state

    @property
    def running(self) -> SessionActor | None:
        """The agent that can take messages, if there is one."""
        return self.actor if self.actor is not None and self.actor.state in LIVE_STATES else None

    @property
    def detail(self) -> dict[str, Any]:
        """The ``detail`` column as of now."""
        return {**self.facts, "queue": self.queue.as_json()}

    def wake(self) -> None:
        """Let everyone who waits for a change look."""
        for event in self.changed:
            event.set()


class Hosting:
    """Owns the actors. ``on_change`` is called after a session's row was stored."""

    def __init__(
        self,
        records: SessionRecords,
        providers: ProviderService,
        ledger: ProcessLedger,
        backstage: Backstage,
        vault: EnvironmentVault,
        on_change: Callable[[Hosted], None],
        worktree_of: Callable[[str], SessionWorktree | None],
        *,
        patience: float = PATIENCE_S,
    ) -> None:
        self._patience = patience
        self._records = records
        self._providers = providers
        self._ledger = ledger
        self._back = backstage
        self._vault = vault
        self._on_change = on_change
        self._worktree_of = worktree_of
        self._hosted: dict[str, Hosted] = {}
        self._tasks = TaskOwner("sessions")
        self._reaping: asyncio.Task[None] | None = None
        self._closing = False

    @property
    def active(self) -> int:
        """How many agents run."""
        return sum(1 for hosted in self._hosted.values() if hosted.running is not None)

    @property
    def working(self) -> int:
        """How many sessions are in the middle of something."""
        busy = (SessionState.STARTING, SessionState.WORKING, SessionState.WAITING)
        return sum(1 for hosted in self._hosted.values() if hosted.state in busy)

    def waiting_for(self, session_id: str) -> int:
        """How many requests of this session and of its child runs are open; an open one has a running agent."""
        agents = (h.actor for h in self._hosted.values() if session_id in (h.record.id, h.record.root))
        return sum(actor.waiting_for for actor in agents if actor is not None)

    async def get(self, session_id: str) -> Hosted:
        """A session by its id. Raises NotFound."""
        if (hosted := self._hosted.get(session_id)) is not None:
            return hosted
        return self.hold(await self._records.get(session_id))

    def hold(self, record: SessionRecord) -> Hosted:
        """Keep a session in memory; messages that waited when a host ended wait on, held."""
        hosted = self._hosted.get(record.id)
        if hosted is None:
            hosted = self._hosted[record.id] = Hosted(record, _queue_of(record), dict(record.detail))
        return hosted

    def forget(self, session_id: str) -> None:
        """Let go of a session that was deleted; its agent has ended."""
        self._hosted.pop(session_id, None)

    def peek(self, session_id: str) -> Hosted | None:
        """A session, if it is in memory."""
        return self._hosted.get(session_id)

    async def create(
        self,
        record: SessionRecord,
        wishes: Wishes,
        *,
        history_of: SessionRecord | None = None,
        told: Progress | None = None,
    ) -> Hosted:
        """Store a new session and start its agent. Raises SaysoError; the session then stays, failed.

        With ``history_of`` its transcript begins with what was said in that session; ``told`` hears of a start that
        takes long.
        """
        if wishes.environment:
            await self._vault.keep(record.id, wishes.environment)
        await self._records.insert(record)
        hosted = self.hold(record)
        hosted.told = told
        if history_of is not None:
            text = f"Forked from “{history_of.title}”. What is above was said there."
            told_above = [notice(text, "forked", title=history_of.title)]
            await self._back.log.copy(history_of.id, record.id, told_above)
        self._on_change(hosted)
        await self.start(hosted, wishes)
        return hosted

    async def start(self, hosted: Hosted, wishes: Wishes | None = None, *, strict: bool = False) -> SessionActor:
        """The running agent of a session, started or resumed if need be; ``strict``: never with a new conversation.

        A caller that goes away does not stop a start that is under way. Raises ``cancelled`` when it was stopped.
        """
        starting = self._tasks.start(self._try_start(hosted, wishes, strict), name=f"start {hosted.record.id}")
        await asyncio.wait({starting})
        if starting.cancelled():
            raise SaysoError("The session was stopped before its agent was ready.", code=ErrorCode.CANCELLED)
        outcome = starting.result()
        if isinstance(outcome, SaysoError):
            raise outcome
        return outcome

    async def stop(self, hosted: Hosted, state: SessionState, reason: dict[str, Any], *, quick: bool = False) -> None:
        """End the agent of a session, also one that is still being started."""
        if hosted.starting is not None:
            hosted.starting.cancel()
            await asyncio.wait({hosted.starting})
            await self.change(hosted, state=state.value, end_reason=reason)
        elif (actor := hosted.running) is not None:
            await actor.stop(state, reason, quick=quick)
        if hosted.saving is not None:
            await asyncio.wait({hosted.saving})

    async def give_up(self, session_id: str) -> None:
        """Stop a new session whose caller left before its agent was ready; nothing where it was not stored yet."""
        try:
            hosted = await self.get(session_id)
        except NotFound:
            return
        message = "It was given up before its agent was ready. Send a message to start it."
        reason = {"code": "given_up", "message": message}
        await self.stop(hosted, SessionState.STOPPED, reason)
        if hosted.state is SessionState.STARTING:
            await self.change(hosted, state=SessionState.STOPPED.value, end_reason=reason)

    async def change(self, hosted: Hosted, detail: dict[str, Any] | None = None, **values: Any) -> None:
        """Change columns of the row, and entries of its detail, and tell."""
        if detail is not None:
            hosted.facts.update(detail)
            values["detail"] = hosted.detail
        hosted.record = await self._records.change(hosted.record.id, **values)
        self._on_change(hosted)
        hosted.wake()

    async def wait_for(self, hosted: Hosted, done: Callable[[Hosted], bool], timeout_s: float | None) -> None:
        """Wait until ``done``; a time-out raises ``timeout`` and ends nothing."""
        event = asyncio.Event()
        hosted.changed.add(event)
        try:
            async with asyncio.timeout(timeout_s):
                while not done(hosted):
                    event.clear()
                    await event.wait()
        except TimeoutError as late:
            raise timed_out(hosted.record.id, hosted.state, timeout_s) from late
        finally:
            hosted.changed.discard(event)

    async def reconcile(self) -> None:
        """After a start of the host: end orphans, and mark what an earlier host left unfinished."""
        await self._ledger.reconcile()
        for request in await self._back.requests.waiting():
            turn = await self._back.log.last_turn(request.session_id)
            await self._back.requests.close(request, {"outcome": "cancelled", "by": "host_restart"}, turn=turn)
        for record in await self._records.live():
            left = await self._back.log.left_open(record.id)  # the row is saved a little after the events
            message = "The host ended." if left is None else "The host ended while the agent was at work."
            if left is not None:
                calls = [Draft(Kind.TOOL_CALL, {"status": "unfinished"}, call_id) for call_id in left.calls]
                ended = [error(message, "host_ended"), Draft(Kind.TURN_END, {"stop_reason": "interrupted"})]
                await self._back.log.append(record.id, [*calls, *ended], turn=left.turn)
            state = SessionState.STOPPED if left is None else SessionState.INTERRUPTED
            code = "host_ended" if left is None else "host_ended_at_work"
            reason = {"code": code, "message": f"{message} Send a message to go on."}
            await self._records.change(record.id, state=state.value, end_reason=reason)

    async def close(self) -> None:
        """End every agent at once, quickly, and store how each session stands."""
        self._closing = True
        reason = {"code": "host_stopped", "message": "The host was stopped. Send a message to go on."}

        async def end(hosted: Hosted) -> None:
            working = hosted.state in (SessionState.WORKING, SessionState.WAITING)
            state = SessionState.INTERRUPTED if working else SessionState.STOPPED
            await self.stop(hosted, state, reason, quick=True)

        agents = [hosted for hosted in self._hosted.values() if hosted.running is not None]
        ends = [self._tasks.start(end(hosted), name="close") for hosted in agents]
        if ends:
            await asyncio.wait(ends, timeout=_CLOSE_SECONDS)
        await self._tasks.close()

    async def _try_start(self, hosted: Hosted, wishes: Wishes | None, strict: bool) -> SessionActor | SaysoError:
        # A failure is an answer here, not a crash of the task: its caller is told, or the session's row when that left.
        try:
            return await self._start(hosted, wishes, strict)
        except SaysoError as failure:
            return failure

    async def _start(self, hosted: Hosted, wishes: Wishes | None, strict: bool) -> SessionActor:
        async with hosted.one_start:
            if (running := hosted.running) is not None:
                return running
            hosted.starting = asyncio.current_task()
            try:
                return await self._start_agent(hosted, wishes, strict)
            finally:
                hosted.starting = None

    async def _start_agent(self, hosted: Hosted, wishes: Wishes | None, strict: bool) -> SessionActor:
        if hosted.leaving:
            raise NotFound("This session was deleted.", details={"session_id": hosted.record.id})
        if hosted.saving is not None:  # of the agent before
            await asyncio.wait({hosted.saving})
        record = hosted.record
        if wishes is None:
            wishes = await self._wishes(hosted, strict)
        provider = await self._providers.require(record.provider)
        actor = SessionActor(record.id, record.root, provider, hosted.queue, self._back, on_change=self._actor_changed)
        hosted.actor = actor
        try:
            await self.change(hosted, state=SessionState.STARTING.value, end_reason=None)
            await self._launch(hosted, actor, provider, wishes)
        except BaseException as failure:
            hosted.actor = None
            if actor.link is not None:
                await asyncio.shield(actor.stop(SessionState.STOPPED, quick=True))
            await asyncio.shield(self._failed(hosted, failure))
            raise
        return actor

    async def _wishes(self, hosted: Hosted, strict: bool) -> Wishes:
        """What an agent that starts again is to have: its conversation, and what was chosen for it."""
        record, facts = hosted.record, hosted.facts
        if strict and record.agent_session_id is None and await self._back.log.last_turn(record.id):
            raise SaysoError(
                "The agent gave this session no id, so what was said cannot be taken up again. Send a message to go on "
                "in a new conversation; the agent will not remember.",
                details={"session_id": record.id, "reason": "cannot_resume"},
            )
        return Wishes(
            mode=facts.get("wished_mode"),
            model=facts.get("wished_model"),
            options=facts.get("wished_options") or {},
            resume=record.agent_session_id,
            strict=strict,
            environment=await self._vault.of(record.id) if facts.get("environment") else {},
        )

    async def _launch(self, hosted: Hosted, actor: SessionActor, provider: Provider, wishes: Wishes) -> None:
        if self._reaping is None:
            self._reaping = self._tasks.start(_reap_for_ever(), name="reaper")

        def told(seconds: float, words: str) -> None:
            self._on_change(hosted)
            if hosted.told is not None:
                hosted.told(seconds, None, words)

        slow = SlowStart(provider.name, told, self._patience)
        tasks = TaskOwner(f"slow start {hosted.record.id}")
        tasks.start(slow.watch(), name="watch")
        hosted.slow = slow
        try:
            await self._launch_watched(hosted, actor, provider, wishes, slow)
        finally:
            hosted.slow = hosted.told = None
            await tasks.close()

    async def _launch_watched(
        self, hosted: Hosted, actor: SessionActor, provider: Provider, wishes: Wishes, slow: SlowStart
    ) -> None:
        session_id, cwd = hosted.record.id, Path(hosted.record.workspace)
        if not await asyncio.to_thread(cwd.is_dir):
            raise folder_gone(cwd, self._worktree_of(hosted.record.workspace), session_id)
        launcher = self._back.launcher
        link = await launcher.connect(
            provider,
            cwd,
            session_id=session_id,
            ears=replace(actor.ears, waits=slow.waits),
            environment=wishes.environment,
            wire_log=bool(hosted.facts.get("wire_log")),
        )
        actor.attach(link)
        await launcher.open_session(provider, link, cwd, session_id=session_id, wishes=wishes)
        self._providers.remember(provider, link)
        await actor.begin(turn_count=await self._back.log.last_turn(session_id))
        # Stored before anybody may stop or kill it: without the id the conversation could not be taken up again.
        await self.change(hosted, agent_session_id=link.agent_session_id, detail={"capabilities": link.capabilities})

    async def _failed(self, hosted: Hosted, failure: BaseException) -> None:
        session_id = hosted.record.id
        if not isinstance(failure, SaysoError):
            reason = {"code": "interrupted", "message": "The start was interrupted."}
            await self.change(hosted, state=SessionState.INTERRUPTED.value, end_reason=reason)
            return
        failure.details["session_id"] = session_id
        stderr = str(failure.details.get("stderr") or "")
        reason = {"code": failure.code.value, "message": failure.message, "stderr": stderr}
        await self._append(session_id, [error(failure.message, failure.code.value, stderr)])
        await self.change(hosted, state=SessionState.FAILED.value, end_reason=reason)

    async def say(self, hosted: Hosted, draft: Draft) -> None:
        """An event of our own: in line with those of the agent where one runs."""
        if (actor := hosted.running) is not None and actor.takes_messages:
            await actor.say([draft])
        else:
            await self._append(hosted.record.id, [draft])

    async def _append(self, session_id: str, drafts: list[Draft]) -> None:
        turn = await self._back.log.last_turn(session_id)
        self._back.published(session_id, await self._back.log.append(session_id, drafts, turn=turn))

    def _actor_changed(self, actor: SessionActor) -> None:
        hosted = self._hosted[actor.session_id]
        if (link := actor.link) is not None:
            hosted.facts["options"] = [option.model_dump() for option in link.modes.options]
            before = {"did_not_ask"} & set(hosted.facts.get("marks") or ())
            hosted.facts["marks"] = sorted({*link.marks, *actor.conduct.marks, *before})
        hosted.dirty = True
        hosted.wake()
        if (root := self._hosted.get(hosted.record.root)) is not None:
            root.wake()
        if hosted.saving is None:
            hosted.saving = self._tasks.start(self._save(hosted, actor), name=f"save {actor.session_id}")

    async def _save(self, hosted: Hosted, actor: SessionActor) -> None:
        try:
            while hosted.dirty:
                await asyncio.sleep(_SAVE_SECONDS)
                hosted.dirty = False
                try:
                    columns = columns_of(actor, titled=bool(hosted.facts.get("titled")))
                    hosted.record = await self._records.change(actor.session_id, **columns, detail=hosted.detail)
                except SaysoError as unstored:
                    if unstored.code is ErrorCode.HOST_UNAVAILABLE:
                        raise
                    _log.warning("session %s cannot be saved: %s", actor.session_id, unstored)
                    hosted.dirty = True
                    await asyncio.sleep(1)
                    continue
                self._on_change(hosted)
                if (root := self._hosted.get(hosted.record.root, hosted)) is not hosted:
                    self._on_change(root)
        finally:
            hosted.saving = None
            if actor.state not in LIVE_STATES and hosted.actor is actor:
                hosted.actor = None
                if actor.hung and not (hosted.leaving or self._closing) and _can_take_up(hosted):
                    self._tasks.start(self._try_start(hosted, None, strict=True), name=f"take up {hosted.record.id}")
            hosted.wake()


def _can_take_up(hosted: Hosted) -> bool:
    offered: dict[str, Any] = hosted.facts.get("capabilities") or {}
    return hosted.record.agent_session_id is not None and (can_resume(offered) or can_load(offered))


async def _reap_for_ever() -> None:
    reaper = Reaper()
    while True:
        await asyncio.sleep(_REAP_SECONDS)
        reaper.sweep()


def timed_out(session_id: str, state: SessionState, timeout_s: float | None) -> SaysoError:
    """The error of a wait that was too short."""
    return SaysoError(
        f"The session is still {state.value} after {timeout_s or 0:g} s. Nothing was ended; wait again.",
        code=ErrorCode.TIMEOUT,
        details={"session_id": session_id, "state": state.value},
    )


def _queue_of(record: SessionRecord) -> PromptQueue:
    queue = PromptQueue()
    entries: Sequence[dict[str, Any]] = record.detail.get("queue") or ()
    for entry in entries:
        ended: asyncio.Future[TurnResult] = asyncio.get_running_loop().create_future()
        queue.add(Prompt(entry["id"], entry["text"], ended, origin=entry.get("origin", "user")))
    queue.hold()
    return queue
