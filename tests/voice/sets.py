"""Sets of spoken clips with the right answers, and how the real recogniser and the real catalog do on one.

Clean and noisy ones come from the recordings of this repository; held-out voices and Chinese are made here by the
synthesisers that the machine has (espeak-ng, flite), so no voice of theirs was ever tuned on.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from tests.voice.intent import toy
from tests.voice.intent.real import RealCatalog
from tests.voice.recognition.clips import FOLDER
from voice.audio.format import RATE, Audio
from voice.audio.wav import read_wav
from voice.intent import Context, Intent
from voice.recognition.bias import World as Bias
from voice.recognition.bias import build_prompt
from voice.recognition.recognizer import Recognizer

CHINESE = Path(__file__).parent / "intent" / "data" / "spoken_zh.json"
_SPOKEN = {"opencode": "open code", "qwen": "kwen", "kiro": "keero", "mcp": "M C P", "api": "A P I"}
NOUNS_ZH = ("收件箱", "会话", "工作区", "计划", "审查", "运行", "设置")
ENGLISH_VOICES = (("espeak-ng", "en-us"), ("espeak-ng", "en-gb-scotland"), ("flite", "slt"), ("flite", "rms"))


@dataclass(frozen=True)
class Spoken:
    """A clip; ``action`` None: nothing may run."""

    name: str
    audio: Audio
    text: str
    action: str | None
    values: Mapping[str, Any]


@dataclass(frozen=True)
class Outcome:
    """What became of a clip: "right", "asked" (for a value), "no" or "wrong"; of talk: "quiet" or "card"."""

    clip: Spoken
    heard: str
    intent: Intent
    kind: str

    @property
    def sure(self) -> bool:
        return self.intent.tier == "sure"


@dataclass(frozen=True)
class Score:
    """Counts over a set. ``executed`` is what was taken for sure and should not have been, whatever its effect."""

    outcomes: tuple[Outcome, ...]

    def percent(self, kind: str, *, sure: bool = False) -> float:
        found = [o for o in self.outcomes if o.kind == kind and (o.sure or not sure)]
        return 100 * len(found) / len(self.outcomes)

    @property
    def executed(self) -> int:
        return sum(o.sure and o.kind in ("wrong", "card") for o in self.outcomes)

    def line(self) -> str:
        kinds = sorted({o.kind for o in self.outcomes})
        parts = [f"{kind} {sum(o.kind == kind for o in self.outcomes)}" for kind in kinds]
        sure = sum(o.sure and o.kind == "right" for o in self.outcomes)
        return f"{', '.join(parts)} of {len(self.outcomes)}; sure and right {sure}, sure and wrong {self.executed}"


def commands() -> list[Spoken]:
    return [clip for clip in _recorded() if clip.action is not None]


def talk_and_noises() -> list[Spoken]:
    return [clip for clip in _recorded() if clip.action is None]


def noisy(clips: Sequence[Spoken], decibel: float) -> list[Spoken]:
    """The clips in pink noise, ``decibel`` below the speech; the same noise in every run."""
    return [replace(clip, audio=_mix(clip.audio, decibel, seed)) for seed, clip in enumerate(clips)]


def held_out(voices: Sequence[tuple[str, str]] = ENGLISH_VOICES, step: int = 1) -> list[Spoken]:
    """The English commands (every ``step``-th) in voices that the recordings do not have; only installed programs."""
    once = {clip.text: clip for clip in commands()}
    rows = list(once.values())[::step]
    return [
        replace(clip, name=f"{voice}:{clip.name}", audio=speak(_pronounced(clip.text), program, voice))
        for program, voice in voices
        if shutil.which(program)
        for clip in rows
    ]


def chinese() -> list[Spoken]:
    """40 Chinese commands by espeak-ng's voice of toneless syllables; empty where it is not installed."""
    if not shutil.which("espeak-ng"):
        return []
    return [
        Spoken(
            f"zh{i:02}", speak(row["text"], "espeak-ng", "cmn-latn-pinyin"), row["text"], row["action"], row["values"]
        )
        for i, row in enumerate(json.loads(CHINESE.read_text("utf-8")))
    ]


def speak(text: str, program: str, voice: str) -> Audio:
    """``text`` as float32 at 16 kHz, with a little silence around it. Raises CalledProcessError."""
    with tempfile.TemporaryDirectory() as folder:
        wav = Path(folder) / "spoken.wav"
        command = {
            "espeak-ng": ["espeak-ng", "-b", "1", "-v", voice, "-s", "150", "-w", str(wav), text],
            "flite": ["flite", "-voice", voice, "-t", text, "-o", str(wav)],
        }[program]
        subprocess.run(command, check=True, capture_output=True)
        audio = read_wav(wav)
    return np.pad(audio / max(float(np.abs(audio).max()), 1e-9) * 0.5, 4_800).astype(np.float32)


async def judged(
    clips: Sequence[Spoken], recognizer: Recognizer, bias: Bias, language: str, *, context: Context | None = None
) -> Score:
    """Recognise and match every clip, as ``sayso voice run`` does, over the world of the recordings."""
    real = RealCatalog(toy.fixture_world(), context)
    prompt = build_prompt(bias, language, count_tokens=recognizer.count_tokens)
    outcomes: list[Outcome] = []
    for clip in clips:
        transcript = recognizer.transcribe(clip.audio, language=language, prompt=prompt, hypotheses=5)
        texts = [text for text in (transcript.text, *transcript.alternatives) if text] if transcript.text else [""]
        intent = await real.understand(texts)
        outcomes.append(Outcome(clip, transcript.text, intent, _kind(clip, intent)))
    return Score(tuple(outcomes))


def _kind(clip: Spoken, intent: Intent) -> str:
    if clip.action is None:
        return "quiet" if intent.tier == "no" else "card"
    if intent.action is None:
        return "no"
    wanted = toy.expected(clip.values)
    known = {name: value for name, value in intent.input.items() if name in wanted}
    if intent.action == clip.action and set(intent.missing) & set(wanted):
        return "asked"
    return "right" if intent.action == clip.action and toy.same(known, wanted) else "wrong"


def _recorded() -> list[Spoken]:
    rows: list[dict[str, Any]] = json.loads((FOLDER / "index.json").read_text("utf-8"))["clips"]
    return [
        Spoken(row["wav"], read_wav(FOLDER / row["wav"]), row["text"] or "", row["action"], row.get("values") or {})
        for row in rows
    ]


def _pronounced(text: str) -> str:
    """Names as a synthesiser has to be told to say them."""
    return " ".join(_SPOKEN.get(word.lower(), word) for word in text.replace("-", " ").split())


def _mix(audio: Audio, decibel: float, seed: int) -> Audio:
    """Pink noise: white noise whose power falls with the frequency, against the power of the loud half."""
    chance = np.random.default_rng(seed)
    spectrum = np.fft.rfft(chance.standard_normal(len(audio)))
    spectrum /= np.sqrt(np.maximum(np.fft.rfftfreq(len(audio), 1 / RATE), 20.0))
    noise = np.fft.irfft(spectrum, len(audio))
    power = np.sort(np.square(audio[: len(audio) // 512 * 512]).reshape(-1, 512).mean(axis=1))
    speech = float(power[len(power) // 2 :].mean())
    noise *= np.sqrt(speech / 10 ** (decibel / 10) / float(np.square(noise).mean()))
    mixed = audio + noise
    return (mixed / max(1.0, float(np.abs(mixed).max()))).astype(np.float32)
