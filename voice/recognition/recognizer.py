"""Speech to text with Whisper through CTranslate2: fast on short commands, silent on noise.

Voice activity detection comes first: without speech nothing is recognised. Then each stretch of speech goes through
the model once, with the encoder cut to its length, and a result that looks invented is dropped. Figures behind the
thresholds: docs/voice-models.md.
"""

from __future__ import annotations

import importlib
import re
import threading
import time
import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from actions.errors import InvalidInput, SaysoError
from voice.audio.endpoint import EndpointRules, Segment, split_speech
from voice.audio.format import RATE, Audio, seconds
from voice.audio.vad import VoiceActivity
from voice.recognition.chinese import to_simplified
from voice.recognition.models import ModelChoice

_FRAME = 160
"""Samples a mel frame."""
_FULL = 3_000
"""Mel frames of the 30 s that Whisper was trained on."""
_WINDOWS = (1_000, 1_500, _FULL)
"""Frames the encoder may be cut to. Below 10 s the decoder breaks; never less than the audio."""
_LEAD = int(0.4 * RATE)
"""Silence put in front: speech at the very start is misheard ("Start a" as "It's hard to")."""
_PROMPT_TOKENS = 223
"""Whisper's decoder keeps half its 448 positions for what came before."""


@dataclass(frozen=True)
class Limits:
    """When a result is dropped or tried again, and how long recognition may take (seconds).

    The ratio is zlib's: a text that repeats itself packs well. Commands stay below 1.1, loops are above 1.57; text
    longer than ``short_text`` characters packs better by itself and has Whisper's own limit.
    """

    no_speech: float = 0.6
    logprob: float = -1.0
    ratio: float = 1.6
    ratio_retry: float = 1.3
    ratio_long: float = 2.4
    short_text: int = 160
    seconds: float = 30.0


@dataclass(frozen=True)
class TextSegment:
    """Text between ``start`` and ``end`` (seconds in the audio)."""

    start: float
    end: float
    text: str


@dataclass(frozen=True)
class Transcript:
    """What was heard.

    ``text`` is empty when nobody spoke or the result was dropped; ``rejected`` then says why. ``seconds`` is the
    length of the audio, ``elapsed`` the time that recognition took. ``alternatives`` are the other hypotheses, best
    first; a guard that looks for a word ("don't") must look into all of them.
    """

    text: str
    language: str
    seconds: float
    segments: tuple[TextSegment, ...] = ()
    alternatives: tuple[str, ...] = ()
    rejected: str | None = None
    elapsed: float = 0.0


@dataclass(frozen=True)
class _Heard:
    """One pass over one stretch: hypotheses, best first, and how sure the model was of the best."""

    texts: tuple[str, ...]
    no_speech: float
    logprob: float

    @property
    def ratio(self) -> float:
        return _ratio(self.texts[0])


class Recognizer:
    """A loaded model. One call at a time; construct and call it off the event loop (see ``AsyncRecognizer``)."""

    def __init__(
        self, choice: ModelChoice, *, vad: VoiceActivity | None = None, limits: Limits | None = None, threads: int = 2
    ) -> None:
        """Load ``choice`` as int8 on the CPU (about 0.3 s). Raises SaysoError when the files do not load."""
        library: Any = importlib.import_module("faster_whisper")
        self.choice = choice
        self._limits = limits or Limits()
        self._vad = vad or VoiceActivity()
        try:
            self._model: Any = library.WhisperModel(
                str(choice.folder), device="cpu", compute_type="int8", cpu_threads=threads, local_files_only=True
            )
        except (RuntimeError, ValueError, OSError) as error:
            raise SaysoError(
                f"The speech model in {choice.folder} does not load: {error}. "
                "Run: make setup   or name another folder in SAYSO_WHISPER_MODEL.",
                details={"folder": str(choice.folder)},
            ) from error
        self._tokenizers: dict[str, tuple[Any, list[int]]] = {}

    @property
    def multilingual(self) -> bool:
        """False for the English-only models."""
        return bool(self._model.model.is_multilingual)

    def count_tokens(self, text: str) -> int:
        """Tokens of ``text``, for prompts of a bounded length."""
        return len(self._tokenizer(self.choice.language)[0].encode(" " + text.strip()))

    def transcribe(
        self,
        audio: Audio,
        *,
        language: str | None = None,
        prompt: str | None = None,
        hypotheses: int = 1,
        stop: threading.Event | None = None,
    ) -> Transcript:
        """Text of ``audio`` (float32, mono, 16 kHz).

        ``prompt`` biases towards its words (see ``bias``). ``hypotheses`` up to 5 asks for alternatives, which audio of
        one stretch gives. ``stop``, set from another thread, ends the work at the next stretch.

        Raises:
            InvalidInput: the model does not know the language.
        """
        began = time.monotonic()
        spoken = language or self.choice.language
        self._tokenizer(spoken)
        stretches = self._speech(audio)
        segments: list[TextSegment] = []
        alternatives: tuple[str, ...] = ()
        reasons: list[str] = []
        for stretch in stretches:
            if time.monotonic() - began > self._limits.seconds:
                reasons.append("time limit")
                break
            if stop is not None and stop.is_set():
                reasons.append("cancelled")
                break
            heard = self._best(stretch.audio, spoken, prompt, hypotheses, began)
            reason = self._reject(heard, prompt)
            if reason:
                reasons.append(reason)
                continue
            end = min(stretch.end, seconds(audio))
            segments.append(TextSegment(round(stretch.start, 2), round(end, 2), heard.texts[0]))
            alternatives = tuple(text for text in heard.texts[1:] if not _echoes(text, prompt))
        if not stretches:
            reasons.append("no speech")
        return Transcript(
            text=" ".join(segment.text for segment in segments),
            language=spoken,
            seconds=round(seconds(audio), 3),
            segments=tuple(segments),
            alternatives=alternatives if len(stretches) == 1 else (),
            rejected="; ".join(dict.fromkeys(reasons)) or None,
            elapsed=time.monotonic() - began,
        )

    def rehearse(self) -> None:
        """Run once on a second of silence, past voice activity: the first real call is then as fast as the next."""
        self._once(np.zeros(RATE, np.float32), _WINDOWS[0], self.choice.language, None, 1)

    def _speech(self, audio: Audio) -> tuple[Segment, ...]:
        """Stretches of speech of at most 28 s. A pause inside a command does not cut it."""
        self._vad.reset()
        found = split_speech(audio, self._vad, EndpointRules(longest=28.0))
        joined: list[Segment] = []
        for segment in found:
            if joined and segment.end - joined[-1].start <= 28.0:
                start = joined[-1].start
                whole = audio[int(start * RATE) : int(segment.end * RATE)]
                joined[-1] = Segment(whole, start, segment.ended)
            else:
                joined.append(segment)
        return tuple(joined)

    def _best(self, audio: Audio, language: str, prompt: str | None, hypotheses: int, began: float) -> _Heard:
        audio = np.pad(audio, (_LEAD, 0))
        need = len(audio) // _FRAME + 100
        frames = next((size for size in _WINDOWS if size >= need), _FULL)
        heard = self._once(audio, frames, language, prompt, hypotheses)
        late = time.monotonic() - began > self._limits.seconds
        limit = self._limits.ratio_retry if len(heard.texts[0]) <= self._limits.short_text else self._limits.ratio_long
        if heard.ratio > limit and frames < _FULL and not late:
            # A cut encoder sometimes makes the decoder loop; the full window does not.
            return self._once(audio, _FULL, language, prompt, hypotheses)
        return heard

    def _once(self, audio: Audio, frames: int, language: str, prompt: str | None, hypotheses: int) -> _Heard:
        tokenizer, suppressed = self._tokenizer(language)
        features: Any = self._model.feature_extractor(audio)[..., :frames]
        features = np.pad(features, ((0, 0), (0, frames - features.shape[-1])))
        encoded: Any = self._model.encode(np.ascontiguousarray(features))
        before: list[int] = tokenizer.encode(" " + prompt.strip())[-_PROMPT_TOKENS:] if prompt else []
        start: list[int] = self._model.get_prompt(tokenizer, before, without_timestamps=True)
        most = 24 + int(12 * seconds(audio))  # Nobody says more; it bounds the time that a loop can take.
        result: Any = self._model.model.generate(
            encoded,
            [start],
            beam_size=5,
            num_hypotheses=min(max(hypotheses, 1), 5),
            max_length=min(len(start) + most, 448),
            return_scores=True,
            return_no_speech_prob=True,
            suppress_tokens=suppressed,
        )[0]
        texts = [str(tokenizer.decode(tokens)).strip() for tokens in result.sequences_ids]
        if language == "zh":
            texts = [to_simplified(text) for text in texts]
        length = len(result.sequences_ids[0])
        return _Heard(
            texts=_distinct(texts),
            no_speech=float(result.no_speech_prob),
            logprob=float(result.scores[0]) * length / (length + 1),
        )

    def _reject(self, heard: _Heard, prompt: str | None) -> str | None:
        """Why ``heard`` must not be used, or None. Stricter than the library, which asks for two signs at once."""
        text, limits = heard.texts[0], self._limits
        if not any(character.isalnum() for character in text):
            return "no words"
        if heard.no_speech > limits.no_speech:
            return "no speech"
        if heard.logprob < limits.logprob:
            return "unsure"
        if heard.ratio > (limits.ratio if len(text) <= limits.short_text else limits.ratio_long):
            return "loop"
        return "echo of the prompt" if _echoes(text, prompt) else None

    def _tokenizer(self, language: str) -> tuple[Any, list[int]]:
        if language not in self._tokenizers:
            if not self.multilingual and language != "en":
                problem = f"The speech model {self.choice.name} knows English only, not {language!r}."
                raise InvalidInput(problem, [{"field": "language", "message": problem}])
            module: Any = importlib.import_module("faster_whisper.tokenizer")
            try:
                tokenizer = module.Tokenizer(
                    self._model.hf_tokenizer, self.multilingual, task="transcribe", language=language
                )
            except ValueError:
                problem = f"The speech model {self.choice.name} does not know the language {language!r}; use en or zh."
                raise InvalidInput(problem, [{"field": "language", "message": problem}]) from None
            suppressed: Any = importlib.import_module("faster_whisper.transcribe").get_suppressed_tokens
            self._tokenizers[language] = (tokenizer, list(suppressed(tokenizer, [-1])))
        return self._tokenizers[language]


def _distinct(texts: list[str]) -> tuple[str, ...]:
    """The best text, and the others that add something.

    Left out are those that differ in case and punctuation only, and beams that ended late (say it twice) or early
    (stop inside the best one) without a word of their own. A word that only one of them has stays: it may be "don't".
    """
    best = _letters(texts[0])
    kept = {best: texts[0]}
    known = set(texts[0].lower().split())
    for text in sorted(texts[1:], key=_repeats):
        letters, own = _letters(text), set(text.lower().split()) - known
        if letters and (own or not (best.startswith(letters) or _repeats(text))):
            kept.setdefault(letters, text)
            known |= own
    return tuple(kept.values())


def _echoes(text: str, prompt: str | None) -> bool:
    """True when ``text`` is a piece of the prompt's lists: it crosses from one entry to the next, or has a label.

    One entry alone ("inbox") may be meant, and so may the example command.
    """
    if not prompt:
        return False
    if any(label in text.rstrip(":： ") for label in re.findall(r"\w+[:：]", prompt)):
        return True
    letters = _letters(text)
    entries = re.split(r"[,.:、。：，]", prompt)
    return letters in _letters(prompt) and not any(letters in _letters(entry) for entry in entries)


def _repeats(text: str) -> bool:
    return _ratio(text) > Limits.ratio_retry


def _letters(text: str) -> str:
    return "".join(character for character in text.lower() if character.isalnum())


def _ratio(text: str) -> float:
    """How well ``text`` packs (zlib); a loop packs very well."""
    raw = text.encode()
    return len(raw) / len(zlib.compress(raw)) if raw else 0.0
