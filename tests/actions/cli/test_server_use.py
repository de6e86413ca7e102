"""`sayso mcp trust|preview|login`: what is shown before a yes, and the one document after it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.actions.cli.home import COMMAND, Home
from tests.actions.cli.terminal import at_terminal

pytestmark = pytest.mark.e2e
BAD = str(Path(__file__).parents[2] / "fixtures" / "mcp" / "bad_stdio.py")


def folder_with(path: Path, mode: str, **more: object) -> str:
    path.mkdir()
    own = {"command": sys.executable, "args": [BAD, mode], **more}
    (path / ".mcp.json").write_text(json.dumps({"mcpServers": {"own": own}}))
    return str(path)


def test_trust_shows_what_would_run_and_takes_a_yes(lively: Home, tmp_path: Path) -> None:
    folder = folder_with(tmp_path / "a", "ok", env={"LEVEL": "3"})
    asked = lively.sayso("mcp", "trust", folder)
    assert (asked.exit, asked.out) == (2, "")
    assert f"{sys.executable} {BAD} ok" in asked.err
    assert "LEVEL" in asked.err
    exit, shown = at_terminal([COMMAND, "mcp", "trust", folder], lively.environment(), [("[y/N]", "\n")])
    assert exit == 1
    assert "Nothing was trusted" in shown
    exit, shown = at_terminal([COMMAND, "mcp", "trust", folder], lively.environment(), [("[y/N]", "y\n")])
    assert exit == 0, shown
    ran = lively.json("mcp", "trust", folder)
    assert (ran.exit, ran.data["trusted"], ran.data["servers"][0]["trust"]) == (0, True, "trusted")
    assert not lively.json("mcp", "trust", folder, "--withdraw").data["trusted"]


def test_a_script_says_yes_and_each_risky_variable_by_its_name(lively: Home, tmp_path: Path) -> None:
    folder = folder_with(tmp_path / "b", "ok", env={"LD_PRELOAD": "x.so"})
    half = lively.json("mcp", "trust", folder, "--yes")
    assert (half.exit, half.data["trusted"], half.data["servers"][0]["environment"]) == (0, False, ["LD_PRELOAD"])
    assert lively.json("mcp", "trust", folder, "--yes", "--allow-env", "LD_PRELOAD").data["trusted"]
    wrong = lively.json("mcp", "trust", folder_with(tmp_path / "c", "ok"), "--yes", "--allow-env", "PATH")
    assert (wrong.exit, wrong.error["code"]) == (2, "invalid_input")


def test_a_preview_is_one_document_of_the_promised_shape(lively: Home, tmp_path: Path) -> None:
    folder = folder_with(tmp_path / "d", "badschema")
    lively.json("mcp", "trust", folder, "--yes")
    ran = lively.json("mcp", "preview", "--workspace", folder, "--provider", "builtin")
    assert ran.exit == 0
    (server,) = ran.data["servers"]
    assert {"name", "state", "reason", "tools", "error"} <= server.keys()
    assert server["state"] == "connected"
    promised = {"name", "source", "delivery", "exposure", "approval", "available", "reason", "tokens"}
    assert all(promised <= tool.keys() for tool in ran.data["tools"])
    theirs = [tool for tool in ran.data["tools"] if tool["source"] == "own"]
    assert {tool["available"] for tool in theirs} == {True, False}
    assert all(tool["reason"] for tool in theirs if not tool["available"])
    given = [tool for tool in ran.data["tools"] if tool["available"] and tool["exposure"] == "direct"]
    assert ran.data["totals"] == {"tools": len(given), "tokens": sum(tool["tokens"] for tool in given)}
    assert ran.data["collisions"] == []
    odd = lively.json("mcp", "preview", "--workspace", folder, "--selection", '{"excluded": []}')
    assert (odd.exit, odd.error["details"]["fields"][0]["field"]) == (2, "selection.excluded")


def test_there_is_nothing_to_log_in_to_at_a_program(lively: Home, tmp_path: Path) -> None:
    folder = folder_with(tmp_path / "e", "ok")
    ran = lively.json("mcp", "login", "own", "--workspace", folder)
    assert (ran.exit, ran.error["code"]) == (2, "invalid_input")
    unknown = lively.json("mcp", "logout", "nowhere")
    assert (unknown.exit, unknown.error["code"]) == (1, "not_found")
