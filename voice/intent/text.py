"""Text into tokens: both what was heard and what the catalog says go through here, so that they can meet.

Lower case, no punctuation, hyphens are gaps, "M.C.P." is "mcp", "7" is "seven", "3rd" is "third"; each Chinese
character is a token. A token remembers where it stood, so that free text keeps its own spelling.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from voice.intent import chinese, numbers, sound

_PIECE = re.compile(
    rf"[{chinese.HAN}]+|\d+(?:st|nd|rd|th)\b|\d+|[^\W\d_{chinese.HAN}]+(?:'[^\W\d_{chinese.HAN}]+)*", re.I
)

NEGATIONS = frozenset(
    "don't dont not never no nope cannot can't cant won't wont doesn't didn't shouldn't without 不 别 勿 没 甭".split()
)
_ASKED = frozenset("won't wont wouldn't can't cant couldn't".split())

# Said for politeness or by habit; a sentence with them is still the sentence.
COURTESY = frozenset(
    "please could can would will you now hey ok okay um uh er hm yes yeah just kindly then the a an my sayso "
    "请 吧 啊 呢 嗯 帮 我".split()
)
# Light words: they say little about which action is meant.
FILLER = COURTESY | frozenset(
    "to so and i i'd id want like let lets what are is go ahead need we us me it's its of on in for with using at into "
    "from as by about this that all 的 了 一 下 把 给 在 那 这 个 想 要 用 为 到".split()
)

# Little words that belong to a verb ("put away"): they frame nothing by themselves.
PARTICLES = frozenset("away up off out over back down in on together".split())


@dataclass(frozen=True, slots=True)
class Token:
    """``form`` is compared as written, ``sound`` as heard; ``start`` and ``end`` are offsets into the text."""

    form: str
    sound: str
    start: int
    end: int

    @property
    def han(self) -> bool:
        return chinese.has_han(self.form)


@dataclass(frozen=True)
class Utterance:
    """A text and its tokens."""

    text: str
    tokens: tuple[Token, ...]

    def __len__(self) -> int:
        return len(self.tokens)

    def negations(self) -> frozenset[int]:
        """Where a "not" stands. "Won't you open it" asks for it, so it is none."""
        forms = [token.form for token in self.tokens]
        return frozenset(
            at
            for at, form in enumerate(forms)
            if form in NEGATIONS and not (form in _ASKED and forms[at + 1 : at + 2] == ["you"])
        )

    def surface(self, start: int, end: int) -> str:
        """What stands in the text from token ``start`` up to token ``end``, without the punctuation around it."""
        words = self.text[self.tokens[start].start : self.tokens[end - 1].end]
        return words.strip(" \t\n,.;:!?，。；：！？")


def read(text: str) -> Utterance:
    """Tokenise a heard text or a template's words."""
    text = chinese.simplified(text.replace("’", "'").strip())
    tokens: list[Token] = []
    for piece in _PIECE.finditer(text):
        tokens.extend(_tokens(piece[0], piece.start()))
    return Utterance(text, tuple(_without_and(_join_letters(tokens))))


def plain(text: str) -> tuple[str, ...]:
    """The compared forms of a text."""
    return tuple(token.form for token in read(text).tokens)


def _tokens(piece: str, start: int) -> list[Token]:
    end = start + len(piece)
    if chinese.has_han(piece):
        heard = chinese.syllables(piece)
        return [Token(char, heard[i], start + i, start + i + 1) for i, char in enumerate(piece)]
    piece = piece.lower()
    digits = re.match(r"\d+", piece)
    if digits is None:
        if "'" in piece and piece not in NEGATIONS:
            piece = piece.removesuffix("'s").replace("'", "")
        return [Token(piece, sound.key(piece), start, end)]
    number = int(digits[0])
    if number > 999_999 or (len(digits[0]) > 1 and digits[0][0] == "0"):
        return [Token(piece, piece, start, end)]
    words = numbers.spell_ordinal(number) if len(piece) > len(digits[0]) else numbers.spell(number)
    return [Token(word, sound.key(word), start, end) for word in words]


def _join_letters(tokens: list[Token]) -> list[Token]:
    """Spelled letters are one word: "m c p" -> "mcp". A lone "a" or "i" before a word stays one."""
    joined: list[Token] = []
    i = 0
    while i < len(tokens):
        j = i
        while j < len(tokens) and len(tokens[j].form) == 1 and tokens[j].form.isascii() and tokens[j].form.isalpha():
            j += 1
        if j - i > 3 and tokens[i].form in "ai":
            joined.append(tokens[i])
            i += 1
        letters = "".join(token.form for token in tokens[i:j])
        if len(letters) > 2 or (len(letters) == 2 and not set(letters) & set("ai")):
            joined.append(Token(letters, sound.key(letters), tokens[i].start, tokens[j - 1].end))
            i = j
        else:
            joined.append(tokens[i])
            i += 1
    return joined


def _without_and(tokens: list[Token]) -> list[Token]:
    """ "one hundred and twenty" is "one hundred twenty"."""
    return [
        token
        for i, token in enumerate(tokens)
        if not (
            token.form == "and"
            and 0 < i < len(tokens) - 1
            and tokens[i - 1].form in ("hundred", "thousand")
            and tokens[i + 1].form in numbers.NUMBER_WORDS
        )
    ]
