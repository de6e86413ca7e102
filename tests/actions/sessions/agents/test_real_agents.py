"""Agents of other makers through a real host, against the scripted model on loopback (``make agents``).

The tests of one agent build on each other: one session, from its first prompt to its resumption after a crash.
"""

from __future__ import annotations

import json
import time

import pytest

from tests.actions.sessions.agents.hosted import Hosted
from tests.actions.sessions.agents.table import STEPS
from tests.running_host import eventually, gone

pytestmark = [pytest.mark.agents, pytest.mark.timeout(300)]

ALIVE = {"idle", "working", "waiting", "stopped", "interrupted"}


def _session(subject: Hosted) -> None:
    if not subject.session_id:
        pytest.skip(f"{subject.agent.id}: no session could be begun")


FORGETFUL = {"gemini": "No previous sessions found for this project"}
"""What agents say that had not written their conversation down yet when they were killed; it depends on the moment."""


def test_check_reports_what_initialize_said(subject: Hosted) -> None:
    check = subject.do("providers.check", provider=subject.agent.id)
    subject.seen |= {
        "agent": f"{check['agent_name']} {check['agent_version']}",
        "capabilities": json.dumps(check["capabilities"]),
        "sign_in": ", ".join(f"{method['id']} ({method['kind']})" for method in check["sign_in"]),
        "modes": ", ".join(mode["id"] for mode in check["modes"]),
        "config": json.dumps(check["options"]),
        "mcp": ", ".join(check["mcp"]),
        "ms": json.dumps(check["ms"]),
        "notices": " ".join(check["notices"]),
    }
    assert check["protocol_version"] == 1
    if subject.agent.needs_account:
        assert not check["ok"]
        assert "sign in" in check["error"]["message"]
        subject.note("new", "wants an account")
        subject.seen |= dict.fromkeys((step for step in STEPS if step != "new"), "–")
        return
    assert check["ok"], check
    assert {"spawn", "initialize", "session"} <= check["ms"].keys()
    assert check["mode"] == subject.agent.row.ask_mode or subject.agent.row.ask_mode is None
    subject.note("check", "ok")


def test_new_starts_in_the_mode_that_asks(subject: Hosted) -> None:
    if subject.agent.needs_account:
        pytest.skip(f"{subject.agent.id}: a session needs an account")
    started = time.monotonic()
    view = subject.new()
    assert view["state"] == "idle"
    row = subject.agent.row
    if row.ask_mode is not None:
        assert view["mode"] == row.ask_mode
        options = {option["id"]: option["value"] for option in view["options"]}
        assert {name: options.get(name) for name in row.options} == row.options
    codes = {event["data"]["code"] for event in subject.events("notice")}
    assert not codes & {"ask_mode_not_set", "option_not_set", "will_not_work"}, subject.events("notice")
    subject.note("new", f"in `{view['mode'].rsplit('#')[-1]}`" if view["mode"] else "has no modes", started)


def test_a_prompt_is_answered(subject: Hosted) -> None:
    _session(subject)
    subject.say("text")
    assert subject.wait()["state"] == "idle"
    assert "Plain scripted answer." in subject.text()
    assert subject.last_end() == "end_turn"
    subject.note("prompt", "answered")


def test_a_command_that_is_allowed_runs(subject: Hosted) -> None:
    _session(subject)
    subject.say("shell")
    request = subject.asked()
    ran = subject.workspace / "SHELL_RAN.txt"
    if subject.agent.asks["shell"] != "no":
        assert request is not None, "it did not ask"
        assert not ran.exists(), "it ran before it was allowed"
        subject.note("options", ", ".join(f"{o['name']} ({o['kind']})" for o in request["data"]["options"]))
        subject.note("title", str(request["data"].get("title") or request["data"].get("summary") or ""))
    times = subject.answer_until_idle(request, "allow")
    assert ran.read_text().strip() == "shell-ok"
    assert "Shell done." in subject.text()
    subject.note("allow", "asked, ran" if times else "ran unasked")
    ran.unlink()


def test_writing_a_file_asks_as_expected(subject: Hosted) -> None:
    _session(subject)
    subject.say("write")
    request = subject.asked()
    assert (request is not None) == (subject.agent.asks["write"] == "yes")
    subject.answer_until_idle(request, "allow")
    assert (subject.workspace / "WRITTEN.txt").read_text().strip() == "written-by-agent"
    subject.note("write", "asked, wrote" if request else "wrote unasked")


def test_a_command_that_is_rejected_does_not_run(subject: Hosted) -> None:
    _session(subject)
    if subject.agent.asks["shell"] == "no":
        subject.note("reject", "asks for nothing")
        pytest.skip(f"{subject.agent.id} never asks")
    subject.say("shell")
    request = subject.asked()
    assert request is not None
    subject.answer_until_idle(request, "deny")
    assert not (subject.workspace / "SHELL_RAN.txt").exists()
    went_on = subject.text().count("Shell done.") > 1
    subject.note("reject", f"{'model goes on' if went_on else 'turn ends'} (`{subject.last_end()}`)")
    assert went_on == (subject.agent.reject == "goes_on")


def test_a_turn_is_cancelled_with_its_question_open(subject: Hosted) -> None:
    """In the middle of its answer, for an agent that asks nothing."""
    _session(subject)
    asks = subject.agent.asks["shell"] != "no"
    if asks:
        subject.say("shell")
        assert subject.asked() is not None
    else:
        subject.answer_slowly()
    started = time.monotonic()
    subject.do("session.turn.cancel", session_id=subject.session_id)
    view = subject.wait()
    assert (view["state"], view["waiting_for"], subject.last_end()) == ("idle", 0, "cancelled")
    assert not (subject.workspace / "SHELL_RAN.txt").exists()
    if asks:
        assert subject.events("permission_answer")[-1]["data"]["outcome"] == "cancelled"
    subject.note("cancel", "cancelled" if asks else "cancelled while it answered", started)


def test_the_mode_is_what_was_acknowledged(subject: Hosted) -> None:
    _session(subject)
    view = subject.status()
    plan = subject.agent.row.plan_mode
    if plan is None:
        subject.note("mode", "none to plan in")
        pytest.skip(f"{subject.agent.id} has no mode to plan in")
    subject.do("session.mode.set", session_id=subject.session_id, mode_id=plan)
    assert subject.status()["mode"] == plan
    subject.do("session.mode.set", session_id=subject.session_id, mode_id=view["mode"])
    assert subject.status()["mode"] == view["mode"]
    subject.note("mode", f"`{plan.rsplit('#')[-1]}` and back")


def test_what_was_killed_is_taken_up_again(subject: Hosted) -> None:
    _session(subject)
    before = subject.status()
    subject.answer_slowly()
    ran = subject.kill()
    view = eventually(lambda: (v := subject.status()) and v["state"] == "interrupted" and v, 15)
    assert view["resumable"], view
    eventually(lambda: all(gone(process) for process in ran), 10)
    said = len(subject.events("agent"))
    started = time.monotonic()
    subject.say("text")
    assert subject.wait()["state"] == "idle"
    assert subject.text().endswith("Plain scripted answer.")
    told = [event["data"]["text"] for event in subject.events("notice") if event["data"]["code"] == "fresh_session"]
    if told and subject.agent.id in FORGETFUL:
        assert FORGETFUL[subject.agent.id] in told[0]
        subject.note("resume", "lost by the agent, and said", started)
        return
    assert not told, subject.events("notice")
    after = subject.status()
    assert (after["mode"], after["id"]) == (before["mode"], before["id"])
    new = len(subject.events("agent")) - said
    assert new <= 3, f"{new} new messages: the conversation was shown once more"
    subject.note("resume", "taken up", started)


def test_our_tools_are_called(subject: Hosted) -> None:
    """Over MCP, or with ``sayso tools`` in its shell: as its row says."""
    _session(subject)
    bridged = subject.agent.row.delivery == "shell_bridge"
    subject.say("bridge" if bridged else "searching" if subject.agent.defers_tools else "native")
    request = subject.asked()
    if request is not None:
        subject.note("tool_title", str(request["data"].get("title")))
    subject.answer_until_idle(request, "allow")
    assert subject.status()["title"] == "Named by its agent"
    assert (request is not None) == (subject.agent.asks["shell" if bridged else "mcp"] != "no")
    subject.note("tools", f"called {'in its shell' if bridged else 'over MCP'}, {'asked' if request else 'unasked'}")


def test_it_ends_with_everything_that_it_started(subject: Hosted) -> None:
    _session(subject)
    ran = [process for child in subject.processes() for process in (child, *child.children(recursive=True))]
    assert ran
    started = time.monotonic()
    assert subject.do("session.stop", session_id=subject.session_id)["state"] == "stopped"
    assert all(gone(process) for process in ran)
    subject.note("stop", "nothing left", started)
