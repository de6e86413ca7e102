"""A yes is for a content: whatever changes what runs asks again, and says what changed."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from actions.servers.pool.definition import Http, SecretRef, ServerDefinition, Stdio, Value
from actions.servers.trust.consents import Consent, Consents, Trust, judge
from actions.servers.trust.content import Content, content_of
from actions.storage.database import Database

CANARY = "sk-canary0123456789abcdef"


def program(folder: Path, name: str, text: str = "#!/bin/sh\n") -> Path:
    file = folder / name
    folder.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    file.chmod(0o755)
    return file


def content(
    shop: Path,
    *args: str,
    command: str = "python3",
    env: Mapping[str, Value] | None = None,
    cwd: Path | None = None,
    path: str | None = None,
) -> Content:
    definition = ServerDefinition("own", Stdio(command, args, env or {}, cwd))
    return content_of(definition, definition, shop, os.defpath if path is None else path)


def test_it_holds_all_that_decides_what_runs(shop: Path, tmp_path: Path) -> None:
    tool = program(tmp_path / "bin", "serve")
    found = content(
        shop, "tools/server.py", "--port", "1", command="serve", env={"LEVEL": "3"}, path=str(tmp_path / "bin")
    )
    assert (found.command, found.resolved, found.args) == ("serve", str(tool), ("tools/server.py", "--port", "1"))
    assert found.env == {"LEVEL": hashlib.sha256(b"3").hexdigest()}
    assert found.scripts == {"tools/server.py": hashlib.sha256(b"print('one')\n").hexdigest()}


@pytest.mark.parametrize(
    ("args", "command", "file"),
    [
        (("tools/server.py",), "python3", "tools/server.py"),
        (("--script=tools/server.py",), "python3", "tools/server.py"),
        (("-m", "tools.server"), "python3", "tools/server.py"),
        (("tools",), "node", "tools/index.js"),
        (("run", "mcp"), "npm", "package.json"),
        ((), "./tools/server.py", "tools/server.py"),
    ],
)
def test_a_script_of_the_workspace_counts_however_it_is_named(
    shop: Path, args: tuple[str, ...], command: str, file: str
) -> None:
    (shop / file).write_text("first")
    first = content(shop, *args, command=command)
    (shop / file).write_text("second")
    second = content(shop, *args, command=command)
    assert list(first.scripts) == [file]
    assert [change.field for change in second.since(first)] == [f"scripts.{file}"]
    assert first.hash != second.hash


def test_a_file_outside_of_the_workspace_is_not_read(shop: Path, tmp_path: Path) -> None:
    (tmp_path / "outside.py").write_text("x")
    (shop / "link.py").symlink_to(tmp_path / "outside.py")
    assert content(shop, str(tmp_path / "outside.py"), "link.py").scripts == {}


def test_another_program_of_the_same_name_asks_again(shop: Path, tmp_path: Path) -> None:
    program(tmp_path / "a", "serve")
    program(tmp_path / "b", "serve")
    first = content(shop, command="serve", path=f"{tmp_path}/a:{tmp_path}/b")
    second = content(shop, command="serve", path=f"{tmp_path}/b:{tmp_path}/a")
    (change,) = second.since(first)
    assert (change.field, change.before, change.after) == ("resolved", f"{tmp_path}/a/serve", f"{tmp_path}/b/serve")


async def test_only_a_yes_for_this_very_content_lets_it_run(database: Database, shop: Path) -> None:
    consents = Consents(database)
    first = content(shop, "tools/server.py", "--safe")
    assert judge(first, (await consents.of(str(shop))).get("own"), foreign=True).trust is Trust.NOT_TRUSTED

    await consents.give(str(shop), [Consent("own", first)])
    kept = (await consents.of(str(shop)))["own"]
    assert judge(first, kept, foreign=True).runs
    assert (await consents.of(str(shop / "other"))) == {}

    verdict = judge(content(shop, "tools/server.py", "--all"), kept, foreign=True)
    assert (verdict.trust, verdict.runs) == (Trust.CHANGED, False)
    assert [(c.field, c.before, c.after) for c in verdict.changes] == [
        ("args", '["tools/server.py", "--safe"]', '["tools/server.py", "--all"]')
    ]

    await consents.withdraw(str(shop), ["own"])
    assert await consents.of(str(shop)) == {}


@pytest.mark.parametrize("name", ["PATH", "LD_PRELOAD", "node_options", "PYTHONPATH", "DYLD_INSERT_LIBRARIES"])
@pytest.mark.parametrize("foreign", [True, False])
def test_a_variable_that_changes_what_runs_needs_a_yes_of_its_own(shop: Path, name: str, foreign: bool) -> None:
    found = content(shop, env={name: "/tmp/x", "LEVEL": "3"})
    verdict = judge(found, Consent("own", found), foreign=foreign)
    assert (verdict.trust, verdict.environment, verdict.runs) == (Trust.ENVIRONMENT, (name,), False)
    assert judge(found, Consent("own", found, (name,)), foreign=foreign).runs
    other = content(shop, env={name: "/tmp/y", "LEVEL": "3"})
    assert not judge(other, Consent("own", found, (name,)), foreign=foreign).runs


def test_a_server_of_the_users_own_needs_no_yes(shop: Path) -> None:
    assert judge(content(shop), None, foreign=False).trust is Trust.OWN


async def test_a_row_that_was_changed_by_hand_is_no_consent(database: Database, shop: Path) -> None:
    consents = Consents(database)
    first = content(shop, "tools/server.py")
    await consents.give(str(shop), [Consent("own", first)])
    await database.write(
        lambda db: db.exec_driver_sql("UPDATE mcp_consents SET content = replace(content, 'server.py', 'evil.py')")
    )
    assert await consents.of(str(shop)) == {}


async def test_no_secret_is_kept_with_a_consent(database: Database, shop: Path) -> None:
    consents = Consents(database)
    local = content(shop, "--api-key", CANARY, env={"API_KEY": CANARY, "OTHER": SecretRef("shop-key", "Bearer ")})
    url = f"https://mcp.example.com/?api_key={CANARY}"
    remote = ServerDefinition("far", Http(url, {"Authorization": f"Bearer {CANARY}"}))
    far = content_of(remote, remote, shop, os.defpath)
    assert CANARY not in repr((local, far))
    await consents.give(str(shop), [Consent("own", local), Consent("far", far)])
    dumped = await database.read(lambda db: repr(db.exec_driver_sql("SELECT * FROM mcp_consents").all()))
    assert CANARY not in dumped
    assert "shop-key" in dumped

    changed = content(
        shop, "--api-key", f"{CANARY}2", env={"API_KEY": CANARY, "OTHER": SecretRef("shop-key", "Bearer ")}
    )
    assert [change.field for change in changed.since(local)] == ["args"]
