"""Voice activity, one window at a time: the Silero v6 model that ``faster-whisper`` ships.

The model takes the last 64 samples before each window and carries two states; fed like that it gives the numbers of
the library's batch call.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from actions.errors import SaysoError
from voice.audio.format import WINDOW, Audio

_CONTEXT = 64
VadFunction = Callable[[Audio], float]
"""Takes the next window of :data:`~voice.audio.format.WINDOW` samples, gives the probability of speech in it."""


class VoiceActivity:
    """Streaming voice activity. Loading takes about 10 ms, a window 0.1 ms. Not shared between threads."""

    def __init__(self, model: Path | None = None) -> None:
        """Load ``model`` (an ONNX file), by default the packaged one. Raises SaysoError when it is not there."""
        path = model or _packaged_model()
        runtime: Any = importlib.import_module("onnxruntime")  # Heavy, and without types.
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4
        self._net: Any = runtime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        self.reset()

    def reset(self) -> None:
        """Forget what was heard; call it between utterances."""
        self._h = np.zeros((1, 1, 128), np.float32)
        self._c = np.zeros((1, 1, 128), np.float32)
        self._tail = np.zeros(_CONTEXT, np.float32)

    def __call__(self, window: Audio) -> float:
        """Probability of speech in the next ``window``, shape ``(512,)``."""
        if window.shape != (WINDOW,):
            raise ValueError(f"a window has {WINDOW} samples, not {window.shape}")
        feed = {"input": np.concatenate([self._tail, window])[None], "h": self._h, "c": self._c}
        probability, self._h, self._c = self._net.run(None, feed)
        self._tail = window[-_CONTEXT:]
        return float(np.ravel(probability)[0])


def windows(audio: Audio) -> Iterator[Audio]:
    """``audio`` in windows; the last one is filled with silence."""
    for start in range(0, len(audio), WINDOW):
        window = audio[start : start + WINDOW]
        yield window if len(window) == WINDOW else np.pad(window, (0, WINDOW - len(window)))


def _packaged_model() -> Path:
    found = importlib.util.find_spec("faster_whisper")
    if found is not None and found.submodule_search_locations:
        path = Path(found.submodule_search_locations[0]) / "assets" / "silero_vad_v6.onnx"
        if path.is_file():
            return path
    raise SaysoError("The voice activity model of faster-whisper is missing. Run: make setup")
