"""The query: instructions in English or Chinese as weighted terms."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

from actions.agent.scout.glossary import CHINESE, CHINESE_STOP, RELATED
from actions.agent.scout.words import STOP_WORDS, is_cjk, split_identifier, stem, stems_of

_LATIN = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")
# Anchored by what stands before, so that a long word is looked at once and not from each of its letters.
_PATH = re.compile(r"(?<![\w.~/-])(?:[\w.~-]*(?:/[\w.~-]+)+|[\w-]+\.[A-Za-z][A-Za-z0-9]{0,5}\b)")
_LONGEST = 20_000
_TICKS = re.compile(r"`([^`\n]{2,120})`")
_PARTICLES = "的了在是和与及把被让给对从到着过吗呢吧也都就不没有"
_MOST_TERMS = 40
_RELATED_WEIGHT = 0.4
_BIGRAM_WEIGHT = 0.6
_STOP_STEMS = frozenset(stem(word) for word in STOP_WORDS)


@dataclass(frozen=True, slots=True)
class Term:
    """One thing to look for: a lower-case ``stem`` with a ``weight`` in (0, 1].

    ``word`` is how a person would say it; ``said`` is the word of the instructions that it stands for.
    """

    stem: str
    weight: float
    said: str
    word: str
    cjk: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """What the instructions ask for.

    ``names`` are identifiers given as such (``TaskOwner``, ``save_plan``), ``paths`` are paths given as such, ``pairs``
    are stems that stood side by side.
    """

    text: str
    terms: tuple[Term, ...]
    names: tuple[str, ...]
    paths: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]

    @property
    def said(self) -> tuple[Term, ...]:
        """The words that stand in the instructions themselves, without related ones and pairs of characters."""
        return tuple(term for term in self.terms if term.weight == 1)


def parse_query(text: str) -> Query:
    """Read ``text``: its first 20,000 characters, without stop words and repeats, at most 40 terms."""
    text = text[:_LONGEST]
    terms: dict[str, Term] = {}
    ordered: list[str] = []
    names: dict[str, None] = {}
    paths = {_clean_path(match.group()): None for match in _PATH.finditer(text)}
    for word in _LATIN.findall(text):
        parts = split_identifier(word)
        if _is_name(word, parts):
            names[word] = None
        for part in parts:
            if len(part) < 2 or part.isdigit():
                continue
            key = stem(part)
            if part.lower() in STOP_WORDS or key in _STOP_STEMS:
                continue
            ordered.append(key)
            terms.setdefault(key, Term(key, 1.0, part.lower(), part.lower()))
    for ticked in _TICKS.findall(text):
        if _LATIN.fullmatch(ticked):
            names[ticked] = None
    for term in _chinese_terms(text):
        ordered.append(term.stem)
        known = terms.get(term.stem)
        if known is None or known.weight < term.weight:
            terms[term.stem] = term
    for term in _related(tuple(terms.values())):
        terms.setdefault(term.stem, term)
    pairs = dict.fromkeys((a, b) for a, b in itertools.pairwise(ordered) if a != b)
    return Query(
        text=text.strip(),
        terms=tuple(terms.values())[:_MOST_TERMS],
        names=tuple(names),
        paths=tuple(path for path in paths if path),
        pairs=tuple(pairs),
    )


def _clean_path(raw: str) -> str:
    return raw.strip(".").strip("/").removeprefix("./")


def _is_name(word: str, parts: tuple[str, ...]) -> bool:
    """An identifier given as such: snake_case, camelCase, PascalCase of two words; not plain prose."""
    return len(parts) > 1 and ("_" in word.strip("_") or not (word.islower() or word.isupper() or word.istitle()))


def _related(terms: tuple[Term, ...]) -> list[Term]:
    found: list[Term] = []
    for term in terms:
        for group in RELATED:
            if term.stem in {stem(word) for word in group}:
                found.extend(Term(stem(word), _RELATED_WEIGHT, term.said, word) for word in group)
    return found


def _chinese_terms(text: str) -> list[Term]:
    """Known words first (longest match) with the English that code uses for them; the rest as pairs of characters."""
    found: list[Term] = []
    longest = max(len(word) for word in CHINESE)
    run_start = 0
    at = 0

    def leftover(start: int, end: int) -> None:
        for i in range(start, end - 1):
            pair = text[i : i + 2]
            if all(is_cjk(char) and char not in _PARTICLES for char in pair):
                found.append(Term(pair, _BIGRAM_WEIGHT, pair, pair, cjk=True))

    while at < len(text):
        if not is_cjk(text[at]):
            leftover(run_start, at)
            at += 1
            run_start = at
            continue
        stop = next((w for w in CHINESE_STOP if text.startswith(w, at)), None)
        word = next((text[at : at + n] for n in range(longest, 1, -1) if text[at : at + n] in CHINESE), None)
        if word or stop:
            leftover(run_start, at)
            if word:
                found.append(Term(word, 1.0, word, word, cjk=True))
                found.extend(Term(s, 1.0, word, english) for english in CHINESE[word] for s in stems_of(english))
            at += len(word or stop or "")
            run_start = at
        else:
            at += 1
    leftover(run_start, len(text))
    return found
