"""A home with a million events to search: words with the frequencies of language, English and Chinese.

Word number ``n`` of the vocabulary comes up about ``1/n`` as often as the first (Zipf), so that a query can be built of
words that are in half of all messages, in one of a hundred, or in a few of them all.
"""

from __future__ import annotations

import itertools
import json
import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from actions.sessions.index import TranscriptIndex
from actions.storage.database import Database

SESSIONS = 100
EVENTS_A_TURN = 10
VOCABULARY = 40_000
SIGNS = 3_000
_TEXTS = 60_000
"""Different messages; drawing each anew would take longer than all the rest."""
_CONSONANTS, _VOWELS = "bcdfghjklmnprstvwz", "aeiou"


def word(number: int) -> str:
    """The vocabulary: ``number`` as syllables, so that beginnings are shared as those of words are."""
    syllables = [c + v for c in _CONSONANTS for v in _VOWELS]
    text = ""
    number += len(syllables) ** 2  # no word of fewer than three syllables
    while number:
        number, at = divmod(number, len(syllables))
        text += syllables[at]
    return text


def sign(number: int) -> str:
    """The ``number``-th Chinese sign, the most frequent first."""
    return chr(0x4E00 + number * 5)


class Words:
    """Draws words as language does; the same seed draws the same."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._words = [word(number) for number in range(VOCABULARY)]
        self._signs = [sign(number) for number in range(SIGNS)]
        self._word_weights = list(itertools.accumulate(1 / (n + 2) for n in range(VOCABULARY)))
        self._sign_weights = list(itertools.accumulate(1 / (n + 10) for n in range(SIGNS)))

        self._texts = [self._text() for _ in range(_TEXTS)]

    def text(self) -> str:
        """A message: English, or one time of four Chinese."""
        return self._random.choice(self._texts)

    def _text(self) -> str:
        length = self._random.randint(8, 40)
        if self._random.random() < 0.25:
            signs = self._random.choices(self._signs, cum_weights=self._sign_weights, k=length)
            return "".join(signs[: length // 2]) + ",".join(["", "".join(signs[length // 2 :])])
        return " ".join(self._random.choices(self._words, cum_weights=self._word_weights, k=length))


def _turn(words: Words, number: int) -> Iterator[tuple[str, str | None, object]]:
    yield "turn_start", None, {}
    yield "user", f"u{number}", {"text": words.text()}
    for at in range(2):
        call = f"c{number}.{at}"
        yield "tool_call", call, {"title": words.text(), "kind": "execute", "status": "pending"}
        yield "tool_call", call, {"status": "completed", "output": words.text()}
    for at in range(3):
        yield "agent", f"m{number}.{at}", {"text": words.text()}
    yield "turn_end", None, {"stop_reason": "end_turn"}


def fill(file: Path, events: int, *, sessions: int = SESSIONS, seed: int = 7) -> None:
    """Store ``events`` events in a migrated database; the index is not told."""
    words = Words(seed)
    db = sqlite3.connect(file)
    db.execute("PRAGMA synchronous=OFF")
    for number in range(sessions):
        session = f"ses_{number:04}"
        db.execute(
            "INSERT INTO sessions (id, provider, title, state, created_at, updated_at, last_activity_at) "
            "VALUES (?, 'builtin', ?, 'stopped', 1, 1, ?)",
            (session, f"Session {number}", number),
        )
        seq = itertools.count(1)
        rows = (
            (session, next(seq), kind, item, turn, json.dumps(data, ensure_ascii=False), 1_700_000_000_000)
            for turn in range(1, events // sessions // EVENTS_A_TURN + 1)
            for kind, item, data in _turn(words, turn)
        )
        db.executemany("INSERT INTO transcript_events VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    db.commit()
    db.close()


async def searchable(folder: Path, events: int) -> tuple[Database, TranscriptIndex]:
    """An open database with ``events`` events, all of them in the index."""
    database = Database(folder / "sayso.db", folder / "backups")
    await database.open()
    await database.close()
    fill(folder / "sayso.db", events)
    await database.open()
    index = TranscriptIndex(database)
    await index.catch_up()
    return database, index
