"""The host as a process: it serves one home, knows who calls, ends cleanly and leaves nothing behind."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import psutil
import pytest

from tests.running_host import RunningHost, eventually, gone, running_host

STUBBORN = textwrap.dedent(
    """
    import json, signal, subprocess, sys, time
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    CHILD = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
    subprocess.Popen([sys.executable, "-c", CHILD])
    def reply(message, result):
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
    for line in sys.stdin:
        message = json.loads(line)
        if message.get("method") == "initialize":
            reply(message, {"protocolVersion": 1, "agentCapabilities": {}})
        elif message.get("method") == "session/new":
            reply(message, {"sessionId": "one"})
    time.sleep(600)
    """
)
CALL = textwrap.dedent(
    """
    import http.client, json, os, socket, sys
    connection = http.client.HTTPConnection("sayso", timeout=30)
    connection.sock = socket.socket(socket.AF_UNIX); connection.sock.connect(sys.argv[1])
    headers = {"Authorization": "Bearer " + sys.argv[3]} if len(sys.argv) > 3 else {}
    connection.request("POST", "/rpc", json.dumps({"method": "hello", "params": {"surface": sys.argv[2]}}), headers)
    print(connection.getresponse().read().decode())
    """
)


@pytest.fixture
def host(tmp_path):
    with running_host(tmp_path / "home") as running:
        yield running


@pytest.fixture
def stubborn(tmp_path, host):
    """A provider whose agent ignores the end of its input and SIGTERM, and has a child that does too."""
    (tmp_path / "stubborn.py").write_text(STUBBORN)
    row = f'[providers.stubborn]\nname = "Stubborn"\ncommand = ["{sys.executable}", "{tmp_path / "stubborn.py"}"]\n'
    (host.home / "config" / "providers.toml").write_text(row)
    (tmp_path / "work").mkdir()
    host.done("session.spawn_new", provider="stubborn", workspace=str(tmp_path / "work"))
    return eventually(lambda: len(host.descendants()) >= 2 and host.descendants())


def test_it_says_where_it_listens_and_who_it_is(host):
    assert host.ready["ok"] is True
    assert host.ready["data"]["pid"] == host.process.pid
    hello = host.call("hello", surface="ui")["data"]
    assert hello["pid"] == host.process.pid
    assert Path(host.socket_file).stat().st_mode & 0o777 == 0o600


def test_one_host_a_home(host):
    second = RunningHost(host.home)
    second.process.wait(timeout=45)
    second.process.stdout.close()
    assert second.ready["ok"] is False
    assert str(host.process.pid) in second.ready["error"]["message"]
    assert second.process.returncode == 1
    assert host.call("hello", surface="ui")["ok"], "the first one is not disturbed"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_within_three_seconds_and_nothing_is_left(host, stubborn, number):
    assert host.end(number) < 3.0
    assert host.process.returncode == 0
    assert all(gone(process) for process in stubborn)
    assert not Path(host.socket_file).exists()


def test_a_killed_host_leaves_orphans_that_the_next_one_ends(tmp_path, host, stubborn):
    session = host.done("session.list")["sessions"][0]
    host.end(signal.SIGKILL)
    assert any(not gone(process) for process in stubborn), "the agent ignores everything, so it is still there"
    with running_host(host.home) as after:
        eventually(lambda: all(gone(process) for process in stubborn))
        again = after.done("session.list")["sessions"][0]
        assert again["id"] == session["id"]
        assert again["state"] in ("stopped", "interrupted")
        assert again["title"] == session["title"]


def test_a_descendant_is_an_agent_whatever_it_claims(tmp_path, host):
    """An agent's program that double forks into its own session still counts as the session's."""
    script = tmp_path / "agent.py"
    script.write_text(
        textwrap.dedent(
            f"""
            import json, os, subprocess, sys
            def reply(message, result):
                print(json.dumps({{"jsonrpc": "2.0", "id": message["id"], "result": result}}), flush=True)
            for line in sys.stdin:
                message = json.loads(line)
                if message.get("method") == "initialize":
                    reply(message, {{"protocolVersion": 1, "agentCapabilities": {{}}}})
                elif message.get("method") == "session/new":
                    # setsid in a child of a child whose parent ends at once: the classic way out of a tree.
                    subprocess.run(["sh", "-c", "(setsid sh {tmp_path}/out.sh) >/dev/null 2>&1 &"])
                    reply(message, {{"sessionId": "one"}})
            """
        )
    )
    (tmp_path / "call.py").write_text(CALL)
    call = f"{sys.executable} {tmp_path}/call.py {host.socket_file} ui"
    (tmp_path / "out.sh").write_text(f"{call} > {tmp_path}/part; mv {tmp_path}/part {tmp_path}/answer")
    row = f'[providers.sly]\nname = "Sly"\ncommand = ["{sys.executable}", "{script}"]\n'
    (host.home / "config" / "providers.toml").write_text(row)
    (tmp_path / "work").mkdir()
    host.done("session.spawn_new", provider="sly", workspace=str(tmp_path / "work"))
    answer = json.loads(eventually((tmp_path / "answer").exists) and (tmp_path / "answer").read_text())
    assert answer["data"]["surface"] == "session_agent"
    assert answer["data"]["present"] is False


def test_only_a_terminal_makes_a_command_present(tmp_path, host):
    (tmp_path / "call.py").write_text(CALL)
    argv = [sys.executable, str(tmp_path / "call.py"), host.socket_file, "cli"]
    piped = subprocess.run(argv, stdin=subprocess.PIPE, capture_output=True, text=True, check=True)
    assert json.loads(piped.stdout)["data"]["present"] is False
    chunks: list[bytes] = []

    def read(fd):
        data = os.read(fd, 4096)
        chunks.append(data)
        return data

    saved, sink = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 1)  # pty.spawn copies to standard output
    try:
        pty.spawn(argv, read, lambda fd: b"")
    finally:
        os.dup2(saved, 1)
        os.close(saved)
        os.close(sink)
    answer = json.loads(b"".join(chunks).decode())
    assert (answer["data"]["surface"], answer["data"]["present"]) == ("cli", True)


def test_an_idle_host_ends_itself_and_a_connected_client_keeps_it(tmp_path):
    home = tmp_path / "home"
    (home / "config").mkdir(parents=True)
    (home / "config" / "settings.toml").write_text("[host]\nidle_seconds = 1\n")
    with running_host(home, "--detached") as host:
        connection = host.connect()
        connection.request("GET", "/events")
        stream = connection.getresponse()
        assert json.loads(stream.readline())["type"] == "hello"
        time.sleep(2.5)
        assert host.process.poll() is None
        stream.close()
        connection.close()
        host.process.wait(timeout=45)
        assert host.process.returncode == 0


def test_calls_that_make_no_sense_are_answered(host):
    assert host.call("no.such.method")["error"]["code"] == "invalid_input"
    assert host.call("execute")["error"]["code"] == "invalid_input"
    assert host.run("no.such.action")["error"]["code"] == "unknown_action"
    connection = host.connect()
    connection.request("POST", "/rpc", b"{not json")
    assert json.loads(connection.getresponse().read())["error"]["code"] == "invalid_input"
    connection.close()
    connection = host.connect()
    connection.request("POST", "/rpc", b"[" * 100_000)
    assert json.loads(connection.getresponse().read())["error"]["code"] == "invalid_input"
    connection.close()
    assert host.call("hello", surface="ui")["ok"]


def test_a_newer_database_is_refused_and_left_alone(tmp_path):
    home = tmp_path / "home"
    with running_host(home) as host:
        file = next(home.rglob("sayso.db"))
        assert host.ready["ok"]
    import sqlite3

    with sqlite3.connect(file) as db:
        db.execute("update alembic_version set version_num = '9999'")
    db.close()
    before = file.read_bytes()
    second = RunningHost(home)
    second.process.wait(timeout=45)
    second.process.stdout.close()
    assert second.ready["ok"] is False
    assert "newer" in second.ready["error"]["message"]
    assert file.read_bytes() == before


def test_many_clients_at_once_get_every_event_in_order(host, tmp_path):
    (tmp_path / "work").mkdir()
    seen: list[list[int]] = []

    def listen():
        connection = host.connect()
        connection.request("GET", "/events")
        stream = connection.getresponse()
        numbers = []
        while len(numbers) < 5:
            event = json.loads(stream.readline())
            if "data" in event:
                numbers.append(event["seq"])
        seen.append(numbers)
        connection.close()

    listeners = [threading.Thread(target=listen) for _ in range(4)]
    for listener in listeners:
        listener.start()
    eventually(lambda: host.call("host.status")["data"]["clients"] == 4)
    session = host.done("session.spawn_new", provider="builtin", workspace=str(tmp_path / "work"))
    for n in range(5):
        host.done("session.title.set", session_id=session["id"], title=f"title {n}")
    for listener in listeners:
        listener.join(timeout=30)
    assert len(seen) == 4
    assert all(numbers == sorted(set(numbers)) for numbers in seen)


def test_no_descendant_is_left_behind_after_an_ordinary_end(tmp_path):
    (tmp_path / "work").mkdir()
    with running_host(tmp_path / "home") as host:
        host.done("session.spawn_new", provider="builtin", workspace=str(tmp_path / "work"))
        children = host.descendants()
        assert children
    assert all(gone(process) for process in children)
    assert psutil.pid_exists(os.getpid())
