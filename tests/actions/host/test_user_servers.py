"""The user's own MCP servers under a real host: previewed, trusted, handed to agents, called through us, kept apart."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.running_host import RunningHost, eventually, running_host

ROOT = Path(__file__).parents[2]
SCRIPTED = ROOT / "fixtures" / "agents" / "scripted.py"
BAD = str(ROOT / "fixtures" / "mcp" / "bad_stdio.py")
pytestmark = pytest.mark.timeout(300)
ROWS = {
    "native": 'delivery = "native_mcp"',
    "only_http": 'delivery = "native_mcp"\nmcp = ["http"]',
    "bridged": 'delivery = "shell_bridge"',
}


def server(mode: str, **more: Any) -> dict[str, Any]:
    return {"command": sys.executable, "args": [BAD, mode], **more}


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHost]:
    folder = tmp_path_factory.mktemp("servers")
    (folder / "repo").mkdir()
    config = folder / "home" / "config"
    config.mkdir(parents=True)
    rows = [f'[providers.{n}]\ncommand = ["{sys.executable}", "{SCRIPTED}"]\n{more}\n' for n, more in ROWS.items()]
    (config / "providers.toml").write_text("\n".join(rows))
    servers = {"good": server("ok"), "dead": server("exit3"), "hang": server("hang")}
    bindings = {name: {"device": name != "hang"} for name in servers}
    (config / "mcp.json").write_text(json.dumps({"mcpServers": servers, "sayso": {"bindings": bindings}}))
    with running_host(folder / "home") as running:
        yield running
    assert running.process.returncode == 0


@pytest.fixture
def repo(host: RunningHost) -> str:
    return str(host.done("workspace.add", path=str(host.home.parent / "repo"))["path"])


def session(host: RunningHost, provider: str, repo: str, **more: Any) -> str:
    return host.done("session.spawn_new", provider=provider, workspace=repo, **more)["id"]


def said(host: RunningHost, session_id: str, message: str) -> Any:
    done = host.done("session.message.send", session_id=session_id, message=message, wait=True, timeout_s=60)
    return json.loads(done["text"])


def preview(host: RunningHost, provider: str, repo: str, **more: Any) -> dict[str, Any]:
    return host.done("mcp.preview", provider=provider, workspace=repo, wait_s=60, **more)


def by_name(rows: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in rows}


class Client:
    """An agent's MCP client at our endpoint (MCP, streamable HTTP)."""

    def __init__(self, entry: Mapping[str, Any]) -> None:
        self.url = entry["url"]
        self.headers = {header["name"]: header["value"] for header in entry["headers"]}
        self.headers |= {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        info = {"name": "a", "version": "1"}
        self.ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=info)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        text = self._send({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        return json.loads([line.removeprefix("data: ") for line in text.splitlines() if "{" in line][-1])["result"]

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        return self.ask("tools/call", name=tool, arguments=arguments)

    def names(self) -> list[str]:
        return [tool["name"] for tool in self.ask("tools/list")["tools"]]

    def _send(self, message: Mapping[str, Any]) -> str:
        request = urllib.request.Request(self.url, json.dumps(message).encode(), self.headers)
        with urllib.request.urlopen(request, timeout=60) as response:
            if known := response.headers.get("Mcp-Session-Id"):
                self.headers["Mcp-Session-Id"] = known
            return response.read().decode()


def ours(host: RunningHost, session_id: str) -> Client:
    return Client(next(entry for entry in said(host, session_id, "servers") if entry["name"] == "sayso"))


def test_what_is_shown_is_what_is_handed_over(host: RunningHost, repo: str) -> None:
    shown = by_name(preview(host, "native", repo)["servers"])
    assert (shown["good"]["state"], shown["good"]["delivery"], shown["good"]["tools"]) == ("connected", "native", 19)
    assert (shown["dead"]["state"], shown["dead"]["exit_code"], shown["dead"]["stderr"].strip()) == (
        "failed", 3, "FATAL: missing API_KEY",
    )  # fmt: skip
    assert (shown["hang"]["state"], shown["hang"]["reason"]) == ("off", "available_here")
    session_id = session(host, "native", repo)
    given = by_name(said(host, session_id, "servers"))
    assert set(given) == {"good", "sayso"}
    assert (given["good"]["command"], given["good"]["args"]) == (sys.executable, [BAD, "ok"])
    told = host.done("session.status.get", session_id=session_id)["tools"]
    rows = by_name(told["servers"])
    assert (rows["good"]["promised"], rows["good"]["evidence"]) == (19, "handed_over")
    assert (rows["dead"]["promised"], rows["dead"]["evidence"]) == (0, "failed")
    assert told["listed_at"] is None
    assert host.done("session.status.get", session_id=session_id)["marks"] == ["did_not_list_tools"]
    ours(host, session_id).names()
    status = host.done("session.status.get", session_id=session_id)
    told = status["tools"]
    assert status["marks"] == [], "it lists them late"
    assert (told["client"], told["listed_at"] is not None) == ("a 1", True)


def test_a_session_takes_and_leaves(host: RunningHost, repo: str) -> None:
    chosen = {"exclude": ["good"]}
    shown = by_name(preview(host, "native", repo, selection=chosen)["servers"])
    assert (shown["good"]["selected"], shown["good"]["reason"]) == (False, "forced_excluded")
    session_id = session(host, "native", repo, mcp_selection=chosen)
    assert set(by_name(said(host, session_id, "servers"))) == {"sayso"}
    host.done("session.mcp.set", session_id=session_id, selection=None)
    host.done("session.stop", session_id=session_id)
    assert set(by_name(said(host, session_id, "servers"))) == {"good", "sayso"}, "from the next start on"


def test_through_sayso_a_call_is_asked_about_recorded_and_comes_back_as_it_was(host: RunningHost, repo: str) -> None:
    session_id = session(host, "only_http", repo)
    client = ours(host, session_id)
    names = client.names()
    assert {"good__ok", "good__image", "action_execute"} <= set(names)
    told = by_name(host.done("session.status.get", session_id=session_id)["tools"]["servers"])
    assert (told["good"]["delivery"], told["good"]["delivered"], told["good"]["evidence"]) == ("sayso", 19, "listed")

    assert client.call("good__nope")["isError"]
    assert host.done("approval.request.list", status="open")["requests"] == [], (
        "nobody is asked about what is not there"
    )
    pending = _in_background(lambda: client.call("good__ok"))
    assert _decide(host, "approve", scope="session")["session_id"] == session_id
    assert pending()["content"] == [{"type": "text", "text": "ok"}]
    assert client.call("good__ok")["content"][0]["text"] == "ok", "the same tool is allowed for this session"
    told = by_name(host.done("session.status.get", session_id=session_id)["tools"]["servers"])
    assert told["good"]["evidence"] == "called"
    other = _in_background(lambda: client.call("good__iserror"))
    assert _decide(host, "reject")["action"] == "mcp.tool.call", "another tool is asked about"
    assert other()["isError"]
    with closing(sqlite3.connect(host.home / "data" / "sayso.db")) as database:
        rows = database.execute("SELECT surface, caller FROM audit WHERE action_id = 'mcp.tool.call'").fetchall()
    assert {surface for surface, _ in rows} == {"session_agent"}
    assert {json.loads(caller)["session_id"] for _, caller in rows} == {session_id}


def test_over_the_bridge_the_same_call_is_the_same(host: RunningHost, repo: str) -> None:
    session_id = session(host, "bridged", repo)
    listed = _ran(host, session_id, "tools list --json")
    sources = {name: len(tools) for name, tools in listed["data"]["sources"].items() if name != "sayso"}
    assert sources == {"good": 19}
    assert [warning["source"] for warning in listed["data"]["warnings"]] == ["dead"]
    call = "tools call --source good --tool ok --args-json '{}' --json"
    pending = _in_background(lambda: _ran(host, session_id, call))
    _decide(host, "approve")
    assert pending()["data"]["output"]["content"] == [{"type": "text", "text": "ok"}]
    off = _ran(host, session_id, "tools call --source hang --tool ok --json")
    assert off["error"]["code"] == "not_found"
    told = by_name(host.done("session.status.get", session_id=session_id)["tools"]["servers"])
    assert (told["good"]["delivery"], told["good"]["evidence"]) == ("bridge", "called")


def test_a_workspaces_own_server_runs_as_it_was_trusted_and_not_otherwise(host: RunningHost, tmp_path: Path) -> None:
    (tmp_path / "serve.py").write_text(Path(BAD).read_text())
    own = {"command": sys.executable, "args": ["serve.py", "poison"], "env": {"NODE_OPTIONS": "--no-warnings"}}
    (tmp_path / ".mcp.json").write_text(json.dumps({"mcpServers": {"own": own}}))
    folder = str(host.done("workspace.add", path=str(tmp_path))["path"])
    assert by_name(preview(host, "native", folder)["servers"])["own"]["reason"] == "not_trusted"
    test = host.done("mcp.servers.test", server="own", workspace=folder)
    assert (test["ok"], test["code"]) == (False, "not_trusted")
    assert set(by_name(said(host, session(host, "native", folder), "servers"))) == {"good", "sayso"}

    review = host.done("mcp.trust.get", workspace=folder)
    (row,) = review["servers"]
    assert (row["command"][1:], row["env"], row["environment"]) == (
        ["serve.py", "poison"], ["NODE_OPTIONS"], ["NODE_OPTIONS"],
    )  # fmt: skip
    assert list(row["scripts"]) == ["serve.py"]
    stale = host.run("mcp.trust", surface="cli", workspace=folder, content_hash="0" * 64)
    assert stale["error"]["code"] == "stale"
    half = host.done("mcp.trust", surface="cli", workspace=folder, content_hash=review["content_hash"])
    assert half["servers"][0]["trust"] == "environment", "that variable needs a yes of its own"
    whole = {"content_hash": review["content_hash"], "allow_env": ["NODE_OPTIONS"]}
    assert host.done("mcp.trust", surface="cli", workspace=folder, **whole)["trusted"]

    seen = preview(host, "native", folder)
    assert by_name(seen["servers"])["own"]["state"] == "connected"
    (tool,) = [tool for tool in seen["tools"] if tool["source"] == "own"]
    assert [found["kind"] for found in tool["hidden"]] == ["zero_width", "comment"]
    assert "\\u200b" in tool["description"]
    assert "own" in by_name(said(host, session(host, "native", folder), "servers"))

    (tmp_path / "serve.py").write_text(Path(BAD).read_text() + "\n# another one\n")
    after = by_name(preview(host, "native", folder)["servers"])["own"]
    assert (after["reason"], [change["field"] for change in after["changes"]]) == (
        "trust_changed",
        ["scripts.serve.py"],
    )


def test_a_tool_that_changed_is_held_back_until_it_was_accepted(host: RunningHost, tmp_path: Path) -> None:
    (tmp_path / "serve.py").write_text(Path(BAD).read_text())
    entry = server("ok", args=[str(tmp_path / "serve.py"), "ok"])
    host.done(
        "mcp.servers.create", surface="cli", definition={"name": "moving", **entry}, bindings=[{"target": "device"}]
    )
    try:
        folder = str(host.done("workspace.add", path=str(tmp_path))["path"])
        assert by_name(preview(host, "native", folder)["servers"])["moving"]["delivery"] == "native"
        (tmp_path / "serve.py").write_text(
            Path(BAD).read_text().replace('"description": "fine"', '"description": "other"')
        )
        other = str(host.done("workspace.add", path=str(tmp_path.parent))["path"])  # its own connection, started now
        seen = preview(host, "native", other)
        row = by_name(seen["servers"])["moving"]
        held = [tool for tool in seen["tools"] if tool["source"] == "moving" and not tool["available"]]
        assert held
        assert {tool["pin"] for tool in held} == {"changed"}
        assert held[0]["changes"] == [{"field": "description", "before": "fine", "after": "other"}]
        assert (row["delivery"], row["state"]) == ("sayso", "connected"), "only we can hold a tool back"
        given = by_name(said(host, session(host, "native", other), "servers"))
        assert "moving" not in given
        for tool in held:
            accepted = {"server": "moving", "tool": tool["name"], "content_hash": tool["content_hash"]}
            host.done("mcp.pin.accept", surface="cli", workspace=other, **accepted)
        assert by_name(preview(host, "native", other)["servers"])["moving"]["delivery"] == "native"
    finally:
        host.done("mcp.servers.delete", surface="cli", server="moving", remove_bindings=True)


def test_a_login_stays_with_us_and_its_server_goes_through_us(host: RunningHost, repo: str) -> None:
    script = str(ROOT / "fixtures" / "mcp" / "oauth_http.py")
    with subprocess.Popen(
        [sys.executable, script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as guarded:
        assert guarded.stdout is not None
        url = f"{guarded.stdout.readline().strip()}/mcp"
        definition = {"name": "guarded", "url": url}
        host.done("mcp.servers.create", "cli", definition=definition, bindings=[{"target": "device"}])
        try:
            row = by_name(preview(host, "native", repo)["servers"])["guarded"]
            assert (row["state"], row["can_log_in"], row["delivery"]) == ("unauthorized", True, "sayso")
            begun = host.done("mcp.servers.login", "cli", server="guarded", workspace=repo)
            assert begun["state"] == "waiting"
            again = host.done("mcp.servers.login", "cli", server="guarded", workspace=repo)
            assert again["url"] == begun["url"], "the one under way goes on"
            urllib.request.urlopen(begun["url"], timeout=60).close()  # the person; the provider lets everybody in
            done = host.done("mcp.servers.login", "cli", server="guarded", workspace=repo, wait_s=60)
            assert (done["state"], done["url"]) == ("done", None), done
            row = by_name(preview(host, "native", repo)["servers"])["guarded"]
            assert (row["state"], row["delivery"]) == ("connected", "sayso"), "no agent is given the token"
            session_id = session(host, "native", repo)
            given = said(host, session_id, "servers")
            assert "guarded" not in by_name(given)
            assert any(name.startswith("guarded__") for name in ours(host, session_id).names())
            assert host.done("mcp.servers.logout", "cli", server="guarded", workspace=repo)["state"] == "logged_out"
            row = by_name(preview(host, "native", repo)["servers"])["guarded"]
            assert row["state"] == "unauthorized"
            host.done("mcp.servers.login", "cli", server="guarded", workspace=repo)
            assert (
                host.done("mcp.servers.login", "cli", server="guarded", workspace=repo, cancel=True)["state"]
                == "failed"
            )
        finally:
            host.done("mcp.servers.delete", "cli", server="guarded", remove_bindings=True)
            guarded.kill()


def test_no_agent_trusts_accepts_or_logs_in(host: RunningHost, repo: str) -> None:
    session_id = session(host, "bridged", repo)
    for words in ("mcp trust . --yes --json", "mcp pin accept --server good --tool ok --content-hash x --json",
                  "mcp login good --json"):  # fmt: skip
        answer = _ran(host, session_id, words)
        assert answer["error"]["code"] in ("unsupported_surface", "action_disabled"), words


def _decide(host: RunningHost, decision: str, **more: Any) -> dict[str, Any]:
    """Decide the one request that is open, as the window does; the request."""
    row = eventually(lambda: next(iter(host.done("approval.request.list", status="open")["requests"]), None))
    answer = host.run("approval.request.decide", approval_id=row["id"], decision=decision, **more)
    assert answer["ok"], answer
    return row


def _ran(host: RunningHost, session_id: str, words: str) -> dict[str, Any]:
    answer = said(host, session_id, f"shell sayso {words}")
    return json.loads(answer["output"])


def _in_background(work: Any) -> Any:
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(1)
    future = pool.submit(work)
    pool.shutdown(wait=False)
    return lambda: future.result(timeout=60)


def test_what_the_agent_brings_itself_is_told_apart(tmp_path: Path, repo: str, host: RunningHost) -> None:
    """A program's own configuration, in the user's folder and in the workspace: listed, its secrets veiled."""
    own = Path(repo) / "opencode.json"
    own.write_text(
        json.dumps(
            {
                "mcp": {
                    "mine": {
                        "type": "local",
                        "command": ["npx", "-y", "mine"],
                        "environment": {"API_KEY": "canary-77"},
                    },
                    "asleep": {"type": "local", "command": ["npx", "-y", "asleep"], "enabled": False},
                }
            }
        )
    )
    try:
        told = by_name(preview(host, "opencode", repo)["brought"])
        assert told["mine"]["command"] == ["npx", "-y", "mine"]
        assert told["mine"]["file"] == str(own)
        assert "asleep" not in told, "the agent leaves it out"
        assert "canary-77" not in json.dumps(told)
        assert by_name(preview(host, "native", repo)["brought"]) == {}, "it is another program's"
        assert "mine" not in by_name(preview(host, "opencode", repo)["servers"])
    finally:
        own.unlink()


def test_a_strict_start_names_what_is_missing_and_begins_nothing(repo: str, host: RunningHost) -> None:
    """``dead`` ends at once and ``hang`` is bound nowhere: only what should be there is missed."""
    host.done("settings.set", key="mcp.strict_start", value="true")
    try:
        failed = host.run("session.spawn_new", provider="native", workspace=repo)
        assert failed["outcome"] == "failed"
        assert "`mcp.strict_start` is on" in failed["error"]["message"]
        assert set(failed["error"]["details"]["servers"]) == {"dead"}
        assert "missing API_KEY" in json.dumps(failed["error"]["details"]) or "3" in failed["error"]["message"]
        chosen = {"managed": True, "exclude": ["dead"]}
        started = host.done("session.spawn_new", provider="native", workspace=repo, mcp_selection=chosen)
        assert started["state"] == "idle"
        host.done("session.stop", session_id=started["id"])
    finally:
        host.done("settings.set", key="mcp.strict_start", value="false")
    session(host, "native", repo)
