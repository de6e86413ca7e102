"""A recording in the place of the microphone: the same windows of sound, as fast as they are taken."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np

from voice.audio.format import RATE, WINDOW, Audio
from voice.audio.wav import read_wav

LONGEST_SECONDS = 60.0
_LEAD_SECONDS, _TRAIL_SECONDS = 0.3, 1.0


class Recording:
    """A sound source that plays a WAV file once, with quiet around it. Reading it raises SaysoError where it cannot."""

    lost = 0.0

    def __init__(self, file: Path) -> None:
        lead, trail = (np.zeros(round(s * RATE), np.float32) for s in (_LEAD_SECONDS, _TRAIL_SECONDS))
        self._audio = np.concatenate([lead, read_wav(file, longest=LONGEST_SECONDS), trail])
        self.level = -60.0

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    async def windows(self) -> AsyncGenerator[Audio, None]:
        """Windows of 512 samples."""
        for start in range(0, len(self._audio) - WINDOW + 1, WINDOW):
            window = self._audio[start : start + WINDOW]
            loudness = float(np.sqrt(np.mean(np.square(window)))) + 1e-6
            self.level = 20 * float(np.log10(loudness))
            yield window
