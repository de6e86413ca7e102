"""Grep as the model gets it, with both engines."""

from __future__ import annotations

import asyncio
from pathlib import Path

import psutil
import pytest

from actions.agent.tools import grep
from actions.agent.tools.grep import Grep, GrepParams
from actions.agent.tools.needs import Workspace
from actions.agent.tools.searching import own
from actions.agent.tools.searching.choice import EngineName
from actions.agent.toolset.results import ErrorClass
from tests.actions.agent.tools.files_desk import call, workspace
from tests.stopwatch import Stopwatch

ENGINES: list[EngineName] = ["ripgrep", "own"]


@pytest.fixture
def desk(tmp_path: Path) -> Workspace:
    desk = workspace(tmp_path)
    (desk.root / "a.py").write_text("import os\n\ndef one():\n    return os\n\n\ndef two():\n    return 2\n")
    (desk.root / "src").mkdir()
    (desk.root / "src/b.txt").write_text("def in text\n")
    (desk.root / "long.js").write_text("x" * 3_000 + "def\n")
    (desk.root / ".gitignore").write_text("*.log\n")
    (desk.root / "c.log").write_text("def\n")
    return desk


@pytest.fixture(params=ENGINES)
def tool(desk: Workspace, request: pytest.FixtureRequest) -> Grep:
    return Grep(desk, engine=request.param)


@pytest.mark.parametrize(
    ("arguments", "output", "message"),
    [
        ({}, "a.py\nlong.js\nsrc/b.txt", "4 matching lines in 3 files."),
        ({"output": "count"}, "a.py: 2\nlong.js: 1\nsrc/b.txt: 1", "4 matching lines in 3 files."),
        (
            {"output": "content", "glob": "*.{py,txt}"},
            "a.py\n3:def one():\n7:def two():\n\nsrc/b.txt\n1:def in text",
            "3 matching lines in 2 files.",
        ),
        (
            {"output": "content", "path": "a.py", "context": "1"},
            "a.py\n2-\n3:def one():\n4-    return os\n--\n6-\n7:def two():\n8-    return 2",
            "2 matching lines in 1 file.",
        ),
        ({"output": "content", "path": "a.py", "pattern": "return", "before": 1, "after": 0, "limit": 1},
         "a.py\n3-def one():\n4:    return os",
         "The first 1 matching line in 1 file; there are more. Narrow the search."),
        ({"path": "src"}, "src/b.txt", "1 matching line in 1 file."),
        ({"path": "c.log"}, "c.log", "1 matching line in 1 file."),
        ({"include_ignored": True, "glob": "*.log"}, "c.log", "1 matching line in 1 file."),
        ({"glob": "src/**"}, "src/b.txt", "1 matching line in 1 file."),
        ({"pattern": "DEF ONE", "ignore_case": True}, "a.py", "1 matching line in 1 file."),
        ({"pattern": "one()", "literal": True}, "a.py", "1 matching line in 1 file."),
        ({"pattern": r"os\n\ndef", "multiline": True, "output": "content"},
         "a.py\n1:import os\n2:\n3:def one():", "3 matching lines in 1 file."),
        ({"limit": 1}, "a.py", "The first 2 matching lines in 1 file; there are more. Narrow the search."),
        ({"pattern": "nowhere"}, "", "Nothing found in 4 files. What .gitignore excludes was not searched."),
    ],
)  # fmt: skip
async def test_what_the_model_sees(tool: Grep, arguments: dict[str, object], output: str, message: str) -> None:
    result = await call(tool, **{"pattern": "def", **arguments})
    assert (result.output, result.message) == (output, message)


async def test_long_lines_are_cut_around_the_match(tool: Grep) -> None:
    result = await call(tool, pattern="def", path="long.js", output="content")
    (_, line) = str(result.output).split("\n")
    assert len(line) < 500
    assert "def" in line
    assert "more]" in line


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"pattern": ""}, "it is empty"),
        ({"pattern": "(a"}, "set literal"),
        ({"pattern": "a(?=b)"}, "look-around"),
        ({"pattern": "[z-a]"}, "no good"),
        ({"pattern": "a", "glob": "{1..100000}"}, "glob is no good"),
        ({"pattern": "a", "path": "missing"}, "does not exist"),
    ],
)
async def test_what_cannot_be_searched(tool: Grep, arguments: dict[str, object], words: str) -> None:
    result = await call(tool, **arguments)
    assert result.is_error
    assert words in result.message


async def test_a_pattern_that_would_take_for_ever_ends(desk: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    (desk.root / "evil.txt").write_text("é" + "a" * 5_000 + "\n")
    monkeypatch.setattr(own, "_PATIENCE", 0.5)
    for engine in ENGINES:
        began = Stopwatch()
        result = await call(Grep(desk, engine=engine), pattern="(a|aa)+(b|c)$")
        assert result.error is ErrorClass.TIMEOUT
        assert "evil.txt" in result.message
        assert began.seconds < 10


@pytest.mark.parametrize("engine", ENGINES)
async def test_a_cancelled_search_leaves_no_process(desk: Workspace, engine: EngineName) -> None:
    with (desk.root / "big.txt").open("wb") as out:
        for _ in range(50):
            out.write(b"some text that is long enough\n" * 35_000)
    task = asyncio.ensure_future(Grep(desk, engine=engine).run(GrepParams(pattern="(?i)[a-z]+ nowhere [a-z]+")))
    await asyncio.sleep(0.1)
    task.cancel()
    began = Stopwatch()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert began.seconds < 0.2
    async with asyncio.timeout(30):
        while [one for one in psutil.Process().children() if one.name() == "rg"]:  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def test_a_limit_of_time(desk: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grep, "_LIMIT", 0.0)
    assert (await call(Grep(desk), pattern="x")).error is ErrorClass.TIMEOUT
