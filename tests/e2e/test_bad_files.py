"""Files that are broken, folders that are gone, agents that are none: named, left as they are, and never in the way."""

from __future__ import annotations

import shutil
import sqlite3
import sys
from pathlib import Path

import pytest

from tests.actions.cli.home import Home, Ran
from tests.e2e.processes import hosts_of
from tests.e2e.steps import NO_TRACE, SCRIPTED, add_provider, at_terminal, new_session, settings
from tests.running_host import eventually

pytestmark = pytest.mark.timeout(180)


def refused(ran: Ran, exit: int, code: str, *words: str) -> None:
    """The command failed by contract, with this code and these words in its sentence."""
    assert (ran.exit, ran.error["code"]) == (exit, code), (ran.out, ran.err)
    assert all(word in ran.error["message"] for word in words), ran.error["message"]
    assert NO_TRACE not in ran.err + ran.out


def end_host(home: Home) -> None:
    for host in hosts_of(home.folder):
        host.kill()
    eventually(lambda: not hosts_of(home.folder))


def test_broken_settings_cost_only_themselves(home: Home) -> None:
    text = '# mine\n[host]\nidle_seconds = "soon"\n[ui\nlanguage = "zh"\n'
    settings(home, text)
    session = new_session(home)
    problems = home.json("host", "status").data["problems"]
    assert any("settings.toml" in problem and "line 4" in problem for problem in problems), problems
    assert any("line 4" in check for check in [home.sayso("doctor").out])
    change = ("actions", "set", "session.stop", "--surface", "voice", "--enabled", "off", "--json")
    with at_terminal(home, *change) as person:
        assert person.end() == 1, person.seen
    assert "settings.toml" in person.seen
    assert (home.folder / "config" / "settings.toml").read_text() == text
    assert home.json("session", "stop", session).exit == 0

    settings(home, '[host]\nidle_seconds = "soon"\n')  # whole, but one value makes no sense
    problems = home.json("host", "status").data["problems"]
    assert any("settings.toml: host.idle_seconds" in problem for problem in problems), problems
    settings(home, "# right again\n")
    assert home.json("host", "status").data["problems"] == []
    with at_terminal(home, *change) as person:
        assert person.end() == 0, person.seen
    assert "# right again" in (home.folder / "config" / "settings.toml").read_text()


def test_broken_providers_cost_only_themselves(home: Home) -> None:
    file = home.folder / "config" / "providers.toml"
    file.parent.mkdir(parents=True)
    text = '[providers.mine]\nname = "Mine"\ncommand = ["mine"\n\n[providers.other]\n'
    file.write_text(text)
    listed = home.json("providers", "list")
    assert listed.exit == 0
    assert "builtin" in [provider["id"] for provider in listed.data["providers"]]
    assert any("providers.toml" in problem and "line" in problem for problem in listed.data["problems"]), listed.out
    assert new_session(home)
    missing = home.json("session", "new", "--provider", "mine")
    refused(missing, 1, "not_found", "mine")
    assert any("line" in problem for problem in missing.error["details"]["problems"])
    assert file.read_text() == text

    file.write_text(
        f'[providers.mine]\ncommand = 7\n\n[providers.good]\nname = "Good"\ncommand = ["{sys.executable}"]\n'
    )
    listed = home.json("providers", "list").data
    assert "good" in [provider["id"] for provider in listed["providers"]]
    assert any("mine" in problem and "command" in problem for problem in listed["problems"]), listed["problems"]


def test_a_workspace_that_vanished(home: Home, tmp_path: Path) -> None:
    gone_folder = tmp_path / "gone"
    gone_folder.mkdir()
    home.json("workspace", "add", str(gone_folder))
    session = new_session(home, "builtin", "--workspace", str(gone_folder))
    running = new_session(home, "builtin", "--workspace", str(gone_folder))
    assert home.json("session", "stop", session).exit == 0
    shutil.rmtree(gone_folder)
    words = (str(gone_folder),)
    refused(
        home.json("session", "new", "--provider", "builtin", "--workspace", str(gone_folder)), 1, "not_found", *words
    )
    ran = home.json(
        *("run", "start", "plan", "--provider", "builtin", "--instructions", "x", "--workspace", str(gone_folder))
    )
    assert ran.exit == 1
    assert str(gone_folder) in ran.error["message"]
    assert [run["state"] for run in home.json("run", "list").data["runs"]] in ([], ["failed"])
    refused(home.json("session", "send", session, "hello", "--wait"), 1, "not_found", *words)
    answered = home.json("session", "send", running, "plan the login", "--wait", timeout=90)
    assert NO_TRACE not in answered.out + answered.err
    assert home.json("session", "show", session).data["id"] == session
    [listed] = [w for w in home.json("workspace", "list").data["workspaces"] if w["path"] == str(gone_folder)]
    assert listed["exists"] is False
    gone_folder.mkdir()
    assert home.json("session", "send", session, "hello", "--wait", timeout=90).exit == 0


@pytest.mark.parametrize(
    ("agent", "code", "words"),
    [
        ("missing", "not_found", ("missing-agent",)),
        ("plain", "failed", ("plain-agent", "Permission denied")),
        ("rubbish", "failed", ("not-an-agent",)),
        ("crash", "failed", ("left-pad",)),
        ("orphan", "failed", ("no license",)),
    ],
)
def test_an_agent_that_is_none(home: Home, tmp_path: Path, agent: str, code: str, words: tuple[str, ...]) -> None:
    command = [sys.executable, str(SCRIPTED)]
    if agent == "missing":
        command = ["missing-agent", "--acp"]
    elif agent == "plain":
        (tmp_path / "plain-agent").write_text("#!/bin/sh\n")
        command = [str(tmp_path / "plain-agent")]
    elif agent == "rubbish":
        (tmp_path / "rubbish.py").write_text(
            "import sys\nprint('\\0\\x1b[31mUsage: not-an-agent [options]')\nsys.exit(2)\n"
        )
        command = [sys.executable, str(tmp_path / "rubbish.py")]
    elif agent == "orphan":  # it ends, and a child of it keeps its output open
        (tmp_path / "orphan.sh").write_text("sleep 300 &\necho no license >&2\nexit 3\n")
        command = ["/bin/sh", str(tmp_path / "orphan.sh")]
    add_provider(home, "bad", agent, command)
    ran = home.json("session", "new", "--provider", "bad", timeout=60)
    assert (ran.exit, ran.error["code"]) == (1, code), ran.out
    text = ran.error["message"] + str(ran.error["details"])
    assert all(word in text for word in words), ran.out
    assert "The bad agent" in ran.error["message"] or "bad" in ran.error["message"]
    assert NO_TRACE not in ran.err
    run = home.json("run", "start", "plan", "--provider", "bad", "--provider", "builtin", "--instructions", "login",
                    "--workspace", ".", "--wait", timeout=90)  # fmt: skip
    assert run.exit == 0, run.out
    results = {result["provider"]: result for result in run.data["results"]}
    assert results["builtin"]["run"]["state"] == "succeeded"
    bad = results["bad"]
    assert not bad["ok"] or bad["run"]["state"] == "failed"
    [host] = hosts_of(home.folder)
    assert not [p for p in host.children(recursive=True) if any("bad" in w or str(SCRIPTED) in w for w in p.cmdline())]


def test_an_agent_that_ends_in_a_turn_says_its_last_words(home: Home) -> None:
    session = new_session(home, add_provider(home))
    ran = home.json("session", "send", session, "exit", "--wait")
    assert ran.exit == 1
    assert "cheese" in ran.out
    assert NO_TRACE not in ran.err
    assert "going" in home.sayso("session", "transcript", session).out
    again = home.json("session", "send", session, "hello", "--wait")
    assert (again.exit, again.data["text"]) == (0, "Hello there")


def test_a_corrupt_database_is_set_aside(home: Home) -> None:
    new_session(home)
    end_host(home)
    file = home.folder / "data" / "sayso.db"
    rubbish = b"no database " * 10_000
    file.write_bytes(rubbish)
    for extra in ("-wal", "-shm"):
        Path(f"{file}{extra}").unlink(missing_ok=True)
    assert home.json("session", "list").data["sessions"] == []
    [kept] = [path for path in file.parent.iterdir() if "corrupt" in path.name]
    assert kept.read_bytes() == rubbish
    assert any(kept.name in problem for problem in home.json("host", "status").data["problems"])
    assert kept.name in home.sayso("doctor").out
    assert new_session(home)


def test_a_newer_database_is_refused_by_each_command_and_left_alone(home: Home) -> None:
    session = new_session(home)
    home.json("host", "stop")
    eventually(lambda: not hosts_of(home.folder))
    file = home.folder / "data" / "sayso.db"
    database = sqlite3.connect(file)
    [(revision,)] = database.execute("select version_num from alembic_version").fetchall()
    database.execute("update alembic_version set version_num = '9999'")
    database.commit()
    database.close()
    before = file.read_bytes()
    for words in (["session", "list"], ["session", "show", session], ["workspace", "add", "."]):
        refused(home.json(*words), 1, "host_unavailable", "newer")
    plain = home.sayso("session", "list")
    assert (plain.exit, len(plain.err.splitlines())) == (1, 1)
    assert file.read_bytes() == before
    assert not hosts_of(home.folder)
    database = sqlite3.connect(file)
    database.execute("update alembic_version set version_num = ?", (revision,))
    database.commit()
    database.close()
    assert home.json("session", "show", session).exit == 0


def test_the_home_is_a_file(home: Home) -> None:
    home.folder.write_text("not a folder")
    ran = home.json("session", "list")
    refused(ran, 1, "failed", str(home.folder), "SAYSO_HOME")
    assert home.folder.read_text() == "not a folder"
    home.folder.unlink()
