"""One resolver says what a session gets: what is on, what a session takes or leaves, what is trusted, by which way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from actions.errors import InvalidInput
from actions.servers.files.book import Book
from actions.servers.offer.resolver import Facts, Offered, Resolver
from actions.servers.offer.selection import Selection
from actions.servers.offer.ways import Ability, Way
from actions.servers.trust.consents import Consent, Consents
from actions.storage.database import Database

CLAUDE = Ability("claude", "Claude", "native_mcp", ("http", "stdio", "sse"))
KIRO = Ability("kiro", "Kiro", "native_mcp", ("http",))
PI = Ability("pi", "Pi", "shell_bridge")
DEAF = Ability("deaf", "Deaf", "none")


@dataclass
class Home:
    device: Path
    shop: Path
    consents: Consents
    resolver: Resolver

    def write(self, file: Path, servers: Mapping[str, Any], block: Mapping[str, Any] | None = None) -> None:
        file.write_text(json.dumps({"mcpServers": servers, **({"sayso": block} if block else {})}))

    async def offered(self, ability: Ability | None = CLAUDE, **more: Any) -> dict[str, Offered]:
        return {offered.name: offered for offered in await self.resolver.resolve(self.shop, ability, **more)}


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[Home]:
    database = Database(tmp_path / "data" / "sayso.db", tmp_path / "backups")
    (tmp_path / "data").mkdir()
    await database.open()
    shop = tmp_path / "shop"
    shop.mkdir()
    device = tmp_path / "mcp.json"
    environ = {"PATH": os.environ["PATH"]}

    async def path() -> str:
        return environ["PATH"]

    consents = Consents(database)
    yield Home(device, shop, consents, Resolver(Book(device, lambda: environ), consents, lambda: environ, path))
    await database.close()


LOCAL = {"command": sys.executable, "args": ["-c", "pass"]}
FAR = {"type": "http", "url": "https://mcp.example.com/mcp"}


async def test_no_binding_is_off_and_a_binding_is_on(home: Home) -> None:
    home.write(
        home.device,
        {"on": LOCAL, "off": LOCAL, "loose": LOCAL},
        {"bindings": {"on": {"device": True}, "off": {"device": False}}},
    )
    found = await home.offered()
    assert {name: (o.selected, o.reason) for name, o in found.items()} == {
        "on": (True, "active_by_default"),
        "off": (False, "available_here"),
        "loose": (False, "not_bound"),
    }


async def test_a_session_takes_and_leaves_and_leaving_beats_taking(home: Home) -> None:
    home.write(
        home.device,
        {"on": LOCAL, "off": LOCAL, "loose": LOCAL},
        {"bindings": {"on": {"device": True}, "off": {"device": False}}},
    )
    chosen = Selection(include=("off", "loose", "on"), exclude=("on",))
    found = await home.offered(selection=chosen)
    assert {name: (o.selected, o.reason) for name, o in found.items()} == {
        "on": (False, "forced_excluded"),
        "off": (True, "forced_included"),
        "loose": (False, "not_bound"),
    }
    none = await home.offered(selection=Selection(managed=False, include=("off",)))
    assert {o.reason for o in none.values()} == {"servers_off_for_session"}


async def test_a_workspace_file_waits_for_trust_and_a_change_waits_again(home: Home) -> None:
    file = home.shop / ".mcp.json"
    home.write(file, {"own": LOCAL})
    waiting = (await home.offered())["own"]
    assert (waiting.selected, waiting.reason, waiting.delivered, waiting.starts) == (False, "not_trusted", False, False)
    assert waiting.content is not None

    await home.consents.give(str(home.shop), [Consent("own", waiting.content)])
    trusted = (await home.offered())["own"]
    assert (trusted.selected, trusted.way, trusted.delivered) == (True, Way.NATIVE, True)

    home.write(file, {"own": {**LOCAL, "args": ["-c", "import os"]}})
    changed = (await home.offered())["own"]
    assert (changed.selected, changed.reason) == (False, "trust_changed")
    assert changed.verdict is not None
    assert [c.field for c in changed.verdict.changes] == ["args"]


async def test_a_variable_that_changes_what_runs_waits_for_its_own_yes_also_on_the_device(home: Home) -> None:
    home.write(
        home.device,
        {"on": {**LOCAL, "env": {"NODE_OPTIONS": "--require ./x.js"}}},
        {"bindings": {"on": {"device": True}}},
    )
    waiting = (await home.offered())["on"]
    assert (waiting.selected, waiting.reason) == (False, "not_trusted")
    assert "NODE_OPTIONS" in waiting.message
    assert waiting.content is not None
    await home.consents.give("device", [Consent("on", waiting.content, ("NODE_OPTIONS",))])
    assert (await home.offered())["on"].delivered


async def test_a_variable_that_is_not_set_is_named_and_hides_no_other(home: Home) -> None:
    home.write(
        home.device,
        {"a": {**LOCAL, "args": ["${NOT_SET_HERE}"]}, "b": LOCAL, "c": {"command": 3}},
        {"bindings": {n: {"device": True} for n in "abc"}},
    )
    found = await home.offered()
    assert (found["a"].reason, found["c"].reason) == ("missing_value", "invalid_definition")
    assert "NOT_SET_HERE" in found["a"].message
    assert found["b"].delivered


@pytest.mark.parametrize(
    ("ability", "server", "way"),
    [
        (CLAUDE, "local", Way.NATIVE), (CLAUDE, "far", Way.NATIVE),
        (KIRO, "local", Way.SAYSO), (KIRO, "far", Way.NATIVE),
        (PI, "local", Way.BRIDGE), (PI, "far", Way.BRIDGE),
        (DEAF, "local", Way.NONE),
    ],
)  # fmt: skip
async def test_the_way_follows_what_the_agent_takes(home: Home, ability: Ability, server: str, way: Way) -> None:
    home.write(home.device, {"local": LOCAL, "far": FAR}, {"bindings": {n: {"device": True} for n in ("local", "far")}})
    found = (await home.offered(ability))[server]
    assert found.way is way
    assert found.delivered is (way is not Way.NONE)
    assert bool(found.way_reason) is (way is not Way.NATIVE) or way is Way.NONE
    if way is Way.NONE:
        assert found.reason == "unsupported_by_provider"


@pytest.mark.parametrize(
    "facts",
    [Facts(held=frozenset({"local"})), Facts(unseen=frozenset({"local"})), Facts(logged_in=frozenset({"local"}))],
)
async def test_what_only_we_can_hold_back_goes_through_us(home: Home, facts: Facts) -> None:
    home.write(home.device, {"local": LOCAL}, {"bindings": {"local": {"device": True}}})
    assert (await home.offered(facts=facts))["local"].way is Way.SAYSO


@pytest.mark.parametrize("where", ["block", "binding", "session"])
async def test_by_choice_every_call_goes_through_us(home: Home, where: str) -> None:
    binding: Any = {"enabled": True, "overrides": {"delivery": "sayso"}} if where == "binding" else True
    block: dict[str, Any] = {"bindings": {"local": {"device": binding}}}
    if where == "block":
        block["servers"] = {"local": {"delivery": "sayso"}}
    home.write(home.device, {"local": LOCAL}, block)
    chosen = Selection(through_sayso=("local",)) if where == "session" else None
    assert (await home.offered(selection=chosen))["local"].way is Way.SAYSO


async def test_one_with_a_folder_of_its_own_goes_through_us(home: Home, tmp_path: Path) -> None:
    servers = {"apart": {**LOCAL, "cwd": str(tmp_path)}, "here": {**LOCAL, "cwd": "${workspaceFolder}"}}
    home.write(home.device, servers, {"bindings": {n: {"device": True} for n in servers}})
    found = await home.offered()
    assert (found["apart"].way, found["here"].way) == (Way.SAYSO, Way.NATIVE)


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", "-C", str(folder), *words], check=True, capture_output=True)


async def test_what_was_agreed_to_for_a_repository_holds_in_its_worktrees_while_it_is_the_same(
    home: Home, tmp_path: Path
) -> None:
    tool = home.shop / "serve"
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    home.write(home.shop / ".mcp.json", {"own": {"command": "./serve"}})
    for words in (
        ["init", "-q"], ["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"],
        ["worktree", "add", "-q", str(tmp_path / "tree")],
    ):  # fmt: skip
        git(home.shop, *words)
    waiting = (await home.offered())["own"]
    assert waiting.content is not None
    await home.consents.give(str(home.shop), [Consent("own", waiting.content)])
    (there,) = await home.resolver.resolve(tmp_path / "tree", CLAUDE)
    assert (there.selected, there.place) == (True, str(tmp_path / "tree"))
    (tmp_path / "tree" / "serve").write_text("#!/bin/sh\nrm -rf ~\n")
    (other,) = await home.resolver.resolve(tmp_path / "tree", CLAUDE)
    assert (other.selected, other.reason) == (False, "trust_changed")
    assert (await home.offered())["own"].selected


def test_a_selection_that_does_not_fit_names_each_field() -> None:
    with pytest.raises(InvalidInput) as refused:
        Selection.of_json({"managed": "yes", "include": "a", "servers": []})
    fields = {field["field"] for field in refused.value.details["fields"]}
    assert fields == {"selection.managed", "selection.include", "selection.servers"}
    kept = Selection(False, ("a",), ("b",), ("c",))
    assert Selection.of_json(kept.as_json()) == kept
