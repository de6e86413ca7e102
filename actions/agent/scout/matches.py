"""Where the terms of a query occur in one document."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from actions.agent.scout.code import definition_in, heading_in
from actions.agent.scout.corpus import Document
from actions.agent.scout.query import Query
from actions.agent.scout.words import identifiers, stem, stems_of

_LONGEST_LINE = 400
_MOST_LINES = 600


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


def find_matches(document: Document, query: Query) -> Matches:
    """Look for every term of ``query`` in the path and the text of ``document``."""
    found = Matches()
    _in_path(document.path, query, found)
    lowered = document.lowered
    present = [term for term in query.terms if term.stem.encode() in lowered]
    if not present or document.generated:
        return found
    wanted = frozenset(term.stem for term in present if not term.cjk)
    chinese = [term for term in present if term.cjk]
    for number in _candidate_lines(lowered, [term.stem.encode() for term in present]):
        _in_line(number, document.lines[number - 1][:_LONGEST_LINE], wanted, [t.stem for t in chinese], query, found)
    return found


def _candidate_lines(lowered: bytes, needles: list[bytes]) -> list[int]:
    """Numbers of the lines that hold any needle: one pass over the bytes a needle, the newlines counted on the way."""
    numbers: set[int] = set()
    for needle in needles:
        at = lowered.find(needle)
        counted_to, number, seen = 0, 1, 0
        while at >= 0 and seen < _MOST_LINES:
            number += lowered.count(b"\n", counted_to, at)
            counted_to = at
            numbers.add(number)
            seen += 1
            end = lowered.find(b"\n", at)
            at = lowered.find(needle, end) if end >= 0 else -1
    return sorted(numbers)


def _in_path(path: str, query: Query, found: Matches) -> None:
    pure = PurePosixPath(path)
    name_stems = [s for word in identifiers(pure.stem.replace("-", "_")) for s in stems_of(word)]
    folder_stems = {s for part in pure.parts[:-1] for w in identifiers(part.replace("-", "_")) for s in stems_of(w)}
    for term in query.terms:
        if term.cjk:
            hit = 1.0 if term.stem in pure.stem else 0.5 if term.stem in path else 0.0
        else:
            hit = 1.0 if term.stem in name_stems else 0.5 if term.stem in folder_stems else 0.0
        if hit:
            # A name that says only this is more to the point than one that says it among other things.
            focus = 1.0 if hit < 1 else 0.6 + 0.4 / max(1, len(name_stems))
            found.path_hits[term.stem] = hit * focus
    found.pairs.update(pair for pair in itertools.pairwise(name_stems) if pair in query.pairs)


def _in_line(number: int, line: str, wanted: frozenset[str], chinese: list[str], query: Query, found: Matches) -> None:
    here: set[str] = {s for s in chinese if s in line}
    words = tuple(identifiers(line))
    for word in words:
        stems = stems_of(word)
        hits = wanted.intersection(stems)
        here |= hits
        if not hits:
            continue
        if word in query.names:
            found.names.setdefault(word, number)
        if len(stems) > 1 and len(hits) > 1:
            found.pairs.update(pair for pair in itertools.pairwise(stems) if pair in query.pairs)
    if not here:
        return
    found.lines[number] = frozenset(here)
    for s in here:
        found.counts[s] = found.counts.get(s, 0) + 1
    title = heading_in(line)
    name = definition_in(line) or title
    if name is None:
        return
    parts = [s for word in identifiers(name) for s in stems_of(word)] if title is None else [stem(w) for w in words]
    hits = wanted.intersection(parts) | {s for s in chinese if s in name}
    if not hits:
        return
    found.definitions[number] = name
    for s in hits:
        # The same focus as for file names: `retry` defines "retry" more than `test_that_retry_waits_long` does.
        strength = (0.5 + 0.5 / len(parts)) if parts else 0.5
        found.definition_hits[s] = found.definition_hits.get(s, 0.0) + (strength if title is None else strength * 0.5)
