"""MCP servers asked for by a program: a person sees all but the secret, and what was shown is what is done."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.running_host import RunningHost, running_host

CANARY = "canary-31ab-of-an-agent"


@pytest.fixture
def host(tmp_path: Path) -> Iterator[RunningHost]:
    with running_host(tmp_path / "home") as running:
        yield running


@pytest.mark.timeout(120)
def test_a_program_s_server_waits_for_a_person_and_its_secret_is_stored_nowhere(host: RunningHost):
    definition = {"name": "files", "command": "files-server", "env": {"API_KEY": CANARY}}
    refused = host.run("mcp.servers.create", "mcp", definition=definition)
    assert refused["error"]["details"]["reason"] == "secret_needs_waiting_caller"
    assert host.done("inbox.list")["rows"] == []

    asked = host.run("mcp.servers.create", "mcp", definition={**definition, "env": {"API_KEY": "${secret:mine}"}})
    assert asked["outcome"] == "pending"
    (row,) = host.done("inbox.list")["rows"]
    assert "files-server" in json.dumps(row["fields"])
    assert host.done("mcp.servers.list")["servers"] == []
    host.done("approval.request.decide", approval_id=asked["data"]["approval_id"], decision="approve")
    (server,) = host.done("mcp.servers.list")["servers"]
    assert (server["name"], server["enabled"], server["reason"]) == ("files", False, "not_bound")

    change = host.run("mcp.servers.update", "mcp", server="files", changes={"command": "other"})
    file = host.home / "config" / "mcp.json"
    file.write_text(file.read_text().replace("files-server", "edited-by-hand"))
    decided = host.run("approval.request.decide", approval_id=change["data"]["approval_id"], decision="approve")
    assert "stale" in json.dumps(decided)
    assert "edited-by-hand" in file.read_text()

    imported = host.run("mcp.servers.import", "mcp", source="cursor")
    assert imported["error"]["code"] == "unsupported_surface"

    for path in host.home.rglob("*"):
        assert not path.is_file() or CANARY.encode() not in path.read_bytes(), path
    with sqlite3.connect(f"file:{host.home / 'data' / 'sayso.db'}?mode=ro", uri=True) as database:
        assert [line for line in database.iterdump() if CANARY in line] == []
