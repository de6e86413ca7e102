"""Hands-free listening and partial text: real voice activity, a real model, recordings in the microphone's place."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from actions.storage.paths import Paths
from desktop.voicebar.ear import Ear
from desktop.voicebar.surroundings import Surroundings
from tests.voice.recognition.clips import FOLDER
from voice.audio.format import RATE, WINDOW, Audio
from voice.audio.wav import read_wav
from voice.capture import Captured, Utterance
from voice.recognition.models import choose_model
from voice.recognition.worker import AsyncRecognizer

QUIET = np.zeros(2 * RATE, np.float32) + 1e-5


class Tape:
    """A microphone that plays, then stays silent until it is closed. ``pace`` is seconds a window."""

    level = -30.0
    lost = 0.0

    def __init__(self, *parts: Audio, pace: float = 0.0) -> None:
        self._left = np.concatenate(parts)
        self._pace = pace
        self.played = asyncio.Event()

    async def __aenter__(self) -> Tape:
        return self

    async def __aexit__(self, *_: object) -> None:
        return None

    async def windows(self) -> AsyncGenerator[Audio, None]:
        while True:
            window, self._left = self._left[:WINDOW], self._left[WINDOW:]
            if not len(window):
                self.played.set()
            await asyncio.sleep(self._pace if len(window) else 0.001)
            yield window if len(window) == WINDOW else np.zeros(WINDOW, np.float32)


@dataclass
class Voice:
    """Somebody of ours who speaks."""

    speaking: bool = False

    async def say(self, text: str, language: str) -> None: ...

    def quiet(self) -> None: ...

    async def close(self) -> None: ...


def clip(name: str) -> Audio:
    return read_wav(FOLDER / f"{name}.wav")


def _around(tape: Tape, speaker: Voice | None = None) -> Surroundings:
    def recognizer() -> AsyncRecognizer:
        return AsyncRecognizer(lambda spoken: choose_model(cache=Paths.from_environment().models, language=spoken))

    return Surroundings(
        call=None,  # pyright: ignore[reportArgumentType]  # nothing is asked of a host here
        recognizer=recognizer,
        microphone=lambda device: tape,
        session=lambda: None,
        workspace=lambda: None,
        speaker=speaker,
    )


async def test_each_sentence_is_an_utterance_until_somebody_stops(sayso_home: Path) -> None:
    heard: list[Captured] = []
    tape = Tape(QUIET, clip("cmd00_jf"), QUIET, clip("cmd02_joe"), QUIET)

    async def take(captured: Captured) -> None:
        heard.append(captured)
        if len(heard) == 2:
            ear.stop()

    ear = Ear(_around(tape), take, lambda level, speaking: None, guesses=False)
    ear.begin()
    async with asyncio.timeout(50):
        await ear.on()
    assert [type(one) for one in heard] == [Utterance, Utterance]
    assert not ear.hands_free
    await ear.close()


async def test_it_is_deaf_while_we_speak(sayso_home: Path) -> None:
    heard: list[Captured] = []
    spoken = clip("cmd00_jf")
    tape = Tape(QUIET, spoken, QUIET)

    async def take(captured: Captured) -> None:
        heard.append(captured)

    ear = Ear(_around(tape, Voice(speaking=True)), take, lambda level, speaking: None, guesses=False)
    ear.begin()
    listening = asyncio.ensure_future(ear.on())
    await tape.played.wait()
    ear.stop()
    async with asyncio.timeout(30):
        await listening
    assert heard == []
    await ear.close()


async def test_what_is_said_is_shown_before_it_ends(sayso_home: Path) -> None:
    partial: list[str] = []
    tape = Tape(QUIET[: RATE // 2], clip("cmd00_jf"), QUIET, pace=WINDOW / RATE)

    async def take(captured: Captured) -> None:
        partial.append(ear.partial)

    ear = Ear(_around(tape), take, lambda level, speaking: None)
    await ear.recognizer.warm("en")
    ear.begin()
    async with asyncio.timeout(50):
        await ear.once(toggle=True)
    assert partial[0], "a text was there when the sentence ended"
    await ear.close()
