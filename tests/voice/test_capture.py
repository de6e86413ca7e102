"""One utterance from a stream of windows: every way it can end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import numpy as np

from voice.audio.endpoint import EndReason
from voice.audio.format import WINDOW, Audio
from voice.audio.microphone import MicrophoneError, MicrophoneTrouble
from voice.capture import HOLD, CaptureRules, MicrophoneProblem, NoSpeech, NoSpeechReason, Utterance, listen


class Script:
    """A source that plays ``"1"`` as speech and ``"0"`` as quiet, one window each, then ends or fails."""

    def __init__(self, play: str, error: MicrophoneError | None = None) -> None:
        self.play = play
        self.error = error
        self.level = -20.0
        self.lost = 0.0
        self.played = 0
        self.closed = False

    async def windows(self) -> AsyncGenerator[Audio, None]:
        try:
            for mark in self.play:
                self.played += 1
                await asyncio.sleep(0)
                yield np.full(WINDOW, float(mark), np.float32)
            if self.error is not None:
                raise self.error
        finally:
            self.closed = True


def by_level(window: Audio) -> float:
    return float(window[0])


async def test_click_to_talk_ends_after_quiet() -> None:
    source = Script("0" * 20 + "1" * 20 + "0" * 50)
    heard = await listen(source, by_level)
    assert isinstance(heard, Utterance)
    assert heard.ended is EndReason.QUIET
    assert source.played == 20 + 20 + 22
    assert source.closed


async def test_hold_to_talk_ends_a_quarter_second_after_release() -> None:
    source = Script("0" * 10 + "1" * 20 + "0" * 60 + "1" * 20)
    release = asyncio.Event()

    def meter(level: float, speaking: bool) -> None:
        if source.played == 70:
            assert speaking  # a pause of the speaker's own does not end it
            release.set()

    heard = await listen(source, by_level, rules=HOLD, release=release, on_level=meter)
    assert isinstance(heard, Utterance)
    assert heard.ended is EndReason.RELEASED
    assert source.played == 70 + 8


async def test_released_without_a_word() -> None:
    release = asyncio.Event()
    release.set()
    assert await listen(Script("0" * 100), by_level, rules=HOLD, release=release) == NoSpeech(NoSpeechReason.RELEASED)


async def test_nobody_speaks() -> None:
    source = Script("0" * 1_000)
    assert await listen(source, by_level) == NoSpeech(NoSpeechReason.TIMEOUT)
    assert source.played == 250  # 8 s


async def test_the_source_is_closed() -> None:
    assert await listen(Script("0" * 5), by_level) == NoSpeech(NoSpeechReason.CLOSED)
    assert isinstance(await listen(Script("1" * 20), by_level), Utterance)


async def test_the_microphone_fails() -> None:
    error = MicrophoneError(MicrophoneTrouble.UNPLUGGED, "Plug it in.")
    assert await listen(Script("0" * 20, error), by_level) == MicrophoneProblem(
        MicrophoneTrouble.UNPLUGGED, "Plug it in."
    )
    assert isinstance(await listen(Script("1" * 20, error), by_level), Utterance)


async def test_cancelling_closes_the_iteration() -> None:
    source = Script("0" * 1_000_000)
    task = asyncio.ensure_future(listen(source, lambda window: 0.4, rules=CaptureRules(wait=1e6)))
    await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert task.cancelled()
    assert source.closed
