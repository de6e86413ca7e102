"""WriteFile on real files; every expected byte is written out by hand."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from actions.agent.tools.needs import Workspace
from actions.agent.tools.write_file import WriteFile, WriteFileParams
from actions.agent.toolset.results import DiffDisplay, ErrorClass, ToolFailure
from tests.actions.agent.tools.files_desk import call, names, workspace


@pytest.fixture
def desk(tmp_path: Path) -> Workspace:
    return workspace(tmp_path)


@pytest.fixture
def tool(desk: Workspace) -> WriteFile:
    return WriteFile(desk)


async def test_a_new_file_with_its_folders(desk: Workspace, tool: WriteFile) -> None:
    old = os.umask(0o027)
    try:
        result = await call(tool, path="a/b/c.txt", content="one\n")
    finally:
        os.umask(old)
    file = desk.root / "a/b/c.txt"
    assert file.read_bytes() == b"one\n"
    assert file.stat().st_mode & 0o777 == 0o640
    assert result.message == "a/b/c.txt created: 4 bytes."
    assert result.display == (DiffDisplay(str(file), None, "one\n"),)


@pytest.mark.parametrize(
    ("before", "content", "after"),
    [
        (b"old\n", "new\n", b"new\n"),
        (b"old\r\nx\r\n", "new\ny", b"new\r\ny"),
        (b"old\r\nx\r\n", "new\r\ny\n", b"new\r\ny\n"),
        (b"\xef\xbb\xbfold", "new", b"\xef\xbb\xbfnew"),
        (b"\xff\xfeo\0\n\0", "n\n", b"\xff\xfen\0\n\0"),
        (b"\xc5\xe4\xd6\xc3\r\n", "文件\n", b"\xce\xc4\xbc\xfe\r\n"),
        (b"\x89PNG\0\0", "text\n", b"text\n"),
        (b"", "a\n", b"a\n"),
        (b"x", "", b""),
    ],
)
async def test_a_file_keeps_its_encoding_and_line_ends(
    desk: Workspace, tool: WriteFile, before: bytes, content: str, after: bytes
) -> None:
    (desk.root / "a.txt").write_bytes(before)
    assert not (await call(tool, path="a.txt", content=content)).is_error
    assert (desk.root / "a.txt").read_bytes() == after


@pytest.mark.parametrize(
    ("before", "content", "after"),
    [
        (None, "a\n", b"a\n"),
        (b"", "a\n", b"a\n"),
        (b"a", "b\n", b"ab\n"),
        (b"a\r\n", "b\n", b"a\r\nb\r\n"),
        (b"\xef\xbb\xbfa\n", "b", b"\xef\xbb\xbfa\nb"),
        (b"\xfe\xff\0a", "b", b"\xfe\xff\0a\0b"),
        (b"\xc5\xe4\xd6\xc3\n", "文", b"\xc5\xe4\xd6\xc3\n\xce\xc4"),
    ],
)
async def test_appending(desk: Workspace, tool: WriteFile, before: bytes | None, content: str, after: bytes) -> None:
    if before is not None:
        (desk.root / "a.txt").write_bytes(before)
    assert not (await call(tool, path="a.txt", content=content, mode="append")).is_error
    assert (desk.root / "a.txt").read_bytes() == after


async def test_binary_is_not_appended_to(desk: Workspace, tool: WriteFile) -> None:
    (desk.root / "a").write_bytes(b"\x7fELF\0\1")
    assert (await call(tool, path="a", content="x", mode="append")).is_error
    assert (desk.root / "a").read_bytes() == b"\x7fELF\0\1"


async def test_text_that_does_not_fit_is_refused_and_nothing_is_written(desk: Workspace, tool: WriteFile) -> None:
    (desk.root / "a.txt").write_bytes(b"caf\xe9\n")
    result = await call(tool, path="a.txt", content="ok\n中\n")
    assert result.error is ErrorClass.INVALID_INPUT
    assert "U+4E2D, line 2" in result.message
    assert (desk.root / "a.txt").read_bytes() == b"caf\xe9\n"
    assert (await call(tool, path="new.txt", content="\ud800")).error is ErrorClass.INVALID_INPUT
    assert names(desk.root) == ["a.txt"]


async def test_the_mode_stays(desk: Workspace, tool: WriteFile) -> None:
    script = desk.root / "run.sh"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o751)
    await call(tool, path="run.sh", content="#!/bin/sh\ntrue\n")
    assert script.stat().st_mode & 0o7777 == 0o751


async def test_88_a_file_that_changes_after_its_preview_is_not_written(desk: Workspace, tool: WriteFile) -> None:
    """Case 88: file changed between preview and approve."""
    file = desk.root / "a.txt"
    file.write_text("shown\n")
    params = WriteFileParams(path="a.txt", content="new\n")
    ask = await tool.prepare(params)
    assert ask.preview == (DiffDisplay(str(file), "shown\n", "new\n"),)
    assert ask.still_true
    assert await ask.still_true()
    file.write_text("somebody else\n")
    assert not await ask.still_true()
    with pytest.raises(ToolFailure, match=r"changed .* nothing was written"):
        await tool.run(params)
    assert file.read_text() == "somebody else\n"


@pytest.mark.parametrize("appears", [True, False])
async def test_88_a_file_that_comes_or_goes_makes_it_stale_too(desk: Workspace, tool: WriteFile, appears: bool) -> None:
    """Case 88, for a file that was not there when it was shown, and for one that was."""
    file = desk.root / "a.txt"
    if not appears:
        file.write_text("x")
    ask = await tool.prepare(WriteFileParams(path="a.txt", content="new\n"))
    file.write_text("x") if appears else file.unlink()
    assert ask.still_true
    assert not await ask.still_true()


async def test_88_a_file_replaced_by_a_link_is_not_written_through(
    desk: Workspace, tool: WriteFile, tmp_path: Path
) -> None:
    """Case 88, with the same bytes behind a link out of the workspace."""
    outside = tmp_path / "outside.txt"
    outside.write_text("same\n")
    file = desk.root / "a.txt"
    file.write_text("same\n")
    params = WriteFileParams(path="a.txt", content="new\n")
    ask = await tool.prepare(params)
    file.unlink()
    file.symlink_to(outside)
    assert ask.still_true
    assert not await ask.still_true()
    with pytest.raises(ToolFailure):
        await tool.run(params)
    assert outside.read_text() == "same\n"


async def test_outside_the_workspace_is_a_scope_of_its_own(desk: Workspace, tool: WriteFile, tmp_path: Path) -> None:
    (desk.root / "link").symlink_to(tmp_path)
    for said in ("../out.txt", str(tmp_path / "out.txt"), "link/out.txt", "x/../../out.txt"):
        ask = await tool.prepare(WriteFileParams(path=said, content="x"))
        assert (ask.scope.kind, ask.scope.subject, ask.scope.outside) == ("path", str(tmp_path / "out.txt"), True)
        assert "outside the workspace" in ask.summary
    inside = await tool.prepare(WriteFileParams(path="in.txt", content="x"))
    assert (inside.scope.subject, inside.scope.outside) == (str(desk.root / "in.txt"), False)


async def test_a_link_inside_stays_a_link(desk: Workspace, tool: WriteFile) -> None:
    (desk.root / "real.txt").write_text("a")
    (desk.root / "link.txt").symlink_to("real.txt")
    await call(tool, path="link.txt", content="b")
    assert (desk.root / "link.txt").is_symlink()
    assert (desk.root / "real.txt").read_text() == "b"


async def test_nothing_is_left_beside_the_file(desk: Workspace, tool: WriteFile) -> None:
    await call(tool, path="a.txt", content="x")
    assert names(desk.root) == ["a.txt"]
