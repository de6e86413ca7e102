"""Ranking: which files matter for a query, and why.

After BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009): the rarer a term is
in this very repository the more it weighs, and repeating it counts ever less. The fields (path, definitions, text)
saturate each by itself, so that a hundred mentions never outweigh the one file that is named after the matter.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from actions.agent.scout.cancel import Cancel
from actions.agent.scout.code import is_test
from actions.agent.scout.corpus import Corpus, Document
from actions.agent.scout.matches import Matches, find_matches
from actions.agent.scout.query import Query, Term

_PATH, _DEFINITION, _TEXT = 3.0, 2.0, 1.2
_DEFINITION_HALF, _TEXT_HALF = 1.0, 4.0
_LENGTH = 0.5
_NAME_BONUS, _PAIR_BONUS = 3.0, 0.7
_TEST_FACTOR, _PROSE_FACTOR, _DATA_FACTOR, _GENERATED_FACTOR = 0.6, 0.55, 0.5, 0.3
_DATA = frozenset("json yaml yml toml ini cfg xml csv tsv svg html css lock ts".split()) - {"ts"}


@dataclass(frozen=True)
class Ranked:
    """A document with its score (any positive unit), its matches, and the part each term gave, greatest first."""

    document: Document
    score: float
    matches: Matches
    parts: tuple[tuple[Term, float], ...]
    named: bool

    @property
    def path(self) -> str:
        return self.document.path


@dataclass(frozen=True)
class Ranking:
    """Files in order, best first (equal scores by path), and in how many files each stem occurs."""

    files: tuple[Ranked, ...]
    frequency: dict[str, int]
    matches: dict[str, Matches]


def rank(corpus: Corpus, query: Query, cancel: Cancel) -> Ranking:
    """Score each document of ``corpus``; documents without any match are left out."""
    matches: dict[str, Matches] = {}
    frequency = dict.fromkeys((term.stem for term in query.terms), 0)
    for document in corpus:
        cancel.check()
        found = find_matches(document, query)
        named = _named(document.path, query)
        if found or named:
            matches[document.path] = found
            for stem in found.stems:
                frequency[stem] += 1
    sizes = [min(len(corpus.by_path[path].data), 60_000) for path in matches] or [1]
    average = max(1.0, sum(sizes) / len(sizes))
    idf = {s: math.log(1 + (len(corpus.documents) - n + 0.5) / (n + 0.5)) for s, n in frequency.items()}
    wants = _wants(query)
    ranked: list[Ranked] = []
    for path, found in matches.items():
        cancel.check()
        ranked.append(_score(corpus.by_path[path], found, query, idf, average, wants))
    ranked.sort(key=lambda item: (-round(item.score, 9), item.path))
    return Ranking(tuple(item for item in ranked if item.score > 0), frequency, matches)


def _named(path: str, query: Query) -> bool:
    """Do the instructions name this file by its path or its full name?"""
    return any(path == p or path.endswith("/" + p) for p in query.paths)


def _wants(query: Query) -> frozenset[str]:
    """Kinds of file that the instructions ask for themselves, so that these are not played down."""
    stems = {term.stem for term in query.terms if term.weight == 1}
    wants: set[str] = set()
    if stems & {"test", "cover", "pytest", "spec"}:
        wants.add("test")
    if stems & {"doc", "docs", "document", "readm", "changelog", "guid", "guide"}:
        wants.add("prose")
    if stems & {"config", "configur", "json", "yaml", "toml", "pipelin", "workflow", "depend", "schema", "styl", "css"}:
        wants.add("data")
    return frozenset(wants)


def _score(
    document: Document, found: Matches, query: Query, idf: dict[str, float], average: float, wants: frozenset[str]
) -> Ranked:
    length = 1 - _LENGTH + _LENGTH * min(len(document.data), 60_000) / average
    parts: list[tuple[Term, float]] = []
    best_of: dict[str, float] = {}
    for term in query.terms:
        definitions = found.definition_hits.get(term.stem, 0.0)
        mentions = found.counts.get(term.stem, 0) / length
        fields = (
            _PATH * found.path_hits.get(term.stem, 0.0)
            + _DEFINITION * definitions / (definitions + _DEFINITION_HALF)
            + _TEXT * mentions / (mentions + _TEXT_HALF)
        )
        if fields <= 0:
            continue
        part = term.weight * idf[term.stem] * fields
        parts.append((term, part))
        # What one word of the instructions gives is its best term, not the sum over all its related words.
        best_of[term.said] = max(best_of.get(term.said, 0.0), part)
    total = sum(best_of.values())
    words = {term.said for term in query.terms}
    coverage = len(best_of) / len(words) if words else 1.0
    top_idf = max(idf.values(), default=1.0)
    total *= 0.6 + 0.4 * coverage
    total += _PAIR_BONUS * top_idf * len(found.pairs) * 0.5
    total += _NAME_BONUS * top_idf * sum(1.0 if _defines(found, name) else 0.3 for name in found.names)
    total *= _factor(document, wants)
    named = _named(document.path, query)
    if named:
        total += 10 * max(1.0, top_idf)
    parts.sort(key=lambda item: (-item[1], item[0].stem))
    return Ranked(document, total, found, tuple(parts), named)


def _defines(found: Matches, name: str) -> bool:
    return name in found.definitions.values()


def _factor(document: Document, wants: frozenset[str]) -> float:
    if document.generated:
        return _GENERATED_FACTOR
    if is_test(document.path):
        return 1.0 if "test" in wants else _TEST_FACTOR
    if document.is_prose:
        return 1.0 if "prose" in wants else _PROSE_FACTOR
    if document.extension in _DATA:
        return 1.0 if "data" in wants else _DATA_FACTOR
    return 1.0
