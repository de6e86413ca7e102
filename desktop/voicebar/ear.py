"""The microphone as the voice path uses it: one utterance by key or click, or one after the other without a key."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from actions.tasks import TaskOwner
from desktop.voicebar.surroundings import Surroundings

if TYPE_CHECKING:
    from voice.audio.format import Audio
    from voice.capture import Captured
    from voice.recognition.worker import AsyncRecognizer


class Ear:
    """``heard`` takes each utterance, ``on_level`` the loudness (dB) of each moment and whether somebody speaks.

    ``partial`` is what was recognised so far of the utterance that is going on, where it ``guesses``.
    """

    def __init__(
        self,
        around: Surroundings,
        heard: Callable[[Captured], Awaitable[None]],
        on_level: Callable[[float, bool], None],
        *,
        guesses: bool = True,
    ) -> None:
        self._around = around
        self._heard = heard
        self._on_level = on_level
        self._guesses = guesses
        self._recognizer: AsyncRecognizer | None = None
        self._tasks = TaskOwner("ear")
        self._guessing: asyncio.Task[None] | None = None
        self._release, self._tapped = asyncio.Event(), asyncio.Event()
        self.hands_free = False
        self.discard = False
        self.partial = ""

    @property
    def recognizer(self) -> AsyncRecognizer:
        """Made on first use."""
        if self._recognizer is None:
            self._recognizer = self._around.recognizer()
        return self._recognizer

    async def close(self) -> None:
        """End what is recognised, and let the model go."""
        await self._tasks.close()
        if self._recognizer is not None:
            await self._recognizer.close()

    def begin(self) -> None:
        """Before :meth:`once` or :meth:`on`: what was pressed before is over."""
        self._release, self._tapped = asyncio.Event(), asyncio.Event()
        self.discard = False
        self.partial = ""
        if self._around.speaker is not None:
            self._around.speaker.quiet()

    def tap(self) -> None:
        """The key was only tapped: quiet ends the utterance."""
        self._tapped.set()

    def stop(self, *, discard: bool = False) -> None:
        """The key went up, or somebody wants no more of it."""
        self.discard = discard
        self.hands_free = False
        self._release.set()

    async def once(self, *, toggle: bool) -> None:
        """One utterance. Raises MicrophoneError."""
        from voice.audio.vad import VoiceActivity
        from voice.capture import HOLD, TOGGLE, listen

        vad = await asyncio.to_thread(VoiceActivity)
        async with self._around.microphone(self._around.settings().microphone) as source:
            captured = await listen(
                source,
                vad,
                rules=TOGGLE if toggle else HOLD,
                release=self._release,
                tapped=self._tapped,
                on_level=self._on_level,
                on_partial=self._on_partial if self._guesses else None,
            )
        await self._heard(captured)

    async def on(self) -> None:
        """Without a key: each stretch of speech is an utterance, until :meth:`stop`. Raises MicrophoneError."""
        from voice.audio.vad import VoiceActivity
        from voice.capture import HANDS_FREE, MicrophoneProblem, Utterance, listen

        vad = self._deaf(await asyncio.to_thread(VoiceActivity))
        self.hands_free = True
        try:
            async with self._around.microphone(self._around.settings().microphone) as source:
                while self.hands_free:
                    captured = await listen(
                        source,
                        vad,
                        rules=HANDS_FREE,
                        release=self._release,
                        on_level=self._on_level,
                        on_partial=self._on_partial if self._guesses else None,
                    )
                    self.partial = ""
                    if isinstance(captured, MicrophoneProblem):
                        self.hands_free = False
                        await self._heard(captured)
                    elif self.hands_free and isinstance(captured, Utterance):
                        await self._heard(captured)
        finally:
            self.hands_free = False

    def _deaf(self, vad: Callable[[Audio], float]) -> Callable[[Audio], float]:
        """Nothing is speech while we speak ourselves."""
        speaker = self._around.speaker
        return lambda window: 0.0 if speaker is not None and speaker.speaking else vad(window)

    def _on_partial(self, audio: Audio) -> None:
        """Looked at only while nothing else is recognised: it must not keep the whole utterance waiting."""
        if self._guessing is None or self._guessing.done():
            self._guessing = self._tasks.start(self._guess(audio), name="partial")

    async def _guess(self, audio: Audio) -> None:
        heard = await self.recognizer.transcribe(audio, language=self._around.settings().language, hypotheses=1)
        if heard.text:
            self.partial = heard.text


async def no_microphone() -> str:
    """Why there is none (``no_device``, ``no_portaudio``), "" where there is one. One plugged in just now counts."""
    from voice.audio.devices import AudioState, input_devices

    devices = await asyncio.to_thread(lambda: input_devices(rescan=True))
    return "" if devices.state is AudioState.OK else devices.state.value
