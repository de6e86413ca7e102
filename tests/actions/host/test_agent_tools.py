"""Our tools in the hands of agents under a real host: by the real command in a shell, or by the MCP endpoint."""

from __future__ import annotations

import json
import os
import shlex
import sqlite3
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.running_host import RunningHost, running_host

SCRIPTED = Path(__file__).parents[2] / "fixtures" / "agents" / "scripted.py"
pytestmark = pytest.mark.timeout(300)
ROWS = {
    "bridged": ("", 'delivery = "shell_bridge"'),
    "native": ("", 'delivery = "native_mcp"'),
    "piped": ("", 'delivery = "native_mcp"\nmcp = ["stdio"]'),
    "without": ("", 'delivery = "none"'),
    "offers": ("", ""),
    "offers_not": ("nomcp", ""),
}


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHost]:
    folder = tmp_path_factory.mktemp("tools")
    (folder / "repo").mkdir()
    with running_host(folder / "home") as running:
        config = folder / "home" / "config"
        config.mkdir(exist_ok=True)
        rows = [
            f'[providers.{name}]\ncommand = ["{sys.executable}", "{SCRIPTED}"]\n{more}\n'
            f'env = {{ SCRIPTED = "{quirks}" }}\n'
            for name, (quirks, more) in ROWS.items()
        ]
        (config / "providers.toml").write_text("\n".join(rows))
        yield running


def session(host: RunningHost, provider: str) -> str:
    workspace = host.done("workspace.add", path=str(host.home.parent / "repo"))["path"]
    return host.done("session.spawn_new", provider=provider, workspace=workspace)["id"]


def said(host: RunningHost, session_id: str, message: str) -> Any:
    """The agent's answer to a message, which is JSON."""
    done = host.done("session.message.send", session_id=session_id, message=message, wait=True, timeout_s=60)
    return json.loads(done["text"])


def ran(host: RunningHost, session_id: str, *words: str) -> dict[str, Any]:
    """What the command `sayso` printed in the agent's shell, with its exit code."""
    answer = said(host, session_id, f"shell {shlex.join(['sayso', *words])}")
    return {"exit": answer["exit"], **json.loads(answer["output"])}


def call(host: RunningHost, session_id: str, tool: str, **arguments: Any) -> dict[str, Any]:
    words = ["tools", "call", "--source", "sayso", "--tool", tool, "--args-json", json.dumps(arguments), "--json"]
    return ran(host, session_id, *words)


def audit(host: RunningHost, action: str) -> tuple[str, str]:
    """Surface and session of the last call of an action."""
    with closing(sqlite3.connect(host.home / "data" / "sayso.db")) as database:
        query = "SELECT surface, caller FROM audit WHERE action_id = ? ORDER BY id DESC LIMIT 1"
        surface, caller = database.execute(query, (action,)).fetchone()
    return surface, json.loads(caller)["session_id"]


def test_an_agent_calls_our_tools_from_its_shell_and_is_known(host: RunningHost) -> None:
    session_id = session(host, "bridged")
    listed = ran(host, session_id, "tools", "list", "--json")
    names = [tool["name"] for tool in listed["data"]["sources"]["sayso"]]
    assert {"action_spec_search", "action_execute", "session_title_set"} <= set(names)
    done = call(host, session_id, "session_title_set", title="Named by its agent")
    assert (done["exit"], done["data"]["tool"]) == (0, "session_title_set")
    assert host.done("session.status.get", session_id=session_id)["title"] == "Named by its agent"
    assert audit(host, "session.title.set") == ("session_agent", session_id)
    other = session(host, "bridged")
    refused = ran(host, session_id, "tools", "list", "--session-id", other, "--json")
    assert (refused["exit"], refused["ok"]) == (4, False)


def test_what_is_asked_first_is_pending_for_the_command_too(host: RunningHost) -> None:
    session_id = session(host, "bridged")
    asked = call(host, session_id, "action_execute", action_id="session.delete", input={"session_id": session_id})
    assert asked["exit"] == 3
    rows = host.done("inbox.list")["rows"]
    row = next(row for row in rows if row["id"] == asked["data"]["approval_id"])
    assert row["session_id"] == session_id


def test_the_command_is_shown_as_the_call_that_it_is(host: RunningHost) -> None:
    session_id = session(host, "bridged")
    call(host, session_id, "session_title_set", title="x")
    said(host, session_id, "shell echo done")
    events = host.done("session.transcript.get", session_id=session_id, kinds=["tool_call"])["events"]
    named = [event["data"] for event in events if "title" in event["data"]]
    assert [shown["title"] for shown in named] == ["session_title_set (sayso)", "echo done"]
    assert named[0]["tool"] == {
        "source": "sayso", "name": "session_title_set", "arguments": {"title": "x"}, "via": "shell",
    }  # fmt: skip
    assert named[0]["input"]["command"].startswith("sayso tools call"), "the command stays beside it"


def test_the_first_prompt_tells_of_the_command_and_no_other_does(host: RunningHost) -> None:
    session_id = session(host, "bridged")
    first, second = said(host, session_id, "blocks"), said(host, session_id, "blocks")
    assert (first[0], second) == ("blocks", ["blocks"])
    assert "sayso tools call --source sayso --tool NAME --args-json" in first[1]
    assert "Finding an action is not a licence to use it." in first[1]
    events = host.done("session.transcript.get", session_id=session_id, kinds=["user"])["events"]
    assert [event["data"]["text"] for event in events] == ["blocks", "blocks"], "a person did not say it"


def test_a_conversation_that_is_new_is_told_again(host: RunningHost) -> None:
    session_id = session(host, "bridged")
    said(host, session_id, "blocks")
    host.done("session.stop", session_id=session_id)
    assert len(said(host, session_id, "blocks")) == 2, "this agent cannot resume: it knows nothing"


@pytest.mark.parametrize(
    ("provider", "ways"),
    [
        ("offers", ["http"]),
        ("offers_not", []),
        ("without", []),
    ],
)
def test_delivery_is_what_the_row_says_else_what_the_agent_offers(
    host: RunningHost, provider: str, ways: list[str]
) -> None:
    session_id = session(host, provider)
    blocks = said(host, session_id, "blocks")
    servers = said(host, session_id, "servers")
    assert [server.get("type", "stdio") for server in servers] == ways
    assert (len(blocks) == 2) == (provider == "offers_not")


def test_over_mcp_the_same_call_is_the_same(host: RunningHost) -> None:
    session_id = session(host, "native")
    (server,) = said(host, session_id, "servers")
    headers = {entry["name"]: entry["value"] for entry in server["headers"]}
    assert server["url"].endswith(f"/mcp/session/{session_id}")
    answer = call_over_mcp(server["url"], headers, "session_title_set", title="Named over MCP")
    assert not answer["result"].get("isError"), answer
    assert host.done("session.status.get", session_id=session_id)["title"] == "Named over MCP"
    assert audit(host, "session.title.set") == ("session_agent", session_id)
    with pytest.raises(urllib.error.HTTPError, match="401"):
        call_over_mcp(server["url"], {"Authorization": "Bearer wrong"}, "session_title_set", title="x")


def test_a_token_ends_with_the_agent_that_it_was_given_to(host: RunningHost) -> None:
    session_id = session(host, "native")
    tokens: list[dict[str, str]] = []
    for _ in range(2):
        (server,) = said(host, session_id, "servers")
        tokens.append({entry["name"]: entry["value"] for entry in server["headers"]})
        call_over_mcp(server["url"], tokens[-1], "session_title_set", title="While it runs")
        host.done("session.stop", session_id=session_id)
        for token in tokens:
            with pytest.raises(urllib.error.HTTPError, match="401"):
                call_over_mcp(server["url"], token, "session_title_set", title="Afterwards")
    assert tokens[0] != tokens[1]


def test_over_a_pipe_the_agent_gets_a_command_that_is_known(host: RunningHost) -> None:
    session_id = session(host, "piped")
    (server,) = said(host, session_id, "servers")
    assert server["args"][-2:] == ["mcp", "serve"]
    environment = {entry["name"]: entry["value"] for entry in server["env"]}
    assert environment["SAYSO_SESSION_ID"] == session_id
    title = call_of("session_title_set", title="Named over a pipe")
    lines = "".join(json.dumps(message) + "\n" for message in (INITIALIZE, INITIALIZED, title))
    with subprocess.Popen(
        [server["command"], *server["args"]],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={"PATH": os.defpath, **environment}, text=True,
    ) as pipe:  # fmt: skip
        assert pipe.stdin is not None
        assert pipe.stdout is not None
        pipe.stdin.write(lines)
        pipe.stdin.flush()
        answers = [json.loads(pipe.stdout.readline()) for _ in range(2)]
        pipe.stdin.close()
    assert not answers[1]["result"].get("isError"), answers
    assert host.done("session.status.get", session_id=session_id)["title"] == "Named over a pipe"
    assert audit(host, "session.title.set") == ("session_agent", session_id)


INITIALIZE = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}},
}  # fmt: skip
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def call_of(tool: str, **arguments: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}


def call_over_mcp(url: str, headers: dict[str, str], tool: str, **arguments: Any) -> dict[str, Any]:
    """What an agent's MCP client does: the handshake, then a call (MCP, streamable HTTP)."""
    answer: dict[str, Any] = {}
    accept = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", **headers}
    for message in (INITIALIZE, INITIALIZED, call_of(tool, **arguments)):
        request = urllib.request.Request(url, json.dumps(message).encode(), accept)
        with urllib.request.urlopen(request, timeout=60) as response:
            if known := response.headers.get("Mcp-Session-Id"):
                accept["Mcp-Session-Id"] = known
            text = response.read().decode()
        if text:
            found = [line.removeprefix("data: ") for line in text.splitlines() if "{" in line]
            answer = json.loads(found[-1])
    return answer
