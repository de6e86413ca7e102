"""voice.*: recognition against the library as it comes, the matcher alone, and what is understood of whole sets.

The figures of a set are shares of its clips: ``missed`` (not right) and ``unsure`` (not sure and right). ``wrong``
counts what was sure and wrong, whatever its effect, over all sets: it must be none.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.bench.harness import Figure, percentile
from tests.voice import sets
from tests.voice.intent.test_scale import NOUNS, VERBS, big
from tests.voice.intent.toy import fixture_world, matcher
from tests.voice.recognition.clips import commands, world
from voice.audio.format import Audio
from voice.audio.wav import read_wav
from voice.intent import Context, Matcher, compile
from voice.recognition.bias import World as Bias
from voice.recognition.bias import build_prompt
from voice.recognition.models import choose_model
from voice.recognition.recognizer import Recognizer

COMMANDS = 12
DECISION_LIMIT = 0.6
"""From the end of speech to an intent, against the library's call as it comes on the same clip and model."""
MATCH_LIMIT_MS = 25.0
MISSED = {"clean": 12.0, "noisy": 30.0, "held_out": 50.0, "chinese": 30.0}
"""Percent of a set. What espeak-ng says is a robot's speech: those two sets are measured, their limits are aims."""


def figures() -> Iterator[Figure]:
    """``voice.decision``: median ms a command. ``voice.match``: 95th percentile, ms a text. Then the sets."""
    spoken = commands()
    yield _decision([clip.wav for clip in spoken[:: len(spoken) // COMMANDS]])
    yield _matching()
    yield from _understood()


def _decision(files: list[Path]) -> Figure:
    from faster_whisper import WhisperModel

    clips = [read_wav(file) for file in files]
    with tempfile.TemporaryDirectory() as cache:
        choice = choose_model(cache=Path(cache), language="en", environment={})
        ours = Recognizer(choice)
        ours.rehearse()
        stock = WhisperModel(
            str(choice.folder), device="cpu", compute_type="int8", cpu_threads=2, local_files_only=True
        )
        match = matcher(fixture_world()).match_best

        def decide(clip: Audio) -> None:
            heard = ours.transcribe(clip, language="en", prompt=prompt, hypotheses=5)
            match([heard.text, *heard.alternatives])

        prompt = build_prompt(world(), "en", count_tokens=ours.count_tokens)
        taken: list[float] = []
        floor: list[float] = []
        for clip in clips:
            taken.append(_ms(lambda clip=clip: decide(clip)))
            floor.append(_ms(lambda clip=clip: list(stock.transcribe(clip)[0])))
    return Figure("voice.decision", statistics.median(taken), "ms", DECISION_LIMIT, statistics.median(floor))


def _matching() -> Figure:
    """400 actions, 5,000 values, names said a little wrong; processor time, which a busy machine changes little."""
    actions, values, names = big()
    match = Matcher(compile(actions), values).match
    texts = [f"{VERBS[i % 20]} the {NOUNS[i % 19]} {names[37 * i]}".replace("ka", "ca") for i in range(100)]
    match(texts[0])
    taken: list[float] = []
    for text in texts:
        started = time.process_time()
        match(text)
        taken.append((time.process_time() - started) * 1000)
    return Figure("voice.match", percentile(taken, 0.95), "ms", MATCH_LIMIT_MS)


def _understood() -> Iterator[Figure]:
    clean, silent = sets.commands(), sets.talk_and_noises()
    with tempfile.TemporaryDirectory() as cache:
        english = Recognizer(choose_model(cache=Path(cache), language="en", environment={}))
        of = {
            name: asyncio.run(sets.judged(clips, english, world(), "en"))
            for name, clips in (
                ("clean", clean),
                ("noisy", sets.noisy(clean, 10)),
                ("held_out", sets.held_out(step=3)),
                ("talk", silent),
                ("noisy_talk", sets.noisy(silent, 10)),
            )
            if clips
        }
        del english
        if spoken := sets.chinese():
            base = Recognizer(choose_model(cache=Path(cache), language="zh", environment={}))
            bias = Bias(providers=world().providers, action_words=sets.NOUNS_ZH)
            here = Context(current_session="s:auth-refactor")
            of["chinese"] = asyncio.run(sets.judged(spoken, base, bias, "zh", context=here))
    for name, score in of.items():
        print(f"  {name}: {score.line()}", flush=True)
        if name in MISSED:
            yield Figure(f"voice.{name}_missed", 100 - score.percent("right"), "%", MISSED[name])
        else:
            yield Figure(f"voice.{name}_cards", score.percent("card"), "%", 2.0)
    yield Figure("voice.clean_unsure", 100 - of["clean"].percent("right", sure=True), "%", 30.0)
    yield Figure("voice.wrong", sum(score.executed for score in of.values()), "clips", 0.0)


def _ms(call: Any) -> float:
    started = time.perf_counter()
    call()
    return (time.perf_counter() - started) * 1000
