"""A real agent of another maker: OpenCode against a scripted model server on loopback (``make agents``)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from actions.catalog.context import Caller
from tests.actions.sessions.conftest import House

pytestmark = [pytest.mark.agents, pytest.mark.timeout(180)]

LLM = Path(__file__).parents[2] / "fixtures" / "llm"
OPENCODE = os.environ.get("SAYSO_TEST_OPENCODE") or shutil.which("opencode")


@pytest.fixture
def model_server(tmp_path: Path) -> Iterator[str]:
    port_file = tmp_path / "port"
    command = [sys.executable, str(LLM / "fake_llm.py"), "--port", "0", "--portfile", str(port_file)]
    server = subprocess.Popen([*command, "--script", str(LLM / "tools.json"), "--log", str(tmp_path / "llm.jsonl")])
    try:
        deadline = time.monotonic() + 10
        while not port_file.exists():
            assert time.monotonic() < deadline, "the model server did not start"
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port_file.read_text().strip()}"
    finally:
        server.terminate()
        server.wait(5)


def _row(house: House, tmp_path: Path, llm: str) -> None:
    home = tmp_path / "agent-home"
    home.mkdir()
    models = {"fake-model": {"name": "Fake", "tool_call": True, "limit": {"context": 100000, "output": 8000}}}
    config = {
        "autoupdate": False,
        "share": "disabled",
        "model": "fake/fake-model",
        "small_model": "fake/fake-model",
        "enabled_providers": ["fake"],
        "permission": {"bash": "ask", "edit": "ask", "webfetch": "ask"},
        "provider": {
            "fake": {
                "npm": "@ai-sdk/openai-compatible",
                "name": "Fake",
                "options": {"baseURL": f"{llm}/v1", "apiKey": "x"},
                "models": models,
            }
        },
    }
    (home / "opencode.json").write_text(json.dumps(config))
    switches = ("MODELS_FETCH", "AUTOUPDATE", "LSP_DOWNLOAD", "DEFAULT_PLUGINS")
    env = {f"OPENCODE_DISABLE_{name}": "1" for name in switches}
    env |= {"HOME": str(home), "OPENCODE_CONFIG": str(home / "opencode.json")}
    pairs = ", ".join(f'{key} = "{value}"' for key, value in env.items())
    house.paths.providers_file.write_text(
        f'[providers.opencode]\nname = "OpenCode"\ncommand = ["{OPENCODE}", "acp"]\nask_mode = "build"\n'
        f"env = {{ {pairs} }}\n"
    )


@pytest.mark.skipif(OPENCODE is None, reason="opencode is not installed")
async def test_a_shell_command_is_asked_for_and_runs_once_allowed(
    house: House, tmp_path: Path, model_server: str
) -> None:
    _row(house, tmp_path, model_server)
    sessions = house.room.sessions
    view = await sessions.spawn_new(provider="opencode", workspace=str(house.workspace))
    assert (view.state, view.mode) == ("idle", "build")
    assert {"build", "plan"} <= {mode.id for mode in view.modes}
    await sessions.send(view.id, f"[[shell]] cwd={house.workspace} please")
    request = await house.waiting(view.id)
    before = set(house.workspace.iterdir())
    answer = await sessions.respond_permission(
        view.id, request, decision="allow", decided_by=Caller(present=True), surface="ui"
    )
    assert answer.status == "selected"
    view = await sessions.wait(view.id, until="idle", timeout_s=60)
    assert set(house.workspace.iterdir()) - before, "the allowed command left no file"
    kinds = [event.kind for event in await house.events(view.id)]
    assert "tool_call" in kinds
    assert kinds[-1] == "turn_end"


@pytest.mark.skipif(OPENCODE is None, reason="opencode is not installed")
async def test_a_stopped_session_is_taken_up_where_it_was(house: House, tmp_path: Path, model_server: str) -> None:
    _row(house, tmp_path, model_server)
    sessions = house.room.sessions
    view = await sessions.spawn_new(
        provider="opencode", workspace=str(house.workspace), initial_message="[[default]] hi", wait=True, timeout_s=60
    )
    stopped = await sessions.stop(view.id)
    assert (stopped.state, stopped.resumable) == ("stopped", True)
    shown = len(await house.events(view.id, "user", "agent"))
    await sessions.send(view.id, "[[default]] again", wait=True, timeout_s=60)
    texts = [event.data["text"] for event in await house.events(view.id, "user")]
    assert texts == ["[[default]] hi", "[[default]] again"]
    assert len(await house.events(view.id, "user", "agent")) <= shown * 2 + 2, "the replay was shown again"
    assert not [event for event in await house.events(view.id, "notice") if event.data["code"] == "fresh_session"]
