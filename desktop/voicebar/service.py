"""The voice path of a window: microphone, recogniser, intent, card, and the door.

Everything runs in owned tasks and on threads; the bar gets a :class:`VoiceView` after each step. Audio stays in memory.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtCore import QCoreApplication

from actions.catalog.spec import Effect
from actions.errors import SaysoError
from actions.tasks import TaskOwner
from desktop.subscriptions import Listeners
from desktop.voicebar.state import CardField, VoiceCard, VoiceState, VoiceView

if TYPE_CHECKING:
    from actions.catalog.registry import Catalog
    from voice.capture import SoundSource
    from voice.dialogue.host import AsyncCall, VoiceHost
    from voice.dialogue.turn import Turn, TurnResult
    from voice.dialogue.understanding import Understanding
    from voice.intent.model import Intent, World
    from voice.recognition.worker import AsyncRecognizer

QUIETEST_DB = -60.0


class OpenMicrophone(Protocol):
    """Opens what is listened to; raises MicrophoneError with what a person can do."""

    def __call__(self) -> AbstractAsyncContextManager[SoundSource]: ...


@dataclass(frozen=True)
class Surroundings:
    """What the path needs of its window and machine.

    ``call`` reaches the host, ``recognizer`` is made on first use, ``session`` names the session in front.
    """

    call: AsyncCall
    recognizer: Callable[[], AsyncRecognizer]
    microphone: OpenMicrophone
    session: Callable[[], str | None]
    workspace: Callable[[], str | None]
    language: str = "en"


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
        self._release = asyncio.Event()
        self._discard = False
        self._open: _Open | None = None
        self._busy: asyncio.Task[None] | None = None
        self._catalog: Catalog | None = None
        self._understood: Understanding | None = None
        self._recognizer: AsyncRecognizer | None = None

    def warm(self) -> None:
        """Load catalog and model in the background, so that the first word is not waited for."""
        self._start(self._warm(), "warm")

    async def close(self) -> None:
        """Stop listening and let the model go."""
        await self._tasks.close()
        if self._recognizer is not None:
            await self._recognizer.close()

    def subscribe(self, listener: Callable[[VoiceView], None]) -> AbstractContextManager[None]:
        listener(self._view)
        return self._listeners.subscribe(listener)

    def start_listening(self) -> None:
        if self._busy is not None and not self._busy.done():
            return
        self._release = asyncio.Event()
        self._discard = False
        self._start(self._listen(), "listen")

    def stop_listening(self, *, discard: bool = False) -> None:
        self._discard = discard
        self._release.set()

    async def answer_start(self, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """The host asks this window to listen."""
        self.start_listening()
        return {"listening": True}

    async def answer_stop(self, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """The host asks this window to stop listening."""
        self.stop_listening(discard=bool(arguments.get("discard")))
        return {"listening": False}

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
        self._start(self._act((text,)), "text")

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
        from voice.audio.devices import AudioState, input_devices

        self._show(VoiceState.LOADING)
        devices = await asyncio.to_thread(input_devices)
        await self._understanding()
        await self._ear().warm(self._around.language)
        if devices.state is AudioState.OK:
            self._show(VoiceState.READY)
        else:
            self._show(VoiceState.NO_MICROPHONE)

    async def _listen(self) -> None:
        from voice.audio.vad import VoiceActivity
        from voice.capture import HOLD, NoSpeech, Utterance, listen
        from voice.dialogue.readback_age import in_time
        from voice.intent.confirm import confirm

        vad = await asyncio.to_thread(VoiceActivity)
        async with self._around.microphone() as source:
            captured = await listen(source, vad, rules=HOLD, release=self._release, on_level=self._on_level)
        spoken = time.monotonic()
        if self._discard or isinstance(captured, NoSpeech):
            self._show(VoiceState.READY, message="" if self._discard else _nothing_heard())
            return
        if not isinstance(captured, Utterance):
            self._show(VoiceState.FAILED, message=captured.message)
            return
        self._show(VoiceState.RECOGNISING)
        understanding = await self._understanding()
        world = await self._world(understanding)
        transcript = await self._ear().transcribe(
            captured.audio, language=self._around.language, bias=understanding.bias(world), hypotheses=5
        )
        if not transcript.text:
            self._show(VoiceState.READY, message=_nothing_heard())
            return
        if self._open is not None and (answer := confirm(transcript.text, self._open.card.title)) != "unclear":
            if in_time(answer, shown=self._open.shown, spoken=spoken):
                await self._settle(answer)
            else:  # Asked anew: the card is what the next yes is for.
                self._open = replace(self._open, shown=time.monotonic())
                self._show(VoiceState.CARD, card=self._open.card)
            return
        await self._act((transcript.text, *transcript.alternatives), world)

    async def _act(self, texts: tuple[str, ...], world: World | None = None) -> None:
        """Understand, and show the card, or run at once what only reads or navigates."""
        self._show(VoiceState.RECOGNISING)
        understanding = await self._understanding()
        world = world or await self._world(understanding)
        intent = await understanding.hear(texts, world, "zh" if self._around.language.startswith("zh") else "en")
        turn = self._turn(world.context.current_session)
        card = self._card(intent, world)
        if card is None:
            self._open = None
            self._show(VoiceState.FAILED, message=_no_command(texts[0], [a.title for a in intent.alternatives[:3]]))
            return
        self._open = _Open(intent, turn, card)
        self._show(VoiceState.RUNNING, card=card)
        await self._shown(await turn.carry_out(intent))

    async def _settle(self, answer: str) -> None:
        """The person answered the card."""
        found = self._open
        if found is None:
            return
        said = "yes" if answer == "yes" else "no"
        self._show(VoiceState.RUNNING, card=found.card)
        if found.approval_id is not None:
            await self._shown(await found.turn.settle(found.approval_id, said))
        elif said == "no":
            self._open = None
            self._show(VoiceState.READY, message=QCoreApplication.translate("LocalVoice", "Not done."))
        else:
            await self._shown(await found.turn.carry_out(found.intent, "yes"))

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
            return
        self._open = None
        state = VoiceState.FAILED if result.state in (TurnState.FAILED, TurnState.NOTHING) else VoiceState.DONE
        self._show(state, message=result.message)

    async def _asked(self, approval_id: str) -> tuple[CardField, ...]:
        """The rows of the request as it is stored: with the session and the defaults that the door filled in."""
        envelope = await self._host(None).execute("approval.request.get", {"approval_id": approval_id}, repeatable=True)
        rows = (envelope.get("data") or {}).get("fields") or []
        return tuple(CardField(str(row["title"]), str(row["value"])) for row in rows)

    def _card(self, intent: Intent, world: World) -> VoiceCard | None:
        spec = self._catalog.get(intent.action) if self._catalog is not None and intent.action else None
        if spec is None or self._catalog is None:
            return None
        fields = {f.path: f for f in self._catalog.form(spec, self._around.language)}
        rows = [
            CardField(fields[path].title, _words(world, spec.id, path, value), path in intent.missing)
            for path, value in intent.input.items()
            if path in fields
        ]
        rows += [CardField(fields[p].title, "", True) for p in intent.missing if p in fields and p not in intent.input]
        return VoiceCard(
            heard=intent.heard,
            action=spec.id,
            title=spec.title.in_language(self._around.language),
            fields=tuple(rows),
            confidence=intent.confidence,
            readback=intent.readback,
            confirmable=not intent.missing,
            danger=spec.effect is Effect.DANGER,
            input=dict(intent.input),
        )

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

    def _ear(self) -> AsyncRecognizer:
        if self._recognizer is None:
            self._recognizer = self._around.recognizer()
        return self._recognizer

    def _on_level(self, decibel: float, speaking: bool) -> None:
        self._show(VoiceState.LISTENING, level=max(0.0, min(1.0, 1.0 - decibel / QUIETEST_DB)))

    def _show(self, state: VoiceState, *, level: float = 0.0, message: str = "", card: VoiceCard | None = None) -> None:
        self._view = VoiceView(state, level, message, card)
        self._listeners.tell(self._view)


def _nothing_heard() -> str:
    return QCoreApplication.translate("LocalVoice", "No speech was heard.")


def _no_command(heard: str, near: Sequence[str]) -> str:
    said = QCoreApplication.translate("LocalVoice", "I heard “{0}”, which is no command.").format(heard)
    if not near:
        return said
    names = ", ".join(f"“{title}”" for title in near)
    return said + " " + QCoreApplication.translate("LocalVoice", "Near: {0}.").format(names)


def _words(world: World, action: str, path: str, value: Any) -> str:
    """A value as a person reads it: the labels of options, else its text."""
    labels: Mapping[Any, str] = {o.value: o.label for o in world.options.get((action, path), ())}
    values = value if isinstance(value, list | tuple) else [value]
    return ", ".join(labels.get(entry, str(entry)) for entry in values)
