"""Runs in the hands of the agent that started them: the built-in agent on a scripted model, under a real host."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.actions.agent.acp.wired import environment
from tests.actions.agent.loop.stage import serve
from tests.running_host import RunningHost, eventually, running_host

pytestmark = pytest.mark.timeout(200)
FOUND = {"file": "login.py", "line": 2, "severity": "error", "text": "The password is never checked."}
SCRIPTED = Path(__file__).parents[2] / "fixtures" / "agents" / "scripted.py"
READER = f"""
[providers.reader]
name = "Reader"
command = ["{sys.executable}", "{SCRIPTED}"]
env = {{ SCRIPTED = "always-findings" }}
"""


def _call(action_id: str, **input: Any) -> dict[str, Any]:
    return {"tool_calls": [{"match": "action_execute", "args": {"action_id": action_id, "input": input}}]}


ASKS_NOT = "".join(
    f'[actions."{action}".approval]\nsession_agent = "never"\n'
    for action in ("review.start", "subagents.delegate.start")
)
SCRIPTS = {
    "waits": [
        _call("review.start", providers=["reader"]),
        _call("execution.run.wait", run_id="run_", timeout_s=60),
        {"text": "I have read the review."},
    ],
    "works-on": [
        _call("subagents.delegate.start", providers=["reader"], instructions="Mend it"),
        {"text": "never said", "delay": 600},
    ],
}


@pytest.fixture
def work(tmp_path: Path) -> Path:
    work = tmp_path / "work"
    work.mkdir()
    (work / "login.py").write_text("def login(user):\n    return check(user)\n")
    names = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "first"]):
        subprocess.run(["git", *names, *arguments], cwd=work, check=True)
    (work / "login.py").write_text("def login(user):\n    return user\n")
    return work


@pytest.fixture
def model(tmp_path: Path) -> Iterator[dict[str, str]]:
    server = serve(tmp_path / "llm", {"scripts": SCRIPTS})
    yield environment(server)
    server.process.terminate()
    server.process.wait()


def _events(host: RunningHost, session_id: str, kind: str) -> list[dict[str, Any]]:
    found = host.done("session.transcript.get", session_id=session_id, kinds=[kind], limit=500)
    return [event["data"] for event in found["events"]]


def _told(host: RunningHost, session_id: str) -> list[str]:
    return [said["text"] for said in _events(host, session_id, "user") if said.get("origin") == "run"]


def _allow(host: RunningHost, session_id: str) -> None:
    """A person lets the agent use our tools, once each."""
    for row in host.done("inbox.list")["rows"]:
        if row["kind"] == "permission" and row["session_id"] == session_id:
            host.run("session.permission.respond", session_id=session_id, request_id=row["id"], decision="allow")


def _rests(host: RunningHost, session_id: str) -> bool:
    _allow(host, session_id)
    return bool(host.done("session.status.get", session_id=session_id)["state"] == "idle")


def test_an_agent_reads_the_findings_that_it_waited_for_and_a_killed_host_tells_it_the_rest_once(
    tmp_path: Path, work: Path, model: dict[str, str]
) -> None:
    home = tmp_path / "home"
    (home / "config").mkdir(parents=True)
    (home / "config" / "settings.toml").write_text(ASKS_NOT)
    (home / "config" / "providers.toml").write_text(READER)
    with running_host(home, env=model) as host:
        session_id = host.done("session.spawn_new", provider="builtin", directory=str(work))["id"]
        host.done("session.message.send", session_id=session_id, message="[[waits]]")
        eventually(lambda: _rests(host, session_id))
        assert "I have read the review." in str(_events(host, session_id, "agent"))
        calls = [call for call in _events(host, session_id, "tool_call") if call.get("status") == "completed"]
        assert FOUND["text"] in str(calls[-1]["output"])
        [run] = host.done("execution.run.list")["runs"]
        assert (run["kind"], run["state"], run["host_session_id"]) == ("review", "succeeded", session_id)
        assert run["result"]["findings"] == [{**FOUND, "rule": ""}]
        assert _told(host, session_id) == [], "it knows already"

        host.done("session.message.send", session_id=session_id, message="[[works-on]]")

        def delegated() -> list[dict[str, Any]]:
            _allow(host, session_id)
            runs = host.done("execution.run.list", status="succeeded", session_id=session_id)["runs"]
            return [run for run in runs if run["kind"] == "delegate"]

        [newest] = eventually(delegated)
        eventually(lambda: newest["id"] in str(_events(host, session_id, "notice")))
        assert _told(host, session_id) == [], "its turn goes on: it may still ask"
        host.end(signal.SIGKILL)

    with running_host(home, env=model) as later:
        assert later.done("session.status.get", session_id=session_id)["state"] == "interrupted"
        assert _told(later, session_id) == [], "no agent is started for it"
        later.done("session.resume", session_id=session_id)
        [said] = eventually(lambda: _told(later, session_id))
        assert newest["id"] in said
        assert "Delegate run by reader succeeded" in said
        assert FOUND["text"] in said
        later.done("session.turn.cancel", session_id=session_id)
        later.done("session.wait", session_id=session_id, until="idle", timeout_s=60)
        assert len(_told(later, session_id)) == 1
        ends = [data["run_id"] for data in _events(later, session_id, "notice") if data.get("code") == "run_ended"]
        assert ends == [run["id"], newest["id"]]
