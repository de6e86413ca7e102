"""Paths that would catch, block or lead astray a careless tool."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
from pathlib import Path
from typing import Any

import pytest

from actions.agent.tools.glob import Glob
from actions.agent.tools.grep import Grep
from actions.agent.tools.needs import ModelSenses, Workspace
from actions.agent.tools.read_file import ReadFile
from actions.agent.tools.read_media import ReadMediaFile
from actions.agent.tools.str_replace import StrReplaceFile
from actions.agent.tools.write_file import WriteFile
from actions.agent.toolset.results import ToolResult
from tests.actions.agent.tools.files_desk import call, mount_small, names, unmount, workspace


@pytest.fixture
def desk(tmp_path: Path) -> Workspace:
    return workspace(tmp_path)


async def every_tool(desk: Workspace, path: str) -> list[ToolResult]:
    """What all file tools say to ``path``; none may take long."""
    calls: list[Any] = [
        call(ReadFile(desk), path=path),
        call(ReadMediaFile(desk, ModelSenses(image=True)), path=path),
        call(WriteFile(desk), path=path, content="x"),
        call(WriteFile(desk), path=path, content="x", mode="append"),
        call(StrReplaceFile(desk), path=path, edits={"old": "a", "new": "b"}),
    ]
    async with asyncio.timeout(30):
        return [await one for one in calls]


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("", "empty"),
        ("  ", "empty"),
        ("a\0b", "NUL"),
        ("\ud800", "half a character"),
        ("~nobody_of_that_name/x", "leads nowhere"),
        ("/proc/self/environ", "not a file on a disk"),
        ("/proc/self/mem", "not a file on a disk"),
        ("/dev/stdin", "not a file on a disk"),
        ("/dev/zero", "not a file on a disk"),
        ("/sys/kernel/notes", "not a file on a disk"),
        (".", "folder"),
        ("pipe", "a pipe"),
        ("socket", "a socket"),
        ("hidden_proc", "not a file on a disk"),
    ],
)
async def test_no_file_at_all(desk: Workspace, path: str, words: str) -> None:
    os.mkfifo(desk.root / "pipe")
    (desk.root / "hidden_proc").symlink_to("/proc/self/environ")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(desk.root / "socket"))
        for result in await every_tool(desk, path):
            assert result.is_error
            assert words in result.message


@pytest.mark.parametrize("path", ["x" * 300, "/".join(["y" * 200] * 40), "file/below", "loop_a"])
async def test_paths_that_lead_nowhere(desk: Workspace, path: str) -> None:
    (desk.root / "file").write_text("a")
    (desk.root / "loop_a").symlink_to("loop_b")
    (desk.root / "loop_b").symlink_to("loop_a")
    for result in await every_tool(desk, path):
        assert result.is_error
    assert names(desk.root) == ["file", "loop_a", "loop_b"]


async def test_odd_names_work_and_stay_on_one_line(desk: Workspace) -> None:
    for name in ("new\nline.txt", "tab\t.txt", "名字.txt", "-dash", "a'b\"c$d.txt", "x" * 255, "\u202eevil.txt"):
        assert (await call(WriteFile(desk), path=f"./{name}", content="needle\n")).error is None
        result = await call(ReadFile(desk), path=name)
        assert result.output == "     1\tneedle"
        assert "\n" not in result.message
        assert "\u202e" not in result.message
    found = await call(Grep(desk), pattern="needle")
    assert str(found.output).count("\n") == 6
    assert r"new\nline.txt" in str(found.output)
    assert (await call(Glob(desk), pattern="*line.txt")).output == r"new\nline.txt"


async def test_a_name_that_is_no_text_can_be_found_and_shown(desk: Workspace) -> None:
    (desk.root / os.fsdecode(b"raw\xff.txt")).write_bytes(b"needle\n")
    for tool, arguments in ((Grep(desk), {"pattern": "needle"}), (Glob(desk), {"pattern": "raw*"})):
        output = str((await call(tool, **arguments)).output)
        assert output == r"raw\xff.txt"
        output.encode()


async def test_the_home_folder(desk: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "note.txt").write_text("at home\n")
    assert (await call(ReadFile(desk), path="~/note.txt")).output == "     1\tat home"
    assert (await call(Glob(desk), pattern="~/*.txt")).output == str(tmp_path / "note.txt")


async def test_a_file_that_becomes_a_pipe_while_it_is_opened_does_not_block(desk: Workspace) -> None:
    # The open itself may not wait: nobody writes to this pipe.
    os.mkfifo(desk.root / "pipe")
    (desk.root / "link").symlink_to("pipe")
    for path in ("pipe", "link"):
        assert all(result.is_error for result in await every_tool(desk, path))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a small disk or become somebody else")
class TestAsRoot:
    async def test_a_full_disk_leaves_the_old_file(self, desk: Workspace) -> None:
        disk = desk.root / "disk"
        disk.mkdir()
        if not mount_small(disk):
            pytest.skip("no mounting here")
        try:
            (disk / "a.txt").write_text("old\n")
            for path in ("disk/a.txt", "disk/new.txt"):
                result = await call(WriteFile(desk), path=path, content="x" * 200_000)
                assert result.is_error
                assert "No space left" in result.message
            assert (disk / "a.txt").read_text() == "old\n"
            assert names(disk) == ["a.txt"]
        finally:
            unmount(disk)

    async def test_what_may_not_be_read_or_written(self, tmp_path: Path) -> None:
        root = Path("/tmp") / f"sayso-{os.getpid()}"
        root.mkdir(mode=0o755)
        desk = Workspace(root)
        (root / "secret.txt").write_text("a")
        (root / "secret.txt").chmod(0o600)
        (root / "fixed.txt").write_text("a")
        (root / "open").mkdir()
        (root / "open").chmod(0o777)
        (root / "open/fixed.txt").write_text("a")
        os.seteuid(65534)
        try:
            read = await call(ReadFile(desk), path="secret.txt")
            written = [
                await call(WriteFile(desk), path=path, content="b")
                for path in ("fixed.txt", "new.txt", "open/fixed.txt")
            ]
            fine = await call(WriteFile(desk), path="open/new.txt", content="b")
        finally:
            os.seteuid(0)
            kept = (root / "fixed.txt").read_text(), (root / "open/fixed.txt").read_text()
            shutil.rmtree(root)
        assert "Permission denied" in read.message
        assert all(result.is_error for result in written)
        assert "read-only" in written[2].message
        assert fine.error is None
        assert kept == ("a", "a")
