"""A message that joins the running turn, for agents that take it."""

from __future__ import annotations

import pytest

from actions.errors import SaysoError
from tests.actions.sessions.conftest import House


async def queued(house: House, session_id: str, text: str) -> str:
    """A message that waits for the end of a turn that streams."""
    await house.room.sessions.send(session_id, "slow")
    await house.said(session_id)
    await house.room.sessions.send(session_id, text)
    [message] = (await house.room.sessions.get(session_id)).queue
    return message.id


async def test_a_message_joins_the_turn_where_the_agent_takes_it(house: House) -> None:
    session_id = await house.start("steer")
    assert (await house.room.sessions.get(session_id)).steerable
    message = await queued(house, session_id, "turn left")
    view = await house.room.sessions.care.edit_queue(session_id, message, "steer")
    assert (view.queue, view.state) == ([], "working")
    users = await house.events(session_id, "user")
    assert [(event.turn, event.data.get("text"), event.data.get("steered")) for event in users] == [
        (1, "slow", None),
        (1, "turn left", True),
    ]
    await house.room.sessions.cancel_turn(session_id)
    await house.room.sessions.wait(session_id, until="idle", timeout_s=30)
    said = "".join(event.data["text"] for event in await house.events(session_id, "agent"))
    assert "<turn left>" in said


@pytest.mark.parametrize("quirk", ["", "steer,deaf"])
async def test_a_message_that_is_not_taken_waits_on(house: House, quirk: str) -> None:
    session_id = await house.start(quirk)
    assert (await house.room.sessions.get(session_id)).steerable is ("steer" in quirk)
    message = await queued(house, session_id, "turn left")
    with pytest.raises(SaysoError, match="waits for the end of the turn") as refused:
        await house.room.sessions.care.edit_queue(session_id, message, "steer")
    assert refused.value.details["reason"] == "cannot_steer"
    assert [entry.id for entry in (await house.room.sessions.get(session_id)).queue] == [message]
    assert len(await house.events(session_id, "user")) == 1
