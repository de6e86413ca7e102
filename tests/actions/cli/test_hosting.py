"""`sayso host`, and the ways from a command to a host."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.actions.cli.home import COMMAND, Home

pytestmark = pytest.mark.e2e


def test_a_host_in_the_foreground(home: Home) -> None:
    host = subprocess.Popen([COMMAND, "host", "--json"], stdout=subprocess.PIPE, text=True, env=home.environment())
    try:
        assert host.stdout is not None
        ready = json.loads(host.stdout.readline())
        assert (ready["ok"], ready["kind"], ready["data"]["pid"]) == (True, "host", host.pid)
        assert ready["data"]["endpoint"] == f"unix:{home.folder}/state/host.sock"
        assert home.host_pid() == host.pid
        second = home.json("host")
        assert second.exit == 1
        assert str(host.pid) in second.error["message"]
        # Inside an agent the endpoint of its host counts, whatever the home is.
        elsewhere = home.json(
            "host", "status", SAYSO_ENDPOINT=ready["data"]["endpoint"], SAYSO_HOME=str(home.folder / "other")
        )
        assert elsewhere.data["pid"] == host.pid
    finally:
        host.send_signal(signal.SIGTERM)
        assert host.wait(timeout=20) == 0
    assert home.json("host", "status").error["code"] == "host_unavailable"
    assert home.json("host", "stop").data == {"stopping": False}


def test_an_agent_whose_host_is_gone_starts_no_other(home: Home) -> None:
    ran = home.json("session", "list", SAYSO_TOKEN="t", SAYSO_SESSION_ID="s")
    assert (ran.exit, ran.error["code"]) == (1, "host_unavailable")
    assert not home.folder.exists()


def test_ten_commands_at_once_start_one_host(home: Home) -> None:
    running = [
        subprocess.Popen(
            [COMMAND, "session", "list", "--json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=home.environment(),
        )
        for _ in range(10)
    ]
    ended = [(*process.communicate(timeout=55), process.returncode) for process in running]
    assert [exit for _, _, exit in ended] == [0] * 10, ended
    ready = (home.folder / "state" / "logs" / "host.log").read_text().count('"kind": "host"')
    assert ready == 1


def test_a_home_that_cannot_be_written_says_how_to_go_on(home: Home) -> None:
    home.folder.write_text("a file")
    ran = home.json("session", "list")
    assert ran.exit == 1
    assert str(home.folder) in ran.error["message"]
    assert "SAYSO_HOME" in ran.error["message"]


def test_commands_of_other_packages_are_found(home: Home) -> None:
    ran = home.json("voice", "transcribe", "nowhere.wav")
    assert ran.exit != 0
    assert ran.error["message"]
    assert home.sayso("--json", "voice", "transcribe", "nowhere.wav").error == ran.error


def test_the_agent_speaks_on_standard_output(home: Home) -> None:
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": 1}}
    ran = home.sayso("agent", input=json.dumps(hello) + "\n")
    assert ran.exit == 0
    assert json.loads(ran.out.splitlines()[0])["result"]["protocolVersion"] == 1


def test_the_module_is_the_command(home: Home) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "actions.cli.main", "--version"],
        capture_output=True,
        text=True,
        env={**home.environment(), "PYTHONPATH": str(Path(__file__).parents[3])},
        cwd=os.sep,
        check=False,
    )
    assert done.stdout.startswith("sayso ")
