"""Runs one measurement of listening and prints it as JSON: ``listen HOURS``, ``model`` or ``memory``."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import numpy as np
import psutil

sys.path.insert(0, str(Path(__file__).parents[3]))

from actions.storage.paths import Paths

_WARM = 0.3
CLIP = Path(__file__).parents[2] / "fixtures" / "voice" / "cmd00_jf.wav"


def _rss() -> float:
    return psutil.Process().memory_info().rss / 1e6


def listen(hours: float) -> dict[str, float]:
    """Room noise with a spoken sentence every five minutes, through voice activity and endpointing."""
    from voice.audio.endpoint import Endpointer
    from voice.audio.format import RATE, WINDOW
    from voice.audio.vad import VoiceActivity
    from voice.audio.wav import read_wav
    from voice.capture import HANDS_FREE

    vad, endpointer = VoiceActivity(), Endpointer(HANDS_FREE.endpoint)
    spoken = read_wav(CLIP)
    noise = np.random.default_rng(7).normal(0, 0.0015, 300 * RATE).astype(np.float32)
    block = np.concatenate([spoken, noise])
    windows = [block[at : at + WINDOW] for at in range(0, len(block) - WINDOW, WINDOW)]
    took: list[float] = []
    heard, seconds, used = 0, 0.0, 0.0
    began = 0.0
    while seconds < hours * 3600:
        start = time.process_time()
        for window in windows:
            at = time.perf_counter()
            heard += endpointer.push(window, vad(window)) is not None
            took.append((time.perf_counter() - at) * 1000)
        used += time.process_time() - start
        seconds += len(windows) * WINDOW / RATE
        del took[:-20_000]
        if seconds < _WARM * hours * 3600:  # what is kept for good is there by then
            began = _rss()
    grown = _rss() - began
    if heard < seconds / 310:
        raise SystemExit(f"only {heard} sentences were heard in {seconds:.0f} s")
    return {
        "decision_p95": WINDOW / RATE * 1000 + float(np.percentile(took, 95)),
        "cpu": used / seconds * 100,
        "growth": grown,
    }


def model() -> dict[str, float]:
    """The speech model alone, after one sentence, with the library's own defaults for nothing but the size."""
    from faster_whisper import WhisperModel

    from voice.audio.wav import read_wav
    from voice.recognition.models import choose_model

    choice = choose_model(cache=Paths.from_environment().models, language="en")
    whisper = WhisperModel(str(choice.folder), device="cpu", compute_type="int8", cpu_threads=2)
    list(whisper.transcribe(read_wav(CLIP), language="en")[0])
    return {"rss": _rss()}


def memory() -> dict[str, float]:
    """The same sentence through all of ours: voice activity, endpointing, recogniser."""
    from voice.audio.endpoint import split_speech
    from voice.audio.vad import VoiceActivity
    from voice.audio.wav import read_wav
    from voice.recognition.models import choose_model
    from voice.recognition.recognizer import Recognizer

    recognizer = Recognizer(choose_model(cache=Paths.from_environment().models, language="en"))
    for segment in split_speech(read_wav(CLIP), VoiceActivity()):
        recognizer.transcribe(segment.audio, language="en", hypotheses=5)
    return {"rss": _rss()}


if __name__ == "__main__":
    found = listen(float(sys.argv[2])) if sys.argv[1] == "listen" else {"model": model, "memory": memory}[sys.argv[1]]()
    print(json.dumps(found))
