"""`sayso mcp serve`, driven as an editor drives it: lines on its input, and the ways in which an editor goes away."""

from __future__ import annotations

import json
import signal
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import psutil
import pytest

from tests.actions.cli.home import COMMAND, Home
from tests.running_host import eventually

pytestmark = pytest.mark.e2e
INITIALIZE: dict[str, Any] = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "editor", "version": "1"}},
}  # fmt: skip
INITIALIZED: dict[str, Any] = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def call(identity: int, tool: str, **arguments: Any) -> dict[str, Any]:
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": identity, "method": "tools/call", "params": params}


class Editor:
    """The command as a child, with its pipes."""

    def __init__(self, home: Home, *words: str) -> None:
        self.process = subprocess.Popen(
            [COMMAND, "mcp", "serve", *words], cwd=home.workspace, env=home.environment(),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def send(self, *messages: dict[str, Any] | str) -> None:
        assert self.process.stdin is not None
        for message in messages:
            self.process.stdin.write((message if isinstance(message, str) else json.dumps(message)) + "\n")
        self.process.stdin.flush()

    def read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def answer(self, *messages: dict[str, Any] | str) -> dict[str, Any]:
        self.send(*messages)
        return self.read()


@pytest.fixture
def editor(lively: Home) -> Iterator[Editor]:
    made = Editor(lively)
    yield made
    made.process.kill()
    made.process.communicate()


def connections(home: Home) -> int:
    """How many clients the host has."""
    return len([c for c in psutil.Process(home.host_pid()).net_connections("unix") if c.status != "LISTEN"])


def test_an_editor_lists_and_calls(editor: Editor) -> None:
    assert editor.answer(INITIALIZE)["result"]["serverInfo"]["name"] == "sayso"
    editor.send(INITIALIZED)
    listed = editor.answer({"jsonrpc": "2.0", "id": 2, "method": "tools/list"})["result"]["tools"]
    assert [tool["name"] for tool in listed][:4] == [
        "action_options_resolve", "action_spec_get", "action_spec_search", "action_execute",
    ]  # fmt: skip
    assert "workspace_list" in [tool["name"] for tool in listed]
    result = editor.answer(call(3, "workspace_list"))["result"]
    assert not result["isError"]
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]


def test_lines_that_are_no_message_do_no_harm(editor: Editor) -> None:
    before = {"jsonrpc": "2.0", "id": 9, "method": "tools/list"}
    assert editor.answer("no json", "", "[]", "\ufeff{}", before)["error"]["code"] == -32602
    assert editor.answer(INITIALIZE)["id"] == 1


def test_the_end_of_the_input_ends_it_after_the_answers(editor: Editor) -> None:
    editor.send(INITIALIZE, INITIALIZED, call(2, "action_spec_search", query="review", limit=1), call(3, "nope"))
    out, _ = editor.process.communicate(timeout=30)
    answers = sorted((json.loads(line) for line in out.splitlines()), key=lambda answer: answer["id"])
    assert [(answer["id"], answer["result"].get("isError", False)) for answer in answers] == [
        (1, False), (2, False), (3, True),
    ]  # fmt: skip
    assert editor.process.returncode == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_ends_it_at_once(editor: Editor, number: signal.Signals) -> None:
    editor.answer(INITIALIZE)
    editor.process.send_signal(number)
    editor.process.wait(30)
    assert editor.process.returncode in (128 + number, -number)


def test_nothing_is_left_of_one_that_was_killed(lively: Home, editor: Editor) -> None:
    editor.answer(INITIALIZE)
    connected = connections(lively)
    editor.send(INITIALIZED, call(2, "session_wait", session_id="ses_none", timeout_s=600))
    editor.process.kill()
    eventually(lambda: connections(lively) < connected, 30)


def test_over_http_the_token_lasts_as_long_as_the_command(lively: Home) -> None:
    served = Editor(lively, "--http", "--json")
    address = served.read()["data"]

    def status() -> int:
        headers = {
            "Authorization": f"Bearer {address['token']}", "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }  # fmt: skip
        request = urllib.request.Request(address["url"], json.dumps(INITIALIZE).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                return response.status
        except urllib.error.HTTPError as refused:
            return refused.code

    assert status() == 200
    assert address["token"] not in address["url"]
    served.process.kill()
    served.process.communicate()
    eventually(lambda: status() == 401)


def test_a_session_that_cannot_be_told_is_an_error(lively: Home) -> None:
    ran = lively.json("mcp", "serve", "--session-id", "ses_no_such_one")
    assert (ran.exit, ran.error["code"]) == (1, "not_found")


def test_it_ends_with_its_host(home: Home) -> None:
    assert home.sayso("workspace", "list").exit == 0
    editor = Editor(home)
    editor.answer(INITIALIZE)
    home.sayso("host", "stop")
    editor.process.wait(timeout=30)  # before its input is closed, which would end it, too
    _, err = editor.process.communicate(timeout=30)
    assert editor.process.returncode == 1
    assert "Sayso's host went away. Start the server again." in err
