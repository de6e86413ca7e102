"""How words sound: keys under which words that are taken for each other fall together, and a similarity of 0 to 1."""

from __future__ import annotations

import re
from functools import lru_cache

from rapidfuzz.distance import Levenshtein

# Order matters: longer spellings first. Vowels that English mixes up end on one letter each.
_SPELLINGS = tuple(
    (re.compile(pattern), sound)
    for pattern, sound in (
        (r"^kn", "n"),
        (r"^wr", "r"),
        (r"tch", "ch"),
        (r"sch", "sk"),
        (r"igh", "i"),
        (r"ough", "o"),
        (r"ph", "f"),
        (r"ck", "k"),
        (r"qu|q", "kw"),
        (r"kww", "kw"),
        (r"x", "ks"),
        (r"wh", "w"),
        (r"c(?=[eiy])", "s"),
        (r"ch", "%"),
        (r"c", "k"),
        (r"%", "ch"),
        (r"dge?", "d"),
        (r"j", "g"),
        (r"z", "s"),
        (r"mb$", "m"),
        (r"ee|ea|ie|y", "i"),
        (r"ai|ei", "e"),
        (r"au|aw|ou|ow|oa", "o"),
        (r"oo|ew", "u"),
        (r"(?<=[^aeiou]{1})e$", ""),
        (r"([aeiou])[aeiou]+", r"\1"),
        (r"(.)\1+", r"\1"),
    )
)


# The names of these letters end alike: an "M C P" that is spelled is heard as "N C P" or "M C T".
_LETTER_NAMES = str.maketrans("nbcdgptvzfxs", "meeeeeeeefff")
_VOWELS = frozenset("aeiouy")


@lru_cache(65536)
def key(word: str) -> str:
    """The sound of an English word: "qwen", "kwen" and "quen" are one, so are "claude", "clawed" and "cloud"."""
    if len(word) < 3:
        return word
    if not _VOWELS.intersection(word):
        return word.translate(_LETTER_NAMES)
    for pattern, sound in _SPELLINGS:
        word = pattern.sub(sound, word)
    return word


@lru_cache(65536)
def skeleton(sound: str) -> str:
    """A sound key without its vowels' colours: "kiro" and "kero" (Cairo) are one."""
    return re.sub(r"[aeiou]+", "a", sound)


@lru_cache(65536)
def similarity(a: str, b: str) -> float:
    """0 to 1: spelling or sound of two words, whichever is closer."""
    if a == b:
        return 1.0
    return max(Levenshtein.normalized_similarity(a, b), 0.95 * Levenshtein.normalized_similarity(key(a), key(b)))
