"""Typed words through the real host: what runs at once, what waits for a yes, and what never runs."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from actions.catalog.registry import load
from actions.client.connection import HostConnection
from actions.errors import Ambiguous, ErrorCode, NotFound
from tests.running_host import RunningHost, running_host
from voice.dialogue.host import VoiceHost, off_the_loop
from voice.dialogue.turn import Turn, TurnResult, TurnState
from voice.dialogue.understanding import Understanding
from voice.intent.model import Context, Intent

# A host and two agent processes start; on a busy machine that takes its time.
pytestmark = pytest.mark.timeout(300)


@dataclass
class Room:
    """A host with two sessions of the built-in agent, and a voice that speaks to it."""

    host: RunningHost
    session: str
    other: str

    def say(self, text: str, answer: Any = None, session: str | None = None) -> tuple[Intent, TurnResult]:
        async def turn() -> tuple[Intent, TurnResult]:
            voice = VoiceHost(off_the_loop(HostConnection(self.host.socket_file)))
            catalog = load()
            understanding = Understanding(catalog, voice)
            world = await understanding.world(Context(current_session=session))
            intent = await understanding.hear(text, world)
            own = voice.about(world.context.current_session)
            return intent, await Turn(catalog, own, lambda: uuid.uuid4().hex).carry_out(intent, answer)

        return asyncio.run(turn())

    def mode(self) -> str:
        return self.host.done("session.status.get", session_id=self.session)["mode"]

    def requests(self) -> list[dict[str, Any]]:
        return self.host.done("inbox.list")["rows"]


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    folder = tmp_path_factory.mktemp("voice")
    workspace = folder / "storefront"
    workspace.mkdir()
    with running_host(folder / "home") as host:
        path = host.done("workspace.add", path=str(workspace))["path"]
        sessions = [
            host.done("session.spawn_new", provider="builtin", workspace=path, title=title)["id"]
            for title in ("auth-refactor", "release notes")
        ]
        yield Room(host, *sessions)


def test_reading_runs_at_once(room: Room) -> None:
    intent, result = room.say("show all sessions")
    assert (intent.action, intent.tier, result.state) == ("session.list", "sure", TurnState.COMPLETED)
    assert {s["title"] for s in result.data["sessions"]} == {"auth-refactor", "release notes"}


def test_writing_waits_for_a_yes(room: Room) -> None:
    before = room.mode()
    intent, result = room.say("switch session auth refactor to plan mode")
    assert intent.input == {"session_id": room.session, "mode_id": "plan"}
    assert result.state is TurnState.PENDING
    assert "auth-refactor" in result.message
    assert room.mode() == before != "plan"
    assert [row["id"] for row in room.requests()] == [result.approval_id]

    asked, undecided = room.say("reject the first request")
    assert asked.input == {"approval_id": result.approval_id, "decision": "reject"}
    assert undecided.state is TurnState.ASKING
    assert "auth-refactor" in undecided.message
    assert room.requests()

    _, done = room.say("reject the first request", "yes")
    assert done.state in (TurnState.COMPLETED, TurnState.REJECTED)
    assert room.requests() == []
    assert room.mode() == before


def test_no_rejects_and_yes_runs(room: Room) -> None:
    before = room.mode()
    _, refused = room.say("switch session auth refactor to plan mode", "no")
    assert refused.state is TurnState.REJECTED
    assert room.mode() == before
    _, done = room.say("switch session auth refactor to plan mode", "yes")
    assert done.state is TurnState.COMPLETED
    assert room.mode() == "plan"
    assert room.requests() == []


def test_this_session_by_a_prefix_of_its_id(room: Room) -> None:
    intent, result = room.say("rename this session to spike number seven", "yes", session=room.other)
    assert intent.input == {"session_id": room.other, "title": "spike number seven"}
    assert "release notes" in intent.readback
    assert result.state is TurnState.COMPLETED
    _, back = room.say("rename this session to release notes", "yes", session=room.other[:-2])
    assert back.state is TurnState.COMPLETED
    assert room.host.done("session.status.get", session_id=room.other)["title"] == "release notes"


def test_a_session_that_is_not_there_or_not_clear(room: Room) -> None:
    with pytest.raises(NotFound):
        room.say("rename this session to spike", session="nowhere")
    with pytest.raises(Ambiguous) as caught:
        room.say("rename this session to spike", session="ses_")
    assert {c["id"] for c in caught.value.details["candidates"]} == {room.session, room.other}


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("start a review run with Foobarino", ("providers",)),
        ("switch session auth refactor to turbo mode", ("mode_id",)),
        ("open session walrus", ("session_id",)),
        ("approve the ninth request", ("approval_id",)),
    ],
)
def test_what_is_missing_is_asked_whatever_the_answer(room: Room, text: str, missing: tuple[str, ...]) -> None:
    intent, result = room.say(text, "yes")
    assert intent.missing == missing
    assert intent.tier == "likely"
    assert result.state is TurnState.ASKING
    assert room.requests() == []


def test_a_provider_that_is_not_installed_is_recognised_and_asked_for(room: Room) -> None:
    intent, result = room.say("start a new Claude session in workspace storefront", "yes")
    assert intent.action == "session.spawn_new"
    if "provider" in intent.missing:  # where Claude's adapter is not installed
        assert intent.input["provider"] == "claude"
        assert result.state is TurnState.ASKING


@pytest.mark.parametrize("text", ["", "play some jazz", "don't stop the auth refactor session", "auth refactor", "yes"])
def test_talk_does_nothing_even_with_a_yes(room: Room, text: str) -> None:
    intent, result = room.say(text, "yes")
    assert intent.action is None
    assert result.state is TurnState.NOTHING
    assert room.requests() == []


def test_what_only_a_window_can_do_says_so(room: Room) -> None:
    _, result = room.say("open my inbox")
    assert result.state is TurnState.FAILED
    assert result.error is not None
    assert result.error.code is not ErrorCode.INVALID_INPUT
    assert "sayso desktop" in result.message


def test_chinese_words(room: Room) -> None:
    intent, _ = room.say("把这个会话改名为 发布说明", "no", session=room.session)
    assert intent.input == {"session_id": room.session, "title": "发布说明"}
    assert intent.readback.endswith("是还是否？")


def test_no_host_is_said(tmp_path: Path) -> None:
    from actions.errors import HostUnavailable

    async def turn() -> None:
        voice = VoiceHost(off_the_loop(HostConnection(str(tmp_path / "nothing.sock"))))
        await voice.execute("session.list", {})

    with pytest.raises(HostUnavailable):
        asyncio.run(turn())
