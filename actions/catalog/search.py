"""Search over the catalog, in English and Chinese, in a deterministic order.

Score: exact id 1000, exact slash token 800, its beginning 200, exact title 500, whole phrase 100; each token 50 as the
beginning of a word in the id, 25 in the title, 10 anywhere else. Ties go by title. A Chinese token is a run of two
characters: 会话 is found inside 打开会话.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from actions.catalog.form import form_fields
from actions.catalog.registry import Catalog
from actions.catalog.spec import ActionSpec

MAX_RESULTS = 100
_WORD = re.compile(r"[a-z0-9_]+|[一-鿿]+")
_EDGE = re.compile(r"[\[\](){}|]")


@dataclass(frozen=True, slots=True)
class _Entry:
    spec: ActionSpec
    id: str
    titles: tuple[str, ...]
    everything: str
    slash: tuple[str, ...] = ()


class CatalogSearch:
    """An index made once over a catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self._entries = [_entry(spec) for spec in catalog]

    def find(self, query: str, limit: int = 20) -> list[ActionSpec]:
        """The best matches, best first; at most ``limit`` (1 to 100). An empty query lists all by title."""
        return [spec for _, spec in self.scored(query, limit)]

    def scored(self, query: str, limit: int = 20) -> list[tuple[int, ActionSpec]]:
        """The best matches with their scores."""
        phrase = query.casefold().strip()
        scored = [(_score(entry, phrase), entry) for entry in self._entries]
        hits = [(score, entry) for score, entry in scored if score or not phrase]
        hits.sort(key=lambda hit: (-hit[0], hit[1].titles[0], hit[1].id))
        return [(score, entry.spec) for score, entry in hits[: max(1, min(limit, MAX_RESULTS))]]


def tokens(text: str) -> list[str]:
    """Words of letters and digits; Chinese runs as overlapping pairs, a single character as itself."""
    found: list[str] = []
    for word in _WORD.findall(text.casefold()):
        if "一" <= word[0] <= "鿿" and len(word) > 2:
            found += [word[i : i + 2] for i in range(len(word) - 1)]
        else:
            found.append(word)
    return found


def _score(entry: _Entry, phrase: str) -> int:
    if not phrase:
        return 0
    score = 1000 if phrase == entry.id else 0
    score += 500 if phrase in entry.titles else 0
    if phrase.startswith("/"):
        score += max((800 if token == phrase else 200 for token in entry.slash if token.startswith(phrase)), default=0)
    score += 100 if phrase in entry.everything else 0
    for token in tokens(phrase):
        if _begins_word(token, entry.id):
            score += 50
        elif any(_begins_word(token, title) for title in entry.titles):
            score += 25
        elif token in entry.everything:
            score += 10
    return score


def _begins_word(token: str, text: str) -> bool:
    """Chinese has no spaces, so there a token may stand anywhere."""
    at = text.find(token)
    while at >= 0:
        if at == 0 or not token.isascii() or not text[at - 1].isalnum() or not text[at - 1].isascii():
            return True
        at = text.find(token, at + 1)
    return False


def _entry(spec: ActionSpec) -> _Entry:
    titles = tuple(t.casefold() for t in (spec.title.en, spec.title.zh) if t)
    slash = tuple(token.casefold() for token in spec.slash)
    return _Entry(spec, spec.id, titles, "\n".join(_texts(spec)).casefold(), slash)


def _texts(spec: ActionSpec) -> Iterable[str]:
    yield from (spec.id, spec.title.en, spec.title.zh, spec.description.en, spec.description.zh, spec.tool_name)
    yield from spec.slash
    yield from spec.synonyms
    yield from (_EDGE.sub(" ", say.template) for say in spec.say)
    for language in ("en", "zh"):
        for field in form_fields(spec.input, language):
            yield from (field.path, field.title, field.description)
            yield from (option.label for option in field.options)
