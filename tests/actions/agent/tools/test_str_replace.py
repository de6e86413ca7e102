"""StrReplaceFile on real files; every expected byte is written out by hand."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from pydantic import ValidationError

from actions.agent.tools.needs import Workspace
from actions.agent.tools.str_replace import StrReplaceFile, StrReplaceParams
from actions.agent.toolset.results import DiffDisplay, Location, ToolFailure
from tests.actions.agent.tools.files_desk import call, workspace


@pytest.fixture
def desk(tmp_path: Path) -> Workspace:
    return workspace(tmp_path)


@pytest.fixture
def tool(desk: Workspace) -> StrReplaceFile:
    return StrReplaceFile(desk)


@pytest.mark.parametrize(
    ("before", "old", "new", "after"),
    [
        (b"a\nb\nc\n", "b", "B", b"a\nB\nc\n"),
        (b"a\r\nb\r\nc", "a\nb", "a\nx\nb", b"a\r\nx\r\nb\r\nc"),
        (b"a\nb\r\nc\nd", "b\nc", "b\nC", b"a\nb\r\nC\nd"),
        (b"\xef\xbb\xbfa b", "a", "x", b"\xef\xbb\xbfx b"),
        (b"\xff\xfea\0b\0", "b", "c\n", b"\xff\xfea\0c\0\n\0"),
        (b"\xc5\xe4\xd6\xc3=1\r\n", "配置=1", "文件=2\n\n", b"\xce\xc4\xbc\xfe=2\r\n\r\n\r\n"),
        (b"caf\xe9 = 1\n", "= 1", "= 2", b"caf\xe9 = 2\n"),
        (b"bad \xff\xfe\x81 utf\n", "utf", "x", b"bad \xff\xfe\x81 x\n"),
        (b"a\tb\x0c\n", "b", "", b"a\t\x0c\n"),
    ],
)
async def test_every_byte_that_no_edit_touches_stays(
    desk: Workspace, tool: StrReplaceFile, before: bytes, old: str, new: str, after: bytes
) -> None:
    (desk.root / "a.txt").write_bytes(before)
    result = await call(tool, path="a.txt", edits=[{"old": old, "new": new}])
    assert not result.is_error, result.message
    assert (desk.root / "a.txt").read_bytes() == after


async def test_several_edits_each_on_the_result_of_the_one_before(desk: Workspace, tool: StrReplaceFile) -> None:
    (desk.root / "a.txt").write_text("one\ntwo\n")
    edits = [{"old": "one", "new": "two"}, {"old": "two", "new": "2", "replace_all": True}]
    result = await call(tool, path="a.txt", edits=edits)
    assert (desk.root / "a.txt").read_text() == "2\n2\n"
    assert result.message == "a.txt: 2 edits made."
    assert result.display == (DiffDisplay(str(desk.root / "a.txt"), "one\ntwo\n", "2\n2\n"),)
    assert result.locations == (Location(str(desk.root / "a.txt"), 1),)


async def test_all_or_none(desk: Workspace, tool: StrReplaceFile) -> None:
    (desk.root / "a.txt").write_text("one\n")
    edits = [{"old": "one", "new": "1"}, {"old": "three", "new": "3"}]
    result = await call(tool, path="a.txt", edits=edits)
    assert result.is_error
    assert result.message.startswith("Edit 2 of 2: a.txt: `old` was not found; nothing was written.")
    assert (desk.root / "a.txt").read_text() == "one\n"


async def test_an_ambiguous_text_is_named_by_its_lines(desk: Workspace, tool: StrReplaceFile) -> None:
    (desk.root / "a.txt").write_text("x\ny\nx\nxx\n")
    result = await call(tool, path="a.txt", edits={"old": "x", "new": "z"})
    assert "occurs 4 times, at lines 1, 3, 4, 4; nothing was written" in result.message
    assert (await call(tool, path="a.txt", edits={"old": "x", "new": "z", "replace_all": True})).error is None
    assert (desk.root / "a.txt").read_text() == "z\ny\nz\nzz\n"


async def test_a_text_that_is_not_there_gets_the_nearest_lines(desk: Workspace, tool: StrReplaceFile) -> None:
    (desk.root / "a.py").write_text("def one():\n    return 1\n\n\ndef two():\n\treturn 22\n")
    result = await call(tool, path="a.py", edits={"old": "def two():\n    return 22", "new": ""})
    assert "Only the white space differs here:\n     5\tdef two():\n     6\t\treturn 22" in result.message
    result = await call(tool, path="a.py", edits={"old": "def ones():\n    return 1", "new": ""})
    assert "The nearest lines are:\n     1\tdef one():\n     2\t    return 1" in result.message
    result = await call(tool, path="a.py", edits={"old": "@@@@@@@@", "new": ""})
    assert "Nothing in the file is like it" in result.message


async def test_what_makes_no_sense_is_refused(desk: Workspace, tool: StrReplaceFile) -> None:
    (desk.root / "a.txt").write_text("a\n")
    (desk.root / "b.bin").write_bytes(b"\0a")
    assert "`old` is empty" in (await call(tool, path="a.txt", edits={"old": "", "new": "x"})).message
    assert "change nothing" in (await call(tool, path="a.txt", edits={"old": "a", "new": "a"})).message
    assert "is not text" in (await call(tool, path="b.bin", edits={"old": "a", "new": "b"})).message
    assert "does not exist" in (await call(tool, path="c.txt", edits={"old": "a", "new": "b"})).message
    with pytest.raises(ValidationError):
        StrReplaceParams.model_validate({"path": "a.txt", "edits": []})


async def test_text_that_does_not_fit_is_refused(desk: Workspace, tool: StrReplaceFile) -> None:
    (desk.root / "a.txt").write_bytes(b"caf\xe9\n")
    result = await call(tool, path="a.txt", edits={"old": "caf", "new": "中"})
    assert "U+4E2D" in result.message
    assert (desk.root / "a.txt").read_bytes() == b"caf\xe9\n"


async def test_88_a_changed_file_is_not_written(desk: Workspace, tool: StrReplaceFile) -> None:
    """Case 88: also when the edit would still fit."""
    file = desk.root / "a.txt"
    file.write_text("one\ntwo\n")
    params = StrReplaceParams.model_validate({"path": "a.txt", "edits": [{"old": "one", "new": "1"}]})
    ask = await tool.prepare(params)
    file.write_text("one\nTWO\n")
    assert ask.still_true
    assert not await ask.still_true()
    with pytest.raises(ToolFailure, match="nothing was written"):
        await tool.run(params)
    assert file.read_text() == "one\nTWO\n"


async def test_two_edits_at_once_never_undo_each_other(desk: Workspace, tool: StrReplaceFile) -> None:
    file = desk.root / "a.txt"
    file.write_text("".join(f"line{n:02}\n" for n in range(20)))
    calls = [
        tool.run(
            StrReplaceParams.model_validate({"path": "a.txt", "edits": {"old": f"line{n:02}", "new": f"new{n:02}"}})
        )
        for n in range(20)
    ]
    assert not any(result.is_error for result in await asyncio.gather(*calls))
    assert file.read_text() == "".join(f"new{n:02}\n" for n in range(20))


async def test_a_large_file_is_not_edited(desk: Workspace, tool: StrReplaceFile) -> None:
    (desk.root / "a.txt").write_bytes(b"x" * (16 << 20) + b"y")
    assert "16,777,217 bytes" in (await call(tool, path="a.txt", edits={"old": "y", "new": "z"})).message
