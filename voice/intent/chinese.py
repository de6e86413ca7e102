"""Chinese as it is heard: simplified characters, syllables without tones, and pairs that recognisers mix up folded."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from pypinyin import lazy_pinyin

from voice.recognition.chinese import to_simplified

HAN = r"\u3400-\u4dbf\u4e00-\u9fff"
_HAN = re.compile(f"[{HAN}]")
_FOLDS = (("zh", "z"), ("ch", "c"), ("sh", "s"), ("ing", "in"), ("eng", "en"))


def has_han(text: str) -> bool:
    return bool(_HAN.search(text))


@lru_cache(4096)
def simplified(text: str) -> str:
    """Traditional characters as simplified ones, one for one: offsets stay what they are."""
    if not has_han(text):
        return text
    converted = to_simplified(text)
    return converted if len(converted) == len(text) else text


def fold(syllable: str) -> str:
    """zh/z, ch/c, sh/s, ing/in, eng/en and l/n are one: "qing" -> "qin", "lie" -> "nie"."""
    for heard, kept in _FOLDS:
        syllable = syllable.replace(heard, kept)
    return "n" + syllable[1:] if syllable.startswith("l") else syllable


@lru_cache(8192)
def syllables(run: str) -> Sequence[str]:
    """The folded syllable of each character of a run of Chinese characters."""
    heard = lazy_pinyin(run)
    if len(heard) != len(run):
        heard = [lazy_pinyin(char)[0] for char in run]
    return tuple(fold(syllable) for syllable in heard)
