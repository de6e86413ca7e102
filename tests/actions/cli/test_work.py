"""The commands at work, against a real host and the built-in agent."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.actions.cli.home import COMMAND, Home

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def session(lively: Home) -> str:
    """A session of the built-in agent in the home's workspace."""
    return lively.json("session", "new", "--provider", "builtin", "--title", "Log in").data["id"]


def test_a_session_starts_in_the_current_directory(lively: Home) -> None:
    ran = lively.json("session", "new", "--provider", "builtin")
    assert ran.document["kind"] == "session"
    assert ran.data["workspace"] == str(lively.workspace)
    assert ran.data["state"] == "idle"
    assert lively.json("session", "stop", ran.data["id"]).data["state"] == "stopped"


def test_a_relative_workspace_is_registered(lively: Home, tmp_path: Path) -> None:
    (tmp_path / "über 项目").mkdir()
    ran = lively.json("session", "new", "--provider", "builtin", "--workspace", "über 项目", cwd=tmp_path)
    assert ran.data["workspace"] == str(tmp_path / "über 项目")
    paths = [w["path"] for w in lively.json("workspace", "list").data["workspaces"]]
    assert str(tmp_path / "über 项目") in paths


def test_lists_and_single_things(lively: Home, session: str) -> None:
    assert session in [s["id"] for s in lively.json("session", "list").data["sessions"]]
    shown = lively.json("session", "show", session)
    assert (shown.document["kind"], shown.data["title"]) == ("session", "Log in")
    assert lively.json("providers", "list").data["providers"][0]["id"] == "builtin"
    assert lively.json("inbox", "list").data == {"rows": []}
    assert lively.json("run", "list").data["runs"] == []


def test_quiet_prints_ids_only(lively: Home, session: str) -> None:
    assert session in lively.sayso("session", "list", "-q").out.split()


def test_a_prefix_names_a_session_and_an_ambiguous_one_lists_candidates(lively: Home, session: str) -> None:
    assert lively.json("session", "show", session[:-1]).data["id"] == session
    lively.json("session", "new", "--provider", "builtin")
    ran = lively.json("session", "show", session[:4])
    assert (ran.exit, ran.error["code"]) == (2, "ambiguous")
    assert session in [c["id"] for c in ran.error["details"]["candidates"]]
    assert session in lively.sayso("session", "show", session[:4]).err


def test_what_does_not_exist_is_not_found(lively: Home) -> None:
    ran = lively.json("session", "show", "nope")
    assert (ran.exit, ran.error["code"]) == (1, "not_found")


def test_a_message_its_answer_and_the_transcript(lively: Home, session: str) -> None:
    sent = lively.json("session", "send", session, "Where is the login?", "--wait")
    assert sent.data["stop_reason"] == "end_turn"
    assert "login.py" in sent.data["text"]
    lines = lively.sayso("session", "transcript", session, "--jsonl").out.splitlines()
    events = [json.loads(line) for line in lines]
    assert [e["seq"] for e in events] == sorted({e["seq"] for e in events})
    assert "Where is the login?" in [e["data"].get("text") for e in events if e["kind"] == "user"]
    page = lively.json("session", "transcript", session, "--limit", "2").data
    assert [e["seq"] for e in page["events"]] == [e["seq"] for e in events[:2]]
    talk = lively.sayso("session", "transcript", session).out
    assert "you: Where is the login?" in talk
    assert "agent: " in talk


def test_a_long_message_comes_from_standard_input(lively: Home, session: str) -> None:
    text = "Where is the login? " + "请看 login.py。" * 30_000
    assert lively.json("session", "send", session, "-", "--wait", input=text).exit == 0
    lines = lively.sayso("session", "transcript", session, "--jsonl", "--kind", "user").out.splitlines()
    assert json.loads(lines[-1])["data"]["text"] == text


def test_a_mode_that_the_agent_does_not_have(lively: Home, session: str) -> None:
    ran = lively.json("session", "mode", session, "warp")
    assert ran.exit in (1, 2)
    assert "warp" in ran.error["message"]
    assert lively.json("session", "mode", session, "plan").data["mode"] == "plan"


def test_a_plan_run_from_start_to_result(lively: Home) -> None:
    ran = lively.json(
        *("run", "start", "plan", "--provider", "builtin", "--instructions", "check the password at login"),
        *("--workspace", ".", "--wait"),
    )
    assert ran.exit == 0
    [result] = ran.data["results"]
    assert (result["provider"], result["ok"], result["run"]["state"]) == ("builtin", True, "succeeded")
    assert "login.py" in result["run"]["result"]["text"]
    waited = lively.json("run", "wait", result["run_id"], "--timeout", "5")
    assert (waited.exit, waited.data["state"]) == (0, "succeeded")
    assert lively.json("run", "show", result["run_id"][:-1]).data["id"] == result["run_id"]
    assert result["run_id"] in lively.sayso("run", "list").out


def test_one_provider_that_fails_does_not_fail_the_start(lively: Home) -> None:
    words = ("run", "start", "plan", "--instructions", "x y z", "--workspace", ".")
    both = lively.json(*words, "--provider", "builtin", "--provider", "nobody")
    assert both.exit == 0
    assert {r["provider"]: r["ok"] for r in both.data["results"]} == {"builtin": True, "nobody": False}
    none = lively.json(*words, "--provider", "nobody")
    assert none.exit == 1
    assert [r["ok"] for r in none.document["data"]["results"]] == [False]


def test_a_run_needs_a_place(lively: Home) -> None:
    ran = lively.json("run", "start", "plan", "--provider", "builtin", "--instructions", "x")
    assert (ran.exit, ran.error["code"]) == (2, "session_not_selected")


def test_a_review_of_nothing_is_refused(lively: Home) -> None:
    before = lively.json("run", "list").data["runs"]
    ran = lively.json("run", "start", "review", "--provider", "builtin", "--workspace", ".")
    assert (ran.exit, ran.error["code"]) == (1, "empty_scope")
    assert lively.json("run", "list").data["runs"] == before


def test_any_action_by_its_id(lively: Home, session: str, tmp_path: Path) -> None:
    ran = lively.json("actions", "run", "session.title.set", "--session-id", session, "--input", '{"title": "新标题"}')
    assert ran.data["title"] == "新标题"
    file = tmp_path / "input.json"
    file.write_text(json.dumps({"session_id": session, "title": "From a file"}), encoding="utf-8")
    assert lively.json("actions", "run", "session.title.set", "--input", f"@{file}").data["title"] == "From a file"
    piped = lively.json(
        "actions", "run", "session.status.get", "--input", "-", input=json.dumps({"sessionId": session})
    )
    assert piped.data["id"] == session
    assert lively.json("actions", "run", "no.such").error["code"] == "unknown_action"
    wrong = lively.json("actions", "run", "session.list", "--input", '{"limit": 0, "colour": 1}')
    assert wrong.exit == 2
    assert {f["field"] for f in wrong.error["details"]["fields"]} == {"limit", "colour"}


def test_the_catalog_is_searched_and_shown(lively: Home) -> None:
    found = lively.json("actions", "search", "review").data["actions"]
    assert "review.start" in [a["id"] for a in found]
    assert "providers" in lively.json("actions", "get", "review.start").data["input_schema"]["properties"]
    options = lively.json("actions", "options", "review.start", "providers", "--query", "buil").data["options"]
    assert [o["value"] for o in options] == ["builtin"]
    policy = lively.json("actions", "policy", "review.start", "--surface", "voice").data["actions"][0]
    assert policy["surfaces"]["voice"]["asks"] is True


def test_an_idempotency_key_makes_a_repetition_safe(lively: Home) -> None:
    words = ("session", "new", "--provider", "builtin", "--idempotency-key", "once-1")
    assert lively.json(*words).data["id"] == lively.json(*words).data["id"]
    other = lively.json(*words, "--title", "Another")
    assert (other.exit, other.error["code"]) == (2, "invalid_input")


def test_ctrl_c_in_a_wait_is_130_and_stops_nothing(lively: Home, session: str) -> None:
    waiting = subprocess.Popen(
        [COMMAND, "session", "wait", session, "--for", "attention", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=lively.environment(),
    )
    time.sleep(3)
    assert waiting.poll() is None
    waiting.send_signal(signal.SIGINT)
    out, err = waiting.communicate(timeout=40)
    assert waiting.returncode == 130
    assert json.loads(out)["error"]["code"] == "cancelled"
    assert err == ""
    assert lively.json("session", "show", session).data["state"] == "idle"


def test_a_wait_that_times_out_stops_nothing(lively: Home, session: str) -> None:
    ran = lively.json("session", "wait", session, "--for", "attention", "--timeout", "0.2")
    assert (ran.exit, ran.error["code"]) == (1, "timeout")


def test_tables_are_for_people(lively: Home, session: str) -> None:
    shown = lively.sayso("session", "list")
    assert shown.out.startswith("ID ")
    assert session in shown.out
    assert "\x1b[" not in shown.out


def test_completion_knows_words_flags_and_ids(lively: Home, session: str) -> None:
    def complete(*line: str) -> list[str]:
        return lively.sayso("complete", "--", *line).out.split()

    assert complete("ses") == ["session"]
    assert "transcript" in complete("session", "")
    assert complete("run", "start", "plan", "--instr") == ["--instructions"]
    assert complete("completion", "z") == ["zsh"]
    assert session in complete("session", "show", "")
    assert "builtin" in complete("session", "new", "--provider", "")
    assert complete("no", "such") == []


def test_the_scripts_are_good_shell(lively: Home) -> None:
    script = lively.sayso("completion", "bash").out
    asked = (
        script + 'COMP_WORDS=(sayso session tran); COMP_CWORD=2; _sayso; echo "${COMPREPLY[@]}"'
    )  # what the shell does at a TAB
    path = f"{Path(COMMAND).parent}:/usr/bin:/bin"
    done = subprocess.run(
        ["bash", "-c", asked], capture_output=True, text=True, env=lively.environment(PATH=path), check=False
    )
    assert done.stdout == "transcript\n", done.stderr


def test_a_check_that_finds_something_wrong_has_failed(lively: Home) -> None:
    row = '[providers.nowhere]\nname = "Nowhere"\ncommand = ["no-such-agent-anywhere"]\n'
    (lively.folder / "config" / "providers.toml").write_text(row)
    found = lively.json("providers", "check", "nowhere")
    assert found.exit == 1
    assert found.error["code"] == "not_found"
    assert "no-such-agent-anywhere" in found.error["message"]
    assert lively.json("providers", "check", "builtin").exit == 0


def test_a_person_who_waits_sees_what_was_said(lively: Home, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def refund():\n    return 1\n")
    words = ("session", "new", "--provider", "builtin", "--title", "Refunds", "--workspace", str(tmp_path))
    said = lively.sayso(*words, "--prompt", "/grep refund", "--wait").out
    assert said.startswith("Refunds  ses_")
    assert "you: /grep refund" in said
    assert "1:def refund():" in said
