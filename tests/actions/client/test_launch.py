"""Starting a host: once for many, with the reason when it cannot be."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from actions.client.connection import HostConnection
from actions.client.launch import HostStarter
from actions.errors import HostUnavailable, SaysoError
from actions.storage.paths import Paths

pytestmark = pytest.mark.e2e


@pytest.fixture
def paths(sayso_home: Path) -> Iterator[Paths]:
    """The home of the test; its host is ended."""
    paths = Paths.under(sayso_home)
    yield paths
    try:
        pid = HostConnection(str(paths.socket_file)).call("host.status", {"surface": "cli"})["data"]["pid"]
        HostConnection(str(paths.socket_file)).call("host.stop", {"surface": "cli"})
    except HostUnavailable:
        return
    deadline = time.monotonic() + 40
    while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
        time.sleep(0.05)


def environ(paths: Paths, **more: str) -> dict[str, str]:
    return {**os.environ, "SAYSO_HOME": str(paths.state.parent), **more}


def pid(paths: Paths) -> int:
    return HostConnection(str(paths.socket_file)).call("host.status", {})["data"]["pid"]


def test_ten_at_once_get_one_host(paths: Paths) -> None:
    found: list[int] = []

    def start() -> None:
        HostStarter(paths, environ(paths)).start()
        found.append(pid(paths))

    threads = [threading.Thread(target=start) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 10
    assert len(set(found)) == 1
    ready = [line for line in (paths.logs / "host.log").read_text().splitlines() if '"ok": true' in line]
    assert len(ready) == 1
    assert (paths.logs / "host.log").stat().st_mode & 0o077 == 0


def test_a_socket_that_a_dead_host_left_is_no_host(paths: Paths) -> None:
    HostStarter(paths, environ(paths)).start()
    first = pid(paths)
    os.kill(first, 9)
    while Path(f"/proc/{first}").exists():
        time.sleep(0.02)
    assert paths.socket_file.exists()
    HostStarter(paths, environ(paths)).start()
    assert pid(paths) != first


def test_a_relative_home_is_the_callers(paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(paths.state.parent.parent)
    HostStarter(paths, {**os.environ, "SAYSO_HOME": paths.state.parent.name}).start()
    assert pid(paths)


def test_a_module_in_the_current_directory_is_not_run(paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    there = paths.state.parent.parent / "repository"
    (there / "actions").mkdir(parents=True)
    (there / "actions" / "__init__.py").write_text("raise SystemExit('somebody else')")
    monkeypatch.chdir(there)
    HostStarter(paths, environ(paths)).start()
    assert pid(paths)


def test_a_newer_database_is_the_reason(paths: Paths) -> None:
    paths.ensure()
    with sqlite3.connect(paths.database_file) as database:
        database.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        database.execute("INSERT INTO alembic_version VALUES ('9999')")
    database.close()
    with pytest.raises(HostUnavailable) as caught:
        HostStarter(paths, environ(paths)).start()
    assert "newer" in caught.value.message
    assert str(paths.logs / "host.log") in caught.value.message


@pytest.mark.skipif(os.geteuid() == 0 and not Path("/proc/self/mounts").exists(), reason="root may write everywhere")
def test_a_home_that_is_a_file_is_the_reason(sayso_home: Path) -> None:
    sayso_home.write_text("not a folder")
    paths = Paths.under(sayso_home)
    with pytest.raises(SaysoError) as caught:
        HostStarter(paths, environ(paths)).start()
    assert str(sayso_home) in caught.value.message
    assert "SAYSO_HOME" in caught.value.message


def test_a_host_that_says_nothing_in_time_is_the_reason(paths: Paths) -> None:
    with pytest.raises(HostUnavailable) as caught:
        HostStarter(paths, environ(paths), patience_s=0.05).start()
    assert "did not answer within 0.05 s" in caught.value.message
    deadline = time.monotonic() + 40
    while time.monotonic() < deadline:  # it comes up all the same, and the fixture ends it
        try:
            pid(paths)
            return
        except HostUnavailable:
            time.sleep(0.1)


def test_an_agent_starts_no_host(paths: Paths) -> None:
    with pytest.raises(HostUnavailable):
        HostStarter(paths, environ(paths, SAYSO_TOKEN="t")).start()
    assert not paths.state.exists()


def test_whoever_starts_a_host_can_end_first(paths: Paths) -> None:
    """The host belongs to nobody's terminal or process group."""
    code = "import os; from actions.client.launch import *; from actions.storage.paths import Paths;"
    code += "HostStarter(Paths.from_environment(), os.environ).start()"
    import sys

    starter = subprocess.Popen([sys.executable, "-c", code], env=environ(paths), start_new_session=True)
    assert starter.wait(timeout=50) == 0
    host = pid(paths)
    assert os.getpgid(host) != starter.pid
    assert os.getsid(host) == host
