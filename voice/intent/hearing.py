"""One utterance against the grammar's words and the world's values: every similarity, worked out at most once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from voice.intent.grammar import Vocabulary
from voice.intent.lexicon import Found, Lexicon
from voice.intent.template import Literal, SlotUse
from voice.intent.text import Utterance
from voice.intent.verbs import LONGEST, SHARED, STAND_IN, STAND_INS

# Below this, a heard word is not the literal; a short word is nearly any other short word.
_WORD, _SHORT_WORD, _JOINED = 0.55, 0.8, 0.85
# "answers", "denied": what talk does with a command's verb. Nearly the word, and no order.
_INFLECTED = 0.75
_ENDINGS = ("s", "d", "ed", "es", "ing")
# A syllable is heard or not: half of one is another one.
_SYLLABLE = 0.75


class Hearing:
    """How well each literal of the vocabulary is heard at each token, and what value each span names."""

    def __init__(self, heard: Utterance, vocabulary: Vocabulary, verbs: frozenset[str]) -> None:
        self._heard = heard
        self._vocabulary = vocabulary
        self._verbs = verbs
        self._words = self._hear_words() if vocabulary.forms and heard.tokens else {}
        self._hear_stand_ins()
        self._values: dict[tuple[int, int], tuple[tuple[int, Found], ...]] = {}

    def best(self) -> dict[int, float]:
        """For each literal (by place in the vocabulary) that is heard anywhere: how well."""
        found: dict[int, float] = {}
        for (word, _), lengths in self._words.items():
            quality = max(quality for _, quality in lengths)
            found[word] = max(found.get(word, 0.0), quality)
        return found

    def word(self, literal: Literal, at: int) -> Sequence[tuple[int, float]]:
        """(tokens, quality) for each way the literal is heard from token ``at`` on."""
        return self._words.get((self._vocabulary.position[literal.form], at), ())

    def values(
        self, lexicon_of: Callable[[SlotUse], Lexicon | None]
    ) -> Callable[[SlotUse, int], Sequence[tuple[int, Found]]]:
        """A lookup of (tokens, value) for each value that a slot can take from token ``at`` on."""

        def hear(use: SlotUse, at: int) -> Sequence[tuple[int, Found]]:
            lexicon = lexicon_of(use)
            if lexicon is None:
                return ()
            key = (id(lexicon), at)
            if key not in self._values:
                self._values[key] = self._look_up(lexicon, at)
            return self._values[key]

        return hear

    def _look_up(self, lexicon: Lexicon, at: int) -> tuple[tuple[int, Found], ...]:
        tokens = self._heard.tokens
        lengths = range(1, min(lexicon.longest, len(tokens) - at) + 1)
        found = lexicon.lookup([tokens[at : at + length] for length in lengths])
        return tuple((length, item) for length, item in zip(lengths, found, strict=True) if item is not None)

    def _hear_words(self) -> dict[tuple[int, int], list[tuple[int, float]]]:
        tokens = self._heard.tokens
        pairs = [(at, length) for at in range(len(tokens)) for length in (1, 2) if at + length <= len(tokens)]
        forms = ["".join(t.form for t in tokens[at : at + length]) for at, length in pairs]
        sounds = ["".join(t.sound for t in tokens[at : at + length]) for at, length in pairs]
        vocabulary = self._vocabulary
        written = cdist(forms, vocabulary.forms, scorer=Levenshtein.normalized_similarity, score_cutoff=_WORD)
        heard = cdist(sounds, vocabulary.sounds, scorer=Levenshtein.normalized_similarity, score_cutoff=_WORD)
        scores = np.maximum(written, 0.95 * heard)
        words: dict[tuple[int, int], list[tuple[int, float]]] = {}
        rows, columns = np.nonzero(scores >= _WORD)
        for row, word in zip(map(int, rows), map(int, columns), strict=True):
            at, length = pairs[row]
            quality = float(scores[row, word])
            literal = vocabulary.forms[word]
            han = not literal.isascii()
            if han and (length == 2 or quality < 0.95 * _SYLLABLE):
                continue
            if len(literal) < 4 and not han and quality < (_SHORT_WORD if length == 1 else 1.0):
                continue
            if vocabulary.joined[word] and (length == 2 or quality < _JOINED):
                continue
            if literal in self._verbs and _inflects(forms[row], literal):
                quality = min(quality, _INFLECTED)
            words.setdefault((word, at), []).append((length, quality))
        return words

    def _hear_stand_ins(self) -> None:
        forms = tuple(token.form for token in self._heard.tokens)
        for at in range(len(forms)):
            for length in range(1, min(LONGEST, len(forms) - at) + 1):
                said = forms[at : at + length]
                worth = SHARED if length == 1 and said[0] in self._verbs else STAND_IN
                for form in STAND_INS.get(said, ()):
                    word = self._vocabulary.position.get(form)
                    if word is not None and form in self._verbs:
                        self._words.setdefault((word, at), []).append((length, worth))


def _inflects(heard: str, verb: str) -> bool:
    stems = (verb, verb[:-1]) if verb[-1] in "ey" else (verb,)
    return any(heard == stem + ending or heard == stem + "i" + ending for stem in stems for ending in _ENDINGS)
