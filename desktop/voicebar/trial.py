"""A spoken round trip that does nothing: what was heard, what it would do, and the answer aloud."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.voicebar.ear import Ear
from desktop.voicebar.surroundings import Surroundings

if TYPE_CHECKING:
    from voice.capture import Captured
    from voice.dialogue.understanding import Understanding
    from voice.intent.model import World


@dataclass(frozen=True)
class Tried:
    """``heard`` is empty where there was no speech, ``readback`` where it is no command; ``seconds`` from the end of
    speech to here. ``problem`` says why nothing could be heard.
    """

    heard: str = ""
    readback: str = ""
    confidence: float = 0.0
    seconds: float = 0.0
    problem: str = ""


class Trial:
    """``understanding`` and ``world`` are those of the voice path, whose recogniser ``around`` gives."""

    def __init__(
        self,
        around: Surroundings,
        understanding: Callable[[], Awaitable[Understanding]],
        world: Callable[[Understanding], Awaitable[World]],
        on_level: Callable[[float, bool], None],
    ) -> None:
        self._around = around
        self._understanding = understanding
        self._world = world
        self._ear = Ear(around, self._heard, on_level, guesses=False)
        self._result = Tried()

    async def run(self) -> Tried:
        """Listen for one utterance, understand it, and say what it would do. Nothing is executed."""
        from voice.audio.microphone import MicrophoneError

        self._ear.begin()
        try:
            await self._ear.once(toggle=True)
        except MicrophoneError as error:
            return Tried(problem=error.message)
        if self._result.readback and self._around.speaker is not None:
            await self._around.speaker.say(self._result.readback, self._around.language)
        return self._result

    def stop(self) -> None:
        """Take what was said until now."""
        self._ear.stop()

    async def _heard(self, captured: Captured) -> None:
        from voice.capture import MicrophoneProblem, Utterance

        if isinstance(captured, MicrophoneProblem):
            self._result = Tried(problem=captured.message)
        if not isinstance(captured, Utterance):
            return
        began = time.monotonic()
        settings = self._around.settings()
        understanding = await self._understanding()
        world = await self._world(understanding)
        tongue = "zh" if settings.language.startswith("zh") else "en"
        heard = await self._around.recognizer().transcribe(
            captured.audio, language=settings.language, bias=understanding.bias(world, tongue), hypotheses=5
        )
        if not heard.text:
            return
        intent = await understanding.hear((heard.text, *heard.alternatives), world, tongue)
        said = intent.readback if intent.action is not None else ""
        self._result = Tried(heard.text, said, intent.confidence, time.monotonic() - began)
