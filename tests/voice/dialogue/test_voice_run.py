"""Recordings through the real recogniser and a real host: ``sayso voice run``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.running_host import RunningHost, running_host

CLIPS = Path(__file__).parents[2] / "fixtures" / "voice"

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(400)]


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHost]:
    folder = tmp_path_factory.mktemp("run")
    (folder / "storefront").mkdir()
    with running_host(folder / "home") as running:
        path = running.done("workspace.add", path=str(folder / "storefront"))["path"]
        running.done("session.spawn_new", provider="builtin", workspace=path, title="auth-refactor")
        yield running


def voice(host: RunningHost, *arguments: str) -> tuple[int, dict[str, Any]]:
    environment = {**os.environ, "SAYSO_HOME": str(host.home)}
    command = [sys.executable, "-c", "from actions.cli.main import main; raise SystemExit(main())", "voice", *arguments]
    done = subprocess.run(
        [*command, "--json"], env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    return done.returncode, json.loads(done.stdout)


def test_a_spoken_command_waits_and_then_runs(host: RunningHost) -> None:
    code, waiting = voice(host, "run", str(CLIPS / "cmd10_joe.wav"))
    data = waiting["data"]
    assert code == 3
    assert data["heard"].lower().startswith("switch session auth refactor")
    assert data["intent"]["action"] == "session.mode.set"
    assert data["intent"]["input"]["mode_id"] == "plan"
    assert data["approval_id"]
    host.done("approval.request.decide", approval_id=data["approval_id"], decision="reject")

    code, done = voice(host, "run", str(CLIPS / "cmd10_joe.wav"), "--confirm", "yes")
    assert (code, done["data"]["outcome"]["state"]) == (0, "completed")
    assert done["data"]["outcome"]["data"]["mode"] == "plan"

    code, refused = voice(host, "run", str(CLIPS / "cmd10_joe.wav"), "--confirm", "no")
    assert (code, refused["data"]["outcome"]["state"]) == (4, "rejected")


def test_a_command_that_names_no_session_means_the_latest(host: RunningHost) -> None:
    code, done = voice(host, "run", str(CLIPS / "cmd08_joe.wav"), "--confirm", "yes")
    assert (code, done["data"]["outcome"]["state"]) == (0, "completed")
    [started] = done["data"]["outcome"]["data"]["results"]
    run = host.done("execution.run.wait", run_id=started["run_id"], timeout_s=60)
    assert run["state"] == "succeeded"
    assert run["host_session_id"] == host.done("session.list")["sessions"][0]["id"]


@pytest.mark.parametrize("clip", ["ood32_jf.wav", "ood12_jf.wav", "hum_50Hz_3s.wav"])
def test_talk_and_noise_do_nothing(host: RunningHost, clip: str) -> None:
    code, answer = voice(host, "run", str(CLIPS / clip), "--confirm", "yes")
    assert code == 0
    assert answer["data"]["intent"]["action"] is None
    assert answer["data"]["outcome"]["state"] == "nothing"


def test_typed_words(host: RunningHost) -> None:
    code, answer = voice(host, "intent", "show", "all", "sessions")
    assert code == 0
    assert set(answer["data"]) == {"action", "input", "confidence", "tier", "missing", "readback", "alternatives"}
    assert (answer["kind"], answer["data"]["action"], answer["data"]["tier"]) == ("intent", "session.list", "sure")


def test_bad_usage(host: RunningHost) -> None:
    for arguments in (["intent"], ["intent", "hello", "--language", "fr"], ["run", "nowhere.wav"]):
        code, answer = voice(host, *arguments)
        assert code != 0
        assert answer["ok"] is False
        assert answer["error"]["message"]
