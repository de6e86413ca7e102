"""From a spoken command to a finished run, by commands only, and who may say yes on the way."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.actions.cli.home import COMMAND, Home
from tests.e2e.steps import NO_TRACE, VOICE, at_terminal, new_session, until_state, waiting
from tests.running_host import eventually

pytestmark = pytest.mark.timeout(240)


@pytest.fixture
def asked(home: Home) -> str:
    """A plan run that was asked for by voice and waits for a yes: the id of its approval."""
    (home.workspace / "database.py").write_text("import sqlite3\n\n\ndef migrate():  # TODO: Postgres\n    ...\n")
    ran = home.json("workspace", "add", ".")
    assert (ran.exit, ran.data["path"]) == (0, str(home.workspace))
    session = new_session(home)
    ran = home.json("voice", "run", str(VOICE / "cmd06_joe.wav"), "--session-id", session, timeout=120)
    assert (ran.exit, ran.document["kind"]) == (3, "voice_run"), (ran.out, ran.err)
    assert "plan run" in ran.data["heard"].lower()
    intent = ran.data["intent"]
    assert (intent["action"], ran.data["outcome"]["state"]) == ("subagents.plan.start", "pending")
    assert "postgres" in intent["input"]["instructions"].lower()
    return ran.data["approval_id"]


def test_a_spoken_command_becomes_a_finished_run(home: Home, asked: str) -> None:
    [row] = home.json("inbox", "list").data["rows"]
    assert (row["id"], row["kind"], row["action"], row["state"]) == (asked, "approval", "subagents.plan.start", "open")
    assert any("postgres" in str(field["value"]).lower() for field in row["fields"])
    assert home.json("run", "list").data["runs"] == []

    with at_terminal(home, "inbox", "approve", asked[:-2], "--json") as person:
        person.wait_for("[y/N]")
        person.type("y\n")
        assert person.end() == 0, person.seen
    outcome = json.loads(person.seen.splitlines()[-1])
    assert outcome["ok"], outcome

    [run] = home.json("run", "list").data["runs"]
    ended = home.json("run", "wait", run["id"], "--timeout", "90", timeout=100)
    assert (ended.exit, ended.data["state"]) == (0, "succeeded"), ended.out
    shown = home.json("run", "show", run["id"]).data
    assert (shown["kind"], shown["provider"]) == ("plan", "builtin")
    assert shown["result"] == ended.data["result"]
    assert "database.py" in shown["result"]["text"]
    assert home.json("inbox", "list").data["rows"] == []

    with at_terminal(
        home, "inbox", "approve", asked, "--yes", "--json"
    ) as again:  # the recorded outcome, no second run
        again.end()
    assert len(home.json("run", "list").data["runs"]) == 1


def test_no_terminal_no_decision(home: Home, asked: str) -> None:
    for words in (["approve", asked], ["approve", asked, "--yes"], ["reject", asked], ["approve", "NO_SUCH_ID"]):
        ran = home.json("inbox", *words)
        assert (ran.exit, ran.error["code"]) == (4, "present_user_required"), words
    for given in ('{"decision": "approve"}', '"yes"'):
        ran = home.json("inbox", "answer", asked, "--json-input", given)
        assert (ran.exit, ran.error["code"]) == (4, "present_user_required")
    plain = home.sayso("inbox", "approve", asked, input="y\n")
    assert plain.exit == 4
    assert "interactive terminal" in plain.err
    assert (plain.out, NO_TRACE in plain.err) == ("", False)
    [row] = home.json("inbox", "list").data["rows"]
    assert (row["id"], row["state"]) == (asked, "open")
    assert home.json("run", "list").data["runs"] == []


def test_a_person_may_say_no_or_think_again(home: Home, asked: str) -> None:
    with at_terminal(home, "inbox", "approve", asked) as person:
        person.wait_for("[y/N]")
        person.type("\n")
        assert person.end() == 1
    assert "still waits" in person.seen
    assert [row["state"] for row in waiting(home)] == ["open"]
    with at_terminal(home, "inbox", "reject", asked, "--yes", "--feedback", "not today") as person:
        assert person.end() == 0, person.seen
    assert waiting(home) == []
    with at_terminal(home, "inbox", "approve", asked, "--yes", "--json") as late:
        assert late.end() != 0, late.seen
    assert home.json("run", "list").data["runs"] == []


_AGENT = """
import json, os, pty, sys

command, approval, note = sys.argv[1:4]
for line in sys.stdin:
    message = json.loads(line)
    if message.get("method") == "initialize":
        result = {"protocolVersion": 1, "agentCapabilities": {}, "authMethods": []}
    elif message.get("method") == "session/new":
        result = {"sessionId": "one"}
    elif message.get("method") == "session/prompt":
        seen = []
        for mine in ({}, {"SAYSO_TOKEN": "", "SAYSO_ENDPOINT": "", "SAYSO_SESSION_ID": ""}):
            pid, terminal = pty.fork()
            if pid == 0:
                if mine:  # what an agent would do that wants to pass for a person
                    for name in mine:
                        os.environ.pop(name, None)
                os.execv(command, [command, "inbox", "approve", approval, "--yes", "--json"])
            text = b""
            try:
                while data := os.read(terminal, 4096):
                    text += data
            except OSError:
                pass
            seen.append({"exit": os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), "out": text.decode()})
        with open(note, "w") as file:
            json.dump(seen, file)
        result = {"stopReason": "end_turn"}
    else:
        continue
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""


def test_an_agent_is_no_person_even_at_a_terminal(home: Home, asked: str, tmp_path: Path) -> None:
    note, agent = tmp_path / "note.json", tmp_path / "agent.py"
    agent.write_text(_AGENT)
    argv = ", ".join(f'"{word}"' for word in (sys.executable, agent, COMMAND, asked, note))
    (home.folder / "config" / "providers.toml").write_text(
        f'[providers.sly]\nname = "Sly"\ncommand = [{argv}]\nenv = {{ SAYSO_HOME = "{home.folder}" }}\n'
    )
    session = new_session(home, "sly")
    assert home.json("session", "send", session, "approve it", "--wait", timeout=100).exit == 0
    tried = json.loads(note.read_text())
    assert [attempt["exit"] for attempt in tried] == [4, 4], tried
    assert all("present_user_required" in attempt["out"] for attempt in tried)
    assert [row["id"] for row in waiting(home)] == [asked]
    assert home.json("run", "list").data["runs"] == []


@pytest.mark.parametrize("decision", ["approve", "reject"])
def test_the_agent_asks_before_it_writes(home: Home, decision: str) -> None:
    session = new_session(home)
    assert home.json("session", "mode", session, "plan").exit == 0
    assert home.json("session", "send", session, "check the password at login", "--wait", timeout=100).exit == 0
    assert home.json("session", "mode", session, "default").exit == 0
    assert home.json("session", "send", session, "write the plan to docs/plan.md").exit == 0
    [row] = eventually(lambda: waiting(home), 40)
    assert (row["kind"], row["session_id"]) == ("permission", session)
    assert "docs/plan.md" in json.dumps(row)
    assert home.json("session", "show", session).data["waiting_for"] == 1
    plan = home.workspace / "docs" / "plan.md"
    assert not plan.exists()
    refused = home.json("inbox", decision, row["id"])
    assert (refused.exit, refused.error["code"]) == (4, "present_user_required")
    with at_terminal(home, "inbox", decision, row["id"]) as person:
        person.wait_for("[y/N]")
        assert not plan.exists()
        person.type("y\n")
        assert person.end() == 0, person.seen
    until_state(home, session, "idle")
    assert plan.exists() is (decision == "approve")
    assert waiting(home) == []
    if decision == "approve":
        assert "login.py" in plan.read_text()
    else:
        assert "nothing was written" in home.sayso("session", "transcript", session).out
