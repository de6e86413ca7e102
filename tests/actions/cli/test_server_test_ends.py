"""`sayso mcp test` of a server that never answers: Ctrl+C ends the command, the server and what the server started."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from contextlib import closing

import psutil
import pytest

from tests.actions.cli.home import COMMAND, Home
from tests.running_host import eventually, gone

MUTE = """
import subprocess, sys
child = subprocess.Popen(["sleep", "600"])
open(sys.argv[1], "w").write(str(child.pid))
sys.stdin.read()
child.wait()
"""


def _outcome(home: Home) -> str | None:
    """What is recorded of the test."""
    with closing(sqlite3.connect(home.folder / "data" / "sayso.db")) as database:
        row = database.execute("SELECT code FROM audit WHERE action_id = 'mcp.servers.test'").fetchone()
    return None if row is None else str(row[0])


@pytest.mark.timeout(180)
def test_giving_up_the_test_of_a_server_leaves_nothing_of_it(lively: Home) -> None:
    script, told = lively.workspace / "mute.py", lively.workspace / "child"
    script.write_text(MUTE)
    how = ("--command", sys.executable, "--arg", str(script), "--arg", str(told))
    assert lively.sayso("mcp", "add", "mute", *how).exit == 0
    with subprocess.Popen(
        [COMMAND, "mcp", "test", "mute", "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        cwd=lively.workspace, env=lively.environment(),
    ) as command:  # fmt: skip
        eventually(lambda: told.exists() and told.read_text())
        child = psutil.Process(int(told.read_text()))
        server = child.parent()
        assert server is not None
        command.send_signal(signal.SIGINT)
        out, _ = command.communicate(timeout=40)
    assert command.returncode == 130
    assert "cancelled" in out
    assert eventually(lambda: _outcome(lively)) == "outcome_unknown", "it was cut off, and did not end by itself"
    assert gone(server)
    assert gone(child)
