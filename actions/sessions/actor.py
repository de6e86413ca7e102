"""The life of one agent process with one session: what it says is stored, then shown; what it is told waits in line.

One consumer handles everything in the order of the wire. The rules of ACP 1 that it keeps: one prompt in flight;
open permission requests are answered ``cancelled`` before ``session/cancel``; updates may come late or early; a tool
call that the agent never ended is ended with its turn.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from actions.catalog.views import SessionState, TranscriptEvent
from actions.errors import ErrorCode, SaysoError
from actions.sessions import launcher
from actions.sessions.connection import Incoming, PermissionAsk, Update
from actions.sessions.events import Draft, Kind, coalesce, error, notice
from actions.sessions.intake import Intake
from actions.sessions.launcher import Ears, Launcher, Link
from actions.sessions.permissions import PermissionRequest, PermissionRequests, already_closed, options_of, summary_of
from actions.sessions.provider import Provider
from actions.sessions.transcript import TranscriptLog
from actions.sessions.turns import Prompt, PromptQueue, Turn, TurnResult
from actions.sessions.updates import UpdateReader
from actions.storage.ids import Prefix, new_id
from actions.tasks import TaskOwner

CANCEL_WAIT = 10.0
STOP_WAIT = 2.0
_EARLY_LIMIT = 2000
_RETRY_SECONDS = 1.0
_ACTS = frozenset({"execute", "edit", "delete", "move"})

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Backstage:
    """What an actor works with. ``published`` and ``inbox_changed`` must not block."""

    log: TranscriptLog
    permissions: PermissionRequests
    launcher: Launcher
    published: Callable[[str, Sequence[TranscriptEvent]], None]
    inbox_changed: Callable[[], None]


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

    ``on_change`` is called after every change of state, mode, queue or waiting requests.
    """

    def __init__(
        self,
        session_id: str,
        root_session_id: str,
        provider: Provider,
        backstage: Backstage,
        *,
        on_change: Callable[[SessionActor], None],
        cancel_wait: float = CANCEL_WAIT,
    ) -> None:
        self.session_id = session_id
        self.provider = provider
        self.state = SessionState.STARTING
        self.queue = PromptQueue()
        self.title: str | None = None
        """The title that the agent gave its session."""
        self.end_reason: dict[str, Any] | None = None
        self._root = root_session_id
        self._back = backstage
        self._on_change = on_change
        self._cancel_wait = cancel_wait
        self._intake: Intake[_Entry] = Intake()
        self._early: list[Incoming] = []
        self._reader = UpdateReader()
        self._asks: dict[str, tuple[PermissionRequest, PermissionAsk]] = {}
        self._calls: dict[str, dict[str, Any]] = {}
        self._link: Link | None = None
        self._ready = False
        self._turn: Turn | None = None
        self._turn_count = 0
        self._asked = self._acted = False
        self._writing = asyncio.Lock()
        self._ending: asyncio.Task[None] | None = None
        self._tasks = TaskOwner(f"session {session_id}")

    @property
    def link(self) -> Link | None:
        """The agent, None before it is ready and after its end."""
        return self._link if self._ready else None

    @property
    def waiting_for(self) -> int:
        """How many permission requests are open."""
        return len(self._asks)

    @property
    def ears(self) -> Ears:
        """Where the connection's news go."""
        return Ears(self._hear, self._lost, self._intake.room)

    async def begin(self, link: Link, *, turn_count: int) -> None:
        """Take over an agent that is ready for its first prompt."""
        self._link = link
        self._turn_count = turn_count
        self._tasks.start(self._consume(), name="consumer")
        mode = link.modes.mode
        drafts = list(link.notices)
        if mode.current is not None:
            drafts.append(_mode_event(link))
        self._ready = True
        early, self._early = self._early, []
        if drafts:
            await self._say(drafts)
        if link.how != "loaded":  # what a load replays is in our transcript already
            for entry in early:
                self._hear(entry)
        if link.process.returncode is not None:
            self._lost()
        self._become(SessionState.IDLE)

    def send(self, prompt: Prompt) -> bool:
        """Queue a message and start it when nothing runs; True when it has to wait."""
        self.queue.add(prompt)
        self._pump()
        waits = self._turn is None or self._turn.prompt is not prompt
        self._on_change(self)
        return waits

    async def cancel_turn(self) -> None:
        """Cancel the running turn, if any. A turn that does not end within the watchdog's time costs the agent."""
        turn, link = self._turn, self._link
        self.queue.hold()
        if turn is None or link is None or turn.cancelling:
            return
        turn.cancelling = True
        await self._withdraw("user")
        await self._say(self._reader.close_calls("cancelled"))
        try:
            await link.connection.cancel(link.agent_session_id)
        except (OSError, SaysoError):
            self._lost()
            return
        self._tasks.start(self._watch_cancel(turn), name="cancel watchdog")

    async def set_mode(self, mode_id: str) -> None:
        """Change the mode; what is shown is what the agent then says. Raises InvalidInput for an unknown one."""
        await launcher.change_mode(self._live(), mode_id)
        await self._mode_changed()

    async def set_model(self, model_id: str) -> None:
        """Change the model; as :meth:`set_mode`."""
        await launcher.change_model(self._live(), model_id)
        await self._mode_changed()

    async def answer(
        self, request: PermissionRequest, option: dict[str, str] | None, *, by: str, feedback: str | None = None
    ) -> dict[str, Any]:
        """Answer a permission request with one of its options (None = cancelled). Stored first, then told.

        Gives the stored answer. Raises ``stale`` when it was answered or withdrawn before.
        """
        held = self._asks.get(request.id)
        if held is None:
            raise already_closed(request)
        chosen = {"option_id": option["id"], "name": option["name"], "kind": option["kind"]} if option else {}
        answer: dict[str, Any] = {"outcome": "selected" if option else "cancelled", **chosen, "by": by}
        if feedback:
            answer["feedback"] = feedback
        async with self._writing:
            events = await self._back.permissions.close(request, answer, turn=self._turn_count)
            if events is None:
                raise already_closed(request)
            self._back.published(self.session_id, events)
        self._asks.pop(request.id, None)
        outcome: dict[str, Any] = {"outcome": answer["outcome"]}
        if option:
            outcome["optionId"] = option["id"]
        if feedback:
            outcome["_meta"] = {"sayso": {"feedback": feedback}}
        if not held[1].answer.done():
            held[1].answer.set_result(outcome)
        self._back.inbox_changed()
        self._refresh()
        return answer

    async def stop(self, state: SessionState, reason: dict[str, Any] | None = None, *, quick: bool = False) -> None:
        """End the turn, then the agent and all it started. ``quick`` gives it half a second instead of two."""
        if self._ending is None:
            self._ending = asyncio.ensure_future(self._stop(state, reason, quick))
        await asyncio.shield(self._ending)

    async def _stop(self, state: SessionState, reason: dict[str, Any] | None, quick: bool) -> None:
        turn = self._turn
        if turn is not None and self._link is not None:
            await self.cancel_turn()
            await asyncio.wait({turn.prompt.ended}, timeout=0.5 if quick else STOP_WAIT)
        stopped_by_host = state is SessionState.INTERRUPTED
        await self._end("interrupted" if stopped_by_host else "cancelled", state, reason, quick=quick)

    def _lost(self, why: str | None = None) -> None:
        # Called for every sign that the agent is gone; the first one counts.
        if not self._ready or self._ending is not None:
            return
        self._ending = asyncio.ensure_future(self._end_lost(why))

    async def _end_lost(self, why: str | None) -> None:
        link = self._live()
        waiter = asyncio.ensure_future(link.process.wait())
        await asyncio.wait({waiter}, timeout=0.5)
        waiter.cancel()
        await link.process.settle_stderr()
        code = link.process.returncode
        if why is None:
            why = "closed its connection" if code is None else f"ended by itself ({_exit_words(code)})"
        message = f"{self.provider.name} {why}. Send a message to start it again."
        tail = link.process.stderr_tail()
        reason = {"code": "agent_ended", "message": message, "stderr": tail, "returncode": code}
        await self._end("interrupted", SessionState.INTERRUPTED, reason, error(message, "agent_ended", tail))

    async def _end(
        self,
        stop_reason: str,
        state: SessionState,
        reason: dict[str, Any] | None,
        failure: Draft | None = None,
        *,
        quick: bool = False,
    ) -> None:
        link = self._link
        if link is not None:
            await self._back.launcher.end(link, state.value, eof_wait=0.5 if quick else None)
        await self._withdraw("end")
        turn = self._turn
        before = (failure,) if failure is not None else ()
        if turn is not None:
            fault = SaysoError(failure.data["message"]) if failure is not None else None
            self._intake.put(_TurnOver(turn, TurnResult(stop_reason, turn.answer, error=fault), before), urgent=True)
            await turn.prompt.ended
        elif before:
            await self._say(list(before))
        self._ready = False
        self.end_reason = reason
        self._become(state)
        self.queue.end(TurnResult("interrupted"))
        await self._tasks.close()

    async def _watch_cancel(self, turn: Turn) -> None:
        await asyncio.wait({turn.prompt.ended}, timeout=self._cancel_wait)
        if not turn.prompt.ended.done():
            self._lost(f"did not stop within {self._cancel_wait:.0f} s and was ended")

    def _hear(self, entry: Incoming) -> None:
        link = self._link
        if link is None or not self._ready:
            if len(self._early) < _EARLY_LIMIT:
                self._early.append(entry)
            return
        if entry.agent_session_id == link.agent_session_id:
            self._intake.put(entry, urgent=isinstance(entry, PermissionAsk))
        elif isinstance(entry, PermissionAsk) and not entry.answer.done():
            entry.answer.set_result({"outcome": "cancelled"})

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
                    case _Say():
                        if entry.turn is not None:
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
        modes = link.modes.after(update)
        if modes is not link.modes:
            changed = modes.mode != link.modes.mode
            link.modes = modes
            self._on_change(self)
            return [_mode_event(link)] if changed and modes.mode.current is not None else []
        if update.get("sessionUpdate") == "session_info_update" and isinstance(update.get("title"), str):
            self.title = update["title"].strip() or None
            self._on_change(self)
        drafts = self._reader.read(update)
        for draft in drafts:
            if draft.kind is Kind.AGENT and self._turn is not None:
                self._turn.hear(draft.item_id, draft.data["text"])
            elif draft.kind is Kind.TOOL_CALL and draft.item_id is not None:
                self._fold_call(draft.item_id, draft.data)
        return drafts

    def _fold_call(self, call_id: str, data: dict[str, Any]) -> dict[str, Any]:
        call = {**self._calls.get(call_id, {}), **data}
        self._calls[call_id] = {
            key: call[key] for key in ("title", "kind", "input", "locations", "name") if key in call
        }
        if data.get("status") == "completed" and call.get("kind") in _ACTS:
            self._acted = True
        return call

    async def _ask(self, ask: PermissionAsk, before: list[Draft]) -> None:
        options = options_of(ask.options)
        if not options or (self._turn is not None and self._turn.cancelling) or self._ending is not None:
            await self._store(before)
            ask.answer.set_result({"outcome": "cancelled"})
            return
        self._asked = True
        announced = self._reader.call(ask.tool_call)
        call_id = str(ask.tool_call.get("toolCallId", ""))
        call = {"id": call_id, **self._fold_call(call_id, announced[0].data if announced else {})}
        request = PermissionRequest(
            new_id(Prefix.REQUEST), self.session_id, self._root, summary_of(call), tuple(options), tool_call=call
        )
        shown = Draft(
            Kind.PERMISSION,
            {"tool_call_id": call_id, "title": request.summary, "options": options},
            request.id,
        )
        self._asks[request.id] = (request, ask)
        async with self._writing:
            events = await self._patiently(
                lambda: self._back.permissions.open(
                    request, coalesce([*before, *announced]), shown, turn=self._turn_count
                )
            )
            self._back.published(self.session_id, events)
        self._back.inbox_changed()
        self._refresh()

    async def _withdraw(self, by: str) -> None:
        for request, _ in list(self._asks.values()):
            try:
                await self.answer(request, None, by=by)
            except SaysoError as gone:
                _log.debug("withdrawing %s: %s", request.id, gone)

    async def _finish(self, entry: _TurnOver, before: list[Draft]) -> None:
        if self._turn is not entry.turn:
            await self._store(before)
            return
        result = entry.result
        await self._store(before)
        await self._withdraw("turn_end")
        open_status = "cancelled" if result.stop_reason == "cancelled" else "unfinished"
        end: dict[str, Any] = {"stop_reason": result.stop_reason}
        if result.usage:
            end["usage"] = result.usage
        if result.structured:
            end["structured"] = result.structured
        drafts = [*self._reader.close_calls(open_status), *entry.before]
        if self._acted and not self._asked and self.provider.asks in ("client", "own_config") and self._should_ask():
            self._acted = False
            drafts.append(notice(f"{self.provider.name} edited files or ran commands. It did not ask.", "did_not_ask"))
        await self._store([*drafts, Draft(Kind.TURN_END, end)])
        self._turn = None
        self._calls.clear()
        if not entry.turn.prompt.ended.done():
            entry.turn.prompt.ended.set_result(
                TurnResult(result.stop_reason, entry.turn.answer, result.structured, result.usage, result.error)
            )
        if self._ending is None:
            self._pump()
            self._refresh()

    def _should_ask(self) -> bool:
        mode = self._live().modes.mode.current
        return self.provider.ask_mode is not None and mode == self.provider.ask_mode

    def _pump(self) -> None:
        if self._turn is not None or self._ending is not None or not self._ready:
            return
        prompt = self.queue.next()
        if prompt is None:
            return
        self._turn_count += 1
        self._turn = Turn(self._turn_count, prompt)
        self._refresh()
        self._tasks.start(self._run(self._turn), name=f"turn {self._turn_count}")

    async def _run(self, turn: Turn) -> None:
        link, prompt = self._live(), turn.prompt
        said: dict[str, Any] = {"text": prompt.text}
        if prompt.origin != "user":
            said["origin"] = prompt.origin
        await self._say([Draft(Kind.TURN_START, {}), Draft(Kind.USER, said, prompt.id)], turn)
        before: tuple[Draft, ...] = ()
        if turn.cancelling:
            result = TurnResult("cancelled")
        else:
            try:
                response = await link.connection.prompt(link.agent_session_id, prompt.text, prompt.meta)
                result = _result(response)
            except OSError:
                self._lost()
                return
            except SaysoError as refused:
                result = TurnResult("error", error=refused)
                before = (error(refused.message, refused.code.value, link.process.stderr_tail(500)),)
        self._intake.put(_TurnOver(turn, result, before), urgent=True)

    async def _say(self, drafts: list[Draft], turn: Turn | None = None) -> None:
        if not drafts and turn is None:
            return
        stored: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._intake.put(_Say(drafts, stored, turn), urgent=True)
        await stored

    async def _store(self, drafts: list[Draft]) -> None:
        if not drafts:
            return
        async with self._writing:
            events = await self._patiently(
                lambda: self._back.log.append(self.session_id, drafts, turn=self._turn_count)
            )
            self._back.published(self.session_id, events)

    async def _patiently(self, write: Callable[[], Any]) -> list[TranscriptEvent]:
        # A full disk must not lose what an agent said: nothing is shown before it is stored, and the intake's brake
        # holds the agent until there is room.
        while True:
            try:
                return await write()
            except SaysoError as failure:
                if failure.code is ErrorCode.HOST_UNAVAILABLE:
                    raise
                _log.warning("session %s waits for storage: %s", self.session_id, failure)
                await asyncio.sleep(_RETRY_SECONDS)

    async def _mode_changed(self) -> None:
        await self._say([_mode_event(self._live())])
        self._on_change(self)

    def _live(self) -> Link:
        if self._link is None:
            raise SaysoError("The agent of this session is not running. Send it a message to start it again.")
        return self._link

    def _refresh(self) -> None:
        if self._ending is not None:
            self._on_change(self)
            return
        if self._asks:
            self._become(SessionState.WAITING)
        else:
            self._become(SessionState.WORKING if self._turn is not None else SessionState.IDLE)

    def _become(self, state: SessionState) -> None:
        self.state = state
        self._on_change(self)


def _mode_event(link: Link) -> Draft:
    mode = link.modes.mode
    return Draft(Kind.MODE, {"mode": mode.current, "mode_name": mode.name_of(mode.current)})


def _result(response: dict[str, Any]) -> TurnResult:
    meta: dict[str, Any] = response.get("_meta") or {}
    own: Any = meta.get("sayso")
    structured: Any = own.get("result") if isinstance(own, dict) else None  # pyright: ignore[reportUnknownMemberType]
    return TurnResult(
        str(response.get("stopReason") or "end_turn"),
        structured=structured if isinstance(structured, dict) else None,  # pyright: ignore[reportUnknownArgumentType]
        usage=response.get("usage"),
    )


def _exit_words(code: int) -> str:
    return f"exit code {code}" if code >= 0 else f"signal {-code}"
