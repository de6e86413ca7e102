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
from actions.agent.scout.matches import Matches, find_matches, glance
from actions.agent.scout.query import Query, Term

_PATH, _DEFINITION, _TEXT = 3.0, 2.0, 1.2
_DEFINITION_HALF, _TEXT_HALF = 1.0, 4.0
_LENGTH, _LONG = 0.5, 60_000
_CLOSELY = 800
_NAME_BONUS, _PAIR_BONUS = 3.0, 0.35
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
    """Files in order, best first (equal scores by path), and in how many files each stem occurs.

    ``matches`` are those of the files that were looked at closely, ``seen`` counts all that hold any of the terms.
    """

    seen: int
    files: tuple[Ranked, ...]
    frequency: dict[str, int]
    matches: dict[str, Matches]


def rank(corpus: Corpus, query: Query, cancel: Cancel) -> Ranking:
    """Score each document of ``corpus``; documents without any match are left out.

    Every document is glanced at; of more than 800 that seem to match, the most promising 800 are looked at closely.
    """
    hints: dict[str, Matches] = {}
    for document in corpus:
        cancel.check()
        hint = glance(document, query)
        if hint or _named(document.path, query):
            hints[document.path] = hint
    chosen = list(hints)
    if len(hints) > _CLOSELY:
        rough = _Scorer(corpus, query, hints)
        chosen = sorted(hints, key=lambda path: (-rough.score(corpus.by_path[path], hints[path]).score, path))[
            :_CLOSELY
        ]
    matches = {**hints}
    for path in chosen:
        cancel.check()
        matches[path] = find_matches(corpus.by_path[path], hints[path], query)
    scorer = _Scorer(corpus, query, matches)
    ranked = [scorer.score(corpus.by_path[path], matches[path]) for path in chosen]
    ranked.sort(key=lambda item: (-round(item.score, 9), item.path))
    files = tuple(item for item in ranked if item.score > 0)
    return Ranking(len(hints), files, scorer.frequency, {path: matches[path] for path in chosen})


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


class _Scorer:
    """Scores matches against how rare each term is in these very files."""

    def __init__(self, corpus: Corpus, query: Query, matches: dict[str, Matches]) -> None:
        self._query = query
        self._wants = _wants(query)
        self._words = len({term.said for term in query.terms})
        self.frequency = dict.fromkeys((term.stem for term in query.terms), 0)
        for found in matches.values():
            for stem in found.stems:
                self.frequency[stem] += 1
        count = len(corpus.documents)
        self._idf = {stem: math.log(1 + (count - n + 0.5) / (n + 0.5)) for stem, n in self.frequency.items()}
        self._top = max(self._idf.values(), default=1.0)
        sizes = [_size(corpus.by_path[path]) for path in matches]
        self._average = max(1.0, sum(sizes) / max(1, len(sizes)))

    def score(self, document: Document, found: Matches) -> Ranked:
        parts = self._parts(document, found)
        # What one word of the instructions gives is its best term, not the sum over all its related words.
        best_of: dict[str, float] = {}
        for term, part in parts:
            best_of[term.said] = max(best_of.get(term.said, 0.0), part)
        total = sum(best_of.values()) * (0.6 + 0.4 * len(best_of) / max(1, self._words))
        total += _PAIR_BONUS * self._top * len(found.pairs)
        defined = found.definitions.values()
        total += _NAME_BONUS * self._top * sum(1.0 if name in defined else 0.3 for name in found.names)
        total *= _factor(document, self._wants)
        named = _named(document.path, self._query)
        if named:
            total += 10 * max(1.0, self._top)
        return Ranked(document, total, found, tuple(parts), named)

    def _parts(self, document: Document, found: Matches) -> list[tuple[Term, float]]:
        length = 1 - _LENGTH + _LENGTH * _size(document) / self._average
        parts: list[tuple[Term, float]] = []
        for term in self._query.terms:
            definitions = found.definition_hits.get(term.stem, 0.0)
            mentions = found.counts.get(term.stem, 0) / length
            fields = (
                _PATH * found.path_hits.get(term.stem, 0.0)
                + _DEFINITION * definitions / (definitions + _DEFINITION_HALF)
                + _TEXT * mentions / (mentions + _TEXT_HALF)
            )
            if fields > 0:
                parts.append((term, term.weight * self._idf[term.stem] * fields))
        return sorted(parts, key=lambda item: (-item[1], item[0].stem))


def _size(document: Document) -> int:
    return min(len(document.data), _LONG)


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
