"""The full-text index over all transcripts: FTS5 over items, with pairs of signs for Chinese, Japanese and Korean.

The last word of a search is found by its beginning. A run of CJK signs has no word boundaries, so the index holds each
pair of neighbouring signs and a search looks for the pairs of its own run in a row: it finds every text that holds the
run. One sign is found by the pairs that begin with it, the last of a run by itself.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy import Connection, delete, func, insert, select, text
from sqlalchemy.dialects.sqlite import insert as upsert

from actions.catalog.views import SearchHit, TranscriptEvent
from actions.sessions.events import Kind
from actions.sessions.items import Item, fold
from actions.storage.database import Database
from actions.storage.schema import sessions, transcript_events, transcript_indexed, transcript_items, workspaces

_CHUNK = 5_000
_LONGEST = 100_000
_TOOL_PART = 4_000
_AROUND = 60
_INDEXED = (2, 3, 4)
"""Lengths of beginnings that ``transcript_words`` has an index of."""
_NAMED = 64
_CJK = r"\u3005\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f"
_RUN = re.compile(f"[{_CJK}]+")
_APART = "x"
_TERM = re.compile(rf'"(?P<phrase>[^"]+)"|(?P<run>[{_CJK}]+)|(?P<word>[^\s"{_CJK}]+)')
_WORD_PART = re.compile(r"[^\W_]+")
_KINDS = (Kind.USER, Kind.AGENT, Kind.THOUGHT, Kind.TOOL_CALL, Kind.ERROR, Kind.NOTICE, Kind.TURN_END)


@dataclass(frozen=True, slots=True)
class _Term:
    """One part of a search. ``match`` is its FTS5 expression, ``shown`` what to look for in a text to show it.

    ``begins`` are its words where the last one may go on.
    """

    match: str
    shown: str
    begins: tuple[str, ...] = ()


class TranscriptIndex:
    """Keeps the index behind the transcripts, and searches it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def catch_up(self, session_id: str | None = None) -> None:
        """Index the finished turns of one session or of all, in steps: others get at the database in between."""
        waiting = [session_id] if session_id else await self._database.read(_behind)
        for each in waiting:
            while await self._database.write(lambda db, each=each: _index(db, each)):
                pass

    async def search(self, query: str, *, limit: int = 50) -> list[SearchHit]:
        """Items that hold every part of ``query``, newest first; words in quotes stand next to each other.

        A query without a word or sign finds nothing.
        """
        terms = list(_terms(query))
        if not terms:
            return []
        await self.catch_up()
        return await self._database.read(lambda db: _search(db, terms, limit))

    def forget(self, db: Connection, session_id: str) -> None:
        """Take a session out of the index, in the transaction that deletes it."""
        rows = db.execute(
            select(transcript_items.c.id, transcript_items.c.text).where(transcript_items.c.session_id == session_id)
        )
        statement = text(
            "INSERT INTO transcript_words (transcript_words, rowid, words, pairs) "
            "VALUES ('delete', :id, :words, :pairs)"
        )
        for row in rows.all():
            db.execute(statement, {"id": row.id, "words": words_of(row.text), "pairs": pairs_of(row.text)})
        db.execute(delete(transcript_items).where(transcript_items.c.session_id == session_id))
        db.execute(delete(transcript_indexed).where(transcript_indexed.c.session_id == session_id))


def words_of(value: str) -> str:
    """``value`` without its CJK runs: FTS5 would take them and the word beside them for one."""
    return _RUN.sub(" ", value)


def pairs_of(value: str) -> str:
    """Every pair of neighbouring CJK signs of ``value`` and the last sign of each run, runs kept apart."""
    return f" {_APART} ".join(f"{_pairs(run)} {run[-1]}" for run in _RUN.findall(value))


def _pairs(run: str) -> str:
    return " ".join(run[at : at + 2] for at in range(len(run) - 1))


def _terms(query: str) -> Iterator[_Term]:
    for match in _TERM.finditer(query):
        if run := match["run"]:
            alone = len(run) == 1
            yield _Term(f'pairs : "{run if alone else _pairs(run)}"', run, (run,) if alone else ())
        elif phrase := match["phrase"]:
            if _RUN.search(phrase):
                yield from _terms(phrase)
            elif _WORD_PART.search(phrase):
                yield _Term(f'words : "{phrase}"', phrase)
        else:
            # "actions.errors" is two words in the index, next to each other; the last one may go on.
            parts = _WORD_PART.findall(match["word"])
            if parts:
                yield _Term(f'words : "{" ".join(parts)}"', match["word"], tuple(parts))


def _search(db: Connection, terms: Sequence[_Term], limit: int) -> list[SearchHit]:
    # Whole words first, by rowid: FTS5 gives those one by one, however many there are. The last word as a beginning,
    # for which it puts all hits together before the first comes out, only where whole words did not fill the page.
    ids = _ids(db, " AND ".join(f"({term.match})" for term in terms), limit)
    if len(ids) < limit and (begun := _begun(db, terms[-1])) is not None:
        match = " AND ".join([*(f"({term.match})" for term in terms[:-1]), f"({begun})"])
        ids = sorted({*ids, *_ids(db, match, limit)}, reverse=True)[:limit]
    rows = db.execute(
        select(transcript_items, sessions.c.title, workspaces.c.path)
        .join(sessions, sessions.c.id == transcript_items.c.session_id)
        .join(workspaces, workspaces.c.id == sessions.c.workspace_id, isouter=True)
        .where(transcript_items.c.id.in_(ids))
        .order_by(transcript_items.c.id.desc())
    )
    return [
        SearchHit(
            session_id=row.session_id,
            session_title=row.title,
            workspace=row.path or "",
            kind=row.kind,
            turn=row.turn,
            seq=row.seq,
            at=row.at,
            snippet=_snippet(row.text, terms),
        )
        for row in rows
    ]


def _ids(db: Connection, match: str, limit: int) -> list[int]:
    statement = (
        "SELECT rowid FROM transcript_words WHERE transcript_words MATCH :match ORDER BY rowid DESC LIMIT :limit"
    )
    return [row[0] for row in db.execute(text(statement), {"match": match, "limit": limit})]


def _begun(db: Connection, term: _Term) -> str | None:
    """The expression of ``term`` with its last word as a beginning; None where nothing more is found by that.

    FTS5 reads every place of every word that begins so, unless the beginning is as long as one of its indexes. The few
    words that there are of a longer one are therefore named one by one: then it reads from the newest until the page is
    full. One Latin letter is a word, not a beginning.
    """
    if not term.begins:
        return None
    *before, last = term.begins
    folded = "".join(sign for sign in unicodedata.normalize("NFKD", last) if not unicodedata.combining(sign)).lower()
    if _RUN.match(last) or len(last) in _INDEXED or not folded.isascii():
        return f"{term.match}*"
    if len(last) == 1:
        return None
    db.execute(text("CREATE VIRTUAL TABLE IF NOT EXISTS temp.known_words USING fts5vocab(main, transcript_words, row)"))
    found = db.execute(
        text("SELECT term FROM temp.known_words WHERE term >= :start AND term < :end LIMIT :most"),
        {"start": folded, "end": folded + "\x7f", "most": _NAMED + 1},
    )
    words = [" ".join([*before, row.term]) for row in found]
    if len(words) > _NAMED:
        return f"{term.match}*"
    return "words : (" + " OR ".join(f'"{word}"' for word in words) + ")" if words else None


def _snippet(value: str, terms: Sequence[_Term]) -> str:
    low = value.lower()
    places = [at for term in terms if (at := low.find(term.shown.lower())) >= 0]
    start = max(min(places, default=0) - _AROUND, 0)
    end = min(start + 3 * _AROUND, len(value))
    cut = " ".join(value[start:end].split())
    return f"{'…' if start else ''}{cut}{'…' if end < len(value) else ''}"


def _behind(db: Connection) -> list[str]:
    """Sessions with events that the index does not know."""
    newest = (
        select(func.max(transcript_events.c.seq))
        .where(transcript_events.c.session_id == sessions.c.id)
        .scalar_subquery()
    )
    query = (
        select(sessions.c.id)
        .join(transcript_indexed, transcript_indexed.c.session_id == sessions.c.id, isouter=True)
        .where(newest.scalar_subquery() > func.coalesce(transcript_indexed.c.seq, 0))
    )
    return [row.id for row in db.execute(query)]


def _index(db: Connection, session_id: str) -> bool:
    """Index the next finished turns of a session. True when there may be more."""
    known = (
        db.execute(select(transcript_indexed.c.seq).where(transcript_indexed.c.session_id == session_id)).scalar() or 0
    )
    table = transcript_events
    end = db.execute(
        select(func.max(table.c.seq)).where(
            table.c.session_id == session_id, table.c.seq > known, table.c.kind == Kind.TURN_END.value
        )
    ).scalar()
    if end is None:
        return False
    rows = db.execute(
        select(table)
        .where(table.c.session_id == session_id, table.c.seq > known, table.c.seq <= end)
        .where(table.c.kind.in_([kind.value for kind in _KINDS]))
        .order_by(table.c.seq)
        .limit(_CHUNK)
    ).all()
    more = len(rows) == _CHUNK
    if more:
        # Whole turns, or an item would be cut; one turn of more than a chunk is cut all the same.
        ends = [at for at, row in enumerate(rows) if row.kind == Kind.TURN_END.value]
        rows = rows[: ends[-1] + 1] if ends else rows
    events = [
        TranscriptEvent(
            seq=row.seq, kind=row.kind, item_id=row.item_id, turn=row.turn or 0, at=row.created_at, data=row.payload
        )
        for row in rows
    ]
    _add(db, session_id, fold(events))
    seq = rows[-1].seq if more else end
    statement = upsert(transcript_indexed).values(session_id=session_id, seq=seq)
    db.execute(statement.on_conflict_do_update(index_elements=["session_id"], set_={"seq": seq}))
    return more


def _add(db: Connection, session_id: str, items: Sequence[Item]) -> None:
    rows = [
        {
            "session_id": session_id, "seq": item.seq, "item_id": item.id, "kind": item.kind, "turn": item.turn,
            "at": item.at, "text": said[:_LONGEST],
        }
        for item in items
        if (said := _text_of(item))
    ]  # fmt: skip
    if not rows:
        return
    next_id = (db.execute(select(func.max(transcript_items.c.id))).scalar() or 0) + 1
    for at, row in enumerate(rows):
        row["id"] = next_id + at
    db.execute(insert(transcript_items), rows)
    db.execute(
        text("INSERT INTO transcript_words (rowid, words, pairs) VALUES (:id, :words, :pairs)"),
        [{"id": row["id"], "words": words_of(str(row["text"])), "pairs": pairs_of(str(row["text"]))} for row in rows],
    )


def _text_of(item: Item) -> str:
    """What of an item is worth finding."""
    data = item.data
    match item.kind:
        case Kind.USER | Kind.AGENT | Kind.THOUGHT | Kind.NOTICE:
            return str(data.get("text", "")).strip()
        case Kind.ERROR:
            return str(data.get("message", "")).strip()
        case Kind.TOOL_CALL:
            parts = [str(data.get("title", "")), _flat(data.get("input")), _flat(data.get("output"))]
            parts += [_flat(part) for part in data.get("content") or ()]
            return "\n".join(part[:_TOOL_PART] for part in parts if part)
        case _:
            return ""


def _flat(value: Any) -> str:
    """The texts in a JSON value, one a line."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return _flat(list(cast("dict[str, Any]", value).values()))
    if isinstance(value, list):
        return "\n".join(filter(None, map(_flat, cast("list[Any]", value))))
    return ""
