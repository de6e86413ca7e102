"""One spoken command from the microphone: hold to talk, click and stop by itself, or listen without a key."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from voice.audio.endpoint import Endpointer, EndpointRules, EndReason, Segment
from voice.audio.format import Audio, windows_in
from voice.audio.microphone import MicrophoneError, MicrophoneTrouble
from voice.audio.vad import VadFunction


class SoundSource(Protocol):
    """What is listened to: an opened :class:`~voice.audio.microphone.Microphone`."""

    level: float
    """Decibel below full scale of the last window."""

    @property
    def lost(self) -> float:
        """Seconds of sound that are missing."""
        ...

    def windows(self) -> AsyncGenerator[Audio, None]:
        """Windows of 512 samples; raises MicrophoneError when sound stops."""
        ...


class NoSpeechReason(StrEnum):
    """Why there is nothing to recognise."""

    TIMEOUT = "timeout"
    RELEASED = "released"
    CLOSED = "closed"


@dataclass(frozen=True)
class Utterance:
    """Speech: ``audio`` as float32 at 16 kHz, why it ended, and seconds of sound that got lost on the way."""

    audio: Audio = field(repr=False)
    ended: EndReason
    lost: float = 0.0


@dataclass(frozen=True)
class NoSpeech:
    """Nobody spoke."""

    reason: NoSpeechReason


@dataclass(frozen=True)
class MicrophoneProblem:
    """The microphone failed; ``message`` tells a person what to do."""

    trouble: MicrophoneTrouble
    message: str


Captured = Utterance | NoSpeech | MicrophoneProblem


@dataclass(frozen=True)
class CaptureRules:
    """Seconds: ``wait`` for the first word, ``tail`` recorded after the key is released."""

    endpoint: EndpointRules = field(default_factory=EndpointRules)
    wait: float = 8.0
    tail: float = 0.25


HOLD = CaptureRules(EndpointRules(silence=15.0), wait=15.0)
"""Hold to talk: only the release (or the longest command) ends it; pauses are the speaker's own."""
TOGGLE = CaptureRules()
"""Click to talk: 0.7 s of quiet ends it."""
HANDS_FREE = CaptureRules(EndpointRules(silence=0.9), wait=float("inf"))
"""No key: each stretch of speech is an utterance, however long nobody speaks."""
PARTIAL = 0.4
"""Seconds of sound between two looks at what was said so far."""
TOGGLE_FREE_TEXT = CaptureRules(EndpointRules(silence=1.2))
"""Click to talk while a field of free text is open: people pause longer."""


async def listen(
    source: SoundSource,
    vad: VadFunction,
    *,
    rules: CaptureRules = TOGGLE,
    release: asyncio.Event | None = None,
    tapped: asyncio.Event | None = None,
    on_level: Callable[[float, bool], None] | None = None,
    on_partial: Callable[[Audio], None] | None = None,
) -> Captured:
    """Wait for one utterance and give it.

    ``release`` is set when the key goes up or the user clicks again; what is spoken until then, and ``tail`` seconds
    more, counts. ``tapped`` is set when the key was only tapped: from then on quiet ends it, as after a click.
    ``on_partial`` gets the speech so far every 0.4 s, not while the speaker pauses. ``on_level`` gets the level in dB
    and whether speech is going on, once a window, for a meter. Cancelling is safe at any moment; the source stays open
    and belongs to the caller.
    """
    endpointer = Endpointer(rules.endpoint)
    clock = _Clock(rules)
    since = 0
    try:
        async with contextlib.aclosing(source.windows()) as windows:
            async for window in windows:
                if tapped is not None and tapped.is_set():
                    tapped = None
                    endpointer.change(TOGGLE.endpoint)
                    clock = _Clock(TOGGLE)
                segment = endpointer.push(window, vad(window))
                since += 1
                if (
                    on_partial is not None
                    and since >= windows_in(PARTIAL)
                    and (said := endpointer.so_far()) is not None
                ):
                    since = 0
                    on_partial(said)
                if on_level is not None:
                    on_level(source.level, endpointer.speaking)
                if segment is not None:
                    return Utterance(segment.audio, segment.ended, source.lost)
                if clock.released(release is not None and release.is_set()):
                    return _spoken(endpointer.finish(), source, NoSpeechReason.RELEASED)
                if clock.waited(endpointer.speaking):
                    return NoSpeech(NoSpeechReason.TIMEOUT)
    except MicrophoneError as error:
        segment = endpointer.finish()
        if segment is not None and error.trouble is not MicrophoneTrouble.NO_SOUND:
            # What was said before the cable came off is a command; it is shown before anything happens.
            return Utterance(segment.audio, segment.ended, source.lost)
        return MicrophoneProblem(error.trouble, error.message)
    return _spoken(endpointer.finish(), source, NoSpeechReason.CLOSED)


def _spoken(segment: Segment | None, source: SoundSource, otherwise: NoSpeechReason) -> Captured:
    return Utterance(segment.audio, segment.ended, source.lost) if segment else NoSpeech(otherwise)


class _Clock:
    """Counts windows: sound time, so that a slow machine cuts nobody off."""

    def __init__(self, rules: CaptureRules) -> None:
        self._wait = float("inf") if rules.wait == float("inf") else windows_in(rules.wait)
        self._tail = windows_in(rules.tail)

    def waited(self, speaking: bool) -> bool:
        if not speaking:
            self._wait -= 1
        return self._wait <= 0

    def released(self, up: bool) -> bool:
        if up:
            self._tail -= 1
        return self._tail < 0
