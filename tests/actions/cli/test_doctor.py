"""The doctor finds what works and what does not, and is not taken along by what crashes."""

from __future__ import annotations

from pathlib import Path

import pytest

from actions.cli.doctor.probe import look
from tests.actions.cli.home import Home

pytestmark = pytest.mark.e2e
NAMES = {"sayso", "git", "home", "database", "host", "providers", "library: host", "library: window", "library: audio",
         "library: speech", "display", "microphone", "speech model", "model endpoints"}  # fmt: skip


@pytest.mark.timeout(180)
def test_every_check_is_there_and_problems_have_a_fix(lively: Home) -> None:
    ran = lively.json("doctor", timeout=150, QT_QPA_PLATFORM="", DISPLAY="", WAYLAND_DISPLAY="")
    assert ran.exit == 0
    checks = {check["name"]: check for check in ran.data["checks"]}
    assert checks.keys() >= NAMES
    assert all(check["fix"] for check in checks.values() if not check["ok"])
    works = {name for name, check in checks.items() if check["ok"]}
    needed = {"sayso", "git", "home", "database", "host", "providers", "library: host"}
    assert needed - works == set(), [checks[name] for name in needed - works]
    assert not checks["display"]["ok"]
    assert "builtin" in checks["providers"]["detail"]


@pytest.mark.timeout(180)
def test_a_home_that_cannot_be_used_is_a_finding(home: Home) -> None:
    home.folder.write_text("a file")
    ran = home.json("doctor", timeout=150)
    assert ran.exit == 0
    checks = {check["name"]: check for check in ran.data["checks"]}
    assert str(home.folder) in checks["home"]["detail"]
    assert [checks[name]["ok"] for name in ("home", "host", "providers")] == [False, False, False]
    home.folder.unlink()


def test_a_probe_that_crashes_hangs_or_babbles() -> None:
    environ = {"PATH": "/usr/bin:/bin"}
    assert look("print('{\"a\": 1}')", environ).data == {"a": 1}
    assert "SIGSEGV" in look("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", environ).why
    assert look("import time; time.sleep(9)", environ, patience_s=0.5).why == "it did not answer within 0.5 s"
    assert look("import nothing_of_this_name", environ).why == (
        "ModuleNotFoundError: No module named 'nothing_of_this_name'"
    )
    assert look("print('hello')", environ).data is None


def test_a_damaged_database_is_a_finding(tmp_path: Path) -> None:
    from actions.cli.doctor.checks import database
    from actions.storage.paths import Paths

    paths = Paths.under(tmp_path)
    paths.data.mkdir()
    paths.database_file.write_bytes(b"SQLite format 3\x00" + b"x" * 5000)
    check = database(paths)
    assert not check.ok
    assert str(paths.backups) in check.fix
