"""A prompt to a real agent process: what is stored, what is shown, how it ends."""

from __future__ import annotations

from tests.actions.sessions.conftest import House


async def test_a_turn_is_stored_and_answered(house: House) -> None:
    session_id = await house.start()
    end = await house.room.sessions.send(session_id, "hello", wait=True, timeout_s=10)
    assert (end.stop_reason, end.text) == ("end_turn", "Hello there")
    events = await house.events(session_id)
    assert [event.kind for event in events] == ["mode", "turn_start", "user", "agent", "turn_end"]
    assert (await house.room.sessions.get(session_id)).state == "idle"
