"""The recogniser for an event loop: loaded in the background, kept warm, one recognition at a time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from enum import StrEnum
from typing import Self, TypeVar

from actions.errors import SaysoError
from voice.audio.format import Audio
from voice.recognition.bias import World, build_prompt
from voice.recognition.models import ModelChoice
from voice.recognition.recognizer import Recognizer, Transcript

_R = TypeVar("_R")


class RecognizerState(StrEnum):
    """What the voice bar shows."""

    ABSENT = "absent"
    LOADING = "loading"
    READY = "ready"
    WORKING = "working"
    FAILED = "failed"


class AsyncRecognizer:
    """Runs a :class:`Recognizer` on a thread of its own.

    ``choose`` gives the model for a language (``models.choose_model`` with the home's folders). One model is loaded
    at a time; another language that needs another model loads it, which takes about half a second. A caller may
    cancel at any moment: what runs ends in the background and its result is dropped. Close it, or use it as an
    asynchronous context manager.
    """

    def __init__(self, choose: Callable[[str | None], ModelChoice], *, threads: int = 2) -> None:
        self._choose = choose
        self._threads = threads
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="recognition")
        self._stop = threading.Event()
        self._loaded: Recognizer | None = None
        self._state = RecognizerState.ABSENT
        self.problem: SaysoError | None = None

    @property
    def state(self) -> RecognizerState:
        """Loading, ready, working, or failed with :attr:`problem`."""
        return self._state

    async def warm(self, language: str | None = None) -> ModelChoice:
        """Load the model for ``language`` and run it once, so that the first command is as fast as the next.

        Raises SaysoError (also kept in :attr:`problem`) when there is no model that can be used.
        """
        return await self._run(self._warm, language)

    async def transcribe(
        self, audio: Audio, *, language: str | None = None, bias: World | None = None, hypotheses: int = 5
    ) -> Transcript:
        """Text of ``audio`` (float32, mono, 16 kHz), biased to the names in ``bias``; loads the model if need be."""
        return await self._run(self._transcribe, audio, language, bias, hypotheses)

    async def close(self) -> None:
        """End the thread; a recognition that runs ends at its next stretch of speech."""
        self._stop.set()
        await asyncio.to_thread(self._pool.shutdown, wait=True, cancel_futures=True)
        self._loaded = None
        self._state = RecognizerState.ABSENT

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _run(self, work: Callable[..., _R], *args: object) -> _R:
        return await asyncio.get_running_loop().run_in_executor(self._pool, work, *args)

    def _warm(self, language: str | None) -> ModelChoice:
        recognizer = self._load(language)
        self._state = RecognizerState.READY
        return recognizer.choice

    def _transcribe(self, audio: Audio, language: str | None, bias: World | None, hypotheses: int) -> Transcript:
        recognizer = self._load(language)
        self._state = RecognizerState.WORKING
        spoken = recognizer.choice.language
        prompt = build_prompt(bias, spoken, count_tokens=recognizer.count_tokens) if bias else None
        try:
            return recognizer.transcribe(audio, language=spoken, prompt=prompt, hypotheses=hypotheses, stop=self._stop)
        finally:
            self._state = RecognizerState.READY

    def _load(self, language: str | None) -> Recognizer:
        try:
            choice = self._choose(language)
            if self._loaded is None or self._loaded.choice != choice:
                self._state = RecognizerState.LOADING
                self._loaded = None  # Before the next one: two models need twice the memory.
                self._loaded = Recognizer(choice, threads=self._threads)
                self._loaded.rehearse()
        except SaysoError as error:
            self._state, self.problem = RecognizerState.FAILED, error
            raise
        self.problem = None
        return self._loaded
