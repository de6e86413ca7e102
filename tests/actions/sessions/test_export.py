"""Exports of a real session's transcript."""

from __future__ import annotations

import json

from actions.catalog.context import Caller
from tests.actions.sessions.conftest import House


async def test_json_lines_hold_every_event_as_stored(house: House) -> None:
    session = await house.start()
    await house.room.sessions.send(session, "hello", wait=True)
    lines = [json.loads(line) for line in (await house.room.sessions.export(session, form="jsonl")).splitlines()]
    assert lines[0]["session"]["id"] == session
    assert lines[1:] == [event.model_dump(mode="json") for event in await house.events(session)]


async def test_markdown_reads_like_the_conversation(house: House) -> None:
    session = await house.start()
    await house.room.sessions.send(session, "permission")
    request = await house.waiting(session)
    await house.room.sessions.respond_permission(
        session, request, decision="allow", decided_by=Caller(present=True), surface="ui"
    )
    await house.room.sessions.wait(session, until="idle", timeout_s=30)
    text = await house.room.sessions.export(session, form="markdown")
    title, *_ = text.splitlines()
    assert title.startswith("# ")
    assert "## You, " in text
    assert "\n\npermission\n" in text
    assert "**rm -rf build** (execute, completed)" in text
    assert "Permission: Yes, go on by ui." in text
    assert '```json\n{\n  "command": "rm -rf build"\n}\n```' in text


async def test_search_finds_what_a_session_said_once_its_turn_is_over(house: House) -> None:
    session = await house.start()
    await house.room.sessions.send(session, "hello", wait=True)
    hits = (await house.room.sessions.search("there")).hits
    assert [(hit.session_id, hit.kind, hit.snippet) for hit in hits] == [(session, "agent", "Hello there")]
