"""Tests that belong to the relevant files: by name, by import, by the matter itself; and how to run them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from actions.agent.scout.code import is_test_file, tested_name
from actions.agent.scout.corpus import Corpus
from actions.agent.scout.imports import Links
from actions.agent.scout.plan import EntryPoint, RelatedTest
from actions.agent.scout.rank import Ranking

MOST = 12
_HUB = 25
_PLAIN = frozenset(("__init__", "__main__", "main", "index", "mod", "lib", "conftest", ""))


def find_tests(corpus: Corpus, ranking: Ranking, sources: Sequence[str], links: Links) -> tuple[RelatedTest, ...]:
    """At most 12. ``sources`` are the relevant files that are no tests, best first.

    What imports a file that very many import (more than 25) says nothing about it and does not count.
    """
    found: dict[str, tuple[tuple[int, int], list[str], str]] = {}
    tests = [document.path for document in corpus if document.language and is_test_file(document.path)]
    by_name: dict[str, list[str]] = {}
    for path in tests:
        by_name.setdefault(tested_name(path), []).append(path)
    for order, source in enumerate(sources):
        stem = PurePosixPath(source).stem
        named = [] if stem in _PLAIN else _same_place(by_name.get(stem, []), source)
        for path in named:
            _note(found, path, (0, order), source, f"named after `{PurePosixPath(source).name}`")
        importers = links.imported_by.get(source, ())
        for path in importers if len(importers) <= _HUB else ():
            if is_test_file(path):
                _note(found, path, (1, order), source, f"imports `{source}`")
    relevant = [item for item in ranking.files if is_test_file(item.path) and item.document.language]
    best = relevant[0].score if relevant else 0.0
    for order, item in enumerate(relevant[:8]):
        if item.score > best * 0.4:
            said = ", ".join(dict.fromkeys(f"“{term.word}”" for term, _ in item.parts[:3]))
            _note(found, item.path, (2, order), "", f"speaks of {said}")
    position = {item.path: at for at, item in enumerate(ranking.files)}
    ordered = sorted(found.items(), key=lambda kv: (kv[1][0], position.get(kv[0], len(position)), kv[0]))
    return tuple(RelatedTest(path=path, covers=tuple(c), reason=why) for path, (_, c, why) in ordered[:MOST])


def _same_place(tests: list[str], source: str) -> list[str]:
    """Of several tests of one name (a mirrored tree), those that share most folders with the source."""

    def shared(path: str) -> int:
        return len(set(PurePosixPath(path).parts[:-1]) & set(PurePosixPath(source).parts[:-1]))

    most = max((shared(path) for path in tests), default=0)
    return [path for path in tests if shared(path) == most]


def _note(
    found: dict[str, tuple[tuple[int, int], list[str], str]], path: str, order: tuple[int, int], source: str, why: str
) -> None:
    known = found.get(path)
    if known is None:
        found[path] = (order, [source] if source else [], why)
    elif source and source not in known[1]:
        known[1].append(source)


def command_for_tests(corpus: Corpus, entry_points: Sequence[EntryPoint], tests: Sequence[RelatedTest]) -> str | None:
    """The command that runs the tests, as far as the repository tells; None when it does not."""
    names = {entry.name for entry in entry_points}
    paths = [test.path for test in tests[:3]]
    languages = {corpus.by_path[test.path].language for test in tests}
    if "Python" in languages:
        return " ".join(["python -m pytest", *(p for p in paths if p.endswith(".py"))])
    if "Go" in languages:
        return "go test " + " ".join(dict.fromkeys(f"./{PurePosixPath(p).parent}" for p in paths if p.endswith(".go")))
    if "Rust" in languages:
        return "cargo test"
    return next((name for name in ("npm run test", "make test", "just test", "make check") if name in names), None)


def command_for_checks(entry_points: Sequence[EntryPoint]) -> str | None:
    """The command for the whole round of checks before a change is handed in, or None."""
    names = {entry.name for entry in entry_points}
    wanted = (
        "make check",
        "make lint",
        "just check",
        "just lint",
        "npm run check",
        "npm run lint",
        "make test",
        "npm run test",
    )
    return next((name for name in wanted if name in names), None)
