"""`sayso session new` and `sayso providers check` of an agent that never answers: a line says so, Ctrl+C ends it."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil

from tests.actions.cli.home import COMMAND, Home
from tests.running_host import eventually

SCRIPTED = Path(__file__).parents[2] / "fixtures" / "agents" / "scripted.py"


def _agents(home: Home) -> list[psutil.Process]:
    host = home.host_pid()
    return [] if host is None else [c for c in psutil.Process(host).children() if str(SCRIPTED) in c.cmdline()]


def _read(terminal: int, until: str) -> str:
    """What a terminal shows up to ``until``."""
    shown = ""
    deadline = time.monotonic() + 60
    while until not in shown:
        assert time.monotonic() < deadline, shown
        shown += os.read(terminal, 1000).decode()
    return shown


def test_an_agent_that_never_answers_is_told_of_and_ends_with_the_command(home: Home) -> None:
    config = home.folder / "config"
    config.mkdir(parents=True)
    row = f'command = ["{sys.executable}", "{SCRIPTED}"]\nenv = {{ SCRIPTED = "mute" }}\n'
    (config / "providers.toml").write_text(f'[providers.mute]\nname = "Mute"\n{row}')
    assert home.sayso("workspace", "list").exit == 0
    commands: list[tuple[subprocess.Popen[str], int]] = []
    for words in (["session", "new", "--provider", "mute"], ["providers", "check", "mute"]):
        terminal, end = pty.openpty()
        command = subprocess.Popen(
            [COMMAND, *words, "--json"], stdout=subprocess.PIPE, stderr=end, text=True,
            cwd=home.workspace, env=home.environment(),
        )  # fmt: skip
        os.close(end)
        commands.append((command, terminal))
    eventually(lambda: len(_agents(home)) == 2)
    for command, terminal in commands:
        assert "Still starting: waits for the answer of Mute to initialize, 1" in _read(terminal, " s\r\n")
        command.send_signal(signal.SIGINT)
        out, _ = command.communicate(timeout=40)
        assert command.returncode == 130
        assert "cancelled" in out
        os.close(terminal)
    eventually(lambda: not _agents(home))
    [session] = eventually(
        lambda: [s for s in home.json("session", "list").data["sessions"] if s["state"] == "stopped"]
    )
    assert session["reason"] == "It was given up before its agent was ready. Send a message to start it."
