"""`sayso mcp ...`: servers added, switched, tried and taken over by command, against a real host."""

from __future__ import annotations

import json
import sqlite3
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.actions.cli.home import COMMAND, Home
from tests.actions.cli.terminal import at_terminal

CANARY = "canary-9c2e-never-shown"
SERVER = """
from mcp.server import MCPServer
server = MCPServer("mine")

@server.tool()
def add(a: int, b: int) -> int:
    return a + b

server.run("stdio")
"""


def servers(home: Home, *words: str) -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in home.sayso("mcp", "servers", *words, "--json").data["servers"]}


@pytest.mark.timeout(180)
def test_a_server_s_life_by_command(lively: Home):
    workspace = str(lively.workspace)
    script = lively.workspace / "server.py"
    script.write_text(SERVER)
    added = lively.sayso("mcp", "add", "mine", "--command", sys.executable, "--arg", str(script),
                         "--env", f"API_TOKEN={CANARY}", "--env", "FROM_HERE", "--json", FROM_HERE="seen")  # fmt: skip
    assert added.exit == 0
    assert added.document["kind"] == "server"
    assert added.data["env"] == {"API_TOKEN": "${secret:mcp.mine.API_TOKEN}", "FROM_HERE": "seen"}
    assert [(b["target"], b["enabled"]) for b in added.data["bindings"]] == [("device", True)]

    tested = lively.sayso("mcp", "test", "mine", "--json")
    assert (tested.exit, tested.data["ok"], tested.data["tool_count"]) == (0, True, 1)
    assert tested.data["tools"] == ["add"]
    assert tested.data["ms"] > 0

    assert lively.sayso("mcp", "disable", "mine", "--workspace", workspace, "--json").data["enabled"] is False
    assert servers(lively)["mine"]["enabled"] is True
    assert servers(lively, "--workspace", workspace)["mine"]["reason"] == "binding_disabled"
    assert lively.sayso("mcp", "enable", "mine", "--workspace", workspace, "--json").data["target"] == workspace
    assert lively.sayso("mcp", "disable", "mine").exit == 0
    assert servers(lively)["mine"]["enabled"] is False

    assert lively.sayso("mcp", "servers", "--quiet").out == "mine\n"
    text = lively.sayso("mcp", "servers")
    assert "mine" in text.out
    again = lively.sayso("mcp", "add", "mine", "--command", "x", "--json")
    assert (again.exit, again.error["code"]) == (2, "invalid_input")
    assert lively.sayso("mcp", "remove", "mine", "--json").exit == 0
    assert servers(lively) == {}
    gone = lively.sayso("mcp", "test", "mine", "--json")
    assert (gone.exit, gone.error["code"]) == (1, "not_found")

    outputs = [ran.out + ran.err for ran in (added, tested, text, again, gone)]
    assert [out for out in outputs if CANARY in out] == []
    assert _holding(lively.folder, CANARY) == []


@pytest.mark.timeout(120)
def test_a_server_that_fails_says_why_and_the_command_fails(lively: Home):
    code = "import os, sys; print('key', os.environ['K_TOKEN'], 'refused', file=sys.stderr); sys.exit(3)"
    how = ("--command", sys.executable, "--arg=-c", "--arg", code)
    lively.sayso("mcp", "add", "dead", *how, "--env", f"K_TOKEN={CANARY}")
    ran = lively.sayso("mcp", "test", "dead", "--json")
    assert ran.exit == 1
    assert ran.error["code"] == "failed"
    assert ran.error["details"]["code"] == "launch_failed"
    assert ran.error["details"]["exit_code"] == 3
    assert "key ••• refused" in ran.error["details"]["stderr"]
    assert CANARY not in ran.out + ran.err
    assert ran.document["data"]["ok"] is False
    lively.sayso("mcp", "remove", "dead")


def test_import_shows_first_and_takes_over_by_command(lively: Home, tmp_path: Path):
    file = tmp_path / "settings.json"
    entry = {"command": "npx", "args": ["-y", "thing@1.0.0"], "env": {"THING_KEY": CANARY}, "trust": True}
    file.write_text(json.dumps({"mcpServers": {"thing": entry}}))
    shown = lively.sayso("mcp", "import", str(file), "--client", "gemini", "--dry-run", "--json")
    (row,) = shown.data["servers"]
    assert {name: row[name] for name in ("name", "transport", "status", "ignored", "secrets", "command")} == {
        "name": "thing",
        "transport": "stdio",
        "status": "new",
        "ignored": ["trust"],
        "secrets": ["THING_KEY"],
        "command": ["npx", "-y", "thing@1.0.0"],
    }
    assert servers(lively) == {}
    done = lively.sayso("mcp", "import", "settings.json", "--client", "gemini", cwd=tmp_path)
    assert done.exit == 0
    assert "runs: npx -y thing@1.0.0" in done.out
    assert "Never taken over: trust" in done.out
    assert servers(lively)["thing"]["enabled"] is True
    skipped = lively.sayso("mcp", "import", "-", "--json", input='{"mcpServers": {"thing": {"command": "other"}}}')
    assert skipped.data["servers"][0]["status"] == "skipped"
    renamed = lively.sayso("mcp", "import", "uvx thing", "--on-conflict", "rename", "--json")
    assert renamed.data["servers"][0]["saved_as"] == "thing-2"
    for name in ("thing", "thing-2"):
        lively.sayso("mcp", "remove", name)
    assert [ran.out for ran in (shown, done) if CANARY in ran.out + ran.err] == []
    assert _holding(lively.folder, CANARY) == []


def test_at_a_terminal_an_import_shows_asks_and_takes_what_is_missing_unseen(lively: Home, tmp_path: Path):
    lively.sayso("mcp", "add", "thing", "--command", "old")
    file = tmp_path / "mcp.json"
    env = {"K": "${input:the-key}"}
    asks = [{"id": "the-key", "description": "Key of the thing", "password": True, "type": "promptString"}]
    file.write_text(
        json.dumps({"servers": {"thing": {"command": "new", "args": ["--deep"], "env": env}}, "inputs": asks})
    )
    exit, shown = at_terminal(
        [COMMAND, "mcp", "import", str(file), "--client", "vscode"],
        lively.environment(),
        [
            ("(s)kip, (r)ename or re(p)lace?", "r\n"),
            ("Key of the thing", f"{CANARY}\n"),
            ("Take over 1 of them?", "y\n"),
        ],
    )
    assert exit == 0, shown
    assert shown.index("runs: new --deep") < shown.index("Take over 1 of them?")
    assert "renamed as thing-2" in shown
    assert CANARY not in shown
    assert servers(lively)["thing-2"]["command"] == "new"
    exit, shown = at_terminal(
        [COMMAND, "mcp", "import", "uvx other==1"], lively.environment(), [("Take over 1 of them?", "\n")]
    )
    assert (exit, "Nothing was taken over" in shown) == (1, True)
    assert set(servers(lively)) == {"thing", "thing-2"}
    for name in ("thing", "thing-2"):
        lively.sayso("mcp", "remove", name)
    assert _holding(lively.folder, CANARY) == []


def test_a_secret_that_was_written_by_hand_is_moved_by_the_command_that_its_warning_names(lively: Home):
    file = lively.folder / "config" / "mcp.json"
    kept = file.read_text()
    file.write_text(json.dumps({"mcpServers": {"byhand": {"command": "x", "env": {"API_KEY": CANARY}}}}))
    shown = lively.sayso("mcp", "show", "byhand", "--json").data
    command = shown["warnings"][0].split(": sayso ")[1].split()
    assert shown["env"] == {"API_KEY": "•••"}
    moved = lively.sayso(*command, "--json").data
    assert moved["moved_to_secrets"] == ["mcp.byhand.API_KEY"]
    assert CANARY not in file.read_text()
    file.write_text(kept)


def test_a_known_server_asks_for_its_key_unseen(lively: Home):
    exit, shown = at_terminal(
        [COMMAND, "mcp", "add", "hub", "--preset", "github"],
        lively.environment(),
        [("Access token (Enter: without)", f"{CANARY}\n")],
    )
    assert exit == 0, shown
    assert CANARY not in shown
    headers = lively.sayso("mcp", "show", "hub", "--json").data["headers"]
    assert headers == {"Authorization": "Bearer ${secret:mcp.hub.Authorization}"}
    lively.sayso("mcp", "remove", "hub")
    assert _holding(lively.folder, CANARY) == []


def test_a_broken_file_is_told_by_its_line(lively: Home):
    file = lively.folder / "config" / "mcp.json"
    kept = file.read_text()
    file.write_text('{\n  "mcpServers": {\n    "a": {"command": "x"}\n    "b": {}\n  }\n}')
    listed = lively.sayso("mcp", "servers", "--json")
    assert [(p["line"], p["file"]) for p in listed.data["problems"]] == [(4, str(file))]
    assert "line 4" in lively.sayso("mcp", "servers").out
    added = lively.sayso("mcp", "add", "c", "--command", "x", "--json")
    assert (added.exit, added.error["details"]["line"]) == (1, 4)
    file.write_text(kept)


def test_wrong_usage_names_what_is_wrong(lively: Home):
    for words, field in (
        (("mcp", "add", "x"), "command"),
        (("mcp", "add", "x", "--command", "a", "--url", "https://x.example/"), "command"),
        (("mcp", "add", "x", "--command", "a", "--env", "NOT_SET_HERE"), "env"),
        (("mcp", "add", "x", "--url", "https://x.example/", "--header", "nothing"), "header"),
        (("mcp", "add", "x", "--command", "a", "--workspace", "/not/there"), None),
    ):
        ran = lively.sayso(*words, "--json")
        assert ran.exit in (1, 2)
        if field is not None:
            assert ran.error["details"]["fields"][0]["field"] == field


def _holding(folder: Path, canary: str) -> list[str]:
    """Files of a home that hold a text, the database by its rows."""
    found = [str(file) for file in folder.rglob("*") if file.is_file() and canary.encode() in file.read_bytes()]
    for file in folder.rglob("*.db"):
        with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as database:
            found += [f"{file}: {line[:60]}" for line in database.iterdump() if canary in line]
    return found
