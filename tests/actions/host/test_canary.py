"""A secret of a server's is nowhere but in the secret store and in the server itself, whatever goes wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.running_host import RunningHost, eventually, running_host

CANARY = "c4n4ry-5a1f-s3cret-0f-the-h0use"
SCRIPTED = Path(__file__).parents[2] / "fixtures" / "agents" / "scripted.py"
SAYSO = str(Path(sys.executable).with_name("sayso"))
pytestmark = pytest.mark.timeout(300)
# A server that says its secret wherever it can: on stderr, on stdout, in errors.
LEAKY = """
import json, os, sys
key = os.environ["API_KEY"]
print("starting with", key, file=sys.stderr, flush=True)
print("debug: Authorization: Bearer " + key, flush=True)
TOOLS = [{"name": n, "description": n, "inputSchema": {"type": "object"}} for n in ("good", "fails", "dies")]
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    answer = {"jsonrpc": "2.0", "id": message["id"]}
    method = message["method"]
    if method == "initialize":
        answer["result"] = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                            "serverInfo": {"name": "leaky", "version": "1"}}
    elif method == "tools/list":
        answer["result"] = {"tools": TOOLS}
    elif method == "tools/call" and message["params"]["name"] == "good":
        answer["result"] = {"content": [{"type": "text", "text": str(len(key))}]}
    elif method == "tools/call" and message["params"]["name"] == "dies":
        print("dying of", key, file=sys.stderr, flush=True)
        os._exit(4)
    else:
        answer["error"] = {"code": -32000, "message": "no luck with " + key}
    print(json.dumps(answer), flush=True)
"""


@pytest.fixture
def host(tmp_path: Path) -> Iterator[RunningHost]:
    (tmp_path / "repo").mkdir()
    (tmp_path / "leaky.py").write_text(LEAKY)
    config = tmp_path / "home" / "config"
    config.mkdir(parents=True)
    rows = (("native", '"native_mcp"'), ("bridged", '"shell_bridge"'), ("only_http", '"native_mcp"\nmcp = ["http"]'))
    text = [f'[providers.{n}]\ncommand = ["{sys.executable}", "{SCRIPTED}"]\ndelivery = {d}\n' for n, d in rows]
    (config / "providers.toml").write_text("\n".join(text))
    with running_host(tmp_path / "home") as running:
        yield running


def test_a_canary_is_found_nowhere(host: RunningHost, tmp_path: Path) -> None:
    seen: list[str] = []

    def run(action: str, **input: Any) -> dict[str, Any]:
        answer = host.run(action, "cli", **input)
        seen.append(json.dumps(answer))
        return answer

    repo = run("workspace.add", path=str(tmp_path / "repo"))["data"]["path"]
    command = {"command": sys.executable, "args": [str(tmp_path / "leaky.py")]}
    leaky = {"name": "leaky", **command, "env": {"API_KEY": CANARY}}
    far = {"name": "far", "url": "http://127.0.0.1:9/mcp", "headers": {"Authorization": f"Bearer {CANARY}"}}
    for definition in (leaky, far):
        made = run("mcp.servers.create", definition=definition, bindings=[{"target": "device"}])
        assert made["ok"], made
    for action in ("mcp.servers.list", "host.status", "mcp.trust.get"):
        run(action)
    run("mcp.servers.read", server="leaky")
    assert run("mcp.servers.test", server="leaky")["data"]["ok"]
    assert not run("mcp.servers.test", server="far")["data"]["ok"]
    shown = run("mcp.preview", provider="only_http", workspace=repo, wait_s=30)["data"]
    states = {row["name"]: row["state"] for row in shown["servers"]}
    assert (states["leaky"], states["far"]) == ("connected", "failed")

    for provider in ("native", "only_http", "bridged"):
        session = run("session.spawn_new", provider=provider, workspace=repo)["data"]["id"]
        run("session.message.send", session_id=session, message="shell sayso tools list --json", wait=True)
        run("session.wirelog.set", session_id=session, on=True)
        run("session.stop", session_id=session)
        run("session.message.send", session_id=session, message="blocks", wait=True)  # handed over once more, on record
        run("session.status.get", session_id=session)
        run("session.transcript.get", session_id=session)
    for tool in ("good", "fails", "dies", "good"):
        answer = host.call("tools.call", surface="cli", workspace=repo, source="leaky", tool=tool, arguments={})
        seen.append(json.dumps(answer))
        assert answer["ok"] is (tool == "good"), answer
    after = eventually(lambda: run("mcp.preview", provider="native", workspace=repo, wait_s=5)["data"])
    assert after["servers"]
    for words in (["mcp", "servers"], ["mcp", "preview"], ["tools", "list"]):
        environ = {**os.environ, "SAYSO_HOME": str(host.home)}
        done = subprocess.run(
            [SAYSO, *words], capture_output=True, text=True, cwd=repo, env=environ, timeout=60, check=False
        )
        seen.append(done.stdout + done.stderr)
    argv = [word for process in host.descendants() for word in process.cmdline()]
    host.end()

    found = [text[max(0, text.index(CANARY) - 200) :][:400] for text in seen if CANARY in text]
    assert found == []
    assert [word for word in argv if CANARY in word] == []
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert [str(file.relative_to(tmp_path)) for file in files if CANARY.encode() in file.read_bytes()] == []
    assert any(file.suffix == ".log" and b"starting with" in file.read_bytes() for file in files), (
        "it was written, veiled"
    )
