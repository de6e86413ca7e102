"""The spoken forms of live option values, indexed so that a heard span finds its value fast."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from voice.intent import numbers, sound
from voice.intent.closeness import LetterCounts
from voice.intent.model import Context, Language, Slot, SpokenOption
from voice.intent.text import Token, read

# Below this, a heard span is no form of the value.
HEARD = 0.55
# How far ahead of another value a heard span must be to be that value beyond doubt.
CLEAR = 0.08

_SAME_SKELETON = 0.86
_HEARD_AS = 0.95
_ROUNDING = 1e-4
# Up to so many forms, comparing them all is faster than finding out which are worth it.
_FEW = 500

_POSITIONS_ZH = ("第一个", "第二个", "第三个", "第四个", "第五个", "第六个", "第七个", "第八个", "第九个", "第十个")
_PRONOUNS: Mapping[str, Mapping[Language, tuple[str, ...]]] = {
    "current": {
        "en": (
            "this session",
            "the current session",
            "current session",
            "the session",
            "that session",
            "my session",
            "this one",
            "it",
            "this",
        ),
        "zh": ("这个会话", "当前会话", "本会话", "此会话", "现在的会话", "它", "这个"),
    },
    "primary": {
        "en": ("primary session", "main session", "the target session"),
        "zh": ("主会话", "主要会话", "目标会话"),
    },
    "last": {
        "en": ("last session", "previous session", "the session before", "the last one"),
        "zh": ("上一个会话", "上个会话", "最后一个会话", "刚才的会话"),
    },
}

_WEAK = frozenset(("it", "this", "thisone", "thelastone", "它", "这个"))


@dataclass(frozen=True)
class Pronoun:
    """A value that is known from the moment only; without a current session the host takes the caller's own."""

    which: str
    session: str | None


@dataclass(frozen=True)
class Found:
    """A value for a heard span. ``quality`` is 1 for a form said word for word; ``clear``: no other value is near."""

    option: SpokenOption
    quality: float
    clear: bool = True
    pronoun: Pronoun | None = None

    @property
    def weak(self) -> bool:
        """Whether it is no more than "it" or "this", which any talk is full of."""
        return self.pronoun is not None and self.option.label in _WEAK


def with_ordinals(options: Sequence[SpokenOption]) -> tuple[SpokenOption, ...]:
    """The options of a list with their places as further names: "first", "number one", "第一个", and "last"."""
    placed: list[SpokenOption] = []
    for i, option in enumerate(options):
        names: list[str] = []
        if i < len(_POSITIONS_ZH):
            word = " ".join(numbers.spell_ordinal(i + 1))
            names += [word, f"{word} one", f"number {' '.join(numbers.spell(i + 1))}", _POSITIONS_ZH[i]]
        if i == len(options) - 1:
            names += ["last", "last one", "latest", "最后一个"]
        placed.append(replace(option, aliases=(*option.aliases, *(n for n in names if n not in option.aliases))))
    return tuple(placed)


class Lexicon:
    """The forms of one slot's options. Build once per list of options; lookups are read only."""

    def __init__(self, options: Sequence[SpokenOption], pronouns: Sequence[tuple[str, Pronoun]] = ()) -> None:
        self._options = tuple(options)
        self._pronouns = {_joined(read(form).tokens): pronoun for form, pronoun in pronouns}
        self._exact: dict[str, set[int]] = defaultdict(set)
        self._owner: list[int] = []
        self._forms: list[str] = []
        self._sounds: list[str] = []
        by_skeleton: dict[str, set[int]] = defaultdict(set)
        longest = 1
        for i, option in enumerate(self._options):
            for spoken in dict.fromkeys((option.label, str(option.value), *option.aliases)):
                tokens = read(spoken).tokens
                form = _joined(tokens)
                if not form or i in self._exact[form]:
                    continue
                longest = max(longest, len(tokens))
                self._exact[form].add(i)
                heard = _sound(tokens)
                by_skeleton[sound.skeleton(heard)].add(len(self._forms))
                self._owner.append(i)
                self._forms.append(form)
                self._sounds.append(heard)
        self._by_skeleton = dict(by_skeleton)
        self.longest = min(longest + 1, 8)
        self._spelt, self._spoken = LetterCounts(self._forms), LetterCounts(self._sounds)
        self._owners = np.array(self._owner, dtype=np.int64)

    def __len__(self) -> int:
        return len(self._options)

    def lookup(self, spans: Sequence[Sequence[Token]]) -> list[Found | None]:
        """The value that each span of tokens names, or None."""
        found: list[Found | None] = [self._word_for_word(_joined(span)) for span in spans]
        open_spans = [i for i, item in enumerate(found) if item is None and self._forms]
        if not open_spans:
            return found
        forms, sounds = [_joined(spans[i]) for i in open_spans], [_sound(spans[i]) for i in open_spans]
        scores = self._all(forms, sounds) if len(self._forms) <= _FEW else map(self._promising, forms, sounds)
        for i, heard, row in zip(open_spans, sounds, scores, strict=True):
            same = self._alike(heard)
            row[same] = np.maximum(row[same], _SAME_SKELETON)
            found[i] = self._best(row)
        return found

    def _alike(self, heard: str) -> list[int]:
        """The forms that sound the same but for their vowels."""
        return list(self._by_skeleton.get(sound.skeleton(heard), ())) if len(heard) > 2 else []

    def _all(self, forms: Sequence[str], sounds: Sequence[str]) -> np.ndarray:
        """Spelling or sound, whichever is closer, of every form to each span: in one go, which suits short lists."""
        written = cdist(forms, self._forms, scorer=Levenshtein.normalized_similarity, score_cutoff=HEARD)
        heard = cdist(sounds, self._sounds, scorer=Levenshtein.normalized_similarity, score_cutoff=HEARD)
        return np.maximum(written, _HEARD_AS * heard)

    def _promising(self, form: str, heard: str) -> np.ndarray:
        """The same for one span; forms that cannot come near the best one stay at 0, never compared."""
        spelt, spoken = self._spelt.bound(form), np.float32(_HEARD_AS) * self._spoken.bound(heard)
        bound = np.maximum(spelt, spoken)
        scores = np.zeros(len(bound), dtype=np.float32)
        likeliest = np.array([int(bound.argmax())])
        self._compare(scores, likeliest, self._forms, form, 1.0)
        self._compare(scores, likeliest, self._sounds, heard, _HEARD_AS)
        best = _SAME_SKELETON if self._alike(heard) else float(scores.max())
        worth = max(HEARD, max(best, float(scores.max())) - CLEAR) - _ROUNDING
        self._compare(scores, np.flatnonzero(spelt >= worth), self._forms, form, 1.0)
        self._compare(scores, np.flatnonzero(spoken >= worth), self._sounds, heard, _HEARD_AS)
        return scores

    @staticmethod
    def _compare(scores: np.ndarray, columns: np.ndarray, spellings: Sequence[str], heard: str, share: float) -> None:
        """Raise the scores of these columns to ``share`` of their similarity, where it reaches :data:`HEARD`."""
        if len(columns):
            some = [spellings[i] for i in columns.tolist()]
            found = cdist([heard], some, scorer=Levenshtein.normalized_similarity, score_cutoff=HEARD)[0]
            scores[columns] = np.maximum(scores[columns], share * found)

    def _word_for_word(self, form: str) -> Found | None:
        if form in self._pronouns:
            return Found(SpokenOption(None, form), 1.0, pronoun=self._pronouns[form])
        owners = self._exact.get(form)
        if not owners:
            return None
        return Found(self._options[min(owners)], 1.0, clear=len(owners) == 1)

    def _best(self, scores: np.ndarray) -> Found | None:
        best = int(scores.argmax())
        quality = float(scores[best])
        if quality < HEARD:
            return None
        others = scores[self._owners != self._owner[best]]
        clear = not others.size or float(others.max()) < quality - CLEAR
        # Heard alike is not said alike: only a form said word for word is worth 1.
        return Found(self._options[self._owner[best]], min(quality, 0.99), clear)


def pronouns(slot: Slot, context: Context) -> list[tuple[str, Pronoun]]:
    """The forms of "this session" and its like, for a slot that refers to sessions."""
    if slot.refers_to != "session":
        return []
    sessions = {"current": context.current_session, "primary": context.primary_session, "last": context.last_session}
    return [
        (form, Pronoun(which, sessions[which]))
        for which, forms in _PRONOUNS.items()
        if which == "current" or sessions[which] is not None
        for form in (*forms["en"], *forms["zh"])
    ]


def _joined(tokens: Sequence[Token]) -> str:
    return "".join(token.form for token in tokens)


def _sound(tokens: Sequence[Token]) -> str:
    return "".join(token.sound for token in tokens)
