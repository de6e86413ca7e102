"""Suggested steps and open questions, both derived from what was found; nothing is guessed beyond it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from actions.agent.scout.code import is_test
from actions.agent.scout.corpus import Corpus
from actions.agent.scout.files import Listing
from actions.agent.scout.history import History
from actions.agent.scout.imports import Links
from actions.agent.scout.plan import EntryPoint, RelatedTest, RelevantFile, Step, Todo
from actions.agent.scout.query import Query
from actions.agent.scout.rank import Ranking
from actions.agent.scout.reasons import said
from actions.agent.scout.related_tests import command_for_checks, command_for_tests

_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("fix", re.compile(r"\b(fix|bug|broken|crash|fail\w*|wrong|error|hang\w*|leak\w*)\b|修复|错误|崩溃|失败", re.I)),
    ("remove", re.compile(r"\b(remove|delete|drop|deprecate)\b|删除|移除", re.I)),
    ("rename", re.compile(r"\b(rename|move|extract|refactor|split|clean ?up|simplify)\b|重构|重命名|拆分", re.I)),
    ("add", re.compile(r"\b(add|new|support|introduce|implement|create|allow|build)\b|添加|增加|支持|实现|新增", re.I)),
)
_COMMON_SHARE = 0.35
_MANY = 20


@dataclass(frozen=True)
class Findings:
    """Everything that steps and questions are derived from."""

    query: Query
    listing: Listing
    corpus: Corpus
    ranking: Ranking
    links: Links
    history: History
    files: tuple[RelevantFile, ...]
    entry_points: tuple[EntryPoint, ...]
    tests: tuple[RelatedTest, ...]
    todos: tuple[Todo, ...]


def suggest_steps(found: Findings) -> tuple[Step, ...]:
    """Steps in order. Empty when nothing matched: then only the questions help."""
    sources = [file for file in found.files if not is_test(file.path) and _is_code(found, file.path)] or list(
        found.files
    )
    if not sources:
        return ()
    steps = [_read(sources)]
    command = command_for_tests(found.corpus, found.entry_points, found.tests)
    if found.tests:
        run = f" Run `{command}` first, so that you know how it stands." if command else ""
        steps.append(
            _step(
                "Know the tests that guard this",
                f"{_names(t.path for t in found.tests[:4])}.{run}",
                [t.path for t in found.tests[:4]],
            )
        )
    steps.append(_change(found, sources))
    callers = _callers(found, sources)
    if callers:
        steps.append(_step("Check who depends on it", f"Imported by {_names(callers)}.", callers))
    listed = {file.path for file in found.files}
    near = [todo for todo in found.todos if todo.near and todo.path in listed][:3]
    if near:
        places = "; ".join(f"`{todo.path}:{todo.line}` {todo.text}" for todo in near)
        steps.append(_step("Settle the notes nearby or leave them on purpose", places, [todo.path for todo in near]))
    steps.append(_test(found, sources, command))
    prose = [file.path for file in found.files if found.corpus.by_path[file.path].is_prose][:3]
    if prose:
        steps.append(
            _step(
                "Bring the documentation along",
                f"{_names(prose)} speak{'s' if len(prose) == 1 else ''} of this.",
                prose,
            )
        )
    if checks := command_for_checks(found.entry_points):
        steps.append(Step(title="Run the whole round of checks", detail=f"`{checks}`"))
    return tuple(steps)


def _is_code(found: Findings, path: str) -> bool:
    return found.corpus.by_path[path].language is not None


def _step(title: str, detail: str, paths: Sequence[str]) -> Step:
    return Step(title=title, detail=detail, paths=tuple(dict.fromkeys(paths)))


def _names(paths: Iterable[str]) -> str:
    return ", ".join(f"`{path}`" for path in dict.fromkeys(paths))


def _place(file: RelevantFile) -> str:
    return f"`{file.path}`" if file.at is None else f"`{file.path}:{file.at}`"


def _read(sources: Sequence[RelevantFile]) -> Step:
    first = sources[:4]
    return _step(
        "Read what is there", f"In this order: {', '.join(_place(file) for file in first)}.", [f.path for f in first]
    )


def _change(found: Findings, sources: Sequence[RelevantFile]) -> Step:
    kind = next((kind for kind, pattern in _KINDS if pattern.search(found.query.text)), "change")
    best = sources[0]
    lines = sorted((line for line in best.lines if line.defines), key=lambda line: line.number != best.at)
    names = [f"`{line.defines}` (line {line.number})" for line in lines[:3]]
    where = f"`{best.path}`" + (f", at {', '.join(names)}" if names else "")
    rest = f" Then {_names(file.path for file in sources[1:3])} as needed." if len(sources) > 1 else ""
    title, detail = {
        "fix": (
            "Reproduce it, then fix it",
            f"Write the failing case down as a test, then look for the cause in {where}.{rest}",
        ),
        "remove": ("Take it out", f"Start at {where}; then every place that names it.{rest}"),
        "rename": ("Move it in small steps", f"Start at {where}; keep the tests green after each step.{rest}"),
        "add": ("Add it where its neighbours live", f"The nearest existing place is {where}.{rest}"),
        "change": ("Make the change", f"Start at {where}.{rest}"),
    }[kind]
    return _step(title, detail, [file.path for file in sources[:3]])


def _callers(found: Findings, sources: Sequence[RelevantFile]) -> list[str]:
    own = {file.path for file in sources[:1]}
    callers = [p for file in sources[:2] for p in found.links.imported_by.get(file.path, ()) if p not in own]
    return [path for path in dict.fromkeys(callers) if not is_test(path)][:6]


def _test(found: Findings, sources: Sequence[RelevantFile], command: str | None) -> Step:
    best = sources[0].path
    covering = [test.path for test in found.tests if best in test.covers]
    if covering:
        run = f" and run `{command}`" if command else ""
        return _step("Extend the tests", f"Add the new cases to `{covering[0]}`{run}.", covering[:1])
    if found.tests:
        return _step(
            "Add a test",
            f"None covers `{best}` by name or import; `{found.tests[0].path}` is the nearest example.",
            [found.tests[0].path],
        )
    return Step(title="Add a test", detail=f"No test for `{best}` was found; the first one has to be written.")


def open_questions(found: Findings) -> tuple[str, ...]:
    """What could not be determined, most important first."""
    asked: list[str] = []
    frequency = found.ranking.frequency
    words: dict[str, int] = {}
    for term in found.query.said:
        words[term.said] = max(words.get(term.said, 0), frequency.get(term.stem, 0))
    missing = [word for word, count in words.items() if count == 0]
    if not found.corpus.documents:
        asked.append("The workspace holds no text file that could be read. Is this the right folder?")
    elif not words and not found.query.paths:
        asked.append("The instructions name nothing that could be looked up. Which part of the program is meant?")
    elif missing:
        asked.append(
            f"Nothing in the repository matches {said(missing)}. Is it new, or is it called something else here?"
        )
    known = {word: count for word, count in words.items() if count}
    if known and len(found.corpus.documents) > _MANY:
        share = min(known.values()) / len(found.corpus.documents)
        if share > _COMMON_SHARE:
            asked.append(f"{said(known)} can be found all over the repository. Which part of it is meant?")
    asked.extend(_ambiguity(found))
    gone = [
        p
        for p in found.query.paths
        if "/" in p and not any(f.path == p or f.path.endswith("/" + p) for f in found.files)
    ]
    if gone:
        asked.append(f"The instructions name {_names(gone[:3])}, which is not among the files. Is it to be created?")
    if found.files and not found.tests:
        asked.append("No test belongs to these files. How is a change to be checked?")
    asked.extend(_about_git(found.history))
    asked.extend(_about_reading(found))
    return tuple(asked)


def _ambiguity(found: Findings) -> list[str]:
    code = [file for file in found.files if _is_code(found, file.path) and not is_test(file.path)]
    close = [file.path for file in code[:4] if file.score >= 92]
    if len(close) > 1:
        return [f"{_names(close)} fit almost equally well. Which one is meant, or all of them?"]
    return []


def _about_git(history: History) -> list[str]:
    asked: list[str] = []
    if history.problem:
        asked.append(f"No full history: {history.problem}. Which files change often is not known.")
    elif history.branch is None:
        asked.append(f"HEAD is detached at {history.head}. On which branch is the work to be done?")
    if history.changed:
        files = "1 path has" if history.changed == 1 else f"{history.changed} paths have"
        asked.append(f"The working tree is not clean: {files} uncommitted changes. Do they belong to this work?")
    if history.shallow:
        asked.append("The clone is shallow, so the history is only a part.")
    return asked


def _about_reading(found: Findings) -> list[str]:
    corpus = found.corpus
    unread = {
        "could not be opened": corpus.unreadable,
        "have a name that is no UTF-8": found.listing.unnamed,
        "are larger than 400 kB": corpus.too_large,
        "came after the limit of 96 MB": corpus.not_read,
    }
    parts = [f"{count} {why}" for why, count in unread.items() if count]
    if found.listing.cut:
        parts.append("only the first 40,000 were looked at")
    return [f"Not every file was read: {', '.join(parts)}."] if parts else []
