"""The recogniser on its thread."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from actions.errors import SaysoError
from tests.voice.recognition.clips import FOLDER, world
from voice.audio.wav import read_wav
from voice.recognition.models import ModelChoice, choose_model
from voice.recognition.worker import AsyncRecognizer, RecognizerState


@pytest.fixture
def recognizer(model_cache: Path) -> AsyncRecognizer:
    def choose(language: str | None) -> ModelChoice:
        return choose_model(cache=model_cache, language=language, environment={})

    return AsyncRecognizer(choose)


async def test_it_loads_in_the_background_and_keeps_the_loop_free(recognizer: AsyncRecognizer) -> None:
    audio = read_wav(FOLDER / "cmd30_joe.wav")
    longest = 0.0
    async with recognizer:
        assert recognizer.state is RecognizerState.ABSENT
        work = asyncio.gather(recognizer.warm("en"), recognizer.transcribe(audio, language="en", bias=world()))
        while not work.done():
            before = time.perf_counter()
            await asyncio.sleep(0.01)
            longest = max(longest, time.perf_counter() - before)
        choice, heard = await work
        assert recognizer.state is RecognizerState.READY
    assert (choice.name, choice.language) == ("tiny.en", "en")
    assert "gateway proxy session" in heard.text.lower()
    assert longest < 1.0  # importing and decoding hold the interpreter for moments, not for the whole work
    assert recognizer.state is RecognizerState.ABSENT


async def test_a_cancelled_caller_leaves_it_usable(recognizer: AsyncRecognizer) -> None:
    audio = read_wav(FOLDER / "cmd30_joe.wav")
    async with recognizer:
        await recognizer.warm("en")
        for _ in range(3):
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(recognizer.transcribe(audio), 0.005)
        heard = await recognizer.transcribe(audio)
        assert "gateway proxy session" in heard.text.lower()


async def test_no_model_is_a_state_with_a_reason() -> None:
    def choose(language: str | None) -> ModelChoice:
        raise SaysoError("The speech model is not installed. Run: make setup")

    async with AsyncRecognizer(choose) as recognizer:
        with pytest.raises(SaysoError, match="make setup"):
            await recognizer.warm()
        assert recognizer.state is RecognizerState.FAILED
        assert recognizer.problem is not None


async def test_another_language_loads_another_model(recognizer: AsyncRecognizer) -> None:
    async with recognizer:
        assert (await recognizer.warm("en")).name == "tiny.en"
        assert (await recognizer.warm("zh")).name == "base"
