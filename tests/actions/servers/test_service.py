"""The service over real files, the real secret store and real server processes."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from actions.errors import ErrorCode, InvalidInput, NotFound, SaysoError
from actions.servers.files.book import Book
from actions.servers.service import ServersService
from actions.storage.paths import Paths
from actions.storage.secrets import FileStore, Secret, SecretStore

CANARY = "canary-5f1d-token-value"


class Home:
    """A service on a home of its own, with what it published."""

    def __init__(self, folder: Path) -> None:
        self.paths = Paths.under(folder)
        self.paths.ensure()
        self.store: SecretStore = FileStore(self.paths.secrets_file)
        self.environ = {"PATH": "/usr/bin:/bin", "HOME": str(folder / "user")}
        self.told: list[dict[str, Any]] = []
        self.heard = asyncio.Event()
        self.service = ServersService(
            Book(self.paths.mcp_file, lambda: self.environ),
            environ=lambda: self.environ,
            secrets=lambda: self.store,
            publish=self._hear,
        )

    def _hear(self, kind: str, data: dict[str, Any]) -> None:
        self.told.append({"type": kind, **data})
        self.heard.set()

    @property
    def file(self) -> Path:
        return self.paths.mcp_file

    def written(self) -> dict[str, Any]:
        return json.loads(self.file.read_text())


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[Home]:
    made = Home(tmp_path / "home")
    yield made
    await made.service.close()


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


FILES = {"name": "files", "command": "files-server", "args": ["--root", "."]}


async def test_a_new_server_stands_in_the_device_s_file_in_the_standard_shape(home, workspace):
    view = await home.service.create(FILES, bindings=[{"target": str(workspace)}])
    assert home.written() == {
        "mcpServers": {"files": {"command": "files-server", "args": ["--root", "."]}},
        "sayso": {"bindings": {"files": {str(workspace): {"enabled": True}}}},
    }
    assert (view.enabled, view.reason) == (False, "not_available_here")
    here = await home.service.read("files", workspace=str(workspace))
    assert (here.enabled, here.reason, here.bindings[0].id) == (True, "active_by_default", f"files@{workspace}")
    assert home.told == [{"type": "servers_did_change", "server": "files"}]


async def test_a_secret_goes_to_the_store_and_the_file_names_it(home):
    given = {"name": "api", "url": "https://x.example/mcp", "headers": {"Authorization": f"Bearer {CANARY}", "X": "1"}}
    view = await home.service.create(given, bindings=[{}])
    assert home.written()["mcpServers"]["api"]["headers"] == {
        "Authorization": "Bearer ${secret:mcp.api.Authorization}",
        "X": "1",
    }
    assert view.moved_to_secrets == ["mcp.api.Authorization"]
    assert home.store.get("mcp.api.Authorization") == Secret(CANARY)
    assert CANARY not in home.file.read_text() + view.model_dump_json()
    changed = await home.service.update("api", {"headers": {"Authorization": None, "X": "2"}})
    assert changed.headers == {"X": "2"}
    assert home.store.get("mcp.api.Authorization") is None


async def test_a_secret_may_stay_in_the_file_and_is_pointed_out_and_never_shown(home):
    await home.service.create({**FILES, "env": {"API_KEY": CANARY}}, secrets="literal")
    view = await home.service.read("files")
    assert home.written()["mcpServers"]["files"]["env"] == {"API_KEY": CANARY}
    assert view.env == {"API_KEY": "•••"}
    assert "plain text in: API_KEY" in view.warnings[0]
    everything = (await home.service.list()).model_dump_json() + view.model_dump_json()
    assert CANARY not in everything
    moved = await home.service.update("files", {})
    assert moved.moved_to_secrets == ["mcp.files.API_KEY"]
    assert CANARY not in home.file.read_text()


async def test_a_value_that_was_shown_as_dots_stays_what_it_was(home):
    await home.service.create({**FILES, "env": {"API_KEY": CANARY, "LEVEL": "1"}})
    await home.service.update("files", {"env": {"API_KEY": "•••", "LEVEL": "2"}})
    assert home.written()["mcpServers"]["files"]["env"] == {"API_KEY": "${secret:mcp.files.API_KEY}", "LEVEL": "2"}
    assert home.store.get("mcp.files.API_KEY") == Secret(CANARY)
    with pytest.raises(InvalidInput, match="not shown"):
        await home.service.update("files", {"args": ["--key", "•••"]})


async def test_a_change_keeps_comments_and_what_others_wrote(home):
    home.file.write_text(
        '{\n  // mine\n  "mcpServers": {\n    "files": {"command": "a", "autoApprove": ["x"]} // keep\n  }\n}\n'
    )
    await home.service.update("files", {"command": "b", "title": "My files", "call_timeout_s": 9})
    text = home.file.read_text()
    assert '{"command": "b", "autoApprove": ["x"]} // keep' in text
    assert "// mine" in text
    view = await home.service.read("files")
    assert (view.title, view.call_timeout_s, view.command) == ("My files", 9, "b")
    cleared = await home.service.update("files", {"title": None, "call_timeout_s": None})
    assert (cleared.title, cleared.call_timeout_s) == (None, None)


async def test_two_editors_cannot_lose_each_other_s_change(home):
    first = await home.service.create(FILES)
    seen = first.revision
    await home.service.update("files", {"args": ["one"]}, expected_revision=seen)
    with pytest.raises(SaysoError) as raised:
        await home.service.update("files", {"command": "other"}, expected_revision=seen)
    assert raised.value.code is ErrorCode.STALE
    assert raised.value.details["difference"] == [
        {"path": "mcpServers.files.args", "was": ["--root", "."], "is": ["one"]}
    ]
    now = await home.service.read("files")
    assert (now.command, now.args) == ("files-server", ["one"])
    await home.service.add_binding("files", "device", enabled=True, expected_revision=now.revision)
    with pytest.raises(SaysoError, match="now: bindings") as raised:
        await home.service.remove_binding("files@device", expected_revision=now.revision)
    assert raised.value.code is ErrorCode.STALE


async def test_changes_at_the_same_moment_are_all_made(home):
    await asyncio.gather(*(home.service.create({"name": f"s{n}", "command": "x"}) for n in range(12)))
    assert set(home.written()["mcpServers"]) == {f"s{n}" for n in range(12)}


async def test_a_broken_file_is_listed_by_its_line_and_refuses_changes(home):
    home.file.write_text('{\n  "mcpServers": {,}\n}')
    listed = await home.service.list()
    assert listed.servers == []
    assert (listed.problems[0].line, listed.problems[0].file) == (2, str(home.file))
    with pytest.raises(SaysoError, match="line 2"):
        await home.service.create(FILES)
    with pytest.raises(NotFound, match="line 2"):
        await home.service.read("files")
    assert home.file.read_text() == '{\n  "mcpServers": {,}\n}'


async def test_bindings_are_added_changed_and_removed(home, workspace):
    await home.service.create(FILES)
    made = await home.service.add_binding("files", "device", enabled=True)
    assert (made.id, made.enabled) == ("files@device", True)
    there = await home.service.add_binding(
        "files", str(workspace), enabled=True, overrides={"env": {"API_KEY": CANARY}, "args": ["here"]}
    )
    assert there.overrides["env"] == {"API_KEY": "${secret:" + next(iter(_secret_names(home))) + "}"}
    off = await home.service.add_binding("files", str(workspace), enabled=False)
    assert (off.enabled, off.overrides["args"]) == (False, ["here"])
    assert not (await home.service.read("files", workspace=str(workspace))).enabled
    assert (await home.service.read("files")).enabled
    changed = await home.service.edit_binding(there.id, {"enabled": True, "overrides": {}})
    assert (changed.enabled, changed.overrides) == (True, {})
    await home.service.remove_binding(there.id)
    with pytest.raises(NotFound, match=r"There is: files@device\."):
        await home.service.remove_binding(there.id)
    assert CANARY not in home.file.read_text()


def _secret_names(home: Home) -> list[str]:
    binding = json.dumps(home.written()["sayso"]["bindings"])
    return [part.split("}")[0] for part in binding.split("${secret:")[1:]]


async def test_a_server_that_is_bound_is_removed_with_its_bindings_or_not_at_all(home):
    await home.service.create({**FILES, "env": {"API_KEY": CANARY}}, bindings=[{}])
    with pytest.raises(InvalidInput, match="is bound: files@device"):
        await home.service.delete("files", remove_bindings=False)
    await home.service.delete("files", remove_bindings=True)
    assert home.written() == {"mcpServers": {}, "sayso": {"bindings": {}}}
    assert home.store.get("mcp.files.API_KEY") is None


async def test_what_cannot_be_is_refused_with_its_field(home, workspace):
    await home.service.create(FILES)
    for call, field in (
        (home.service.create(FILES), "definition.name"),
        (home.service.create({"name": "a", "command": "x"}, where="workspace"), "workspace"),
        (home.service.create({"name": "a", "url": "http://far.example/"}), "definition"),
        (home.service.create({"name": "a", "command": "x"}, bindings=[{"target": "/not/there"}]), "bindings"),
        (home.service.update("files", {"colour": "red"}), "changes.colour"),
        (home.service.update("files", {"command": ""}), "changes"),
        (home.service.add_binding("files", "device", enabled=True, overrides={"name": "x"}), "overrides.name"),
    ):
        with pytest.raises(InvalidInput) as raised:
            await call
        assert raised.value.details["fields"][0]["field"] == field
    with pytest.raises(NotFound) as missing:
        await home.service.read("filez")
    assert missing.value.details["candidates"] == [{"name": "files"}]


async def test_a_workspace_s_file_is_written_where_the_workspace_is(home, workspace):
    view = await home.service.create(FILES, where="workspace", workspace=str(workspace))
    assert (view.file, view.scope, view.enabled) == (str(workspace / ".mcp.json"), "workspace", True)
    assert json.loads((workspace / ".mcp.json").read_text())["mcpServers"]["files"]["command"] == "files-server"
    assert not home.file.exists()
    await home.service.update("files", {"command": "other"}, workspace=str(workspace))
    assert json.loads((workspace / ".mcp.json").read_text())["mcpServers"]["files"]["command"] == "other"
    await home.service.delete("files", remove_bindings=False, workspace=str(workspace))
    assert json.loads((workspace / ".mcp.json").read_text())["mcpServers"] == {}


async def test_an_edit_by_hand_is_told_while_nobody_calls(home, monkeypatch):
    monkeypatch.setattr("actions.servers.service.LOOK_EVERY", 0.02)
    await home.service.create(FILES)
    home.told.clear()
    home.heard.clear()
    home.service.start()
    home.file.write_text('{"mcpServers": {"other": {"command": "x"}}}')
    await asyncio.wait_for(home.heard.wait(), 30)
    assert home.told == [{"type": "servers_did_change"}]
    assert [row.name for row in (await home.service.list()).servers] == ["other"]


async def test_a_test_says_what_a_server_offers_or_where_it_failed(home, tmp_path, workspace):
    server = workspace / "server.py"
    server.write_text(
        "from mcp.server import MCPServer\nserver = MCPServer('mine')\n\n@server.tool()\n"
        "def add(a: int, b: int) -> int:\n    return a + b\n\nserver.run('stdio')\n"
    )
    python = sys.executable
    good = await home.service.test(None, {"name": "good", "command": python, "args": [str(server)]})
    assert (good.ok, good.tools, good.tool_count) == (True, ["add"], 1), good
    dead = {"name": "dead", "command": python, "args": ["-c", "import sys; sys.exit('no licence')"]}
    failed = await home.service.test(None, dead)
    assert (failed.ok, failed.code, failed.exit_code) == (False, "launch_failed", 1)
    assert "no licence" in (failed.stderr or "")
    missing = await home.service.test(None, {"name": "m", "command": "not-a-command"})
    assert missing.code == "launch_failed"
    unset = await home.service.test(None, {"name": "u", "command": "x", "args": ["${NOT_SET}"]})
    assert (unset.code, "NOT_SET" in (unset.message or "")) == ("missing_credentials", True)
    unknown = await home.service.test(None, {"name": "s", "command": python, "env": {"K": "${secret:nothing}"}})
    assert unknown.code == "missing_credentials"
    (workspace / ".mcp.json").write_text(json.dumps({"mcpServers": {"w": {"command": "touch", "args": ["ran"]}}}))
    foreign = await home.service.test("w", None, workspace=str(workspace))
    assert foreign.code == "not_trusted"
    assert not (workspace / "ran").exists()


async def test_a_secret_in_an_address_is_never_shown_and_one_that_is_sent_is_told(home):
    url = f"https://mcp.example.com/mcp?apiKey={CANARY}&team=blue"
    view = await home.service.create({"name": "a", "url": url, "headers": {"X": "${EXA_API_KEY}"}})
    assert view.url == "https://mcp.example.com/mcp?apiKey=•••&team=blue"
    assert "EXA_API_KEY" in view.warnings[0]
    assert "mcp.example.com" in view.warnings[0]
    assert "address" in view.warnings[1]
    found = await home.service.take_over(json.dumps({"mcpServers": {"b": {"url": url}}}), dry_run=True)
    listed = await home.service.list()
    assert CANARY not in found.model_dump_json() + listed.model_dump_json() + view.model_dump_json()
