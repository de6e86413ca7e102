"""The full-text index over real transcripts in a real database."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, delete, insert, select

from actions.sessions.events import Draft, Kind
from actions.sessions.index import TranscriptIndex, pairs_of
from actions.sessions.transcript import TranscriptLog
from actions.storage.database import Database
from actions.storage.schema import sessions, transcript_items


class Home:
    def __init__(self, database: Database) -> None:
        self.database = database
        self.log = TranscriptLog(database)
        self.index = TranscriptIndex(database)
        self.turns: dict[str, int] = {}

    async def turn(self, session_id: str, *drafts: Draft, ended: bool = True) -> None:
        if session_id not in self.turns:
            self.turns[session_id] = 0
            values = {"id": session_id, "provider": "builtin", "title": session_id.title(), "state": "idle"}
            times = {"created_at": 1, "updated_at": 1, "last_activity_at": 1}
            await self.database.write(lambda db: db.execute(insert(sessions).values(**values, **times)))
        self.turns[session_id] += 1
        end = [Draft(Kind.TURN_END, {"stop_reason": "end_turn"})] if ended else []
        await self.log.append(session_id, [Draft(Kind.TURN_START, {}), *drafts, *end], turn=self.turns[session_id])

    async def found(self, query: str, **options: int) -> list[tuple[str, str]]:
        return [(hit.session_id, hit.snippet) for hit in await self.index.search(query, **options)]


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[Home]:
    database = Database(tmp_path / "sayso.db", tmp_path / "backups")
    await database.open()
    yield Home(database)
    await database.close()


def said(text: str, *, by: Kind = Kind.AGENT, item: str = "m1") -> Draft:
    return Draft(by, {"text": text}, item)


async def test_a_message_that_came_in_pieces_is_found_as_a_whole(home: Home) -> None:
    await home.turn("one", said("Where is the login?", by=Kind.USER, item="u1"))
    await home.log.append("one", [said("The authen")], turn=1)
    await home.log.append("one", [said("tication lives in login.py", item="m1")], turn=1)
    await home.log.append("one", [Draft(Kind.TURN_END, {"stop_reason": "end_turn"})], turn=1)
    assert await home.found("authentication") == [("one", "The authentication lives in login.py")]
    assert [hit.kind for hit in await home.index.search("login")] == ["agent", "user"]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("migrat", True), ("MIGRATION", True), ("migration postgres", True), ("migration mysql", False),
        ('"database migration"', True), ('"migration database"', False), ("schema.py", True), ("schema.rb", False),
        ("naive", True), ("naïve", True), ("OR", False), ("NEAR(a b)", False), ("*", False), ('"', False),
        ("words:postgres", False), ("-postgres", True), ("postgres'; DROP TABLE sessions; --", False),
    ],
)  # fmt: skip
async def test_latin_words(home: Home, query: str, found: bool) -> None:
    await home.turn("one", said("A naïve database migration to Postgres, see src/schema.py"))
    assert bool(await home.found(query)) is found


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("authentic", True), ("AUTHENTICAT", True), ("Crème.Brul", True), ("creme brulee", True),
        ("cremebrulee", False), ("src/app_set", True), ("app_settings", True), ("src/app_tests", False),
        ("see authentic", True), ("missing authentic", False), ("authentici", False),
        ("a", True), ("s", False), ("_", False),
        ("0a1b2c3d4", True), ("0a1b2c3d5", False),
    ],
)  # fmt: skip
async def test_the_last_word_may_go_on(home: Home, query: str, found: bool) -> None:
    """However many words begin with it; one letter is a word and no beginning."""
    await home.turn("many", said(" ".join(f"0a1b2{number:03}x" for number in range(200))))
    await home.turn("one", said("See a authentication of Crème Brulée in src/app_settings, commit 0a1b2c3d4e5f"))
    hits = await home.found(query)
    assert bool(hits) is found
    assert all(session == "one" for session, _ in hits)


async def test_a_beginning_of_very_many_words(home: Home) -> None:
    for number in range(3):
        await home.turn(f"s{number}", said(" ".join(f"token{at:04}" for at in range(number * 100, number * 100 + 100))))
    assert [session for session, _ in await home.found("token")] == ["s2", "s1", "s0"]
    assert [session for session, _ in await home.found("token01")] == ["s1"]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("数据", True), ("数据库", True), ("据库", True), ("迁移到", True), ("库", True), ("数", True), ("新", True),
        ("数迁", False), ("库据", False), ("数据库 postgres", True), ("数据库postgres", True), ("数据库 mysql", False),
        ("移到旧", False), ("旧的接口", True), ("データ", True), ("タベ", True), ("데이터", True), ("新旧", False),
    ],
)  # fmt: skip
async def test_chinese_japanese_korean(home: Home, query: str, found: bool) -> None:
    await home.turn("one", said("把数据库迁移到Postgres(新),旧的接口保留。データベース 데이터베이스"))
    assert bool(await home.found(query)) is found


def test_pairs_never_join_two_runs() -> None:
    assert pairs_of("数据,据库") == "数据 据 x 据库 库"


async def test_tool_calls_errors_and_thoughts_are_found(home: Home) -> None:
    await home.turn(
        "one",
        said("I wonder about walrus", by=Kind.THOUGHT, item="t"),
        Draft(Kind.TOOL_CALL, {"title": "Shell", "kind": "execute", "input": {"command": "cargo nextest run"}}, "c1"),
        Draft(
            Kind.TOOL_CALL,
            {"status": "completed", "content": [{"type": "content", "content": {"text": "87 passed"}}]},
            "c1",
        ),
        Draft(Kind.ERROR, {"message": "rate limited by upstream", "code": "failed"}),
    )
    for query, kind in (
        ("walrus", "thought"),
        ("nextest", "tool_call"),
        ("87 passed", "tool_call"),
        ("upstream", "error"),
    ):
        assert [hit.kind for hit in await home.index.search(query)] == [kind], query


async def test_newest_first_and_limited_over_all_sessions(home: Home) -> None:
    for number in range(5):
        await home.turn(f"s{number}", said(f"common word {number}"))
        await home.index.catch_up()
    assert [session for session, _ in await home.found("common", limit=3)] == ["s4", "s3", "s2"]


async def test_a_running_turn_is_found_once_it_has_ended(home: Home) -> None:
    await home.turn("one", said("half a sen"), ended=False)
    assert await home.found("half") == []
    await home.log.append("one", [said("tence"), Draft(Kind.TURN_END, {"stop_reason": "interrupted"})], turn=1)
    assert await home.found("sentence") == [("one", "half a sentence")]
    assert await home.found("sentence") == [("one", "half a sentence")], "indexed once"


async def test_a_deleted_session_leaves_nothing_in_the_index(home: Home) -> None:
    await home.turn("gone", said("secret plan 秘密计划"))
    await home.turn("kept", said("secret plan 秘密计划"))
    await home.index.catch_up()

    def forget(db: Connection) -> None:
        home.index.forget(db, "gone")
        db.execute(delete(sessions).where(sessions.c.id == "gone"))

    await home.database.write(forget)
    for query in ("secret", "秘密"):
        assert [session for session, _ in await home.found(query)] == ["kept"]
    rows = await home.database.read(lambda db: db.execute(select(transcript_items.c.session_id)).all())
    assert [row.session_id for row in rows] == ["kept"]


async def test_a_turn_longer_than_a_chunk_is_indexed_to_its_end(home: Home) -> None:
    drafts = [Draft(Kind.TOOL_CALL, {"title": f"step{number}"}, f"c{number}") for number in range(12_000)]
    await home.turn("long", *drafts)
    await home.turn("long", said("the very end"))
    assert len(await home.found("step11999")) == 1
    assert len(await home.found("step0")) == 1
    assert await home.found("very end") == [("long", "the very end")]


async def test_a_snippet_shows_the_place(home: Home) -> None:
    await home.turn("one", said("x " * 500 + "needle in the hay " + "y " * 500))
    [(_, snippet)] = await home.found("needle")
    assert "needle in the hay" in snippet
    assert snippet.startswith("…")
    assert snippet.endswith("…")
    assert len(snippet) < 200
