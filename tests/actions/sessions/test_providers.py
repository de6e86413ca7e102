"""Which providers there are, what is wrong with the user's file, and what a check finds out."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from actions.errors import NotFound
from actions.sessions.detection import Detection
from actions.sessions.provider import Provider
from actions.sessions.registry import ProviderFile, shipped
from actions.sessions.tool_delivery import way_of
from tests.actions.sessions.conftest import SCRIPTED, House


def test_the_shipped_rows_are_those_of_the_design() -> None:
    by_delivery = {
        kind: {row.id for row in shipped().values() if row.delivery == kind} for kind in ("native_mcp", "shell_bridge")
    }
    assert by_delivery == {
        "native_mcp": {"builtin", "claude", "codex", "opencode", "gemini", "kiro"},
        "shell_bridge": {"auggie", "qwen", "kimi", "kilo", "pi", "copilot"},
    }
    assert shipped()["builtin"].command[0] == sys.executable
    assert shipped()["pi"].asks == "never"


def test_rows_of_the_user_add_and_replace(tmp_path: Path) -> None:
    file = tmp_path / "providers.toml"
    file.write_text(
        '[providers.my-agent]\nname = "My agent"\ncommand = ["python3", "agent.py"]\n'
        'env = { KEY = "value", TOKEN = { secret = "name" } }\ndelivery = "none"\nask_mode = "default"\n'
        '[providers.claude]\ncommand = ["/opt/claude"]\n'
    )
    registry = ProviderFile(file).load()
    assert registry.problems == ()
    mine = registry.require("my-agent")
    assert (mine.name, mine.delivery, mine.ask_mode) == ("My agent", "none", "default")
    assert registry.require("claude").command == ("/opt/claude",)
    with pytest.raises(NotFound, match="opencode"):
        registry.require("nobody")


def test_a_broken_row_is_named_by_line_and_costs_only_itself(tmp_path: Path) -> None:
    file = tmp_path / "providers.toml"
    file.write_text(
        '# mine\n[providers.bad]\nname = "Bad"\n\n[providers.good]\ncommand = ["x"]\n[providers.odd]\ncmd = "x"\n'
    )
    registry = ProviderFile(file).load()
    assert "good" in registry.providers
    assert "bad" not in registry.providers
    assert [problem.split(":")[1] for problem in registry.problems] == ["2", "8"]
    assert "command" in registry.problems[0]
    assert "does not know cmd" in registry.problems[1]


def test_a_broken_file_costs_only_the_users_rows(tmp_path: Path) -> None:
    file = tmp_path / "providers.toml"
    file.write_text('[providers.good]\ncommand = ["x"]\n[providers.bad\n')
    registry = ProviderFile(file).load()
    assert set(registry.providers) == set(shipped())
    assert "line 3" in registry.problems[0]


def test_what_was_read_before_stays_while_the_file_is_broken(tmp_path: Path) -> None:
    file = tmp_path / "providers.toml"
    providers = ProviderFile(file)
    file.write_text('[providers.mine]\ncommand = ["x"]\n[providers.claude]\nname = "My Claude"\n')
    assert providers.load().problems == ()
    file.write_text('[providers.mine]\ncommand = ["x"\n')
    broken = providers.load()
    assert (broken.require("mine").command, broken.require("claude").name) == (("x",), "My Claude")
    assert "Its providers stay as they were" in broken.problems[0]
    file.write_text('[providers.mine]\ncommand = "y z"\n[providers.claude]\nname = "New"\n')
    partly = providers.load()
    assert (partly.require("mine").command, partly.require("claude").name) == (("x",), "New")
    assert partly.problems == (f'{file}:2: [providers.mine] command must be a list, such as ["y", "z"]',)
    file.write_text("\ufeff")
    assert "mine" not in providers.load().providers


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ('[providers.x]\ncommand = ["x"]\n\ndelivery = "carrier_pigeon"\n', 4, "delivery: Input should be"),
        ('[providers.x]\ncommand = ["x"]\n[providers.x.env]\nKEY = 1\n', 4, "env.KEY"),
        ('[providers."x y"]\nname = "X"\n', 1, "id: "),
        ('[providers]\nx.command = ["x"]\nx.quirks = ["dances"]\n', 3, "unknown: dances"),
        ('[my-agent]\ncommand = ["x"]\n', 1, "a provider is a table [providers.my-agent]"),
        ("[providers]\nx = 1\n", 2, "must be a table"),
        ("\nproviders = 1\n", 2, "must be tables"),
        ('[providers.codex]\nname = "C"\ndelivery = "shell_bridge"\n', 1, "use native_mcp or none"),
        ('[providers.x]\ncommand = ["x"]\nfiles = { "../up" = "" }\n', 3, "leaves the private folder"),
    ],
)
def test_what_is_wrong_is_told_by_line_and_key(tmp_path: Path, text: str, line: int, says: str) -> None:
    file = tmp_path / "providers.toml"
    file.write_text(text)
    registry = ProviderFile(file).load()
    assert set(shipped()) <= set(registry.providers)
    assert registry.providers["codex"] == shipped()["codex"]
    told = [problem for problem in registry.problems if says in problem]
    assert told, registry.problems
    assert told[0].startswith(f"{file}:{line}: ")


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "providers.toml"
    providers = ProviderFile(file)
    assert "late" not in providers.load().providers
    file.write_text('[providers.late]\ncommand = ["x"]\n')
    assert "late" in providers.load().providers


def test_delivery_without_a_word_in_the_row_follows_initialize() -> None:
    mine = Provider(id="mine", name="Mine", command=("x",))
    assert way_of(mine, {"mcpCapabilities": {"http": True}}) == "native_mcp"
    assert way_of(mine, {"loadSession": True}) == "shell_bridge"
    assert way_of(shipped()["codex"], {}) == "native_mcp"


async def test_programs_are_found_on_the_path_of_the_login_shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    tool = tools / "an-agent"
    tool.write_text("#!/bin/sh\necho 'an-agent 4.5.6'\n")
    tool.chmod(0o755)
    shell = tmp_path / "shell"
    shell.write_text(f'#!/bin/sh\necho "Welcome to this machine"\nPATH="$PATH:{tools}"\nexec /bin/sh -c "$2"\n')
    shell.chmod(0o755)
    monkeypatch.setenv("SHELL", str(shell))
    detection = Detection()
    assert await detection.find("an-agent") == str(tool)
    assert (await detection.search_path()).split(os.pathsep).count(str(tools)) == 1
    row = Provider(id="a", name="A", command=("an-agent",), version_command=("an-agent", "--version"))
    assert await detection.version(row) == "an-agent 4.5.6"


async def test_a_shell_that_hangs_or_fails_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHELL", str(tmp_path / "no-such-shell"))
    assert await Detection().find(Path(sys.executable).name)


async def test_a_check_reports_what_the_agent_said(house: House) -> None:
    check = await house.room.providers.check(house.provider("resume"))
    assert check.ok, check.error
    assert (check.agent_name, check.agent_version, check.protocol_version) == ("Scripted", "1.2.3", 1)
    assert [mode.id for mode in check.modes] == ["auto", "ask", "plan"]
    assert check.capabilities["sessionCapabilities"] == {"resume": {}}
    assert set(check.ms) == {"spawn", "initialize", "session"}
    assert (check.id, check.installed, check.state, check.delivery) == ("scripted", True, "ready", "native_mcp")
    assert check.command == [sys.executable, str(SCRIPTED)]


@pytest.mark.parametrize(("quirk", "says"), [("crash", "exit code 3"), ("auth", "sign in")])
async def test_a_check_that_fails_says_why(house: House, quirk: str, says: str) -> None:
    check = await house.room.providers.check(house.provider(quirk))
    assert not check.ok
    assert check.error is not None
    assert says in check.error.message
    if quirk == "crash":
        assert "left-pad" in (check.stderr or "")


async def test_a_missing_agent_is_listed_with_the_fix(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.setenv("SHELL", "/bin/false")
    listed = await house.room.providers.list()
    auggie = next(view for view in listed.providers if view.id == "auggie")
    assert not auggie.installed
    assert auggie.state == "missing"
    assert "npm install -g @augmentcode/auggie" in (auggie.reason or "")
    check = await house.room.providers.check("auggie")
    assert (check.ok, check.error.code if check.error else "") == (False, "not_found")
    assert "auggie" not in {view.id for view in (await house.room.providers.list(include_missing=False)).providers}
    assert listed.providers[0].id == "builtin"


async def test_secrets_reach_the_agent_and_a_missing_one_stops_the_start(house: House) -> None:
    rows = '[providers.{id}]\ncommand = ["{python}", "{agent}"]\nenv = {{ KEY = {{ secret = "{secret}" }} }}\n'
    file = house.paths.providers_file
    fill = {"python": sys.executable, "agent": SCRIPTED}
    file.write_text(rows.format(id="has", secret="my-key", **fill) + rows.format(id="lacks", secret="other", **fill))
    sessions = house.room.sessions
    view = await sessions.spawn_new(provider="has", workspace=str(house.workspace))
    end = await sessions.send(view.id, "env", wait=True, timeout_s=30)
    assert '"KEY": "the value"' in (end.text or "")
    with pytest.raises(NotFound, match="other"):
        await sessions.spawn_new(provider="lacks", workspace=str(house.workspace))
