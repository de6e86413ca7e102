"""The life of one agent process with one session: what it says is stored, then shown; what it is told waits in line.

One consumer handles everything in the order of the wire. The rules of ACP 1 that it keeps: one prompt in flight;
open permission requests are answered ``cancelled`` before ``session/cancel``; updates may come late or early; a tool
call that the agent never ended is ended with its turn.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from actions.catalog.views import SessionState, TranscriptEvent
from actions.errors import InvalidInput, SaysoError
from actions.execution.grants import Grant
from actions.sessions import launcher
from actions.sessions.asking import Place, Reply, dismissed
from actions.sessions.asks import OpenAsks
from actions.sessions.conduct import Conduct
from actions.sessions.conversation import can_steer
from actions.sessions.events import Draft, Kind, error, notice
from actions.sessions.incoming import Incoming, PermissionAsk, QuestionAsk, TakenBack, Update
from actions.sessions.intake import Intake
from actions.sessions.launcher import Launcher
from actions.sessions.link import Ears, Link
from actions.sessions.permissions import options_of
from actions.sessions.process import exit_words
from actions.sessions.provider import Provider
from actions.sessions.requests import UserRequest, UserRequests
from actions.sessions.selecting import change_mode, change_model, change_option
from actions.sessions.setting_up import keep_to_mode
from actions.sessions.transcript import TranscriptLog
from actions.sessions.turns import Prompt, PromptQueue, Turn, TurnResult
from actions.sessions.updates import UpdateReader, is_said
from actions.sessions.writer import EventWriter
from actions.tasks import TaskOwner

CANCEL_WAIT = 8.0
STOP_WAIT = 2.0
_STORE_WAIT = 3.0
_EARLY_LIMIT = 2000

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Backstage:
    """What an actor works with. ``published`` and ``inbox_changed`` must not block."""

    log: TranscriptLog
    requests: UserRequests
    launcher: Launcher
    published: Callable[[str, Sequence[TranscriptEvent]], None]
    inbox_changed: Callable[[], None]
    cancel_wait: float = CANCEL_WAIT


@dataclass(frozen=True, slots=True)
class _Say:
    """Events of our own, in line with the agent's; ``stored`` resolves once they are."""

    drafts: list[Draft]
    stored: asyncio.Future[None]
    turn: Turn | None = None


@dataclass(frozen=True, slots=True)
class _TurnOver:
    turn: Turn
    result: TurnResult
    before: tuple[Draft, ...] = ()


_Entry = Incoming | _Say | _TurnOver


class SessionActor:
    """Drives one :class:`Link`. Lives as long as the agent's process; the service makes a new one to resume.

    ``on_change`` is called after every change of state, mode, queue, title or waiting requests.
    """

    def __init__(
        self,
        session_id: str,
        root_session_id: str,
        provider: Provider,
        queue: PromptQueue,
        backstage: Backstage,
        *,
        on_change: Callable[[SessionActor], None],
    ) -> None:
        self.session_id = session_id
        self.provider = provider
        self.state = SessionState.STARTING
        self.queue = queue
        self.title: str | None = None
        """The title that the agent gave its session."""
        self.end_reason: dict[str, Any] | None = None
        self.hung = False  # the watchdog ended it: it is to be started again where it left off
        self._back = backstage
        self._on_change = on_change
        self._intake: Intake[_Entry] = Intake()
        self._early: list[Incoming] = []
        self._reader = UpdateReader()
        self._writer = EventWriter(session_id, backstage.log, backstage.published)
        self._asks = OpenAsks(Place(session_id, root_session_id), backstage.requests, self._writer, self._asks_changed)
        self._link: Link | None = None
        self._ready = False
        self._turn: Turn | None = None
        self._turn_count = 0
        self.conduct = Conduct(provider)
        self._cut_off = False
        self._ending: asyncio.Task[None] | None = None
        self._tasks = TaskOwner(f"session {session_id}")

    @property
    def link(self) -> Link | None:
        """The agent, None before it is ready and after its end."""
        return self._link if self._ready else None

    @property
    def takes_messages(self) -> bool:
        """Whether it is ready and not ending."""
        return self._ready and self._ending is None

    @property
    def waiting_for(self) -> int:
        """How many requests to a person are open."""
        return len(self._asks)

    @property
    def ears(self) -> Ears:
        """Where the connection's news go."""
        return Ears(self._hear, self._lost, self._forget_replay, self._intake.room)

    def attach(self, link: Link) -> None:
        """Know the agent while its session is being opened: its modes may change before it is ready."""
        self._link = link

    async def begin(self, *, turn_count: int) -> None:
        """Take over the attached agent, which is ready for its first prompt."""
        link = self._live()
        self._turn_count = turn_count
        self._tasks.start(self._consume(), name="consumer")
        self._ready = True
        for entry in self._early:
            self._hear(entry)
        self._early.clear()
        drafts = list(link.notices)
        if link.modes.mode.current is not None:
            drafts.append(launcher.mode_event(link))
        await self.say([*drafts, *self.conduct.left_its_mode(link, in_turn=False)])
        if not link.process.alive:
            self._lost()
        self._refresh()

    def send(self, prompt: Prompt) -> bool:
        """Queue a message and start it when nothing runs; True when it has to wait."""
        self.queue.add(prompt)
        self._pump()
        self._on_change(self)
        return self._turn is None or self._turn.prompt is not prompt

    async def send_now(self) -> None:
        """Send the first message that waits: the running turn is cancelled for it, and the others wait on."""
        await self.cancel_turn(tell=False)
        self.queue.release()
        self._pump()
        self._on_change(self)

    async def steer(self, prompt: Prompt) -> bool:
        """Put a message into the running turn; false where there is none, or the agent does not take it."""
        turn, link = self._turn, self._live()
        if turn is None or turn.cancelling or not can_steer(link.capabilities):
            return False
        if taken := await link.connection.steer(link.agent_session_id, prompt.text):
            await self.say([Draft(Kind.USER, {"text": prompt.text, "steered": True}, prompt.id)])
        return taken

    async def cancel_turn(self, *, tell: bool = True) -> None:
        """Cancel the running turn, if any. A turn that does not end within the watchdog's time costs the agent.

        What waits is held; ``tell``: also whoever waits for it is told so.
        """
        turn, link = self._turn, self._link
        self.queue.hold(tell=tell)
        if turn is None or link is None or turn.cancelling:
            return
        turn.cancelling = True
        await self._asks.withdraw("user", turn=self._turn_count)
        await self.say(self._reader.close_calls("cancelled"))
        try:
            await link.process.thaw()
            await link.connection.cancel(link.agent_session_id)
        except (OSError, SaysoError):
            self._lost()
            return
        if self._ending is None:
            self._tasks.start(self._watch_cancel(turn), name="cancel watchdog")

    async def set_mode(self, mode_id: str) -> None:
        """Change the mode; what is shown is what the agent then says. Raises InvalidInput for an unknown one."""
        link = self._live()
        link.asks_in = None
        try:
            await change_mode(link, mode_id)
        finally:
            keep_to_mode(self.provider, link)
        await self.say([launcher.mode_event(link)])
        self._on_change(self)

    async def set_model(self, model_id: str) -> None:
        """Change the model, as :meth:`set_mode`."""
        await change_model(self._live(), model_id)
        self._on_change(self)

    async def set_option(self, option_id: str, value: str | bool) -> None:
        """Change one of the agent's options, as :meth:`set_mode`; its answer may change the mode as well."""
        link = self._live()
        shown, link.asks_in = link.modes.mode.current, None
        try:
            await change_option(link, option_id, value)
        finally:
            keep_to_mode(self.provider, link)
        if link.modes.mode.current not in (shown, None):
            await self.say([launcher.mode_event(link)])
        self._on_change(self)

    async def answer(
        self,
        request: UserRequest,
        reply: Reply,
        *,
        rule: tuple[Grant, Mapping[str, Any]] | None = None,
        by_rule: Grant | None = None,
    ) -> dict[str, Any]:
        """Answer a request to a person; see :meth:`OpenAsks.answer`."""
        return await self._asks.answer(request, reply, turn=self._turn_count, rule=rule, by_rule=by_rule)

    async def stop(self, state: SessionState, reason: dict[str, Any] | None = None, *, quick: bool = False) -> None:
        """End the turn, then the agent and all it started. ``quick`` gives it half a second instead of two."""
        if self._ending is None:
            self._ending = self._tasks.start(self._stop(state, reason, quick), name="stop")
        await asyncio.shield(self._ending)

    async def _stop(self, state: SessionState, reason: dict[str, Any] | None, quick: bool) -> None:
        self._cut_off = state is SessionState.INTERRUPTED
        if self._turn is not None:
            ended = self._turn.prompt.ended
            await self.cancel_turn()
            await asyncio.wait({ended}, timeout=0.5 if quick else STOP_WAIT)
        await self._end("cancelled", state, reason, quick=quick)

    def _lost(self, why: str | None = None) -> None:
        # Called for every sign that the agent is gone; the first one counts.
        if self._ready and self._ending is None:
            self._ending = self._tasks.start(self._end_lost(why), name="lost")

    async def _end_lost(self, why: str | None) -> None:
        process = self._live().process
        if why is None:
            await launcher.settled(process)
            code = process.returncode
            why = "closed its connection" if code is None else f"ended by itself ({exit_words(code)})"
        message = f"{self.provider.name} {why}. Send a message to start it again."
        tail = process.stderr_tail()
        reason = {"code": "agent_ended", "message": message, "stderr": tail, "returncode": process.returncode}
        failure = error(message, "agent_ended", tail)
        await self._end("interrupted", SessionState.INTERRUPTED, reason, failure, quick=self.hung)

    async def _end(
        self,
        stop_reason: str,
        state: SessionState,
        reason: dict[str, Any] | None,
        failure: Draft | None = None,
        *,
        quick: bool = False,
    ) -> None:
        try:
            await self._back.launcher.end(self._live(), state.value, quick=quick)
        except SaysoError as unstored:
            _log.warning("session %s: the ledger could not be written: %s", self.session_id, unstored)
        await self._asks.withdraw("session_end", turn=self._turn_count)
        before = () if failure is None else (failure,)
        if self._turn is not None:
            last = {key: (reason or {})[key] for key in ("stderr", "returncode") if key in (reason or {})}
            fault = None if failure is None else SaysoError(failure.data["message"], details=last)
            ended = self._turn.prompt.ended
            self._intake.put(_TurnOver(self._turn, TurnResult(stop_reason, error=fault), before), urgent=True)
            await asyncio.wait({ended}, timeout=_STORE_WAIT)
        else:
            await self.say(list(before))
        self._ready = False
        self.end_reason = reason
        self.queue.hold()
        self._become(state)
        await self._tasks.close()

    async def _watch_cancel(self, turn: Turn) -> None:
        await asyncio.wait({turn.prompt.ended}, timeout=self._back.cancel_wait)
        if not turn.prompt.ended.done():
            self.hung = True
            self._lost(f"did not stop within {self._back.cancel_wait:.0f} s and was ended")

    def _forget_replay(self) -> None:
        self._early[:] = [entry for entry in self._early if not (isinstance(entry, Update) and is_said(entry.update))]

    def _hear(self, entry: Incoming) -> None:
        link = self._link
        if link is None or not self._ready:
            if link is not None and isinstance(entry, Update):
                link.modes = link.modes.after(entry.update)
            if len(self._early) < _EARLY_LIMIT:
                self._early.append(entry)
        elif entry.agent_session_id == link.agent_session_id:
            self._intake.put(entry, urgent=not isinstance(entry, Update))
        elif isinstance(entry, PermissionAsk | QuestionAsk):
            entry.drop()

    async def _consume(self) -> None:
        while True:
            drafts: list[Draft] = []
            for entry in await self._intake.batch():
                match entry:
                    case Update():
                        drafts += self._read(entry.update)
                    case PermissionAsk():
                        await self._ask(entry, drafts)
                        drafts = []
                    case QuestionAsk():
                        await self._question(entry, drafts)
                        drafts = []
                    case TakenBack():
                        await self._store(drafts)
                        drafts = []
                        await self._asks.take_back(entry.ask, turn=self._turn_count)
                    case _Say():
                        if entry.turn is not None:
                            await self._store(drafts)
                            drafts = []
                            self._turn_count = entry.turn.number
                            self._reader.start_turn(entry.turn.number)
                        await self._store([*drafts, *entry.drafts])
                        drafts = []
                        entry.stored.set_result(None)
                    case _TurnOver():
                        await self._finish(entry, drafts)
                        drafts = []
            await self._store(drafts)

    def _read(self, update: dict[str, Any]) -> list[Draft]:
        link = self._live()
        match update.get("sessionUpdate"):
            case "current_mode_update" | "config_option_update":
                shown = link.modes.mode.current
                link.modes = link.modes.after(update)
                told = [launcher.mode_event(link)] if link.modes.mode.current not in (shown, None) else []
                told += self.conduct.left_its_mode(link, in_turn=self._turn is not None)
                self._on_change(self)
                return told
            case "session_info_update":
                title = update.get("title")
                self.title = title.strip() if isinstance(title, str) else self.title
                self._on_change(self)
                return []
            case _:
                call_id = str(update.get("toolCallId") or "")
                title, waits = self._reader.folded(call_id).get("title"), self._asks.waits_for(call_id)
                drafts = [*self._reader.read(update), *self.conduct.hasty(update, title, waits=waits)]
        for draft in drafts:
            if draft.kind is Kind.AGENT and self._turn is not None:
                self._turn.hear(draft.item_id, draft.data["text"])
        return drafts

    async def _ask(self, ask: PermissionAsk, before: list[Draft]) -> None:
        options = options_of(ask.options)
        if not options or self._being_cancelled():
            await self._store(before)
            ask.drop()
            return
        self.conduct.asked = True
        announced = self._reader.call(ask.tool_call)
        call = self._reader.folded(str(ask.tool_call.get("toolCallId", "")))
        await self._open(self._asks.place.permission(call, options), ask, [*before, *announced])

    async def _question(self, ask: QuestionAsk, before: list[Draft]) -> None:
        if self._being_cancelled():
            await self._store(before)
            ask.drop()
            return
        try:
            request = self._asks.place.question(ask)
        except InvalidInput as unshowable:
            text = f"{self.provider.name} asked with a form that cannot be shown, and was told that nobody answers."
            await self._store([*before, notice(f"{text} {unshowable.message}", "question_not_shown")])
            ask.answer.set_result(dismissed(by="host").wire or {})
            return
        await self._open(request, ask, before)

    async def _open(self, request: UserRequest, ask: PermissionAsk | QuestionAsk, before: list[Draft]) -> None:
        await self._asks.add(request, ask, before, turn=self._turn_count)
        if self._being_cancelled():  # meanwhile
            await self._asks.withdraw("user", turn=self._turn_count)

    def _being_cancelled(self) -> bool:
        return self._ending is not None or (self._turn is not None and self._turn.cancelling)

    async def _finish(self, over: _TurnOver, before: list[Draft]) -> None:
        turn, result = over.turn, over.result
        if turn.cancelling and result.stop_reason == "end_turn":  # some say so of a turn that was cancelled (qwen 0.24)
            result = replace(result, stop_reason="cancelled")
        if self._cut_off and result.stop_reason == "cancelled":  # nobody wanted it cancelled: the host is ending
            result = replace(result, stop_reason="interrupted")
        if self._asks or self._turn is not turn:  # their answers come after what was said
            await self._store(before)
            before = []
        if self._turn is not turn:
            return
        await self._asks.withdraw("turn_end", turn=turn.number)
        end: dict[str, Any] = {"stop_reason": result.stop_reason}
        if result.usage:
            end["usage"] = result.usage
        if result.structured:
            end["structured"] = result.structured
        unasked = self.conduct.unasked(self._live(), acted=self._reader.acted)
        closed = self._reader.close_calls("cancelled" if result.stop_reason == "cancelled" else "unfinished")
        await self._store([*before, *closed, *over.before, *unasked, Draft(Kind.TURN_END, end)])
        self._turn = None
        if self._ending is None:
            self._pump()
        self._refresh()
        if not turn.prompt.ended.done():
            turn.prompt.ended.set_result(
                TurnResult(result.stop_reason, turn.answer, result.structured, result.usage, result.error)
            )

    def _pump(self) -> None:
        if self._turn is not None or self._ending is not None or not self._ready:
            return
        if (prompt := self.queue.next()) is not None:
            self._turn = Turn(self._turn_count + 1, prompt)
            self._tasks.start(self._run(self._turn), name=f"turn {self._turn.number}")
            self._refresh()

    async def _run(self, turn: Turn) -> None:
        link, prompt = self._live(), turn.prompt
        said = {"text": prompt.text} if prompt.origin == "user" else {"text": prompt.text, "origin": prompt.origin}
        await self.say([Draft(Kind.TURN_START, {}), Draft(Kind.USER, said, prompt.id)], turn)
        before: tuple[Draft, ...] = ()
        if turn.cancelling:
            result = TurnResult("cancelled")
        else:
            try:
                # Told once in a conversation; one that is taken up again knows it, unless nothing was ever said in it.
                appendix = link.tools.appendix if link.fresh or turn.number == 1 else ""
                link.fresh = False
                answer = await link.connection.prompt(link.agent_session_id, prompt.text, prompt.meta, appendix)
                result = TurnResult.of(answer)
            except OSError:
                self._lost()
                return
            except SaysoError as refused:
                result = TurnResult("error", error=refused)
                before = (error(refused.message, refused.code.value, link.process.stderr_tail(500)),)
        self._intake.put(_TurnOver(turn, result, before), urgent=True)

    async def say(self, drafts: list[Draft], turn: Turn | None = None) -> None:
        if drafts or turn is not None:
            stored: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._intake.put(_Say(drafts, stored, turn), urgent=True)
            await asyncio.wait({stored}, timeout=None if self._ending is None else _STORE_WAIT)

    async def _store(self, drafts: list[Draft]) -> None:
        await self._writer.append(drafts, turn=self._turn_count)

    def _live(self) -> Link:
        if self._link is None:
            raise SaysoError("The agent of this session is not running. Send it a message to start it again.")
        return self._link

    def _asks_changed(self) -> None:
        self._back.inbox_changed()
        self._refresh()

    def _refresh(self) -> None:
        if self._ending is not None:
            self._on_change(self)
        elif self._asks:
            self._become(SessionState.WAITING)
        else:
            self._become(SessionState.WORKING if self._turn is not None else SessionState.IDLE)

    def _become(self, state: SessionState) -> None:
        self.state = state
        self._on_change(self)
