"""What a model costs before it says a word: a vendor's client loads only itself, and nothing loads before it must."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.actions.agent.model.conftest import Server

ROOT = Path(__file__).parents[4]
LIMIT_MB = 107
"""What the whole agent may take: the protocol's library, the model client and the rest."""


def loaded(code: str, *args: str) -> dict[str, Any]:
    """Run ``code`` in a fresh process: the packages that it loaded, and its memory in MB at the end."""
    report = (
        "import json, sys; status = open('/proc/self/status').read(); "
        "print(json.dumps({'packages': sorted({m.split('.')[0] for m in sys.modules} | "
        "{'.'.join(m.split('.')[:2]) for m in sys.modules}), "
        "'modules': list(sys.modules), 'mb': int(status.split('VmRSS:')[1].split()[0]) / 1024}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{report}", *args], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_choosing_and_finding_load_no_client() -> None:
    packages = loaded(
        "import actions.agent.model.choice, actions.agent.model.requests\n"
        "import asyncio\nfrom actions.agent.model.discover import discover\nasyncio.run(discover(()))"
    )["packages"]
    assert not {"pydantic_ai", "openai", "anthropic", "google.genai", "keyring", "cryptography"} & set(packages)


@pytest.mark.parametrize(
    ("model", "wanted"),
    [("openai-chat:m", "openai"), ("openai:m", "openai"), ("anthropic:m", "anthropic"), ("google:m", "google.genai")],
)
def test_a_vendor_loads_only_its_own_client(model: str, wanted: str) -> None:
    told = loaded(
        "import sys, threading\nfrom actions.agent.model.requests import open_model\n"
        "from actions.agent.model.ref import parse_ref\n"
        "from actions.storage.secrets import Secret\n"
        "thread = threading.Thread(target=open_model, args=(parse_ref(sys.argv[1]), Secret('key')))\n"
        "thread.start(); thread.join()",
        model,
    )
    packages, modules = told["packages"], told["modules"]
    assert {"openai", "anthropic", "google.genai"} & set(packages) == {wanted}
    assert len([name for name in modules if name.startswith("anthropic.")]) < 1_500  # of more than 3,000


_ONE_REQUEST = """
import asyncio, sys
import acp
from pydantic_ai.messages import ModelRequest, UserPromptPart
from actions.agent.model.events import ToolSpec
from actions.agent.model.ref import ModelRef
from actions.agent.model.requests import open_model

async def main():
    model = open_model(ModelRef(sys.argv[1], "fake-model", sys.argv[2]))
    tool = ToolSpec("Shell", "Run", {"type": "object", "properties": {"command": {"type": "string"}}})
    async for _ in model.stream([ModelRequest(parts=[UserPromptPart("hi")])], [tool], instructions="Be brief."):
        pass
    await model.aclose()

asyncio.run(main())
"""


@pytest.mark.bench
@pytest.mark.parametrize("wire", ["openai-chat", "google", "anthropic"])
def test_memory_after_one_request(serve: Callable[[dict[str, Any]], Server], wire: str) -> None:
    server = serve({"default": {"thought": "hm", "text": "hello", "tool_calls": [{"tool": "Shell", "args": {}}]}})
    assert loaded(_ONE_REQUEST, wire, server.ref(wire).base_url or "")["mb"] < LIMIT_MB
