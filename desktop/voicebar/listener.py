"""The voice path of the window: microphone, recognition, meaning, and the yes that runs it.

Nothing is sent to the host that changes anything before the user confirmed the card; what only reads runs at once.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace

from actions.catalog.registry import Catalog
from actions.errors import SaysoError
from actions.tasks import TaskOwner
from desktop.subscriptions import Listeners
from desktop.voicebar.cards import card_of
from desktop.voicebar.state import VoiceState, VoiceView
from voice.audio.devices import AudioState, input_devices
from voice.audio.format import Audio
from voice.audio.microphone import Microphone, MicrophoneError
from voice.audio.vad import VoiceActivity
from voice.capture import HOLD, MicrophoneProblem, Utterance, listen
from voice.dialogue.host import VoiceHost
from voice.dialogue.turn import Answer, Turn, TurnResult, TurnState
from voice.dialogue.understanding import Understanding
from voice.intent.model import Context, Intent, Language
from voice.recognition.worker import AsyncRecognizer

_LOOK_AGAIN_SECONDS = 5.0
_DONE_SECONDS = 5.0
_QUIET_DB, _LOUD_DB = -60.0, -12.0

Done = Callable[[str, TurnResult], None]


class VoiceListener:
    """Implements :class:`~desktop.voicebar.state.VoiceService`.

    ``session_of`` gives the session that "this session" means; ``done`` hears what a spoken command led to.
    """

    def __init__(
        self,
        catalog: Catalog,
        host: VoiceHost,
        recognizer: AsyncRecognizer,
        *,
        language: Language,
        session_of: Callable[[], str | None],
        done: Done,
    ) -> None:
        self._catalog = catalog
        self._host = host
        self._recognizer = recognizer
        self._language: Language = language
        self._session_of = session_of
        self._done = done
        self._understanding: Understanding | None = None
        self._listeners: Listeners[VoiceView] = Listeners()
        self._view = VoiceView()
        self._tasks = TaskOwner("voice")
        self._turn: asyncio.Task[None] | None = None
        self._release = asyncio.Event()
        self._intent: Intent | None = None

    @property
    def view(self) -> VoiceView:
        return self._view

    def subscribe(self, listener: Callable[[VoiceView], None]) -> AbstractContextManager[None]:
        listener(self._view)
        return self._listeners.subscribe(listener)

    def open(self) -> None:
        """Get ready in the background: the model, then a microphone."""
        self._tasks.start(self._prepare(), name="prepare")

    async def close(self) -> None:
        await self._tasks.close()
        await self._recognizer.close()

    def start_listening(self) -> None:
        if self._view.state not in (VoiceState.LOADING, VoiceState.NO_MODEL, VoiceState.OFF):
            self._release = asyncio.Event()
            self._begin(self._hear_microphone(self._release), "listen")

    def stop_listening(self, *, discard: bool = False) -> None:
        if discard:
            self.cancel()
        else:
            self._release.set()

    def take(self, audio: Audio) -> None:
        """Understand a recording (float32, mono, 16 kHz) as if the microphone had given it."""
        self._begin(self._understand(audio), "understand")

    def confirm(self) -> None:
        intent = self._intent
        if intent is not None and self._view.state is VoiceState.CARD:
            self._show(replace(self._view, state=VoiceState.RUNNING))
            self._begin(self._carry_out(intent, "yes"), "run", keep_card=True)

    def cancel(self) -> None:
        """Drop what is going on; a command that already runs is not taken back."""
        if self._view.state is not VoiceState.RUNNING:
            self._begin(None, "")
            self._show(VoiceView(VoiceState.READY))

    async def _prepare(self) -> None:
        self._show(VoiceView(VoiceState.LOADING))
        try:
            await self._recognizer.warm(self._language)
            self._understanding = await asyncio.to_thread(Understanding, self._catalog, self._host)
        except SaysoError as error:
            self._show(VoiceView(VoiceState.NO_MODEL, message=error.message))
            return
        while self._view.state in (VoiceState.LOADING, VoiceState.NO_MICROPHONE):
            found = await asyncio.to_thread(input_devices, rescan=True)
            if found.state is AudioState.OK and found.default is not None:
                self._show(VoiceView(VoiceState.READY))
            else:
                self._show(VoiceView(VoiceState.NO_MICROPHONE, message=found.message))
                await asyncio.sleep(_LOOK_AGAIN_SECONDS)

    async def _hear_microphone(self, release: asyncio.Event) -> None:
        self._show(VoiceView(VoiceState.LISTENING))
        try:
            vad = await asyncio.to_thread(VoiceActivity)
            async with Microphone() as microphone:
                captured = await listen(microphone, vad, rules=HOLD, release=release, on_level=self._on_level)
        except (MicrophoneError, SaysoError) as error:
            self._fail(error.message)
            return
        match captured:
            case Utterance(audio=audio):
                await self._understand(audio)
            case MicrophoneProblem(message=message):
                self._fail(message)
            case _:
                self._show(VoiceView(VoiceState.READY))

    def _on_level(self, decibel: float, speaking: bool) -> None:
        level = (decibel - _QUIET_DB) / (_LOUD_DB - _QUIET_DB)
        self._show(VoiceView(VoiceState.LISTENING, max(0.0, min(level, 1.0))))

    async def _understand(self, audio: Audio) -> None:
        self._show(VoiceView(VoiceState.RECOGNISING))
        try:
            understanding = self._understanding or await asyncio.to_thread(Understanding, self._catalog, self._host)
            self._understanding = understanding
            world = await understanding.world(Context(current_session=self._session_of()))
            bias = understanding.bias(world, self._language)
            heard = await self._recognizer.transcribe(audio, language=self._language, bias=bias)
            texts = [text for text in (heard.text, *heard.alternatives) if text]
            intent = await understanding.hear(texts if heard.text else "", world, self._language)
        except SaysoError as error:
            self._fail(error.message)
            return
        spec = self._catalog.get(intent.action) if intent.action else None
        if spec is None or (spec.effect.reads_only and intent.tier == "sure" and not intent.missing):
            await self._carry_out(intent, None)
            return
        self._intent = intent
        self._show(VoiceView(VoiceState.CARD, card=card_of(intent, spec, world, self._language)))

    async def _carry_out(self, intent: Intent, answer: Answer) -> None:
        turn = Turn(self._catalog, self._host.about(self._session_of()), lambda: uuid.uuid4().hex)
        try:
            result = await turn.carry_out(intent, answer)
        except SaysoError as error:
            self._fail(error.message)
            return
        self._intent = None
        failed = result.state in (TurnState.FAILED, TurnState.REJECTED)
        view = VoiceView(VoiceState.FAILED if failed else VoiceState.DONE, message=result.message)
        self._show(view)
        if intent.action is not None:
            self._done(intent.action, result)
        await asyncio.sleep(_DONE_SECONDS)
        if self._view is view:
            self._show(VoiceView(VoiceState.READY))

    def _fail(self, message: str) -> None:
        self._show(VoiceView(VoiceState.FAILED, message=message))

    def _begin(self, work: object, name: str, *, keep_card: bool = False) -> None:
        """One turn at a time: a new one ends the one before."""
        if self._turn is not None:
            self._turn.cancel()
        if not keep_card:
            self._intent = None
        self._turn = self._tasks.start(work, name=name) if asyncio.iscoroutine(work) else None

    def _show(self, view: VoiceView) -> None:
        self._view = view
        self._listeners.tell(view)
