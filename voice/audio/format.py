"""The one audio format inside Sayso: float32, mono, 16 kHz, in [-1, 1]."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Audio = npt.NDArray[np.float32]
"""Samples of shape ``(n,)``, float32, 16 kHz, mono."""

RATE = 16_000
"""Samples a second everywhere behind the readers and the microphone."""

WINDOW = 512
"""Samples the voice activity model takes at a time: 32 ms."""


def seconds(audio: Audio) -> float:
    """Length of ``audio`` in seconds."""
    return len(audio) / RATE


def windows_in(duration: float) -> int:
    """How many windows are nearest to ``duration`` seconds."""
    return round(duration * RATE / WINDOW)
