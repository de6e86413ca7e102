"""Numbers as words: ``120`` is "one hundred twenty", ``3rd`` is "third", ``十二`` is 12."""

from __future__ import annotations

from collections.abc import Sequence

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split()
_UNITS = {word: value for value, word in enumerate(_ONES)} | {
    word: 10 * value for value, word in enumerate(_TENS) if value > 1
}
_HAN_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_HAN_UNITS = {"十": 10, "百": 100, "千": 1000}

_ORDINAL_ENDINGS = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}

NUMBER_WORDS = frozenset(_UNITS) | {"hundred", "thousand"}


def spell(number: int) -> list[str]:
    """The words of 0 to 999,999, without "and"."""
    if number < 20:
        return [_ONES[number]]
    if number < 100:
        return [_TENS[number // 10], *(spell(number % 10) if number % 10 else [])]
    if number < 1000:
        return [*spell(number // 100), "hundred", *(spell(number % 100) if number % 100 else [])]
    return [*spell(number // 1000), "thousand", *(spell(number % 1000) if number % 1000 else [])]


def spell_ordinal(number: int) -> list[str]:
    """``3`` as ["third"], ``21`` as ["twenty", "first"]."""
    *head, last = spell(number)
    if last in _ORDINAL_ENDINGS:
        return [*head, _ORDINAL_ENDINGS[last]]
    return [*head, last[:-1] + "ieth" if last.endswith("y") else last + "th"]


def parse(words: Sequence[str]) -> int | None:
    """The number that these words name, or None. Takes English words and Chinese digits."""
    if not words:
        return None
    if all(word in _HAN_DIGITS or word in _HAN_UNITS for word in words):
        return _parse_han(words)
    total = current = 0
    before = ""
    for word in words:
        if word in _UNITS:
            value = _UNITS[word]
            # "one hundred in twenty" and "seven eight" are no single number.
            if before in _UNITS and not (_UNITS[before] >= 20 and 0 < value < 10):
                return None
            current += value
        elif word == "hundred":
            current = max(current, 1) * 100
        elif word == "thousand":
            total, current = total + max(current, 1) * 1000, 0
        elif word.isdigit():
            return int(word) if len(words) == 1 else None
        else:
            return None
        before = word
    return total + current


def _parse_han(words: Sequence[str]) -> int | None:
    total = current = 0
    for word in words:
        if word in _HAN_UNITS:
            total, current = total + max(current, 1) * _HAN_UNITS[word], 0
        else:
            current = current * 10 + _HAN_DIGITS[word]
    return total + current
