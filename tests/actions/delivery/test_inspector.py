"""The protocol's own inspector, which is written in TypeScript, over `sayso mcp serve` (``make agents``)."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.actions.cli.home import COMMAND, Home, make_home

BIN = Path(__file__).parents[3] / ".agents" / "conformance" / "node_modules" / ".bin"

pytestmark = [
    pytest.mark.agents,
    pytest.mark.timeout(180),
    pytest.mark.skipif(not (BIN / "mcp-inspector").exists(), reason="make agents installs it"),
]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    made = make_home(tmp_path_factory.mktemp("inspected"))
    yield made
    made.close()


def inspect(home: Home, method: str, *words: str) -> tuple[int, dict[str, Any]]:
    """Exit code and what it printed: the result, or its error."""
    argv = ["mcp-inspector", "--cli", "--format", "json", "-q", "-e", f"SAYSO_HOME={home.folder}"]
    ran = subprocess.run(
        [*argv, "--method", method, *words, COMMAND, "mcp", "serve"],
        env={**home.environment(), "PATH": f"{BIN}:{os.environ['PATH']}"}, cwd=home.workspace,
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    return ran.returncode, json.loads(ran.stdout or ran.stderr)


@pytest.mark.parametrize("era", ["auto", "legacy", "modern"])
def test_tools_are_listed_and_their_schemas_are_portable(home: Home, era: str) -> None:
    code, listed = inspect(home, "tools/list", "--strict", "--protocol-era", era)
    names = [tool["name"] for tool in listed["result"]["tools"]]
    assert code == 0
    assert {"action_spec_search", "action_execute", "session_list", "review_start"} <= set(names)


def test_a_tool_is_called(home: Home) -> None:
    words = ("--tool-name", "action_spec_get", "--tool-args-json", '{"id": "review.start"}')
    code, called = inspect(home, "tools/call", *words)
    assert code == 0
    assert called["result"]["structuredContent"]["id"] == "review.start"


def test_an_error_is_shown_in_our_words(home: Home) -> None:
    words = ("--tool-name", "action_spec_get", "--tool-args-json", '{"id": "nope"}')
    code, called = inspect(home, "tools/call", *words)
    assert code == 5
    assert called["result"]["isError"]
    assert called["result"]["structuredContent"]["code"] == "unknown_action"
