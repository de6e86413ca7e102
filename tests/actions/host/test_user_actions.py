"""Questions of agents through a real host process: who may answer on which surface, and where they show."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.running_host import RunningHost, running_host

SCRIPTED = Path(__file__).parents[2] / "fixtures" / "agents" / "scripted.py"
ACTION = "session.user_action.answer"
pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHost]:
    folder = tmp_path_factory.mktemp("asking")
    (folder / "repo").mkdir()
    with running_host(folder / "home") as running:
        config = folder / "home" / "config"
        config.mkdir(exist_ok=True)
        rows = [
            f'[providers.{name}]\nname = "{name}"\ncommand = ["{sys.executable}", "{SCRIPTED}"]\n'
            f'env = {{ SCRIPTED = "{quirks}" }}\n'
            for name, quirks in (("scripted", ""), ("asker", "always-question"))
        ]
        (config / "providers.toml").write_text("\n".join(rows))
        yield running


def session(host: RunningHost) -> str:
    workspace = host.done("workspace.add", path=str(host.home.parent / "repo"))["path"]
    return host.done("session.spawn_new", provider="scripted", workspace=workspace)["id"]


def until(look: Callable[[], Any]) -> Any:
    deadline = time.monotonic() + 40
    while not (found := look()):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return found


def questions(host: RunningHost, session_id: str) -> list[dict[str, Any]]:
    rows = host.done("inbox.list", session_id=session_id)["rows"]
    return [row for row in rows if row["kind"] == "question"]


def asking(host: RunningHost) -> tuple[str, dict[str, Any]]:
    """A session whose agent asks, and its row in the inbox."""
    session_id = session(host)
    host.done("session.message.send", session_id=session_id, message="question")
    return session_id, until(lambda: questions(host, session_id))[0]


def token(host: RunningHost, session_id: str) -> str:
    """What the agent of a session proves itself with."""
    host.done("session.message.send", session_id=session_id, message="env", wait=True, timeout_s=30)
    events = host.done("session.transcript.get", session_id=session_id, kinds=["agent"])["events"]
    return json.loads("".join(event["data"]["text"] for event in events))["SAYSO_TOKEN"]


def as_agent(host: RunningHost, proof: str, surface: str, **input: Any) -> dict[str, Any]:
    return host.call("execute", token=proof, action=ACTION, surface=surface, input=input)


def test_the_row_has_the_form_and_the_window_answers_it(host: RunningHost) -> None:
    session_id, row = asking(host)
    assert [field["path"] for field in row["detail"]["form"]] == ["q1", "q1_own"]
    assert [(option["id"], option["name"]) for option in row["options"]] == [("red", "Red"), ("blue", "Blue")]
    assert row["fields"] == [{"path": "q1", "title": "Colour", "value": "Which colour?\nRed / Blue"}]
    answers = [{"question": "q1", "values": ["red"]}]
    done = host.done(ACTION, session_id=session_id, request_id=row["id"], answers=answers)
    assert done["result"]["content"] == {"q1": "red"}
    assert questions(host, session_id) == []


def test_by_voice_the_only_question_needs_no_name(host: RunningHost) -> None:
    session_id, _ = asking(host)
    done = host.done(ACTION, "voice", session_id=session_id, answer="blue")
    assert done["result"] | {"by": "voice", "content": {"q1": "blue"}} == done["result"]


def test_an_editor_may_answer_and_a_command_without_a_person_may_not(host: RunningHost) -> None:
    session_id, row = asking(host)
    refused = host.run(ACTION, "cli", session_id=session_id, request_id=row["id"], answer="Red")
    assert refused["error"]["code"] == "present_user_required"
    done = host.done(ACTION, "mcp", session_id=session_id, request_id=row["id"], answer="Red")
    assert done["result"]["by"] == "mcp"


@pytest.mark.parametrize("surface", ["session_agent", "ui", "voice", "cli", "mcp"])
def test_an_agent_does_not_answer_for_itself_whatever_it_claims_to_be(host: RunningHost, surface: str) -> None:
    session_id = session(host)
    proof = token(host, session_id)
    host.done("session.message.send", session_id=session_id, message="question")
    row = until(lambda: questions(host, session_id))[0]
    for named in ({}, {"session_id": session_id}, {"request_id": row["id"]}):
        answer = as_agent(host, proof, surface, answer="Red", **named)
        assert answer["error"]["code"] == "present_user_required", answer
    assert [left["id"] for left in questions(host, session_id)] == [row["id"]]


def test_another_sessions_question_is_a_persons_to_answer(host: RunningHost) -> None:
    proof = token(host, session(host))
    other, row = asking(host)
    answer = as_agent(host, proof, "session_agent", session_id=other, request_id=row["id"], answer="Red")
    assert answer["error"]["code"] == "present_user_required", answer
    assert questions(host, other)


def test_a_run_asks_at_its_root_and_the_session_that_started_it_may_answer(host: RunningHost) -> None:
    root = session(host)
    proof = token(host, root)
    started = host.done(
        "subagents.delegate.start", session_id=root, providers=["asker"], instructions="Paint the shed."
    )
    assert started["results"][0]["ok"], started
    row = until(lambda: questions(host, root))[0]
    assert (row["session_id"], row["asked_by"] != root) == (root, True)
    answer = as_agent(host, proof, "session_agent", request_id=row["id"], answer="Blue")
    assert answer.get("outcome") == "completed", answer
    run = host.done("execution.run.wait", run_id=started["results"][0]["run_id"], timeout_s=30)
    assert run["state"] == "succeeded"


def test_a_rule_over_permissions_is_listed_and_revoked(host: RunningHost) -> None:
    session_id = session(host)

    def permission() -> dict[str, Any]:
        host.done("session.message.send", session_id=session_id, message="command git log")
        rows = until(lambda: host.done("inbox.list", session_id=session_id)["rows"])
        assert rows[0]["kind"] == "permission"
        return rows[0]

    row = permission()
    assert "git log" in row["detail"]["rules"]["always"]
    host.done("session.permission.respond", request_id=row["id"], decision="allow", scope="always")
    (rule,) = host.done("approval.rule.list")["rules"]
    assert (rule["action"], rule["scope"]) == ("session.permission.respond", "always")
    assert rule["covers"].startswith("every single command that begins with: git log")
    host.done("session.message.send", session_id=session_id, message="command git log -3", wait=True, timeout_s=30)
    assert host.done("approval.rule.revoke", rule_id=rule["id"])["rules"] == []
    again = permission()
    host.done("session.permission.respond", request_id=again["id"], decision="deny")
