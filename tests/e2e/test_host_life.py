"""The host that commands share: started once, gone when nobody needs it, back with everything."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.actions.cli.home import COMMAND, Home, make_home
from tests.e2e.processes import end_all, hosts_of, processes_of, started
from tests.e2e.steps import NO_TRACE, add_provider, at_terminal, new_session, settings, until_state, waiting
from tests.running_host import eventually

pytestmark = pytest.mark.timeout(180)


def test_an_idle_host_ends_and_the_next_command_finds_everything(home: Home) -> None:
    settings(home, "[host]\nidle_seconds = 2\n")
    session = new_session(home, "builtin", "--title", "Log in")
    assert home.json("session", "send", session, "Where is the login?", "--wait").exit == 0
    add_provider(home)
    asking = new_session(home, "scripted")
    home.json("session", "send", asking, "permission")
    [first] = hosts_of(home.folder)
    [row] = eventually(lambda: waiting(home))
    time.sleep(3)  # longer than idle: what waits for a person keeps its agent, and so the host
    assert first.is_running()
    with at_terminal(home, "inbox", "reject", row["id"], "--yes") as person:
        assert person.end() == 0
    until_state(home, asking, "idle")
    eventually(lambda: not processes_of(home.folder), 40)

    shown = home.json("session", "show", session).data
    assert (shown["title"], shown["state"]) == ("Log in", "stopped")
    assert [process.pid for process in hosts_of(home.folder)] not in ([], [first.pid])
    assert "Where is the login?" in home.sayso("session", "transcript", session).out
    sent = home.json("session", "send", session, "And the password?", "--wait", timeout=90)
    assert sent.exit == 0, sent.out
    assert sent.data["stop_reason"] == "end_turn"


def test_ten_commands_at_once_start_one_host(home: Home) -> None:
    env = home.environment()
    with ExitStack() as stack:
        commands = [stack.enter_context(started(COMMAND, "session", "list", "--json", env=env)) for _ in range(10)]
        ended = [(*command.communicate(timeout=120), command.returncode) for command in commands]
    assert all(json.loads(out)["ok"] and code == 0 for out, _, code in ended), ended
    assert [err for _, err, _ in ended] == [""] * 10
    assert len(hosts_of(home.folder)) == 1


def test_a_second_host_of_a_home_is_refused(home: Home) -> None:
    with started(COMMAND, "host", env=home.environment()) as first:
        ready = json.loads(first.stdout.readline())
        assert (ready["ok"], ready["kind"], ready["data"]["pid"]) == (True, "host", first.pid)
        second = home.sayso("host")
        assert (second.exit, NO_TRACE in second.err) == (1, False)
        assert second.error["details"] == {"reason": "home_in_use", "pid": first.pid}
        assert home.json("session", "list").exit == 0
        first.send_signal(signal.SIGTERM)
        assert first.wait(timeout=60) == 0


def test_a_socket_file_that_was_left_behind_is_no_obstacle(home: Home) -> None:
    file = home.folder / "state" / "host.sock"
    file.parent.mkdir(parents=True)
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(file))
    assert file.exists()
    assert home.json("session", "list").exit == 0
    [host] = hosts_of(home.folder)
    host.kill()
    eventually(lambda: not hosts_of(home.folder))
    assert file.exists()
    assert home.json("session", "list").exit == 0


@pytest.mark.parametrize("words", [("run", "wait"), ("session", "send")])
def test_a_host_killed_while_a_command_waits(home: Home, words: tuple[str, str]) -> None:
    add_provider(home, quirks="always-hang")
    session = new_session(home, "scripted")
    if words == ("run", "wait"):
        ran = home.json("run", "start", "plan", "--provider", "scripted", "--instructions", "x", "--workspace", ".")
        argv = ("run", "wait", ran.data["results"][0]["run_id"], "--timeout", "60")
    else:
        argv = ("session", "send", session, "hello", "--wait")
    env = home.environment()
    [host] = hosts_of(home.folder)
    with started(COMMAND, *argv, "--json", env=env) as command:
        if words == ("session", "send"):
            until_state(home, session, "working")
        time.sleep(1)
        assert command.poll() is None
        agents = [process for process in host.children(recursive=True) if process.is_running()]
        assert agents
        host.kill()
        out, err = command.communicate(timeout=90)
    answer = json.loads(out)
    assert NO_TRACE not in err
    if words == ("run", "wait"):  # only looks, so it looks again: the next host says what became of the run
        assert (command.returncode, answer["data"]["state"]) == (0, "interrupted"), answer
    else:
        assert (command.returncode, answer["error"]["code"]) == (1, "outcome_unknown")
        shown = home.json("session", "show", session)
        assert (shown.exit, shown.data["state"]) == (0, "interrupted")
        assert "hello" in home.sayso("session", "transcript", session).out
    assert len(hosts_of(home.folder)) == 1
    eventually(lambda: not any(agent.is_running() and agent.status() != "zombie" for agent in agents), 20)


@pytest.mark.parametrize("name", ["a home with spaces", "家目录", "deep/" + "/".join(["a-long-name-" * 3] * 6)])
def test_homes_of_any_name(tmp_path: Path, name: str) -> None:
    home = make_home(tmp_path / name)
    try:
        session = new_session(home)
        assert home.json("session", "send", session, "Where is the login?", "--wait").exit == 0
        assert home.json("session", "list").data["sessions"][0]["id"] == session
        assert (home.folder / "data" / "sayso.db").exists()
        assert len(hosts_of(home.folder)) == 1
    finally:
        end_all(home.folder)
    assert not processes_of(home.folder)


def test_without_sayso_home_the_user_s_folders_are_used(tmp_path: Path) -> None:
    made = make_home(tmp_path)
    for more in ({"HOME": str(tmp_path / "person")}, {"XDG_STATE_HOME": str(tmp_path / "x" / "state")}):
        env = {k: v for k, v in made.environment().items() if not k.startswith(("XDG_", "SAYSO_")) and k != "HOME"}
        places = {f"XDG_{kind}_HOME": str(tmp_path / "x" / kind.lower()) for kind in ("CONFIG", "DATA", "CACHE")}
        env |= more if "HOME" in more else {**places, **more}  # the second one has no HOME at all

        def sayso(*words: str, env: dict[str, str] = env) -> subprocess.CompletedProcess[str]:
            return subprocess.run(
                [COMMAND, *words, "--json"], env=env, cwd="/", capture_output=True, text=True, timeout=60, check=False
            )

        try:
            ran = sayso("session", "list")
            assert (ran.returncode, ran.stderr) == (0, "")
        finally:
            assert json.loads(sayso("host", "stop").stdout)["data"]["stopping"]
        state = tmp_path / ("person/.local/state" if "HOME" in more else "x/state")
        assert (state / "sayso" / "launch.lock").exists()
        eventually(lambda state=state: not (state / "sayso" / "host.sock").exists())


@pytest.mark.parametrize("locale", [{"LANG": "C"}, {"LC_ALL": "POSIX"}, {"LANG": "zh_CN.UTF-8"}, {"LANG": "xx_YY"}])
def test_text_survives_any_locale(home: Home, locale: dict[str, str]) -> None:
    session = new_session(home, "builtin", "--title", "检查密码 – café")
    env = {**home.environment(), **locale}
    for argv in ([COMMAND, "session", "show", session, "--json"], [COMMAND, "session", "list"]):
        ran = subprocess.run(argv, env=env, capture_output=True, timeout=60, check=False)
        assert (ran.returncode, ran.stderr) == (0, b"")
        assert "检查密码 – café" in ran.stdout.decode()


def test_standard_streams_may_be_closed(home: Home) -> None:
    session = new_session(home, add_provider(home))
    home.json("session", "send", session, "order", "--wait")
    for line in ("{sayso} session list <&-", "{sayso} session transcript {id} --jsonl | head -1",
                 "{sayso} session transcript {id} | head -1", "{sayso} actions search review --json | true",
                 "{sayso} voice devices --json | true", "{sayso} --help | head -1", "{sayso} doctor | head -1",
                 "{sayso} inbox list <&- 2>&-"):  # fmt: skip
        ran = subprocess.run(
            ["bash", "-c", "set -o pipefail; " + line.format(sayso=COMMAND, id=session)],
            env=home.environment(), capture_output=True, text=True, timeout=90, check=False,
        )  # fmt: skip
        assert ran.stderr == "", line
        assert ran.returncode in (0, 1), line
    closed = subprocess.run(
        ["bash", "-c", f"{COMMAND} session list >&-"], env=home.environment(), capture_output=True, text=True,
        timeout=60, check=False,
    )  # fmt: skip
    assert NO_TRACE not in closed.stderr
    full = subprocess.run(
        ["bash", "-c", f"{COMMAND} session list --json >/dev/full"], env=home.environment(), capture_output=True,
        text=True, timeout=60, check=False,
    )  # fmt: skip
    assert full.returncode == 1
    assert "No space left" in full.stderr
    assert NO_TRACE not in full.stderr


def test_a_command_starts_where_modules_have_hostile_names(home: Home) -> None:
    for name in ("json", "asyncio", "actions", "sqlalchemy"):
        (home.workspace / f"{name}.py").write_text("raise SystemExit('the wrong module')\n")
    assert home.json("session", "list").exit == 0
    assert home.json("session", "new", "--provider", "builtin").exit == 0
    assert Path(sys.executable).exists()
