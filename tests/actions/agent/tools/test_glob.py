"""Glob on real folders, with both engines."""

from __future__ import annotations

from pathlib import Path

import pytest

from actions.agent.tools.glob import Glob
from actions.agent.tools.needs import Workspace
from actions.agent.tools.searching.choice import EngineName
from actions.agent.toolset.results import ErrorClass
from tests.actions.agent.tools.files_desk import call, workspace


@pytest.fixture
def desk(tmp_path: Path) -> Workspace:
    desk = workspace(tmp_path)
    for name in "a.py b.txt src/c.py src/deep/d.py src/deep/e.ts .hidden/f.py build/g.py src/[x].py".split():
        (desk.root / name).parent.mkdir(parents=True, exist_ok=True)
        (desk.root / name).write_text("")
    (desk.root / ".gitignore").write_text("build/\n")
    return desk


@pytest.fixture(params=["ripgrep", "own"])
def tool(desk: Workspace, request: pytest.FixtureRequest) -> Glob:
    engine: EngineName = request.param
    return Glob(desk, engine=engine)


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ({"pattern": "*"}, ".gitignore .hidden/ a.py b.txt src/"),
        ({"pattern": "*.py"}, "a.py"),
        ({"pattern": "**/*.py"}, ".hidden/f.py a.py src/[x].py src/c.py src/deep/d.py"),
        ({"pattern": "src/**"}, "src/[x].py src/c.py src/deep/ src/deep/d.py src/deep/e.ts"),
        ({"pattern": "src/**/*.{py,ts}"}, "src/[x].py src/c.py src/deep/d.py src/deep/e.ts"),
        ({"pattern": "*.py", "path": "src"}, "src/[x].py src/c.py"),
        ({"pattern": "src/deep/e.ts"}, "src/deep/e.ts"),
        ({"pattern": "./*.txt"}, "b.txt"),
        ({"pattern": "**/deep/"}, "src/deep/"),
        ({"pattern": "[ab].*"}, "a.py b.txt"),
        ({"pattern": "**/*.PY"}, ""),
        ({"pattern": "build/*"}, "build/g.py"),
        ({"pattern": "**/g.py"}, ""),
        ({"pattern": "**/g.py", "include_ignored": True}, "build/g.py"),
        ({"pattern": "nothing*"}, ""),
    ],
)
async def test_what_is_found(tool: Glob, arguments: dict[str, object], found: str) -> None:
    result = await call(tool, **arguments)
    assert not result.is_error, result.message
    assert result.output == "\n".join(found.split())


async def test_absolute_patterns_and_those_that_lead_out(tool: Glob, desk: Workspace, tmp_path: Path) -> None:
    assert (await call(tool, pattern=f"{desk.root}/*.py")).output == "a.py"
    (tmp_path / "outside.txt").write_text("")
    assert (await call(tool, pattern="../*.txt")).output == str(tmp_path / "outside.txt")


async def test_the_limit_says_how_many_there_are(tool: Glob) -> None:
    result = await call(tool, pattern="**/*.py", limit=2)
    assert result.output == ".hidden/f.py\na.py"
    assert result.message == "5 found. The first 2 are listed; narrow the pattern for the rest."


async def test_an_empty_answer_says_what_was_left_out(tool: Glob) -> None:
    assert "include_ignored" in (await call(tool, pattern="**/g.py")).message


@pytest.mark.parametrize("pattern", ["", "**/../x", "{1..100000}", "x\0y*"])
async def test_bad_patterns(tool: Glob, pattern: str) -> None:
    assert (await call(tool, pattern=pattern)).error is ErrorClass.INVALID_INPUT


@pytest.mark.parametrize("path", ["missing", "a.py"])
async def test_bad_folders(tool: Glob, path: str) -> None:
    assert (await call(tool, pattern="*", path=path)).is_error
