"""Masking and bounds of the wire log, byte for byte."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from actions.sessions.wirelog import WireTap, secrets_of, wire_file


def log(tmp_path: Path, *messages: dict[str, Any], secrets: tuple[str, ...] = (), limit: int = 10_000) -> Path:
    file = wire_file(tmp_path, "ses_1")
    tap = WireTap(file, secrets, limit=limit)
    tap.open = True
    for message in messages:
        tap.note("out", message)
    return file


def test_the_env_and_headers_of_mcp_servers_are_masked_by_their_type(tmp_path: Path) -> None:
    servers = [
        {"name": "a", "command": "x", "args": [], "env": [{"name": "HOST", "value": "no-key-by-name"}]},
        {"name": "b", "type": "http", "url": "http://h", "headers": [{"name": "X-A", "value": "Bearer q"}]},
        "odd",
    ]
    file = log(tmp_path, {"method": "session/new", "params": {"cwd": "/w", "mcpServers": servers}})
    text = file.read_text()
    assert "no-key-by-name" not in text
    assert "Bearer q" not in text
    assert json.loads(text)["message"]["params"]["mcpServers"][1]["headers"] == [{"name": "X-A", "value": "•••"}]


def test_known_values_are_masked_wherever_they_stand(tmp_path: Path) -> None:
    secret = 'a"b\nc\\defgh'
    file = log(tmp_path, {"method": "x", "params": {"text": f"it is {secret}!"}}, secrets=(secret,))
    assert json.loads(file.read_text())["message"]["params"]["text"] == "it is •••!"


def test_which_values_are_known_to_be_secret() -> None:
    environment = {"API_KEY": "longvalue1", "PATH": "/usr/bin", "MY_PASSWORD": "on", "X": "declared-one"}
    assert secrets_of(environment, ["declared-one", ""]) == ("declared-one", "longvalue1")


def test_a_message_of_megabytes_is_cut_and_a_full_file_set_aside(tmp_path: Path) -> None:
    big = {"method": "x", "params": {"text": "y" * 300_000}}
    file = log(tmp_path, big)
    entry = json.loads(file.read_text())
    assert len(entry["cut"]) == 65_536
    assert entry["length"] > 300_000
    file.unlink()
    log(tmp_path, *({"method": "m", "params": {"n": n}} for n in range(400)), limit=10_000)
    sizes = {f.name: f.stat().st_size for f in tmp_path.glob("ses_1*")}
    assert set(sizes) == {"ses_1.wire.jsonl", "ses_1.wire.jsonl.1"}
    assert max(sizes.values()) <= 10_000
    assert json.loads(file.read_text().splitlines()[-1])["message"]["params"]["n"] == 399


def test_a_closed_tap_writes_nothing_and_a_full_disk_closes_it(tmp_path: Path) -> None:
    file = wire_file(tmp_path, "ses_1")
    tap = WireTap(file, ())
    tap.note("in", {"method": "x"})
    assert not file.exists()
    unwritable = WireTap(tmp_path / "not-a-folder" / "x.wire.jsonl", ())
    unwritable.open = True
    unwritable.note("in", {"method": "x"})
    assert unwritable.open is False
