"""The voice path of a window: microphone, recogniser, intent, card, and the door.

Everything runs in owned tasks and on threads; the bar gets a :class:`VoiceView` after each step. Audio stays in memory.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication

from actions.errors import SaysoError
from actions.tasks import TaskOwner
from desktop.subscriptions import Listeners
from desktop.voicebar.cards import (
    card_of,
    changeable,
    no_command,
    nothing_heard,
    nothing_to_repeat,
    nothing_to_undo,
    what_to_say,
)
from desktop.voicebar.ear import Ear, no_microphone
from desktop.voicebar.state import CardField, VoiceCard, VoiceState, VoiceView
from desktop.voicebar.surroundings import Surroundings
from desktop.voicebar.trial import Trial

if TYPE_CHECKING:
    from actions.catalog.registry import Catalog
    from voice.audio.format import Audio
    from voice.capture import Captured
    from voice.dialogue.host import VoiceHost
    from voice.dialogue.turn import Turn, TurnResult
    from voice.dialogue.understanding import Understanding
    from voice.dialogue.undo import Undo
    from voice.intent.model import Intent, Language, World
    from voice.intent.remarks import Remark

QUIETEST_DB = -60.0
LOOK_AGAIN_S = 3.0  # between two looks for a microphone, while there is none
MESSAGE_S = 4.0  # that a result stays in the bar while it listens without a key


@dataclass
class _Open:
    """What the card on screen is about."""

    intent: Intent
    turn: Turn
    card: VoiceCard
    approval_id: str | None = None
    shown: float = field(default_factory=time.monotonic)


class LocalVoice:
    """Implements :class:`~desktop.voicebar.state.VoiceService`."""

    def __init__(self, around: Surroundings) -> None:
        self._around = around
        self._listeners: Listeners[VoiceView] = Listeners()
        self._view = VoiceView(VoiceState.LOADING)
        self._tasks = TaskOwner("voice")
        self._message_until = 0.0
        self._open: _Open | None = None
        self._dictated: Callable[[str], None] | None = None
        self._last = ""
        self._undo: Undo | None = None
        self._before: Mapping[str, Any] = {}
        self._busy: asyncio.Task[None] | None = None
        self._catalog: Catalog | None = None
        self._understood: Understanding | None = None
        self._ear = Ear(around, self._take, self._on_level)

    def warm(self) -> None:
        """Load catalog and model in the background, so that the first word is not waited for."""
        self._start(self._warm(), "warm")
        self._tasks.start(self._watch_devices(), name="devices")

    async def close(self) -> None:
        """Stop listening and let the model go."""
        await self._tasks.close()
        if self._around.speaker is not None:
            await self._around.speaker.close()
        await self._ear.close()

    def subscribe(self, listener: Callable[[VoiceView], None]) -> AbstractContextManager[None]:
        listener(self._view)
        return self._listeners.subscribe(listener)

    def start_listening(self) -> None:
        """Open the microphone for one utterance; while it listens without a key, it is open already."""
        if not self._is_busy():
            self._ear.begin()
            self._start(self._ear.once(toggle=self._around.settings().mode == "toggle"), "listen")

    def dictate(self, take: Callable[[str], None]) -> None:
        """Listen once: what is said is text for ``take`` and no command. Once more: take what was said until now."""
        if self._dictated is not None:
            self._ear.stop()
        elif not self._is_busy():
            self._ear.begin()
            self._dictated = take
            self._start(self._ear.once(toggle=True), "dictate")

    def _is_busy(self) -> bool:
        return self._ear.hands_free or (self._busy is not None and not self._busy.done())

    def tapped(self) -> None:
        """The key was only tapped: what is being listened to ends by itself when the speaker is quiet."""
        self._ear.tap()

    def stop_listening(self, *, discard: bool = False) -> None:
        self._ear.stop(discard=discard)

    def switch_hands_free(self) -> None:
        """Listen without a key from now on, or stop."""
        if self._ear.hands_free:
            self.stop_listening(discard=True)
        elif not self._is_busy():
            self._ear.begin()
            self._start(self._listen_on(), "hands-free")

    async def answer_start(self, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """The host asks this window to listen: ``mode`` is ``hold``, ``toggle`` or ``hands_free``."""
        if arguments.get("mode") == "hands_free":
            if not self._ear.hands_free:
                self.switch_hands_free()
        else:
            self.start_listening()
            if arguments.get("mode") == "toggle":
                self.tapped()
        return {"listening": True}

    async def answer_stop(self, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """The host asks this window to stop listening."""
        self.stop_listening(discard=bool(arguments.get("discard")))
        return {"listening": False}

    def trial(self, on_level: Callable[[float, bool], None]) -> Trial:
        """A round trip through the same microphone, model and words, which executes nothing."""
        around = replace(self._around, recognizer=lambda: self._ear.recognizer)
        return Trial(around, self._understanding, self._world, on_level)

    def confirm(self) -> None:
        if self._open is not None and self._view.state is VoiceState.CARD:
            self._start(self._settle("yes"), "confirm")

    def cancel(self) -> None:
        if self._open is not None and self._view.state is VoiceState.CARD:
            self._start(self._settle("no"), "cancel")

    def request_settled(self, approval_id: str) -> None:
        """The request of the card was decided elsewhere, in the inbox say: the card has nothing more to ask."""
        if self._open is not None and self._open.approval_id == approval_id and self._view.state is VoiceState.CARD:
            self._open = None
            self._show(VoiceState.READY)

    def hear_text(self, text: str) -> None:
        """Take a text as if it had been recognised: for what is typed, and for the repair of a misheard one."""
        self._start(self._hear((text,)), "text")

    async def idle(self) -> VoiceView:
        """The view once what runs has come to rest: a card, done or failed."""
        if self._busy is not None:
            await asyncio.wait({self._busy})
        return self._view

    def _start(self, work: Any, name: str) -> None:
        self._busy = self._tasks.start(self._guarded(work), name=name)

    async def _guarded(self, work: Any) -> None:
        from voice.audio.microphone import MicrophoneError, MicrophoneTrouble
        from voice.recognition.weights import WeightsMissing

        try:
            await work
        except MicrophoneError as error:
            missing = error.trouble in (MicrophoneTrouble.NO_DEVICE, MicrophoneTrouble.NO_PORTAUDIO)
            self._show(VoiceState.NO_MICROPHONE if missing else VoiceState.FAILED, message=error.message)
        except WeightsMissing as error:
            self._show(VoiceState.NO_MODEL, message=error.message)
        except SaysoError as error:
            self._show(VoiceState.FAILED, message=error.message)

    async def _warm(self) -> None:
        self._show(VoiceState.LOADING)
        missing = await no_microphone()
        await self._understanding()
        await self._ear.recognizer.warm(self._spoken)
        self._show(VoiceState.NO_MICROPHONE if missing else VoiceState.READY, message=missing)

    async def _watch_devices(self) -> None:
        """A microphone that is plugged in later is used at once."""
        while True:
            await asyncio.sleep(LOOK_AGAIN_S)
            if self._view.state is VoiceState.NO_MICROPHONE and not await no_microphone():
                self._show(VoiceState.READY)

    async def _listen_on(self) -> None:
        try:
            await self._ear.on()
        finally:
            if self._view.state in (VoiceState.LISTENING, VoiceState.HEARING) or self._view.hands_free:
                self._tell(replace(self._view, hands_free=False, state=_rest(self._view)))

    async def _take(self, captured: Captured) -> None:
        """Recognise what was said, and do what it asks for."""
        from voice.capture import NoSpeech, Utterance

        spoken = time.monotonic()
        dictated, self._dictated = self._dictated, None
        if self._ear.discard or isinstance(captured, NoSpeech):
            self._show(VoiceState.READY, message="" if self._ear.discard else nothing_heard())
            return
        if not isinstance(captured, Utterance):
            self._show(VoiceState.FAILED, message=captured.message)
            return
        self._show(VoiceState.RECOGNISING, card=self._open.card if self._open else None)
        understanding = await self._understanding()
        world = await self._world(understanding)
        transcript = await self._ear.recognizer.transcribe(
            captured.audio, language=self._spoken, bias=understanding.bias(world, self._tongue), hypotheses=5
        )
        if not transcript.text:
            self._show_again(nothing_heard())
        elif dictated is not None:
            dictated(transcript.text)
            self._show_again("")
        else:
            await self._hear((transcript.text, *transcript.alternatives), world, spoken, captured.audio)
            self._message_until = time.monotonic() + MESSAGE_S

    async def _hear(
        self,
        texts: tuple[str, ...],
        world: World | None = None,
        spoken: float | None = None,
        audio: Audio | None = None,
    ) -> None:
        """An answer to the open card, a remark on the dialogue, or a command."""
        from voice.dialogue.readback_age import in_time
        from voice.intent.confirm import confirm
        from voice.intent.remarks import remark

        found, spoken = self._open, time.monotonic() if spoken is None else spoken
        if found is not None and (answer := confirm(texts[0], found.card.title)) != "unclear":
            if answer == "yes" and not found.card.confirmable:
                self._ask_again(found)
            elif in_time(answer, shown=found.shown, spoken=spoken):
                await self._settle(answer, age_s=max(0.0, spoken - found.shown))
            else:  # Asked anew: the card is what the next yes is for.
                self._ask_again(found)
            return
        if (said := remark(texts[0])) is not None:
            await self._remark(said, world)
            return
        if found is not None and found.intent.missing:
            world = world or await self._world(await self._understanding())
            filled = await (await self._understanding()).answer(found.intent, texts[0], world, self._tongue)
            command = await (await self._understanding()).hear(texts, world, self._tongue)
            if filled is not None and command.tier != "sure":
                await self._carry(filled, world, found.turn)
                return
        await self._act(texts, world, audio)

    async def _remark(self, said: Remark, world: World | None) -> None:
        from voice.intent.remarks import About

        match said.about:
            case About.REPEAT:
                if self._open is not None:
                    self._ask_again(self._open)
                else:
                    self._show(VoiceState.DONE, message=self._last or nothing_to_repeat())
                    self._say(self._last, always=True)
            case About.HELP:
                understanding = await self._understanding()
                self._show(VoiceState.DONE, message=what_to_say(understanding.sayable(self._tongue)))
            case About.UNDO:
                await self._take_back()
            case About.CORRECTION:
                await self._correct(said.rest, world)

    async def _correct(self, meant: str, world: World | None) -> None:
        """Another value for the open card, else another command in its place."""
        understanding = await self._understanding()
        world = world or await self._world(understanding)
        found = self._open
        command = await understanding.hear(meant, world, self._tongue)
        if found is not None and command.action is None:
            for field in changeable(self._catalog, found.intent):
                asked = replace(found.intent, missing=(field, *(m for m in found.intent.missing if m != field)))
                if (filled := await understanding.answer(asked, meant, world, self._tongue)) is not None:
                    await self._drop(found)
                    await self._carry(filled, world, self._turn(world.context.current_session))
                    return
        if found is not None:
            await self._drop(found)
        await self._act((meant,), world)

    async def _drop(self, found: _Open) -> None:
        """What the card asked about was not meant: its request is rejected, not left in the inbox."""
        self._open = None
        if found.approval_id is not None:
            await found.turn.settle(found.approval_id, "no")

    async def _take_back(self) -> None:
        undo, self._undo = self._undo, None
        if self._open is not None:
            await self._settle("no")
        elif undo is None:
            self._show(VoiceState.FAILED, message=nothing_to_undo())
        else:
            understanding = await self._understanding()
            world = await self._world(understanding)
            await self._carry(understanding.intent_of(undo.action, undo.input, world, self._tongue), world)

    async def _act(self, texts: tuple[str, ...], world: World | None = None, audio: Audio | None = None) -> None:
        """Understand, and show the card, or run at once what only reads or navigates."""
        self._show(VoiceState.RECOGNISING)
        understanding = await self._understanding()
        world = world or await self._world(understanding)
        intent = await understanding.hear(texts, world, self._tongue)
        if self._around.keeper is not None:
            await asyncio.to_thread(self._around.keeper.keep, self._around.settings(), audio, intent)
        if self._open is not None and self._card(intent, world) is None:
            near = no_command(texts[0], [a.title for a in intent.alternatives[:3]])
            self._show(VoiceState.CARD, card=replace(self._open.card, question=f"{near} {self._open.card.question}"))
            return
        if self._open is not None:
            await self._drop(self._open)
        await self._carry(intent, world)

    async def _carry(self, intent: Intent, world: World, turn: Turn | None = None) -> None:
        card = self._card(intent, world)
        if card is None:
            self._open = None
            message = no_command(intent.heard, [a.title for a in intent.alternatives[:3]])
            self._show(VoiceState.FAILED, message=message)
            return
        turn = turn or self._turn(world.context.current_session)
        self._open = _Open(intent, turn, card)
        self._show(VoiceState.RUNNING, card=card)
        self._before = await self._looked_at(intent)
        await self._shown(await turn.carry_out(intent))

    async def _looked_at(self, intent: Intent) -> Mapping[str, Any]:
        """The session before it is changed, for what takes the change back."""
        from voice.dialogue.undo import needs_before

        session = intent.input.get("session_id") or self._around.session()
        if intent.action is None or not needs_before(intent.action) or session is None:
            return {}
        shown = await self._host(None).execute("session.status.get", {"session_id": session}, repeatable=True)
        return shown.get("data") or {}

    async def _settle(self, answer: str, *, age_s: float = 0.0) -> None:
        """The person answered the card: by voice, ``age_s`` after it was read back, or by a key or click, at once."""
        found = self._open
        if found is None:
            return
        said = "yes" if answer == "yes" else "no"
        self._show(VoiceState.RUNNING, card=found.card)
        if found.approval_id is not None:
            await self._shown(await found.turn.settle(found.approval_id, said, age_s=age_s))
        elif said == "no":
            self._open = None
            self._show(VoiceState.READY, message=QCoreApplication.translate("LocalVoice", "Not done."))
        else:
            await self._shown(await found.turn.carry_out(found.intent, "yes", age_s=age_s))

    async def _shown(self, result: TurnResult) -> None:
        from voice.dialogue.turn import TurnState

        found = self._open
        if found is not None and result.state in (TurnState.PENDING, TurnState.ASKING):
            missing = result.state is TurnState.ASKING and bool(found.intent.missing)
            fields = () if result.approval_id is None else await self._asked(result.approval_id)
            card = replace(
                found.card,
                fields=fields or found.card.fields,
                question=result.message,
                confirmable=not missing,
                approval_id=result.approval_id,
            )
            self._open = _Open(found.intent, found.turn, card, result.approval_id)
            self._show(VoiceState.CARD, card=card)
            self._say(card.question or card.readback)
            return
        if found is not None and result.state is TurnState.COMPLETED and found.intent.action is not None:
            from voice.dialogue.undo import undo_of

            self._undo = undo_of(found.intent.action, found.intent.input, self._before)
        self._open = None
        self._last = result.message
        self._say(result.message, long=True)
        state = VoiceState.FAILED if result.state in (TurnState.FAILED, TurnState.NOTHING) else VoiceState.DONE
        self._show(state, message=result.message)

    async def _asked(self, approval_id: str) -> tuple[CardField, ...]:
        """The rows of the request as it is stored: with the session and the defaults that the door filled in."""
        envelope = await self._host(None).execute("approval.request.get", {"approval_id": approval_id}, repeatable=True)
        rows = (envelope.get("data") or {}).get("fields") or []
        return tuple(CardField(str(row["title"]), str(row["value"])) for row in rows)

    def _card(self, intent: Intent, world: World) -> VoiceCard | None:
        return None if self._catalog is None else card_of(self._catalog, intent, world, self._around.language)

    async def _understanding(self) -> Understanding:
        if self._understood is None:
            self._catalog, self._understood = await asyncio.to_thread(self._understand)
        return self._understood

    def _understand(self) -> tuple[Catalog, Understanding]:
        from actions.catalog.registry import load
        from voice.dialogue.understanding import Understanding

        catalog = load()
        return catalog, Understanding(catalog, self._host(None))

    async def _world(self, understanding: Understanding) -> World:
        from voice.dialogue.context import context_of

        return await understanding.world(await context_of(self._host(None), self._around.session()))

    def _host(self, session_id: str | None) -> VoiceHost:
        from voice.dialogue.host import VoiceHost

        return VoiceHost(
            self._around.call,
            language=self._around.language,
            session_id=session_id,
            workspace=self._around.workspace(),
        )

    def _turn(self, session_id: str | None) -> Turn:
        from voice.dialogue.turn import Turn

        assert self._catalog is not None
        return Turn(self._catalog, self._host(session_id), lambda: uuid.uuid4().hex)

    def _on_level(self, decibel: float, speaking: bool) -> None:
        level = max(0.0, min(1.0, 1.0 - decibel / QUIETEST_DB))
        if self._around.speaker is not None and speaking and self._around.speaker.speaking:
            self._around.speaker.quiet()
        if not speaking and self._ear.hands_free and (self._open is not None or time.monotonic() < self._message_until):
            # The card, or what came of the last command, stays to be read.
            self._tell(replace(self._view, level=level, hands_free=True))
            return
        state = VoiceState.HEARING if speaking else VoiceState.LISTENING
        card = self._open.card if self._open is not None else None
        self._show(state, level=level, message=self._ear.partial if speaking else "", card=card)

    def _say(self, text: str, *, long: bool = False, always: bool = False) -> None:
        """Read aloud, where the settings want it: results are ``long``."""
        level = self._around.settings().speak
        if self._around.speaker is not None and text and (always or level == "all" or (level == "short" and not long)):
            self._tasks.start(self._around.speaker.say(text, self._around.language), name="speech")

    def _ask_again(self, found: _Open) -> None:
        self._open = replace(found, shown=time.monotonic())
        self._show(VoiceState.CARD, card=found.card)
        self._say(found.card.question or found.card.readback)

    def _show_again(self, message: str) -> None:
        """Nothing was heard: the card that asks stays."""
        if self._open is not None:
            self._show(VoiceState.CARD, card=self._open.card)
        else:
            self._show(VoiceState.READY, message=message)

    @property
    def _spoken(self) -> str:
        return self._around.settings().language

    @property
    def _tongue(self) -> Language:
        return "zh" if self._spoken.startswith("zh") else "en"

    def _show(self, state: VoiceState, *, level: float = 0.0, message: str = "", card: VoiceCard | None = None) -> None:
        self._tell(VoiceView(state, level, message, card, self._ear.hands_free))

    def _tell(self, view: VoiceView) -> None:
        self._view = view
        self._listeners.tell(view)


def _rest(view: VoiceView) -> VoiceState:
    """The state of a bar that has stopped listening."""
    if view.state in (VoiceState.LISTENING, VoiceState.HEARING):
        return VoiceState.READY if view.card is None else VoiceState.CARD
    return view.state
