"""Unified diffs of real git and real diff, and what agents make of them."""

import subprocess
from pathlib import Path

import pytest

from desktop.diff.unified import DiffLine, LineKind, numbers, read_diff


def git(folder: Path, *arguments: str) -> str:
    names = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", *names, *arguments], cwd=folder, capture_output=True, check=True)
    return done.stdout.decode()


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "a.py").write_text("".join(f"line {n}\n" for n in range(1, 31)))
    (tmp_path / "old name.txt").write_text("same\n" * 20)
    (tmp_path / "gone.txt").write_text("-- not a head\n")
    (tmp_path / "image").write_bytes(b"\0\1")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "first")
    return tmp_path


def test_what_git_writes(repo: Path) -> None:
    lines = (repo / "a.py").read_text().splitlines(keepends=True)
    lines[1:2] = ["line two\n", "and a half\n"]
    del lines[25]
    (repo / "a.py").write_text("".join(lines))
    (repo / "gone.txt").unlink()
    (repo / "image").write_bytes(b"\0\2")
    (repo / "old name.txt").rename(repo / "文件 名.txt")
    (repo / "new.md").write_text("++ a list\nno end")
    git(repo, "add", "-A")
    diff = read_diff(git(repo, "diff", "--cached", "-M"))
    assert {f.path: (f.old_path, f.added, f.deleted) for f in diff.files} == {
        "a.py": (None, 2, 2),
        "gone.txt": (None, 0, 1),
        "image": (None, 0, 0),
        "new.md": (None, 2, 0),
        "文件 名.txt": ("old name.txt", 0, 0),
    }
    assert (diff.added, diff.deleted) == (4, 3)
    assert diff.lines[:6] == [
        DiffLine(LineKind.FILE, "a.py"),
        DiffLine(LineKind.HUNK, ""),
        DiffLine(LineKind.CONTEXT, "line 1", 1, 1),
        DiffLine(LineKind.DELETED, "line 2", old=2),
        DiffLine(LineKind.ADDED, "line two", new=2),
        DiffLine(LineKind.ADDED, "and a half", new=3),
    ]
    assert DiffLine(LineKind.DELETED, "-- not a head", old=1) in diff.lines
    assert DiffLine(LineKind.ADDED, "++ a list", new=1) in diff.lines
    assert DiffLine(LineKind.NOTE, "No newline at end of file") in diff.lines
    assert any(line.kind is LineKind.NOTE and "image" in line.text for line in diff.lines)
    assert [diff.lines[file.at] for file in diff.files] == [DiffLine(LineKind.FILE, file.path) for file in diff.files]
    assert numbers(diff.lines) == 2


def test_where_a_line_is(repo: Path) -> None:
    (repo / "a.py").write_text((repo / "a.py").read_text().replace("line 20\n", "line twenty\n"))
    (repo / "gone.txt").write_text("now\n")
    diff = read_diff(git(repo, "diff"))
    row = diff.row_of("a.py", 20)
    assert row is not None
    assert diff.lines[row] == DiffLine(LineKind.ADDED, "line twenty", new=20)
    far = diff.row_of("a.py", 1)
    assert far is not None
    assert diff.lines[far].new == 17
    assert diff.row_of("gone.txt") == diff.files[1].at
    assert diff.row_of("nowhere.py", 3) is None


def test_what_diff_writes_and_a_hunk_alone() -> None:
    plain = "--- x.c\t2026-01-01\n+++ x.c\t2026-01-02\n@@ -1 +1,2 @@ int main()\n-a\n+b\n+c\n"
    diff = read_diff(plain)
    assert [(f.path, f.added, f.deleted) for f in diff.files] == [("x.c", 2, 1)]
    assert diff.lines[1] == DiffLine(LineKind.HUNK, "int main()")
    alone = read_diff("@@ -3,2 +3,2 @@\n-a\n+b\n\n")
    assert [(line.kind, line.old, line.new) for line in alone.lines] == [
        (LineKind.FILE, None, None),
        (LineKind.HUNK, None, None),
        (LineKind.DELETED, 3, None),
        (LineKind.ADDED, None, 3),
        (LineKind.CONTEXT, 4, 4),
    ]


@pytest.mark.parametrize(
    "text", ["", "no diff at all\n@@ neither\n", "diff --git\n", "+++ \n--- \n", "@@ -1,9 +1,9 @@\n"]
)
def test_what_is_no_diff_is_kept_as_it_is(text: str) -> None:
    diff = read_diff(text)
    if text.startswith("no diff"):
        assert [line.text for line in diff.lines] == ["no diff at all", "@@ neither"]
        assert diff.files == []
