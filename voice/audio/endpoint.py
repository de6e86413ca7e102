"""Where an utterance begins and ends. Pure: probabilities and windows in, utterances out."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from voice.audio.format import RATE, WINDOW, Audio, windows_in
from voice.audio.vad import VadFunction, windows


class EndReason(StrEnum):
    """Why an utterance ended."""

    QUIET = "quiet"
    LONGEST = "longest"
    RELEASED = "released"


@dataclass(frozen=True)
class EndpointRules:
    """Thresholds of speech (probabilities) and times (seconds)."""

    loud: float = 0.5
    quiet: float = 0.35
    onset_windows: int = 2
    preroll: float = 0.45
    silence: float = 0.7
    shortest: float = 0.15
    longest: float = 15.0


@dataclass(frozen=True)
class Segment:
    """A stretch of speech: its samples, where it starts in the stream (seconds), and why it ended."""

    audio: Audio
    start: float
    ended: EndReason

    @property
    def end(self) -> float:
        """Seconds from the start of the stream."""
        return self.start + len(self.audio) / RATE


class Endpointer:
    """Cuts a stream of windows into utterances.

    Starts after two windows above ``loud`` and puts the windows before them (pre-roll) in front, so that the first
    syllable is whole; ends after ``silence`` seconds below ``quiet``. What had less than ``shortest`` seconds of
    speech is dropped.
    """

    def __init__(self, rules: EndpointRules | None = None) -> None:
        self._rules = rules or EndpointRules()
        self._before: deque[Audio] = deque(maxlen=max(windows_in(self._rules.preroll), self._rules.onset_windows))
        self._seen = 0
        self._clear()

    def change(self, rules: EndpointRules) -> None:
        """Go on by other rules, in the middle of an utterance as well."""
        self._rules = rules

    def so_far(self) -> Audio | None:
        """What was said until now; None between utterances and while the speaker pauses."""
        return np.concatenate(self._open) if self._open and not self._quiet else None

    @property
    def speaking(self) -> bool:
        """True between the start and the end of an utterance."""
        return bool(self._open)

    def push(self, window: Audio, probability: float) -> Segment | None:
        """Take the next window and its probability of speech; give the utterance that it ends, if it ends one."""
        self._seen += 1
        if not self._open:
            self._before.append(window)
            self._onset = self._onset + 1 if probability > self._rules.loud else 0
            if self._onset >= self._rules.onset_windows:
                self._open = list(self._before)
                self._first = self._seen - len(self._open)
                self._loud = self._onset
            return None
        self._open.append(window)
        self._loud += probability > self._rules.loud
        self._quiet = self._quiet + 1 if probability < self._rules.quiet else 0
        if self._quiet >= windows_in(self._rules.silence):
            return self._close(EndReason.QUIET)
        if len(self._open) >= windows_in(self._rules.longest):
            return self._close(EndReason.LONGEST)
        return None

    def finish(self) -> Segment | None:
        """The stream ends or the key is released: give the open utterance, if there is one."""
        return self._close(EndReason.RELEASED) if self._open else None

    def _close(self, reason: EndReason) -> Segment | None:
        long_enough = self._loud >= windows_in(self._rules.shortest)
        segment = Segment(np.concatenate(self._open), self._first * WINDOW / RATE, reason)
        self._clear()
        return segment if long_enough else None

    def _clear(self) -> None:
        self._open: list[Audio] = []
        self._before.clear()
        self._first = self._onset = self._loud = self._quiet = 0


def split_speech(audio: Audio, vad: VadFunction, rules: EndpointRules | None = None) -> tuple[Segment, ...]:
    """All utterances in ``audio``, in order; empty when nobody speaks."""
    endpointer = Endpointer(rules)
    found = [endpointer.push(window, vad(window)) for window in windows(audio)]
    return tuple(segment for segment in (*found, endpointer.finish()) if segment is not None)
