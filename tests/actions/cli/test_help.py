"""Help and version: no host, no heavy import, both languages."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.actions.cli.home import Home

HEAVY = {
    "pydantic", "sqlalchemy", "httpx2", "starlette", "uvicorn", "asyncio", "dataclasses", "inspect", "PySide6",
    "voice", "desktop", "platformdirs", "http.client", "ssl", "argparse", "pathlib", "urllib.parse", "actions.catalog",
    "logging",
}  # fmt: skip
PROBE = """
import sys
from actions.cli.main import main
code = main(sys.argv[1:])
print("\\n".join(sorted(sys.modules)), file=sys.stderr)
sys.exit(code)
"""


@pytest.mark.parametrize(
    "words", [["--help"], ["--version"], ["session", "--help"], ["session", "new", "--help"], ["voce"]], ids=" ".join
)
def test_nothing_heavy_is_imported_and_no_home_is_made(home: Home, words: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROBE, *words], capture_output=True, text=True, env=home.environment(), check=False
    )
    assert done.returncode == (2 if words == ["voce"] else 0)
    assert HEAVY & set(done.stderr.split()) == set()
    assert not home.folder.exists()


def test_a_call_imports_little_more(lively: Home) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROBE, "session", "list"], capture_output=True, text=True, env=lively.environment()
    )
    assert done.returncode == 0
    assert HEAVY & set(done.stderr.split()) == set()


def test_help_names_every_group(home: Home) -> None:
    shown = home.sayso("--help").out
    assert all(word in shown for word in ("session", "run", "inbox", "actions", "mcp", "doctor", "voice"))


def test_help_of_a_command_names_its_options(home: Home) -> None:
    shown = home.sayso("session", "new", "--help").out
    assert "usage: sayso session new --provider PROVIDER" in shown
    assert "--workspace DIR" in shown
    assert "--prompt" in shown


def test_help_speaks_chinese(home: Home) -> None:
    shown = home.sayso("session", "new", "--help", LANG="zh_CN.UTF-8").out
    assert "用法: sayso session new" in shown
    assert "会话" in shown
    assert "Which provider" not in shown


def test_help_and_version_as_json(home: Home) -> None:
    assert home.json("--version").data["version"]
    assert {"words": ["doctor"], "help": "See what works here, and how to fix what does not"} in home.json(
        "--help"
    ).data["commands"]
    assert home.json("run", "wait", "--help").data["words"] == ["run", "wait"]


def test_help_in_the_midst_of_a_wrong_line(home: Home) -> None:
    assert home.sayso("session", "send", "--help").exit == 0
    assert home.sayso("help", "session", "send").exit == 0
