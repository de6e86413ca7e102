"""Targets, unread marks, deletion and runs by intent through a real host process, as its clients reach them."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from actions.client.connection import HostConnection
from tests.running_host import RunningHost, running_host
from voice.dialogue.context import context_of
from voice.dialogue.host import VoiceHost, off_the_loop
from voice.intent.model import Context

SCRIPTED = Path(__file__).parents[2] / "fixtures" / "agents" / "scripted.py"
pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHost]:
    folder = tmp_path_factory.mktemp("care")
    (folder / "repo").mkdir()
    with running_host(folder / "home") as running:
        config = next((folder / "home").rglob("config"), folder / "home" / "config")
        config.mkdir(exist_ok=True)
        row = f'[providers.scripted]\nname = "Scripted"\ncommand = ["{sys.executable}", "{SCRIPTED}"]\n'
        (config / "providers.toml").write_text(row + 'env = { SCRIPTED = "resume,options" }\n')
        yield running


def session(host: RunningHost, title: str) -> str:
    workspace = host.done("workspace.add", path=str(host.home.parent / "repo"))["path"]
    return host.done("session.spawn_new", provider="scripted", workspace=workspace, title=title)["id"]


def unread(host: RunningHost, session_id: str) -> bool:
    return host.done("session.status.get", session_id=session_id)["unread"]


def until(condition: Any) -> None:
    deadline = time.monotonic() + 40
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def command(host: RunningHost, *arguments: str) -> tuple[int, dict[str, Any]]:
    environment = {**os.environ, "SAYSO_HOME": str(host.home)}
    program = [sys.executable, "-c", "from actions.cli.main import main; raise SystemExit(main())"]
    done = subprocess.run(
        [*program, *arguments, "--json"], env=environment, capture_output=True, text=True, check=False
    )
    return done.returncode, json.loads(done.stdout)


@contextlib.contextmanager
def window(host: RunningHost, name: str) -> Iterator[http.client.HTTPConnection]:
    """The event stream of a window."""
    with contextlib.closing(host.connect()) as stream:
        stream.request("GET", f"/events?surface=ui&window={name}")
        stream.getresponse().readline()
        yield stream


def test_the_primary_session_is_meant_before_the_last_one(host: RunningHost) -> None:
    first, second = session(host, "first"), session(host, "second")
    voice = VoiceHost(off_the_loop(HostConnection(host.socket_file)))

    def meant(**given: Any) -> Context:
        return asyncio.run(context_of(voice, **given))

    code, nothing = command(host, "session", "title", "set", "--title", "x")
    assert (code, nothing["error"]["code"]) == (2, "session_not_selected")
    assert meant().current_session is None
    assert meant(or_latest=True).current_session == second

    host.call("window.showing", window="w", showing=second, focused=True, surface="ui")
    assert meant().current_session == second, "the one that a window showed last"
    assert host.done("session.target.primary.set", session_id="first")["primary"] == first
    assert (meant().current_session, meant(named=second).current_session) == (first, second)
    code, done = command(host, "session", "title", "set", "--title", "renamed")
    assert (code, done["data"]["id"], done["data"]["title"]) == (0, first, "renamed")
    tracked = host.done("session.target.tracked.set", session_ids=["second", first])
    assert tracked["tracked"] == [second, first]
    assert host.done("session.target.primary.set", session_id=None)["primary"] is None


def test_a_turn_that_no_window_shows_is_unread_until_it_is_seen(host: RunningHost) -> None:
    shown, hidden = session(host, "shown"), session(host, "hidden")
    with window(host, "w1"):
        host.call("window.showing", window="w1", showing=shown, focused=True, surface="ui")
        for each in (shown, hidden):
            host.done("session.message.send", session_id=each, message="hello", wait=True)
        until(lambda: unread(host, hidden))
        assert not unread(host, shown)
        host.call("window.showing", window="w1", showing=hidden, focused=False, surface="ui")
        assert not unread(host, hidden)
    until(lambda: host.call("host.status")["data"]["clients"] == 0)
    host.done("session.message.send", session_id=hidden, message="hello", wait=True)
    until(lambda: unread(host, hidden))


def test_only_a_window_says_what_it_shows(host: RunningHost) -> None:
    answer = host.call("window.showing", window="w", showing="x", surface="cli")
    assert answer["error"]["code"] == "unsupported_surface"


def test_deleting_asks_in_the_window_and_is_written_down(host: RunningHost) -> None:
    doomed = session(host, "doomed")
    asked = host.run("session.delete", session_id=doomed)
    assert asked["outcome"] == "pending"
    assert "doomed" in asked["data"]["summary"]
    decided = host.done("approval.request.decide", approval_id=asked["data"]["approval_id"], decision="approve")
    assert decided["outcome"] == "completed"
    assert host.run("session.status.get", session_id=doomed)["error"]["code"] == "not_found"
    kept = host.done("approval.request.get", approval_id=asked["data"]["approval_id"])
    assert (kept["status"], kept["input"]["session_id"]) == ("executed", doomed)


def test_a_run_by_intent_is_one_of_its_kind(host: RunningHost) -> None:
    parent = session(host, "parent")
    started = host.done(
        "execution.run.start", intent="plan", provider="scripted", instructions="hello", session_id=parent
    )
    [run] = started["results"]
    assert run["ok"]
    done = host.done("execution.run.wait", run_id=run["run_id"], timeout_s=60)
    assert (done["kind"], done["state"], done["host_session_id"]) == ("plan", "succeeded", parent)


def test_models_are_offered_by_the_session_itself(host: RunningHost) -> None:
    chosen = session(host, "model")
    options = host.done(
        "action.options.resolve", action_id="session.model.set", field_path="model_id", draft={"session_id": chosen}
    )["options"]
    assert [option["value"] for option in options] == ["small", "large"]
    code, done = command(host, "session", "model", chosen, "large")
    assert (code, done["data"]["model"]) == (0, "large")
    asked = host.run("session.config.set", session_id=chosen, option_id="web", value=True)
    assert asked["outcome"] == "pending", "it may make the agent ask less"
    decided = host.done("approval.request.decide", approval_id=asked["data"]["approval_id"], decision="approve")
    assert {o["id"]: o["value"] for o in decided["result"]["options"]}["web"] is True
