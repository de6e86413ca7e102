"""Taking servers over: found on a machine that is only read, conflicts, secrets, what is never taken."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from actions.errors import InvalidInput, NotFound
from actions.servers.files.book import Book
from actions.servers.imports.dialects import DIALECTS
from actions.servers.imports.places import places
from actions.servers.service import ServersService
from actions.storage.paths import Paths
from actions.storage.secrets import FileStore, Secret

FIXTURES = Path(__file__).parents[3] / "fixtures" / "import"
CANARIES = ("BSA-canary-0123456789", "ctx7sk-canary-0123456789abcdef", "zed-canary-token")


class Machine:
    """A home of ours and a user's home with every program's files in it."""

    def __init__(self, folder: Path) -> None:
        self.user = folder / "user"
        self.environ = {"HOME": str(self.user), "PATH": "/usr/bin:/bin", "USER": "me"}
        self.paths = Paths.under(folder / "home")
        self.paths.ensure()
        self.store = FileStore(self.paths.secrets_file)
        self.service = ServersService(
            Book(self.paths.mcp_file, lambda: self.environ),
            environ=lambda: self.environ,
            secrets=lambda: self.store,
            publish=lambda kind, data: None,
        )

    def install(self) -> None:
        """Put each fixture where its program has it."""
        placed: set[str] = set()
        for place in places(self.environ):
            if place.client in placed or (place.client == "opencode" and place.file.suffix == ".json"):
                continue
            placed.add(place.client)
            (fixture,) = [f for f in FIXTURES.glob(f"{place.client}.*") if not f.name.endswith(".expected.json")]
            place.file.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(fixture, place.file)
        assert placed == set(DIALECTS)

    def written(self) -> dict[str, Any]:
        return json.loads(self.paths.mcp_file.read_text())

    def prints(self) -> dict[str, str]:
        return {str(f): hashlib.sha256(f.read_bytes()).hexdigest() for f in self.user.rglob("*") if f.is_file()}


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


async def test_every_program_s_servers_are_found_and_nothing_is_written(machine):
    machine.install()
    before = machine.prints()
    found = await machine.service.detect()
    expected = {
        file.name.removesuffix(".expected.json"): [row["name"] for row in json.loads(file.read_text())]
        for file in FIXTURES.glob("*.expected.json")
    }
    seen: dict[str, list[str]] = {}
    for row in found.servers:
        seen.setdefault(row.client, []).append(row.name)
    assert seen == expected
    assert found.problems == []
    assert machine.prints() == before
    assert not machine.paths.mcp_file.exists()
    text = found.model_dump_json()
    assert [canary for canary in CANARIES if canary in text] == []
    assert "command:pick" in text


async def test_a_broken_file_of_another_program_is_told_and_hides_no_other(machine):
    machine.install()
    (machine.user / ".cursor" / "mcp.json").write_text('{"mcpServers": {\n  "a": }')
    found = await machine.service.detect()
    assert [(p["client"], p["code"]) for p in found.problems] == [("cursor", "parse_failed")]
    assert "line 2" in found.problems[0]["message"]
    assert {row.client for row in found.servers} == set(DIALECTS) - {"cursor"}


async def test_a_workspace_s_own_files_are_found_beside_the_user_s(machine, tmp_path):
    workspace = tmp_path / "project"
    (workspace / ".cursor").mkdir(parents=True)
    (workspace / ".cursor" / "mcp.json").write_text('{"mcpServers": {"a": {"command": "x"}}}')
    (row,) = (await machine.service.detect(workspace=str(workspace))).servers
    assert (row.name, row.scope) == ("a", f"project {workspace}")
    await machine.service.take_over("cursor", workspace=str(workspace))
    assert machine.written()["sayso"]["bindings"] == {"a": {str(workspace): {"enabled": True}}}


async def test_an_import_stores_secrets_and_keeps_where_it_came_from(machine):
    file = FIXTURES / "claude-desktop.json"
    done = await machine.service.take_over(str(file), client="claude-desktop")
    assert {row.name: row.status for row in done.servers} == {"filesystem": "imported", "brave-search": "imported"}
    assert done.servers[1].secrets == ["BRAVE_API_KEY"]
    written = machine.written()
    env = written["mcpServers"]["brave-search"]["env"]
    assert env == {"BRAVE_API_KEY": "${secret:mcp.brave-search.BRAVE_API_KEY}"}
    assert machine.store.get("mcp.brave-search.BRAVE_API_KEY") == Secret(CANARIES[0])
    assert written["sayso"]["bindings"]["filesystem"] == {"device": {"enabled": True}}
    origin = written["sayso"]["servers"]["filesystem"]["imported"]
    assert (origin["client"], origin["file"]) == ("claude-desktop", str(file))
    assert CANARIES[0] not in machine.paths.mcp_file.read_text() + done.model_dump_json()
    again = await machine.service.take_over(str(file), on_conflict="replace")
    assert [row.status for row in again.servers] == ["same", "same"]


async def test_a_taken_name_is_skipped_renamed_or_replaced_as_asked(machine):
    text = '{"mcpServers": {"a": {"command": "new"}, "b": {"command": "new"}, "c": {"command": "new"}}}'
    for name in "abc":
        await machine.service.create({"name": name, "command": "old"})
    asked = await machine.service.take_over(text, dry_run=True)
    assert [row.status for row in asked.servers] == ["conflict"] * 3
    done = await machine.service.take_over(text, on_conflict="skip", conflicts={"b": "rename", "c": "replace"})
    assert [(row.status, row.saved_as) for row in done.servers] == [
        ("skipped", None),
        ("renamed", "b-2"),
        ("replaced", None),
    ]
    commands = {name: entry["command"] for name, entry in machine.written()["mcpServers"].items()}
    assert commands == {"a": "old", "b": "old", "b-2": "new", "c": "new"}


async def test_only_what_was_selected_is_taken(machine):
    text = '{"mcpServers": {"a": {"command": "x"}, "b": {"command": "y"}}}'
    done = await machine.service.take_over(text, selection=["b"])
    assert [row.status for row in done.servers] == ["not_selected", "imported"]
    assert set(machine.written()["mcpServers"]) == {"b"}
    with pytest.raises(InvalidInput, match="no server 'z'"):
        await machine.service.take_over(text, selection=["z"])


async def test_switches_that_free_calls_from_being_asked_about_are_named_and_never_taken(machine):
    for client in ("codex", "gemini", "kiro", "windsurf"):
        (file,) = [f for f in FIXTURES.glob(f"{client}.*") if not f.name.endswith(".expected.json")]
        done = await machine.service.take_over(str(file), client=client, on_conflict="rename")
        assert any(row.ignored for row in done.servers)
    text = machine.paths.mcp_file.read_text()
    for word in ("trust", "autoApprove", "alwaysAllow", "approval", "disabledTools", "includeTools"):
        assert word not in text


async def test_what_is_missing_is_listed_with_its_question_and_can_be_given(machine):
    file = str(FIXTURES / "vscode.json")
    listed = (await machine.service.take_over(file, dry_run=True)).servers
    asked = next(row for row in listed if row.name == "perplexity")
    assert sorted(asked.missing) == ["input:perplexity-key", "input:region"]
    assert asked.prompts == {"input:perplexity-key": "Perplexity API Key", "input:region": "Region"}
    await machine.service.take_over(
        file, selection=["perplexity"], values={"input:perplexity-key": "pplx-canary", "input:region": "eu"}
    )
    entry = machine.written()["mcpServers"]["perplexity"]
    assert entry["args"][-1] == "eu"
    assert entry["env"]["PERPLEXITY_API_KEY"] == "${secret:mcp.perplexity.perplexity-key}"
    assert machine.store.get("mcp.perplexity.perplexity-key") == Secret("pplx-canary")


async def test_a_variable_that_is_not_set_can_be_given_and_a_secret_one_goes_to_the_store(machine):
    text = '{"mcpServers": {"a": {"command": "x", "args": ["${DIR_A}"], "env": {"T": "${MY_TOKEN}"}}}}'
    (row,) = (await machine.service.take_over(text, dry_run=True)).servers
    assert row.missing == ["DIR_A", "MY_TOKEN"]
    await machine.service.take_over(text, values={"DIR_A": "/srv", "MY_TOKEN": "tok-canary"})
    entry = machine.written()["mcpServers"]["a"]
    assert (entry["args"], entry["env"]) == (["/srv"], {"T": "${secret:mcp.a.MY_TOKEN}"})
    assert machine.store.get("mcp.a.MY_TOKEN") == Secret("tok-canary")


async def test_the_whole_command_is_shown_and_what_is_doubtful_in_it_said(machine):
    text = json.dumps(
        {
            "mcpServers": {
                "long": {"command": "npx", "args": ["-y", "some-server", *[f"--option-{n}=value" for n in range(60)]]},
                "path": {"command": "x", "env": {"LD_PRELOAD": "/tmp/evil.so"}},
                "line": {"command": "npx -y some-server"},
                "key": {"command": "x", "args": ["--api-key", "sk-abcdefghijklmnop1234"]},
            }
        }
    )
    long, path, line, key = (await machine.service.take_over(text, dry_run=True)).servers
    assert long.command[-1] == "--option-59=value"
    assert len(long.command) == 63
    assert "not pinned" in " ".join(long.warnings)
    assert "LD_PRELOAD" in " ".join(path.warnings)
    assert "whole line" in " ".join(line.warnings)
    assert "arguments" in " ".join(key.warnings)
    assert key.command == ["x", "--api-key", "•••"]


async def test_what_is_no_source_is_said(machine):
    with pytest.raises(NotFound, match="Cursor has no MCP servers"):
        await machine.service.take_over("cursor")
    with pytest.raises(NotFound, match="no file"):
        await machine.service.take_over("/not/there/mcp.json")
    with pytest.raises(InvalidInput, match="line 1"):
        await machine.service.take_over('{"mcpServers": }')
    with pytest.raises(InvalidInput, match="no MCP server in it"):
        await machine.service.take_over('{"theme": "dark"}')


async def test_the_known_servers_can_be_added_as_they_are(machine, tmp_path):
    presets = (await machine.service.presets()).presets
    assert [preset.id for preset in presets] == [
        "playwright", "context7", "sequential-thinking", "github", "filesystem", "git", "fetch", "time",
    ]  # fmt: skip
    for preset in presets:
        view = await machine.service.create(preset.definition, bindings=[{}])
        assert view.problem is None or "workspaceFolder" in view.problem
        assert view.warnings == []
    here = await machine.service.list(workspace=str(tmp_path))
    assert {row.reason for row in here.servers} == {"active_by_default"}
    chinese = (await machine.service.presets("zh")).presets
    assert chinese[0].description != presets[0].description
