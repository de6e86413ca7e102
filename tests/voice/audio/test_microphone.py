"""A real recording: PortAudio, PulseAudio and a spoken clip in a microphone that is a null sink."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.voice.fake_microphone import FakeMicrophone, missing
from tests.voice.recognition.clips import FOLDER
from voice.audio.devices import AudioState, input_devices
from voice.audio.microphone import Microphone, MicrophoneError, MicrophoneTrouble

pytestmark = pytest.mark.e2e
REPOSITORY = Path(__file__).parents[3]


@pytest.fixture
def fake_microphone() -> Iterator[FakeMicrophone]:
    if reason := missing():
        pytest.skip(reason)
    with FakeMicrophone() as microphone:
        yield microphone


class Child:
    """A process that listens once."""

    def __init__(self, fake: FakeMicrophone, mode: str = "toggle", release_after: float = 0.0) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.voice.record_once", mode, str(release_after)],
            cwd=REPOSITORY,
            env={**fake.environment, "SAYSO_HOME": os.environ["SAYSO_HOME"]},
            stdout=subprocess.PIPE,
            text=True,
        )
        self.opened = self._line()

    def result(self) -> dict[str, Any]:
        try:
            line = self._line()
            assert self._process.wait(15) == 0
        finally:
            self._process.kill()
            self._process.communicate()
        return line

    def _line(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())


def test_a_spoken_command_is_recorded_and_understood(fake_microphone: FakeMicrophone) -> None:
    child = Child(fake_microphone)
    assert child.opened["event"] == "open"
    assert child.opened["device"]
    fake_microphone.play(FOLDER / "cmd30_joe.wav")
    heard = child.result()
    assert heard["event"] == "utterance"
    assert heard["text"].lower().rstrip(".").endswith("to follow the gateway proxy session")
    assert heard["ended"] == "quiet"
    assert 2.5 < heard["seconds"] < 5
    assert heard["loudest"] > -40


def test_hold_to_talk_ends_with_the_key(fake_microphone: FakeMicrophone) -> None:
    child = Child(fake_microphone, "hold", 5.0)
    fake_microphone.play(FOLDER / "cmd30_joe.wav")
    heard = child.result()
    assert (heard["event"], heard["ended"]) == ("utterance", "released")
    assert "gateway proxy session" in heard["text"].lower()


def test_unplugged_while_it_listens(fake_microphone: FakeMicrophone) -> None:
    child = Child(fake_microphone)
    fake_microphone.play(FOLDER / "white_-15dB_3s.wav")
    fake_microphone.unplug()
    result = child.result()
    assert result["event"] == "problem"
    # The server pauses for a second or two, then gives zeros: which of the two is noticed first is its choice.
    assert result["trouble"] in ("unplugged", "stopped")
    assert "plugged" in result["message"]


def test_the_sound_server_dies_while_it_listens(fake_microphone: FakeMicrophone) -> None:
    child = Child(fake_microphone)
    fake_microphone.stop_server()
    result = child.result()
    assert (result["event"], result["trouble"]) == ("problem", "stopped")


async def test_no_microphone_is_an_error_with_words_for_a_person() -> None:
    if input_devices().state is AudioState.OK:
        pytest.skip("this machine has a microphone")
    with pytest.raises(MicrophoneError) as caught:
        async with Microphone():
            pass
    assert caught.value.trouble in (MicrophoneTrouble.NO_DEVICE, MicrophoneTrouble.NO_PORTAUDIO)
    assert caught.value.message
