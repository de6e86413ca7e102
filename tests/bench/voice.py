"""voice.*: recognition against the library as it comes, on the same clips in turns; and the matcher alone."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.bench.harness import Figure
from tests.voice.intent.toy import fixture_world, matcher
from tests.voice.recognition.clips import commands, world
from voice.audio.wav import read_wav
from voice.recognition.bias import build_prompt
from voice.recognition.models import choose_model
from voice.recognition.recognizer import Recognizer

COMMANDS = 12
RECOGNITION_LIMIT = 1.0
"""Five hypotheses, the bias and the voice gate must not cost more than the library's plain call on 30 s of encoder."""
MATCH_LIMIT_MS = 50.0


def figures() -> Iterator[Figure]:
    """``voice.recognition``: median ms a command. ``voice.match``: 95th percentile, ms a text."""
    spoken = commands()
    yield _recognition([clip.wav for clip in spoken[:: len(spoken) // COMMANDS]])
    yield _matching([clip.text for clip in spoken])


def _recognition(files: list[Path]) -> Figure:
    from faster_whisper import WhisperModel

    clips = [read_wav(file) for file in files]
    with tempfile.TemporaryDirectory() as cache:
        choice = choose_model(cache=Path(cache), language="en", environment={})
        ours = Recognizer(choice)
        ours.rehearse()
        stock = WhisperModel(
            str(choice.folder), device="cpu", compute_type="int8", cpu_threads=2, local_files_only=True
        )
        prompt = build_prompt(world(), "en", count_tokens=ours.count_tokens)
        taken: list[float] = []
        floor: list[float] = []
        for clip in clips:
            taken.append(_ms(lambda clip=clip: ours.transcribe(clip, language="en", prompt=prompt, hypotheses=5)))
            floor.append(_ms(lambda clip=clip: list(stock.transcribe(clip, language="en", temperature=0)[0])))
    return Figure("voice.recognition", statistics.median(taken), "ms", RECOGNITION_LIMIT, statistics.median(floor))


def _matching(texts: list[str]) -> Figure:
    match = matcher(fixture_world()).match
    taken = sorted(_ms(lambda text=text: match(text)) for text in texts)
    return Figure("voice.match", taken[round(0.95 * (len(taken) - 1))], "ms", MATCH_LIMIT_MS)


def _ms(call: Any) -> float:
    started = time.perf_counter()
    call()
    return (time.perf_counter() - started) * 1000
