"""ReadFile on real files."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from actions.agent.tools.read_file import ReadFile
from tests.actions.agent.tools.files_desk import call, workspace


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return workspace(tmp_path).root


@pytest.fixture
def tool(tmp_path: Path) -> ReadFile:
    return ReadFile(workspace(tmp_path))


async def test_lines_with_numbers(root: Path, tool: ReadFile) -> None:
    (root / "a.txt").write_bytes(b"one\n\nthree")
    result = await call(tool, path="a.txt")
    assert result.output == "     1\tone\n     2\t\n     3\tthree"
    assert result.message == "a.txt: lines 1 to 3 of 3."
    assert result.locations[0].path == str((root / "a.txt").resolve())


async def test_a_window_and_how_to_read_on(root: Path, tool: ReadFile) -> None:
    (root / "a.txt").write_text("".join(f"line {n}\n" for n in range(1, 101)))
    result = await call(tool, path="a.txt", offset="40", count=2)
    assert result.output == "    40\tline 40\n    41\tline 41"
    assert result.message == "a.txt: lines 40 to 41 of 100. Read on with offset 42."
    result = await call(tool, path="a.txt", offset=-2)
    assert result.output == "    99\tline 99\n   100\tline 100"
    result = await call(tool, path="a.txt", offset=101)
    assert result.message == "a.txt has only 100 lines; line 101 is past its end."


async def test_an_empty_file(root: Path, tool: ReadFile) -> None:
    (root / "a.txt").touch()
    result = await call(tool, path="a.txt")
    assert (result.output, result.message, result.error) == ("", "a.txt is empty.", None)


async def test_the_limits_hold_and_every_character_can_be_read(root: Path, tool: ReadFile) -> None:
    (root / "a.txt").write_text("\n".join("x" * 200 for _ in range(1_000)))
    result = await call(tool, path="a.txt")
    assert isinstance(result.output, str)
    assert len(result.output) <= 50_000
    assert result.message.endswith("Read on with offset 241.")  # 50,000 / (200 + 7 + 1)
    text = "".join(chr(33 + n % 90) for n in range(10_000))
    (root / "b.txt").write_text(text + "\nnext\n")
    read, column = "", 1
    while True:
        result = await call(tool, path="b.txt", count=1, column=column)
        assert isinstance(result.output, str)
        assert len(result.output) <= 2_000
        read += result.output[7:].partition(" … [cut, ")[0]
        if "column" not in result.message:
            break
        column = int(result.message.rpartition("column ")[2].rstrip("."))
    assert read == text


async def test_a_huge_file_is_not_held(root: Path, tool: ReadFile) -> None:
    with (root / "huge").open("wb") as out:
        for _ in range(60):
            out.write(b"x" * (1 << 20))
        out.write(b"\nshort\n")
    tracemalloc.start()
    result = await call(tool, path="huge")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5 << 20
    assert "lines 1 to 2 of 2" in result.message
    assert f"[cut, {60 * (1 << 20) - 1950} more]\n     2\tshort" in str(result.output)


async def test_lines_beyond_64_mb_are_not_counted(root: Path, tool: ReadFile) -> None:
    with (root / "huge").open("wb") as out:
        out.write(b"first\n")
        out.truncate(1 << 20)
        out.seek(0)
        for _ in range(70):
            out.write(b"line of text\n" * 80_660)
    result = await call(tool, path="huge", count=1)
    assert result.message == "huge: lines 1 to 1 of more than that. Read on with offset 2."


@pytest.mark.parametrize(
    ("data", "output", "encoding"),
    [
        (b"a\r\nb\r\n", "     1\ta\n     2\tb", ""),
        (b"a\rb\r", "     1\ta\n     2\tb", ""),
        (b"\xef\xbb\xbfa\n", "     1\ta", "utf-8 with a byte order mark"),
        (b"\xff\xfea\0\n\0", "     1\ta", "utf-16-le with a byte order mark"),
        (b"\xc5\xe4\xd6\xc3\n", "     1\t配置", "gb18030"),
    ],
)
async def test_encodings(root: Path, tool: ReadFile, data: bytes, output: str, encoding: str) -> None:
    (root / "a.txt").write_bytes(data)
    result = await call(tool, path="a.txt")
    assert result.output == output
    assert ("Encoding" in result.message) == bool(encoding)
    assert encoding in result.message


async def test_binary_is_refused_with_what_to_use(root: Path, tool: ReadFile) -> None:
    (root / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    result = await call(tool, path="a.png")
    assert result.is_error
    assert "ReadMediaFile" in result.message
    assert result.output == ""


async def test_a_wrong_name_gets_the_near_ones(root: Path, tool: ReadFile) -> None:
    (root / "README.md").touch()
    assert (await call(tool, path="readme.MD")).message == "readme.MD does not exist. Near it: README.md."
