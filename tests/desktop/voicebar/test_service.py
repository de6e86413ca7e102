"""The voice path over a real host: the card is the request as it is stored, and goes when that is decided."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from actions.client.connection import HostConnection
from desktop.voicebar.service import LocalVoice
from desktop.voicebar.state import VoiceCard, VoiceState
from desktop.voicebar.surroundings import Surroundings
from tests.running_host import RunningHost, running_host
from voice.dialogue.host import off_the_loop


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHost]:
    folder = tmp_path_factory.mktemp("voice")
    (folder / "shop").mkdir()
    with running_host(folder / "home") as running:
        running.done("session.spawn_new", provider="builtin", workspace=str(folder / "shop"), title="Orchard")
        yield running


@contextmanager
def unused() -> Iterator[None]:
    raise AssertionError("nothing is said here")
    yield


@pytest.fixture
async def voice(host: RunningHost):
    session = host.done("session.list")["sessions"][0]
    path = LocalVoice(
        Surroundings(
            call=off_the_loop(HostConnection(host.socket_file)),
            recognizer=unused,  # pyright: ignore[reportArgumentType]  # text comes in place of sound
            microphone=unused,  # pyright: ignore[reportArgumentType]
            session=lambda: session["id"],
            workspace=lambda: session["workspace"],
        )
    )
    yield path
    await path.close()


async def test_a_writing_command_is_a_card_with_the_rows_of_its_request(host: RunningHost, voice: LocalVoice):
    voice.hear_text("start a plan run for the spring sale")
    view = await voice.idle()
    assert view.state is VoiceState.CARD
    assert view.card is not None
    shown = {field.title: field.value for field in view.card.fields}
    assert shown["Session"] == "Orchard"
    assert shown["Instructions"] == "the spring sale"
    waiting = host.done("inbox.list")["rows"]
    assert [row["id"] for row in waiting] == [view.card.approval_id]
    assert host.done("execution.run.list")["runs"] == []
    voice.cancel()
    assert (await voice.idle()).state is VoiceState.DONE
    assert host.done("inbox.list")["rows"] == []
    assert host.done("execution.run.list")["runs"] == []


async def test_a_card_goes_when_its_request_was_decided_in_the_inbox(host: RunningHost, voice: LocalVoice):
    voice.hear_text("start a plan run for the summer sale")
    view = await voice.idle()
    assert view.card is not None
    assert view.card.approval_id is not None
    voice.request_settled("another")
    assert (await voice.idle()).state is VoiceState.CARD
    voice.request_settled(view.card.approval_id)
    assert (await voice.idle()).state is VoiceState.READY
    host.done("approval.request.decide", approval_id=view.card.approval_id, decision="reject")


async def test_a_reading_command_runs_at_once_and_talk_does_nothing(host: RunningHost, voice: LocalVoice):
    voice.hear_text("show all sessions")
    assert (await voice.idle()).state is VoiceState.DONE
    voice.hear_text("play some jazz")
    view = await voice.idle()
    assert view.state is VoiceState.FAILED
    assert view.card is None
    assert host.done("inbox.list")["rows"] == []


async def _asked(voice: LocalVoice, text: str) -> VoiceCard:
    voice.hear_text(text)
    view = await voice.idle()
    assert view.card is not None, view
    assert view.state is VoiceState.CARD
    return view.card


def _values(card: VoiceCard) -> dict[str, str]:
    return {field.title: field.value for field in card.fields}


async def test_a_missing_value_is_asked_for_and_answered_by_voice(host: RunningHost, voice: LocalVoice):
    card = await _asked(voice, "start a plan run")
    assert not card.confirmable
    assert card.question.endswith("?")
    card = await _asked(voice, "yes")
    assert not card.confirmable, "a yes answers no question for a value"
    card = await _asked(voice, "migrate the orders to postgres")
    assert card.confirmable
    assert _values(card)["Instructions"] == "migrate the orders to postgres"
    voice.hear_text("no")
    assert (await voice.idle()).state is VoiceState.READY
    assert host.done("inbox.list")["rows"] == []


async def test_no_i_meant_changes_the_value_or_the_command(host: RunningHost, voice: LocalVoice):
    first = await _asked(voice, "start a plan run for the spring sale")
    card = await _asked(voice, "no, I meant the autumn sale")
    assert _values(card)["Instructions"] == "the autumn sale"
    assert first.approval_id is not None
    assert host.done("inbox.list")["rows"] == [], "what was not meant does not wait in the inbox"
    voice.hear_text("no I meant show all sessions")
    assert (await voice.idle()).state is VoiceState.DONE
    assert host.done("inbox.list")["rows"] == []


async def test_what_was_done_is_taken_back(host: RunningHost, voice: LocalVoice):
    session = host.done("session.list")["sessions"][0]["id"]
    assert not host.done("session.status.get", session_id=session)["pinned"]
    await _asked(voice, "pin this session")
    voice.hear_text("yes")
    assert (await voice.idle()).state is VoiceState.DONE
    assert host.done("session.status.get", session_id=session)["pinned"]
    await _asked(voice, "undo that")
    voice.hear_text("yes")
    assert (await voice.idle()).state is VoiceState.DONE
    assert not host.done("session.status.get", session_id=session)["pinned"]
    voice.hear_text("show all sessions")
    await voice.idle()
    voice.hear_text("undo")
    view = await voice.idle()
    assert (view.state, "cannot be taken back" in view.message) == (VoiceState.FAILED, True)


async def test_repeat_and_what_can_i_say(host: RunningHost, voice: LocalVoice):
    voice.hear_text("what can I say")
    view = await voice.idle()
    assert view.state is VoiceState.DONE
    assert view.message.startswith("You can say: “")
    card = await _asked(voice, "start a plan run for the winter sale")
    again = await _asked(voice, "say that again")
    assert (again.approval_id, again.question) == (card.approval_id, card.question)
    voice.cancel()
    await voice.idle()


async def test_talk_beside_an_open_card_leaves_it_open(host: RunningHost, voice: LocalVoice):
    card = await _asked(voice, "start a plan run for the winter sale")
    beside = await _asked(voice, "play some jazz")
    assert beside.approval_id == card.approval_id
    assert "play some jazz" in beside.question
    voice.cancel()
    await voice.idle()
    assert host.done("inbox.list")["rows"] == []
