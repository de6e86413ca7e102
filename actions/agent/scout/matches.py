"""Where the terms of a query occur in one document."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

from actions.agent.scout.code import definition_in, heading_in
from actions.agent.scout.corpus import Document
from actions.agent.scout.query import Query
from actions.agent.scout.words import identifiers, stems_of

_LONGEST_LINE = 400
_MOST_LINES = 400


@dataclass(slots=True)
class Matches:
    """Counts a term, and the places. Lines are 1-based; ``definitions`` maps a line to the name it defines."""

    path_hits: dict[str, float] = field(default_factory=dict[str, float])
    counts: dict[str, int] = field(default_factory=dict[str, int])
    definition_hits: dict[str, float] = field(default_factory=dict[str, float])
    definitions: dict[int, str] = field(default_factory=dict[int, str])
    lines: dict[int, frozenset[str]] = field(default_factory=dict[int, frozenset[str]])
    names: dict[str, int] = field(default_factory=dict[str, int])
    pairs: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])

    def __bool__(self) -> bool:
        return bool(self.path_hits or self.counts)

    @property
    def stems(self) -> set[str]:
        return self.path_hits.keys() | self.counts.keys()


def glance(document: Document, query: Query) -> Matches:
    """A cheap upper bound: how often each term stands in the text at all, as a word or inside one; no places."""
    found = Matches()
    _in_path(document.path, query, found)
    if document.generated:
        return found
    lowered = document.lowered
    found.counts = {term.stem: count for term in query.terms if (count := lowered.count(term.stem.encode()))}
    found.names = {name: 0 for name in query.names if name.encode() in document.data}
    return found


def find_matches(document: Document, hint: Matches, query: Query) -> Matches:
    """Where exactly the terms stand that a :func:`glance` saw."""
    found = Matches(path_hits=hint.path_hits)
    _in_path_pairs(document.path, query, found)
    if not hint.counts:
        return found
    present = [term for term in query.terms if term.stem in hint.counts]
    wanted = frozenset(term.stem for term in present if not term.cjk)
    words = _Words(wanted, tuple(term.stem for term in present if term.cjk), query)
    needles = [term.stem.encode() for term in present]
    for number, line in _candidate_lines(document.data, document.lowered, needles):
        _in_line(number, line, words, heading_in(line, document.extension), found)
    return found


@dataclass(frozen=True, slots=True)
class _Words:
    """The terms of the query that the document holds at all: English stems, Chinese words."""

    stems: frozenset[str]
    chinese: tuple[str, ...]
    query: Query


def _candidate_lines(data: bytes, lowered: bytes, needles: list[bytes]) -> list[tuple[int, str]]:
    """Number and text of the lines that hold any needle, in order, at most 400 a needle; only these are decoded."""
    starts: dict[int, int] = {}
    for needle in needles:
        at = lowered.find(needle)
        counted_to, number = 0, 1
        for _ in range(_MOST_LINES):
            if at < 0:
                break
            start = lowered.rfind(b"\n", 0, at) + 1
            number += lowered.count(b"\n", counted_to, start)
            counted_to = start
            starts[number] = start
            end = lowered.find(b"\n", at)
            at = lowered.find(needle, end) if end >= 0 else -1
    return [(number, _line_at(data, start)) for number, start in sorted(starts.items())]


def _line_at(data: bytes, start: int) -> str:
    end = data.find(b"\n", start, start + _LONGEST_LINE)
    return data[start : end if end >= 0 else start + _LONGEST_LINE].decode("utf-8", errors="replace")


def _stems_in_path(path: str) -> tuple[list[str], set[str]]:
    """Stems of the bare file name in order, and of the folders."""
    folder, _, name = path.rpartition("/")
    name = name.rpartition(".")[0] or name
    name_stems = [s for word in identifiers(name.replace("-", "_")) for s in stems_of(word)]
    return name_stems, {s for word in identifiers(folder.replace("-", "_")) for s in stems_of(word)}


def _in_path(path: str, query: Query, found: Matches) -> None:
    name_stems, folder_stems = _stems_in_path(path)
    for term in query.terms:
        if term.cjk:
            hit = 1.0 if term.stem in path.rpartition("/")[2] else 0.5 if term.stem in path else 0.0
        else:
            hit = 1.0 if term.stem in name_stems else 0.5 if term.stem in folder_stems else 0.0
        if hit:
            # A name that says only this is more to the point than one that says it among other things.
            found.path_hits[term.stem] = hit * (1.0 if hit < 1 else 0.6 + 0.4 / max(1, len(name_stems)))


def _in_path_pairs(path: str, query: Query, found: Matches) -> None:
    name_stems, _ = _stems_in_path(path)
    found.pairs.update(pair for pair in itertools.pairwise(name_stems) if pair in query.pairs)


def _in_line(number: int, line: str, words: _Words, title: str | None, found: Matches) -> None:
    here: set[str] = {s for s in words.chinese if s in line}
    for word in identifiers(line):
        stems = stems_of(word)
        if words.stems.isdisjoint(stems):
            continue
        here.update(words.stems.intersection(stems))
        if word in words.query.names:
            found.names.setdefault(word, number)
        if len(stems) > 1:
            found.pairs.update(pair for pair in itertools.pairwise(stems) if pair in words.query.pairs)
    if not here:
        return
    found.lines[number] = frozenset(here)
    for s in here:
        found.counts[s] = found.counts.get(s, 0) + 1
    name = title or definition_in(line)
    if name is not None:
        _in_definition(number, name, words, 0.5 if title else 1.0, found)


def _in_definition(number: int, name: str, words: _Words, worth: float, found: Matches) -> None:
    parts = [s for word in identifiers(name) for s in stems_of(word)]
    hits = words.stems.intersection(parts) | {s for s in words.chinese if s in name}
    if not hits:
        return
    found.definitions[number] = name
    # The same focus as for file names: `retry` defines "retry" more than `test_that_retry_waits_long` does.
    strength = worth * (0.5 + 0.5 / max(1, len(parts)))
    for s in hits:
        found.definition_hits[s] = found.definition_hits.get(s, 0.0) + strength
