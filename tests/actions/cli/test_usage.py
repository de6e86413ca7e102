"""Wrong usage: exit 2, one JSON document, the bad argument named, and what was meant."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.actions.cli.home import COMMAND, Home


@pytest.mark.parametrize(
    ("words", "field", "says"),
    [
        (["sesion", "list"], "command", "session"),
        (["session", "lst"], "command", "list"),
        (["session"], "command", "transcript"),
        (["approve"], "command", "inbox approve"),
        (["session", "new"], "provider", "--provider"),
        (["session", "send"], "message", "MESSAGE"),
        (["session", "show"], "session_id", "SESSION_ID"),
        (["session", "list", "--lmit", "3"], "lmit", "--limit"),
        (["session", "list", "--limit", "three"], "limit", "whole number"),
        (["run", "wait", "r", "--timeout", "inf"], "timeout_s", "number"),
        (["actions", "search", "x", "--surface", "web"], "surface", "session_agent"),
        (["session", "send", "id", "fix", "the", "tests"], "arguments", "quotes"),
        (["session", "list", "--jsonl"], "jsonl", "no stream"),
        (["actions", "run", "session.list", "--input", '{"limit": 3,}'], "input", "column 13"),
        (["actions", "run", "session.list", "--input", "[1]"], "input", "object"),
        (["actions", "run", "session.list", "--input", "@nowhere.json"], "input", "nowhere.json"),
        (["actions", "run", "session.list", "--input", "[" * 100_000], "input", "nested"),
        (["--nonsense"], "nonsense", "--nonsense"),
    ],
)
def test_wrong_usage_names_the_argument(home: Home, words: list[str], field: str, says: str) -> None:
    ran = home.json(*words)
    assert ran.exit == 2
    assert ran.error["code"] == "invalid_input"
    assert [f["field"] for f in ran.error["details"]["fields"]] == [field]
    assert says in ran.error["message"]
    assert ran.err == ""


def test_an_option_without_its_value(home: Home) -> None:
    ran = home.sayso("session", "list", "--json", "--limit")
    assert ran.exit == 2
    assert "--limit needs a value" in ran.error["message"]


def test_without_json_the_sentence_goes_to_standard_error(home: Home) -> None:
    ran = home.sayso("session", "lst")
    assert (ran.exit, ran.out) == (2, "")
    assert ran.err == "There is no command sayso session lst. Did you mean: list, stop? Help: sayso session --help\n"


def test_a_word_of_an_action_leads_to_its_command(home: Home) -> None:
    ran = home.sayso("mcp", "list")
    assert ran.exit == 2
    assert "Did you mean: presets, servers" in ran.err


def test_bytes_that_are_no_text(home: Home) -> None:
    done = subprocess.run(
        [COMMAND.encode(), b"session", b"show", b"\xff\xfe", b"--json"], capture_output=True, env=home.environment()
    )
    assert done.returncode == 2
    assert b"UTF-8" in done.stdout


def test_an_internal_crash_is_a_document_without_a_traceback(home: Home) -> None:
    code = (
        "import sys; from actions.cli import commands, main;"
        "commands.load = lambda: 1 / 0;"
        "sys.exit(main.main(['session', 'list', '--json']))"
    )
    env = home.environment()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env)
    assert done.returncode == 1
    assert '"code": "failed"' in done.stdout
    assert "ZeroDivisionError" in done.stdout
    assert done.stderr == ""
    traced = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**env, "SAYSO_LOG": "debug"}
    )
    assert "Traceback" in traced.stderr


def test_a_reader_that_leaves_is_silent(home: Home) -> None:
    done = subprocess.run(
        ["bash", "-c", f"for i in 1 2 3; do {COMMAND} --help; done | true"], capture_output=True, env=home.environment()
    )
    assert done.stderr == b""


def test_a_full_disk_is_told(home: Home) -> None:
    done = subprocess.run(
        ["bash", "-c", f"{COMMAND} --help > /dev/full"], capture_output=True, text=True, env=home.environment()
    )
    assert done.returncode == 1
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr


def test_closed_streams_are_no_crash(home: Home) -> None:
    for redirection in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
        done = subprocess.run(
            ["bash", "-c", f"{COMMAND} session lst --json {redirection}"],
            capture_output=True,
            text=True,
            env=home.environment(),
        )
        assert done.returncode == 2, (redirection, done.stderr)
        assert "Traceback" not in done.stderr + done.stdout


def test_standard_input_that_is_no_text(home: Home) -> None:
    done = subprocess.run(
        [COMMAND, "session", "send", "id", "-", "--json"],
        input=b"\xff\xfe",
        capture_output=True,
        env=home.environment(),
    )
    assert done.returncode == 2
    assert b"no UTF-8 text" in done.stdout


def test_a_stream_reports_its_failure_as_a_document_too(home: Home) -> None:
    ran = home.sayso("session", "transcript", "--jsonl")
    assert (ran.exit, ran.error["code"]) == (2, "invalid_input")
