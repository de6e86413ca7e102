"""The agent under clients that are not ours: the protocol's TypeScript library, which checks every message, and acpx, a
client for the command line (``make agents``)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.actions.agent.acp.wired import environment
from tests.actions.agent.loop.stage import serve

pytestmark = [pytest.mark.agents, pytest.mark.timeout(120)]

ROOT = Path(__file__).parents[4]
LIBRARY = Path(
    os.environ.get("SAYSO_TEST_ACP_SDK") or ROOT / ".agents/node_modules/@agentclientprotocol/sdk/dist/v1/stable/acp.js"
)
ACPX = os.environ.get("SAYSO_TEST_ACPX") or shutil.which("acpx")
EDITOR = Path(__file__).with_name("editor.mjs")
SCRIPTS: dict[str, list[dict[str, Any]]] = {
    "shell": [
        {"thought": "hm", "text": "Looking. ", "tool_calls": [{"tool": ["Shell"], "args": {"command": "echo hi"}}]},
        {"text": "It said hi."},
    ],
    "ask": [
        {
            "tool_calls": [
                {
                    "tool": ["AskUserQuestion"],
                    "args": {"questions": [{"question": "Which?", "options": [{"label": "red"}, {"label": "blue"}]}]},
                }
            ]
        },
        {"text": "thanks"},
    ],
}


def test_a_whole_conversation_under_the_typescript_client(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None or not LIBRARY.is_file():
        pytest.skip("the TypeScript client @agentclientprotocol/sdk is not installed; run `make agents`")
    workspace = tmp_path / "shop"
    workspace.mkdir()
    server = serve(tmp_path / "llm", {"scripts": SCRIPTS})
    try:
        done = subprocess.run(
            [node, str(EDITOR), str(LIBRARY), str(workspace), sys.executable, "-m", "actions.agent"],
            env={**os.environ, **environment(server)},
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )
    finally:
        server.process.terminate()
        server.process.wait()
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout.splitlines()[-1])
    # The library logs each message that it cannot read.
    assert "Error" not in done.stderr, done.stderr
    assert (seen["version"], seen["code"]) == (1, 0)
    assert seen["modes"] == ["default", "plan", "yolo", "afk"]
    assert seen["options"] == ["mode", "model"]
    assert seen["allowed"]["stopReason"] == seen["questioned"]["stopReason"] == "end_turn"
    assert {"agent_thought_chunk", "agent_message_chunk", "tool_call", "tool_call_update"} <= set(seen["first"])
    assert seen["asked"][0]["kinds"][0] == "allow_once"
    assert seen["asked"][0]["kinds"][-1] == "reject_once"
    assert seen["forms"] == 1
    assert (seen["cancelled"]["stopReason"], seen["aborted"]) == ("cancelled", 1)
    assert seen["cancelMs"] < 1000
    assert (seen["listed"], seen["loadedMode"]) == ([True], "plan")
    assert seen["replayed"].count("user_message_chunk") == 3


@pytest.mark.parametrize(("policy", "written"), [("--approve-all", True), ("--deny-all", False)])
def test_a_prompt_under_acpx(tmp_path: Path, policy: str, written: bool) -> None:
    if ACPX is None:
        pytest.skip("the client acpx is not installed; run `make agents`")
    workspace = tmp_path / "shop"
    workspace.mkdir()
    steps = [{"tool_calls": [{"tool": ["Shell"], "args": {"command": "echo hi > hi.txt"}}]}, {"text": "It said hi."}]
    server = serve(tmp_path / "llm", {"scripts": {"write": steps}})
    command = [ACPX, "--agent", f"{sys.executable} -m actions.agent", "--cwd", str(workspace), policy]
    try:
        done = subprocess.run(
            [*command, "--format", "json", "exec", "[[write]] please"],
            env={**os.environ, **environment(server), "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )
    finally:
        server.process.terminate()
        server.process.wait()
    messages = [json.loads(line) for line in done.stdout.splitlines()]
    (ended,) = [m["result"] for m in messages if "stopReason" in (m.get("result") or {})]
    assert ended["stopReason"] == "end_turn", done.stderr
    assert (workspace / "hi.txt").exists() is written
