"""Notes that the authors left for later: TODO, FIXME, XXX, HACK."""

from __future__ import annotations

import re
from collections.abc import Collection

from actions.agent.scout.cancel import Cancel
from actions.agent.scout.corpus import Corpus
from actions.agent.scout.matches import Matches
from actions.agent.scout.plan import Todo
from actions.agent.scout.query import Query
from actions.agent.scout.rank import Ranking

MOST = 20
_WORDS = (b"TODO", b"FIXME", b"XXX", b"HACK")
_NOTE = re.compile(rb"(?:#|//|/\*|<!--|--|;|\*|\"\"\"|(?m:^))[ \t]*[@\[]?(?:TODO|FIXME|XXX|HACK)\b[^\n]*")
_TEXT = 160


def find_todos(
    corpus: Corpus, query: Query, ranking: Ranking, relevant: Collection[str], cancel: Cancel
) -> tuple[Todo, ...]:
    """Notes in relevant files and notes that speak of the matter (``near``: two of its terms
    stand on that line or beside it), nearest first, at most 20."""
    order = {path: at for at, path in enumerate(relevant)}
    enough = min(2, len({term.stem for term in query.said}))
    found: list[Todo] = []
    for document in corpus:
        cancel.check()
        if document.generated or not any(word in document.data for word in _WORDS):
            continue
        matches = ranking.matches.get(document.path)
        number = 1
        counted_to = 0
        for note in _NOTE.finditer(document.data):
            number += document.data.count(b"\n", counted_to, note.start())
            counted_to = note.start()
            near = matches is not None and _near(matches, number, enough)
            if near or document.path in order:
                text = note.group().decode("utf-8", errors="replace").strip()
                found.append(Todo(path=document.path, line=number, text=text[:_TEXT], near=near))
    found.sort(key=lambda todo: (not todo.near, order.get(todo.path, len(order)), todo.path, todo.line))
    return tuple(found[:MOST])


def _near(matches: Matches, number: int, enough: int) -> bool:
    around = [matches.lines[at] for at in range(number - 1, number + 2) if at in matches.lines]
    return bool(around) and len(frozenset[str]().union(*around)) >= enough
