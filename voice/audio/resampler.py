"""Resampling of a stream, block by block."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from voice.audio.format import RATE, Audio


class StreamResampler:
    """Brings mono float32 at ``rate`` to 16 kHz without seams between blocks (soxr)."""

    def __init__(self, rate: int) -> None:
        self._soxr: Any = None
        if rate != RATE:
            self._soxr = importlib.import_module("soxr").ResampleStream(rate, RATE, 1, dtype="float32")

    def push(self, block: Audio) -> Audio:
        """The samples that are ready after ``block``; they lag by a few milliseconds."""
        if self._soxr is None:
            return block
        return np.asarray(self._soxr.resample_chunk(block), dtype=np.float32)
