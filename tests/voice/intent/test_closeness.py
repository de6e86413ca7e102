"""What the index leaves out could not have been the answer: the same value as by comparing with every form."""

from __future__ import annotations

import random

import numpy as np
from rapidfuzz.distance import Levenshtein

from tests.voice.intent.test_scale import big
from voice.intent import SpokenOption, sound
from voice.intent.closeness import LetterCounts
from voice.intent.lexicon import CLEAR, HEARD, Lexicon
from voice.intent.text import read


def _misheard(name: str, chance: random.Random) -> str:
    letters = list(name)
    for _ in range(chance.randrange(4)):
        letters[chance.randrange(len(letters))] = chance.choice("aeioubckmnrst ")
    return "".join(letters)


def test_no_spelling_is_closer_than_its_bound() -> None:
    words = ["kiro", "qwen", "auth refactor", "会话", "会话 3", "", "a" * 300, "naïve", "x2"]
    for word in words:
        bound = LetterCounts(words).bound(word)
        for other, most in zip(words, bound, strict=True):
            if word or other:
                assert Levenshtein.normalized_similarity(word, other) <= most + 1e-6


def test_the_nearest_name_is_the_one_that_comparing_all_gives() -> None:
    chance = random.Random(3)
    names = chance.sample(big()[2], 800)
    lexicon = Lexicon([SpokenOption(name, name) for name in names])
    forms = ["".join(t.form for t in read(name).tokens) for name in names]
    sounds = ["".join(t.sound for t in read(name).tokens) for name in names]
    for _ in range(60):
        tokens = read(_misheard(chance.choice(names), chance)).tokens
        form, heard = "".join(t.form for t in tokens), "".join(t.sound for t in tokens)
        if form in forms or not form:
            continue
        scores = np.array(
            [
                max(
                    Levenshtein.normalized_similarity(form, forms[i]),
                    0.95 * Levenshtein.normalized_similarity(heard, sounds[i]),
                    0.86 if sound.skeleton(heard) == sound.skeleton(sounds[i]) and len(heard) > 2 else 0.0,
                )
                for i in range(len(names))
            ]
        )
        best, (found,) = int(scores.argmax()), lexicon.lookup([tokens])
        if scores[best] < HEARD - 1e-4:
            assert found is None
        elif found is not None:
            assert abs(found.quality - min(scores[best], 0.99)) < 1e-4
            assert scores[names.index(str(found.option.value))] >= scores[best] - 1e-4
            assert found.clear == (float(np.delete(scores, best).max()) < scores[best] - CLEAR)
        else:
            assert scores[best] < HEARD + 1e-4
