"""Ctrl+C at many moments: exit 130, one document, no traceback, and nothing left that should not be."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.actions.cli.home import COMMAND, Home
from tests.e2e.processes import hosts_of, processes_of, started
from tests.e2e.steps import NO_TRACE, VOICE, add_provider, asked, looked_at, new_session, until_state
from tests.running_host import eventually

pytestmark = pytest.mark.timeout(180)


def interrupted(command: subprocess.Popen[str], *, ready: bool = True) -> None:
    """Press Ctrl+C. The command ends in a moment with 130 and one document, or it had already ended well."""
    command.send_signal(signal.SIGINT)
    out, err = command.communicate(timeout=60)
    assert NO_TRACE not in err, err
    assert "KeyboardInterrupt" not in err, err
    assert command.returncode in ((130,) if ready else (0, 130)), (command.returncode, out, err)
    document = json.loads(out)  # one, whatever happened
    if command.returncode == 130:
        assert (document["ok"], document["error"]["code"]) == (False, "cancelled")


def until_python_reads_modules(command: subprocess.Popen[str]) -> None:
    """The earliest moment: before it, the interpreter itself is starting and nothing of ours runs."""
    maps = Path(f"/proc/{command.pid}/maps")
    eventually(lambda: "_json.cpython" in maps.read_text() or command.poll() is not None)


def test_while_a_session_starts_and_works(home: Home) -> None:
    add_provider(home, "mute", "mute")
    with started(COMMAND, "session", "new", "--provider", "mute", "--json", env=home.environment()) as command:
        eventually(lambda: hosts_of(home.folder) and hosts_of(home.folder)[0].children(), 40)
        interrupted(command)
    [host] = hosts_of(home.folder)  # detached: it stays, and serves
    add_provider(home)
    for prompt in ("hang", "slow", "permission"):
        argv = ("session", "new", "--provider", "scripted", "--prompt", prompt, "--wait", "--json")
        before = {s["id"] for s in home.json("session", "list").data["sessions"]}
        with started(COMMAND, *argv, env=home.environment(), cwd=home.workspace) as command:

            def begun(before: set[str] = before) -> bool:
                rows = looked_at(home, "session.list").get("sessions", [])
                return any(s["id"] not in before and s["state"] in ("working", "waiting") for s in rows)

            eventually(begun, 40)
            interrupted(command)
    assert host.is_running()
    assert [process.pid for process in hosts_of(home.folder)] == [host.pid]
    assert home.sayso("host", "stop").exit == 0
    eventually(lambda: not processes_of(home.folder), 30)


def test_while_the_host_is_being_started(home: Home) -> None:
    with started(COMMAND, "session", "list", "--json", env=home.environment()) as command:
        eventually(lambda: (home.folder / "state" / "launch.lock").exists())
        interrupted(command)
    assert home.json("session", "list").exit == 0  # whoever comes next is not in the way of what was begun
    eventually(lambda: len(hosts_of(home.folder)) == 1)  # one that found the home in use is ending


def test_while_a_run_is_waited_for(home: Home) -> None:
    add_provider(home, quirks="always-hang")
    words = ("run", "start", "plan", "--provider", "scripted", "--instructions", "x", "--workspace", ".")
    run = home.json(*words).data["results"][0]["run_id"]
    with started(COMMAND, "run", "wait", run, "--timeout", "100", "--json", env=home.environment()) as command:
        time.sleep(1)
        interrupted(command)
    with started(COMMAND, *words, "--wait", "--json", env=home.environment(), cwd=home.workspace) as command:
        eventually(lambda: len(looked_at(home, "execution.run.list")["runs"]) == 2)
        interrupted(command)
    assert home.json("run", "show", run).data["state"] == "running"  # who stops waiting stops nothing


def test_at_a_question(home: Home) -> None:
    from tests.e2e.steps import at_terminal, waiting

    session = new_session(home, add_provider(home))
    home.json("session", "send", session, "permission")
    [row] = eventually(lambda: waiting(home))
    with at_terminal(home, "inbox", "approve", row["id"]) as person:
        person.wait_for("[y/N]")
        person.type("\x03")
        assert person.end() == 130
    assert NO_TRACE not in person.seen
    assert [r["state"] for r in waiting(home)] == ["open"]


@pytest.mark.parametrize("moment", ["start", "host", "heard"])
def test_while_a_recording_is_heard(home: Home, moment: str) -> None:
    argv = ("voice", "run", str(VOICE / "cmd06_joe.wav"), "--json")
    with started(COMMAND, *argv, env=home.environment()) as command:
        if moment == "start":
            until_python_reads_modules(command)
        elif moment == "host":
            eventually(lambda: hosts_of(home.folder), 40)
        else:
            maps = Path(f"/proc/{command.pid}/maps")
            eventually(lambda: "ctranslate2" in maps.read_text(), 60)
        interrupted(command)
    assert looked_at(home, "inbox.list").get("rows", []) == []
    assert all(process.pid != command.pid for process in processes_of(home.folder))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_host_in_the_foreground_ends_well(home: Home, number: int) -> None:
    with started(COMMAND, "host", env=home.environment()) as host:
        assert json.loads(host.stdout.readline())["ok"]
        session = new_session(home, add_provider(home, quirks="family"))
        home.json("session", "send", session, "slow")
        until_state(home, session, "working")
        start = time.monotonic()
        host.send_signal(number)
        out, err = host.communicate(timeout=60)
        took = time.monotonic() - start
    assert (host.returncode, out, err) == (0, "", "")
    assert not processes_of(home.folder)
    assert took < 10, f"{took:.1f} s"  # 3 s on an idle machine: tests/actions/host/test_host_process.py


def test_the_host_interrupted_before_it_is_ready(home: Home) -> None:
    for seconds in (0.15, 0.4, 0.8, 1.2):
        with started(COMMAND, "host", env=home.environment()) as host:
            until_python_reads_modules(host)
            time.sleep(seconds)
            host.send_signal(signal.SIGINT)
            out, err = host.communicate(timeout=60)
        assert NO_TRACE not in err, (seconds, err)
        # Before the interpreter has its handler, the signal itself ends it, which a shell shows as 130, too.
        assert host.returncode in (0, 130, -signal.SIGINT), (seconds, out, err)
        assert all(json.loads(line) for line in out.splitlines())
        assert not processes_of(home.folder)


def _line(number: int) -> Callable[[subprocess.Popen[str]], None]:
    def wait(command: subprocess.Popen[str]) -> None:
        for _ in range(number):
            assert command.stderr.readline(), command.communicate()

    return wait


@pytest.mark.parametrize(
    "moment",
    [until_python_reads_modules, lambda command: time.sleep(0.7), lambda command: time.sleep(2), _line(1), _line(3),
     _line(6), _line(10)],
    ids=["start", "imports", "host", "connected", "session", "heard", "approval"],
)  # fmt: skip
def test_the_demo_leaves_nothing(home: Home, tmp_path: Path, moment: Callable[[subprocess.Popen[str]], None]) -> None:
    folder = tmp_path / "tmp"
    folder.mkdir()
    env = {k: v for k, v in home.environment(TMPDIR=str(folder)).items() if k != "SAYSO_HOME"}
    with started(COMMAND, "demo", "--json", env=env) as demo:
        moment(demo)
        throw_away = [child / "home" for child in folder.iterdir()]
        interrupted(demo, ready=False)
    for place in throw_away:
        eventually(lambda place=place: not processes_of(place), 30)
    assert list(folder.iterdir()) == []


def test_the_demo_in_a_home_of_one_s_own_ends_its_own_host_only(home: Home, tmp_path: Path) -> None:
    session = new_session(home)
    with started(COMMAND, "demo", "--json", env=home.environment()) as demo:
        _line(3)(demo)
        interrupted(demo)
    assert asked(home, "host.status")["pid"]
    assert home.json("session", "show", session).data["state"] == "idle"
    shutil.rmtree(tmp_path / "shots", ignore_errors=True)
