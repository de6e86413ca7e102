"""From instructions to a plan, in five looks at the repository, each announced to whoever watches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from actions.agent.scout.cancel import Cancel
from actions.agent.scout.code import is_test
from actions.agent.scout.corpus import Corpus, read_corpus
from actions.agent.scout.entry_points import find_entry_points
from actions.agent.scout.files import Listing, list_files
from actions.agent.scout.history import History, read_history
from actions.agent.scout.imports import Links, link
from actions.agent.scout.plan import Churn, Language, Plan, RelevantFile, Repository
from actions.agent.scout.query import parse_query
from actions.agent.scout.rank import Ranked, Ranking, rank
from actions.agent.scout.reasons import best_lines, reasons_for
from actions.agent.scout.related_tests import find_tests
from actions.agent.scout.steps import Findings, open_questions, suggest_steps
from actions.agent.scout.todos import find_todos

MOST_FILES = 15
_SEEDS = 12
_LEAST_SHARE = 0.04
_LINK_SHARE = 0.2
_TESTED_SHARE = 25
_MOST_LANGUAGES = 6


@dataclass(frozen=True)
class Look:
    """One piece of work that is under way or done. ``kind`` is an ACP tool kind; ``result`` is None while it runs."""

    key: str
    title: str
    kind: str
    result: str | None = None
    places: tuple[tuple[str, int | None], ...] = ()


Watch = Callable[[Look], object]

LOOKS: tuple[tuple[str, str, str], ...] = (
    ("list", "List the files of the workspace", "search"),
    ("read", "Read them and rank them against the instructions", "read"),
    ("history", "Read the git history (git log --numstat)", "read"),
    ("links", "Follow imports, tests and notes around the best files", "search"),
    ("draft", "Draft the plan", "think"),
)
"""Key, title and ACP tool kind of each look, in order."""


@dataclass
class _Outcome:
    """Filled in by the body of a look."""

    result: str = "done"
    places: Sequence[tuple[str, int | None]] = field(default_factory=tuple)


def draft_plan(root: Path, instructions: str, cancel: Cancel, watch: Watch = lambda look: None) -> Plan:
    """The scout's plan for ``instructions`` over the repository at ``root``.

    Reads only, never raises for what it finds there; raises ``ScoutCancelled`` soon after ``cancel`` is set. ``watch``
    is called in this thread, twice a look.
    """
    looks = _Looks(watch)
    query = parse_query(instructions)
    with looks.at("list") as out:
        listing = list_files(root, cancel)
        out.result = (
            f"{len(listing.paths)} files by {listing.source}; {listing.skipped} left out "
            "(vendored, generated, binary, secret)"
        )
    with looks.at("read") as out:
        corpus = read_corpus(root, listing.paths, cancel)
        ranking = rank(corpus, query, cancel)
        out.places = [_place(item) for item in ranking.files[:MOST_FILES]]
        out.result = f"{len(corpus.documents)} files read, {ranking.seen} hold one of the words"
    with looks.at("history") as out:
        history = read_history(root, cancel)
        out.result = history.problem or f"{history.commits} commits, {len(history.files)} files changed in them"
    with looks.at("links") as out:
        links = link(corpus, [item.path for item in ranking.files[:_SEEDS]], cancel)
        chosen = _choose(ranking, links)
        relevant = [item.path for item in chosen]
        files = _relevant(chosen, links, history)
        tests = find_tests(corpus, ranking, _sources(files), links)
        todos = find_todos(corpus, query, ranking, relevant, cancel)
        entries = find_entry_points(corpus, cancel)
        out.result = f"{len(tests)} related tests, {len(todos)} notes nearby, {len(entries)} entry points"
        out.places = [(test.path, None) for test in tests]
    with looks.at("draft") as out:
        found = Findings(query, listing, corpus, ranking, links, history, files, entries, tests, todos)
        steps = suggest_steps(found)
        questions = open_questions(found)
        out.result = f"{len(steps)} steps, {len(questions)} open questions"
    repository = _repository(listing, corpus, history, cancel)
    return Plan(
        instructions=query.text,
        summary=_summary(files, repository, len(tests)),
        repository=repository,
        files=files,
        entry_points=entries,
        tests=tests,
        todos=todos,
        churn=_churn(relevant or _busiest(history), history),
        questions=questions,
        steps=steps,
    )


class _Looks:
    """Announces the start and the end of each look."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._known = {key: Look(key, title, kind) for key, title, kind in LOOKS}

    @contextmanager
    def at(self, key: str) -> Generator[_Outcome]:
        look = self._known[key]
        self._watch(look)
        outcome = _Outcome()
        yield outcome
        self._watch(replace(look, result=outcome.result, places=tuple(outcome.places)))


def _place(item: Ranked) -> tuple[str, int | None]:
    lines = best_lines(item, 1)
    return (item.path, lines[0].number if lines else None)


def _choose(ranking: Ranking, links: Links) -> list[Ranked]:
    """The files of the plan: what a strong file imports, or what imports it, gains a part of its score."""
    if not ranking.files:
        return []
    best = ranking.files[0].score
    gains: dict[str, float] = {}
    for item in ranking.files[:_SEEDS]:
        around = {*links.imports.get(item.path, ()), *links.imported_by.get(item.path, ())}
        for path in around:
            gain = item.score * _LINK_SHARE / max(1.0, len(around) ** 0.5)
            gains[path] = max(gains.get(path, 0.0), gain)
    lifted = [
        replace(item, score=item.score + min(gains[item.path], item.score * 0.5)) if item.path in gains else item
        for item in ranking.files
    ]
    lifted.sort(key=lambda item: (-round(item.score, 9), item.path))
    best = lifted[0].score
    return [item for item in lifted[:MOST_FILES] if item.score >= best * _LEAST_SHARE]


def _relevant(chosen: list[Ranked], links: Links, history: History) -> tuple[RelevantFile, ...]:
    paths = [item.path for item in chosen]
    best = chosen[0].score if chosen else 1.0
    return tuple(
        RelevantFile(
            path=item.path,
            score=round(100 * item.score / best, 1),
            at=_place(item)[1],
            reasons=reasons_for(item, links, paths, history),
            lines=best_lines(item),
        )
        for item in chosen
    )


def _sources(files: Sequence[RelevantFile]) -> list[str]:
    return [file.path for file in files if file.score >= _TESTED_SHARE and not is_test(file.path)]


def _churn(relevant: list[str], history: History) -> tuple[Churn, ...]:
    rows = [(path, history.files[path]) for path in relevant if path in history.files]
    rows.sort(key=lambda row: (-row[1].commits, row[0]))
    return tuple(
        Churn(path=path, commits=file.commits, added=file.added, deleted=file.deleted, last=file.last)
        for path, file in rows
    )


def _busiest(history: History) -> list[str]:
    """Where a repository is alive: what to show when the instructions match nothing."""
    return sorted(history.files, key=lambda path: (-history.files[path].commits, path))[:10]


def _repository(listing: Listing, corpus: Corpus, history: History, cancel: Cancel) -> Repository:
    files: Counter[str] = Counter()
    lines: Counter[str] = Counter()
    total = 0
    for document in corpus:
        cancel.check()
        count = document.data.count(b"\n") + (not document.data.endswith(b"\n") and bool(document.data))
        total += count
        if document.language:
            files[document.language] += 1
            lines[document.language] += count
    ordered = sorted(lines, key=lambda name: (-lines[name], name))[:_MOST_LANGUAGES]
    return Repository(
        files=len(listing.paths),
        lines=total,
        languages=tuple(Language(name=name, files=files[name], lines=lines[name]) for name in ordered),
        source=listing.source,
        branch=history.branch,
        head=history.head,
        commits_read=history.commits,
        changed=history.changed,
    )


def _summary(files: Sequence[RelevantFile], repository: Repository, tests: int) -> str:
    if not files:
        return f"Nothing in the {repository.files} files of the workspace matches the instructions."
    also = f" and {len(files) - 1} more" if len(files) > 1 else ""
    guarded = f"{tests} related test file{'' if tests == 1 else 's'}" if tests else "no related test"
    return f"Start at {files[0].path}{also} of {repository.files} files; {guarded}."
