"""The voice path over a real host: the card is the request as it is stored, and goes when that is decided."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from actions.client.connection import HostConnection
from desktop.voicebar.service import LocalVoice, Surroundings
from desktop.voicebar.state import VoiceState
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
