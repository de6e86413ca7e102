"""What a row says besides the command: private files, variables, versions, transports, names of tools, Windows."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from pydantic import ValidationError

from actions.catalog.modes import effect_of_mode
from actions.catalog.spec import Effect
from actions.errors import NotFound
from actions.sessions import shims
from actions.sessions.detection import login_shell
from actions.sessions.environment import build_environment
from actions.sessions.lookup import find_program, python_of
from actions.sessions.mcp_names import name_for, tool_in
from actions.sessions.mcp_transport import transports
from actions.sessions.own_command import put_own_command
from actions.sessions.private import PrivateFolder
from actions.sessions.provider import Provider, Tried
from actions.sessions.registry import ProviderFile, shipped
from actions.sessions.versions import Here, below, notes_on, numbers, outside, too_old
from tests.actions.sessions.conftest import SCRIPTED, House


def _row(**fields: object) -> Provider:
    return Provider.model_validate({"id": "x", "name": "X", "command": ["x"], **fields})


def test_a_row_of_the_user_with_a_shipped_id_changes_only_what_it_names(tmp_path: Path) -> None:
    file = tmp_path / "providers.toml"
    file.write_text('[providers.opencode]\nenv = { MINE = "1" }\n[providers.kimi]\ncommand = ["kimi-next", "acp"]\n')
    registry = ProviderFile(file).load()
    assert registry.problems == ()
    opencode = registry.require("opencode")
    assert (opencode.ask_mode, opencode.env["MINE"], opencode.shipped) == ("build", "1", False)
    assert "permission" in str(opencode.env["OPENCODE_CONFIG_CONTENT"])
    assert registry.require("kimi").quirks == shipped()["kimi"].quirks


def test_a_row_that_does_not_fit_is_told_of_by_file_provider_and_key_in_words(tmp_path: Path) -> None:
    file = tmp_path / "providers.toml"
    file.write_text('[providers.mine]\ncommand = []\n[providers.other]\nname = 3\ncommand = ["x"]\n')
    assert ProviderFile(file).load().problems == (
        f"{file}:2: [providers.mine] command: is empty; it needs at least one value",
        f"{file}:4: [providers.other] name: must be a text in quotes",
    )


def test_the_way_back_to_the_mode_that_asks_is_open() -> None:
    """Seen with codex and copilot: leaving their mode to plan in was taken for a step towards asking less."""
    for row in shipped().values():
        assert {effect_of_mode(mode) for mode in (row.ask_mode, row.plan_mode)} == {Effect.NONE}, row.id
    assert effect_of_mode("agent") is Effect.DANGER, "codex: a model is asked instead of the user"


def test_private_files_hold_the_workspace_and_are_nobody_elses(tmp_path: Path) -> None:
    workspace = tmp_path / 'a "quoted" folder'
    folder = PrivateFolder(tmp_path / "private", workspace)
    row = _row(
        files={"deep/trusted.json": '{"{workspace}": "TRUST"}', "plain.txt": "{private}"},
        env={"CONFIG": "{private}/deep/trusted.json"},
        trusted_env={"TRUST": "yes"},
    )
    folder.fill(row)
    file = folder.path / "deep" / "trusted.json"
    assert json.loads(file.read_text()) == {str(workspace): "TRUST"}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert (folder.path / "plain.txt").read_text() == str(folder.path)
    assert folder.variables(row, trusted=False) == {"CONFIG": str(file)}
    assert folder.variables(row, trusted=True) == {"CONFIG": str(file), "TRUST": "yes"}
    assert {stat.S_IMODE(place.stat().st_mode) for place in (folder.path, file.parent)} == {0o700}
    (folder.path / "left-over").touch()
    folder.fill(row)
    assert not (folder.path / "left-over").exists(), "what an earlier start left is not taken up"
    folder.remove()
    assert not folder.path.exists()


@pytest.mark.parametrize("path", ["/etc/passwd", "../up", "a/../../b", "~/x", "C:\\x", "a\\..\\..\\b"])
def test_a_row_cannot_write_outside_its_folder(path: str) -> None:
    with pytest.raises(ValidationError, match="leaves the private folder"):
        _row(files={path: "x"})


async def test_an_agent_sees_its_files_while_it_runs_and_they_go_with_it(house: House) -> None:
    row = [
        "[providers.filed]",
        f'command = ["{sys.executable}", "{SCRIPTED}"]',
        'env = { AGENT_CONFIG = "{private}/agent.json" }',
        "files = { 'agent.json' = '{\"at\": \"{workspace}\"}' }",
    ]
    house.paths.providers_file.write_text("\n".join(row))
    sessions = house.room.sessions
    view = await sessions.spawn_new(provider="filed", workspace=str(house.workspace))
    said = (await sessions.send(view.id, "env", wait=True, timeout_s=30)).text or ""
    config = house.paths.state / "private" / view.id / "agent.json"
    assert f'"AGENT_CONFIG": "{config}"' in said
    assert json.loads(config.read_text()) == {"at": str(house.workspace)}
    await sessions.stop(view.id)
    assert not config.parent.exists()


async def test_a_second_command_that_is_missing_is_named(house: House) -> None:
    house.paths.providers_file.write_text(
        f'[providers.two]\ncommand = ["{sys.executable}", "{SCRIPTED}"]\nneeds = ["no-such-helper"]\n'
        'install_hint = "Install both."\n'
    )
    with pytest.raises(NotFound, match=r"'no-such-helper', which was not found\. Install both\."):
        await house.room.sessions.spawn_new(provider="two", workspace=str(house.workspace))


def test_what_is_never_inherited() -> None:
    source = {"CLAUDE_A": "1", "CLAUDE_B": "2", "OTHER": "3"}
    env = build_environment(path="/bin", pass_through=["CLAUDE_*"], unset=["CLAUDE_B"], source=source)
    assert (env.get("CLAUDE_A"), env.get("CLAUDE_B"), env.get("OTHER")) == ("1", None, None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("v22.23.3", (22, 23, 3)), ("GitHub Copilot CLI 1.0.102.", (1, 0, 102)), ("", ()), ("beta", ()), ("7", (7,))],
)
def test_versions_are_read_from_what_programs_print(text: str, expected: tuple[int, ...]) -> None:
    assert numbers(text) == expected


def test_versions_are_compared_as_numbers() -> None:
    assert below("v20.20.2", "22")
    assert below("22.9.0", "22.19")
    assert not below("22.23.3", "22")
    assert not below(None, "22"), "an unknown version is no reason to complain"
    tried = Tried(lowest="0.15.10", highest="0.24.4")
    assert [outside(v, tried) for v in ("0.15.9", "0.15.10", "0.24.4", "0.100.0", None)] == [
        True,
        False,
        False,
        True,
        False,
    ]


def test_a_person_is_told_of_versions_that_may_not_work() -> None:
    row = _row(node_min="22", tried={"lowest": "1.0", "highest": "2.0"})
    fine, old = Here("1.5", "v22.1.0"), Here("3.0", "v20.1.0")
    assert (too_old(row, fine), notes_on(row, fine)) == ([], [])
    assert too_old(row, old) == [
        "It needs Node 22 or newer; `node` here is v20.1.0. Install Node 22 and put it first on your PATH."
    ]
    assert notes_on(row, old) == ["Sayso was tried with version 1.0 to 2.0; this one is 3.0."]
    assert "no `node` was found" in too_old(row, Here())[0]


def test_what_is_too_old_says_what_to_do() -> None:
    row = _row(python_min="3.12", version_min="0.81", install_hint="Install it again.")
    assert too_old(row, Here("0.80.3", None, "Python 3.11.2")) == [
        "It needs Python 3.12 or newer; it was installed for Python 3.11.2. Install it again.",
        "Sayso needs its version 0.81 or newer; this one is 0.80.3. Install it again.",
    ]
    assert too_old(row, Here("0.81.0", None, "Python 3.12.1")) == too_old(row, Here()) == []


@pytest.mark.parametrize(("version", "bad"), [("1.27.9", 0), ("1.28.0", 1), ("kiro-cli 1.29.4", 1), ("1.30.0", 0)])
def test_versions_that_are_known_to_fail_are_told_of(version: str, bad: int) -> None:
    assert len(notes_on(shipped()["kiro"], Here(version))) == bad


@pytest.mark.parametrize(
    ("head", "python"),
    [
        (b"#!/opt/venv/bin/python3.12\n# -*- coding", ["/opt/venv/bin/python3.12"]),
        (b"#!/usr/bin/env python3\n", ["python3"]),
        (b"#!/usr/bin/env -S VAR=1 python3 -E\n", ["python3"]),
        (b"#!/bin/sh\n'''exec' \"/a b/bin/python\" \"$0\" \"$@\"\n' '''\n", ["/a b/bin/python"]),
        (b"#!/usr/bin/env node\n", None),
        (b"#!/bin/sh\necho\n", None),
        (b"\x7fELF\x02", None),
        (b"", None),
    ],
)
def test_the_python_of_a_script_is_told_by_its_first_lines(head: bytes, python: list[str] | None) -> None:
    assert python_of(head) == python


def test_on_windows_a_name_is_found_with_its_extension_only(tmp_path: Path) -> None:
    first, second = tmp_path / "one", tmp_path / "two"
    for folder in (first, second):
        folder.mkdir()
    (first / "agent").touch()  # npm's script for other shells
    (second / "agent").touch()
    (second / "agent.cmd").touch()
    (second / "tool.exe").touch()
    path = f'"{first}";;{second}'

    def found(program: str) -> str | None:
        return find_program(program, path, windows=True, pathext=".COM;.EXE;.BAT;.CMD")

    assert found("agent") == str(second / "agent.cmd")
    assert found("tool") == found("tool.exe") == str(second / "tool.exe")
    assert found(str(second / "agent")) == str(second / "agent.cmd")
    assert found("nothing") is None
    assert login_shell({"SHELL": "/bin/zsh"}, windows=True) is None
    assert (login_shell({"SHELL": "/bin/zsh"}, windows=False) or [])[:2] == ["/bin/zsh", "-lc"]


def test_sessions_that_start_at_once_do_not_take_the_command_from_each_other(tmp_path: Path) -> None:
    for n in range(20):
        ready = threading.Barrier(8)

        def put(folder: Path, ready: threading.Barrier = ready) -> None:
            ready.wait()
            put_own_command(folder)

        with ThreadPoolExecutor(8) as threads:
            list(threads.map(put, [tmp_path / str(n)] * 8))
        assert [file.name for file in (tmp_path / str(n)).iterdir()] == ["sayso"]


def test_the_command_of_our_own_is_there_on_both_kinds_of_system(tmp_path: Path) -> None:
    put_own_command(tmp_path, windows=True, python=r"C:\Program Files\Sayso\python.exe")
    text = (tmp_path / "sayso.cmd").read_text()
    assert text.startswith('@"C:\\Program Files\\Sayso\\python.exe" -E -P -m actions.cli.main %*')
    put_own_command(tmp_path, windows=False)
    before = (tmp_path / "sayso").stat()
    put_own_command(tmp_path, windows=False)
    assert (tmp_path / "sayso").stat().st_ino == before.st_ino, "one that is right is left alone"
    ran = subprocess.run([tmp_path / "sayso", "--version"], capture_output=True, text=True, check=True)
    assert ran.stdout.strip()


def test_transports_are_the_rows_choice_of_what_is_offered() -> None:
    everything = {"mcpCapabilities": {"http": True, "sse": True}}
    assert transports(shipped()["claude"], everything) == ("http", "stdio", "sse")
    assert transports(shipped()["claude"], {}) == ("stdio",)
    assert transports(shipped()["copilot"], {"mcpCapabilities": {"http": True}}) == ("http",)
    assert transports(shipped()["copilot"], {}) == ()
    assert transports(shipped()["pi"], everything) == ()


@pytest.mark.parametrize(
    ("provider", "seen"),
    [
        ("opencode", "my_server_run_list"),
        ("claude", "mcp__my_server__run_list"),
        ("gemini", "mcp_my_server_run_list"),
        ("copilot", "my_server-run_list"),
        ("codex", "mcp__my_server/run_list"),
    ],
)
def test_a_tool_is_known_by_the_name_that_the_model_sees(provider: str, seen: str) -> None:
    template = shipped()[provider].mcp_tool_name
    assert name_for(template, "my_server", "run_list") == seen
    assert tool_in(template, seen, ("my", "my_server")) == ("my_server", "run_list")
    assert tool_in(template, "bash", ("my", "my_server")) is None
    assert tool_in(shipped()["kimi"].mcp_tool_name, "run_list", ("my_server",)) is None


# As npm's cmd-shim writes them.
_CMD = """@ECHO off\r
GOTO start\r
:find_dp0\r
SET dp0=%~dp0\r
EXIT /b\r
:start\r
SETLOCAL\r
CALL :find_dp0\r
\r
IF EXIST "%dp0%\\node.exe" (\r
  SET "_prog=%dp0%\\node.exe"\r
) ELSE (\r
  SET "_prog=node"\r
  SET PATHEXT=%PATHEXT:;.JS;=;%\r
)\r
\r
endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\\node_modules\\agent\\dist\\index.js" %*\r
"""


def test_a_cmd_of_npm_is_taken_apart(tmp_path: Path) -> None:
    shim = tmp_path / "agent.cmd"
    shim.write_text(_CMD)
    script = tmp_path / "node_modules" / "agent" / "dist" / "index.js"
    assert shims.resolved(str(shim), "/usr/bin/node") == [str(shim)], "the script is not there"
    script.parent.mkdir(parents=True)
    script.touch()
    assert shims.resolved(str(shim), "/usr/bin/node") == ["/usr/bin/node", str(script)]
    assert shims.resolved(str(shim), None) == [str(shim)]
    (tmp_path / "node.exe").touch()
    assert shims.resolved(str(shim), "/usr/bin/node") == [str(tmp_path / "node.exe"), str(script)]
    assert shims.resolved("/usr/bin/agent", "/usr/bin/node") == ["/usr/bin/agent"]


async def test_after_a_sign_in_it_is_tried_once_more(house: House) -> None:
    provider = house.provider("login")
    check = await house.room.providers.check(provider)
    assert (check.ok, [method.kind for method in check.sign_in]) == (False, ["agent", "terminal", "env_var"])
    assert check.error is not None
    assert "It offers: Browser (browser), Terminal (term), Key (key)." in check.error.message
    assert (await house.room.providers.check(provider, sign_in="browser")).ok


@pytest.mark.parametrize(
    ("method", "says"), [("term", "in a terminal"), ("key", "set THE_KEY"), ("pigeon", "it offers browser, term, key")]
)
async def test_a_sign_in_that_is_no_call_says_what_to_do(house: House, method: str, says: str) -> None:
    check = await house.room.providers.check(house.provider("login"), sign_in=method)
    assert check.error is not None
    assert check.error.code == "invalid_input"
    assert says in check.error.message


async def test_a_key_that_is_set_is_used_before_a_session_is_asked_for(house: House) -> None:
    sign_in = 'sign_in = { method = "browser", when_env = "THE_KEY" }\n'
    house.paths.providers_file.write_text(
        f'[providers.keyed]\ncommand = ["{sys.executable}", "{SCRIPTED}"]\n{sign_in}'
        'env = { SCRIPTED = "login", THE_KEY = "k" }\n'
    )
    assert (await house.room.providers.check("keyed")).ok
