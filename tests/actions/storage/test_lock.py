"""One host a home, and a dead one holds nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from actions.errors import SaysoError
from actions.storage.lock import HomeLock

HOLD = (
    "import sys, time, pathlib\n"
    "from actions.storage.lock import HomeLock\n"
    "lock = HomeLock(pathlib.Path(sys.argv[1]))\n"
    "lock.acquire()\n"
    "print('held', flush=True)\n"
    "time.sleep(60)\n"
)


def test_a_second_host_is_told_who_holds_the_home(tmp_path: Path) -> None:
    file = tmp_path / "host.lock"
    holder = subprocess.Popen([sys.executable, "-c", HOLD, file], stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(SaysoError, match=f"process {holder.pid}") as refused:
            HomeLock(file).acquire()
        assert refused.value.details["pid"] == holder.pid
    finally:
        holder.send_signal(signal.SIGKILL)
        holder.communicate()

    with HomeLock(file) as lock:  # the crash left file and note behind, but no lock
        assert lock.holder() == os.getpid()


def test_it_is_given_back(tmp_path: Path) -> None:
    first, second = HomeLock(tmp_path / "host.lock"), HomeLock(tmp_path / "host.lock")
    first.acquire()
    first.release()
    first.release()
    with second:
        assert second.holder() == os.getpid()
    assert second.holder() is None


def test_one_host_a_database_even_where_the_lock_file_is_another(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "linked").symlink_to(tmp_path / "data")
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    first = HomeLock(tmp_path / "one" / "host.lock", tmp_path / "data")
    second = HomeLock(tmp_path / "two" / "host.lock", tmp_path / "linked")
    with first:
        with pytest.raises(SaysoError, match="XDG_STATE_HOME") as refused:
            second.acquire()
        assert refused.value.details["reason"] == "home_in_use"
        with HomeLock(tmp_path / "two" / "host.lock"):
            pass  # what was refused holds nothing
    with second:
        assert second.holder() == os.getpid()
