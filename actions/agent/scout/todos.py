"""Notes that the authors left for later: TODO, FIXME, XXX, HACK."""

from __future__ import annotations

import re
from collections.abc import Collection

from actions.agent.scout.cancel import Cancel
from actions.agent.scout.corpus import Corpus
from actions.agent.scout.plan import Todo
from actions.agent.scout.rank import Ranking

MOST = 20
_WORDS = (b"TODO", b"FIXME", b"XXX", b"HACK")
_NOTE = re.compile(r"(?:#|//|/\*|<!--|--|;|\*|\"\"\"|^)\s*(?:@|\[)?\b(?:TODO|FIXME|XXX|HACK)\b.*")
_TEXT = 160


def find_todos(
    corpus: Corpus, ranking: Ranking, relevant: Collection[str], cancel: Cancel
) -> tuple[tuple[Todo, ...], int]:
    """Notes in relevant files and notes that speak of the matter (``near``: on a line that holds one of its terms or
    beside one), nearest first, at most 20; and how many notes there are in all."""
    order = {path: at for at, path in enumerate(relevant)}
    found: list[Todo] = []
    total = 0
    for document in corpus:
        cancel.check()
        if document.generated or not any(word in document.data for word in _WORDS):
            continue
        matches = ranking.matches.get(document.path)
        for number, line in enumerate(document.lines, start=1):
            if not any(word.decode() in line for word in _WORDS) or (note := _NOTE.search(line)) is None:
                continue
            total += 1
            near = matches is not None and any(at in matches.lines for at in range(number - 1, number + 2))
            if near or document.path in order:
                text = note.group().strip()
                found.append(Todo(path=document.path, line=number, text=text[:_TEXT], near=near))
    found.sort(key=lambda todo: (not todo.near, order.get(todo.path, len(order)), todo.path, todo.line))
    return tuple(found[:MOST]), total
