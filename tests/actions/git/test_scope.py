"""The scope of a change in real repositories: the receipt counts what a person would count by hand."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from actions.git.command import GitFailed, GitStopped, run_git
from actions.git.scope import EmptyScope, head_of, read_scope


def git(folder: Path, *args: str) -> str:
    return subprocess.run(["git", *args], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    git(folder, "config", "user.email", "t@example.org")
    git(folder, "config", "user.name", "T")
    (folder / "a.txt").write_text("1\n2\n3\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "one")
    return folder


def test_uncommitted_work_of_every_kind(repo: Path) -> None:
    (repo / "a.txt").write_text("1\nzwei\n3\n4\n")
    git(repo, "add", "a.txt")
    (repo / "a.txt").write_text("1\nzwei\n3\n4\n5\n")
    (repo / "sub").mkdir()
    (repo / "sub/new.txt").write_text("x\ny\n")
    (repo / "blob").write_bytes(b"\0\1")
    receipt = read_scope(repo / "sub", "uncommitted").receipt
    head = git(repo, "rev-parse", "HEAD")
    assert receipt.model_dump() == {
        "change": "uncommitted", "base": head, "head": head, "branch": "main", "commits": 0,
        "staged": 1, "unstaged": 1, "untracked": 2, "files": 3, "added": 5, "deleted": 1,
    }  # fmt: skip


def test_a_branch_against_the_default_one_or_a_named_one(repo: Path) -> None:
    fork = git(repo, "rev-parse", "HEAD")
    git(repo, "switch", "-q", "-c", "work")
    for number in range(3):
        (repo / f"f{number}").write_text("x\n")
        git(repo, "add", "-A")
        git(repo, "commit", "-q", "-m", "more")
    (repo / "loose").write_text("not committed\n")
    for base in (None, "main", fork):
        receipt = read_scope(repo, "branch", base).receipt
        assert (receipt.base, receipt.commits, receipt.files, receipt.added) == (fork, 3, 3, 3)
    assert read_scope(repo, "branch", "HEAD~1").receipt.commits == 1
    with pytest.raises(EmptyScope, match="no change against 'work'"):
        read_scope(repo, "branch", "work")


def test_unrelated_histories_have_nothing_in_common(repo: Path) -> None:
    git(repo, "switch", "-q", "--orphan", "alone")
    git(repo, "commit", "-q", "--allow-empty", "-m", "alone")
    with pytest.raises(EmptyScope, match="no common commit"):
        read_scope(repo, "branch", "main")


@pytest.mark.parametrize("base", ["--output=x", "-n", "nope", "main^{tree}x", "a..b", ""])
def test_a_base_is_a_commit_and_never_an_option(repo: Path, base: str) -> None:
    with pytest.raises(EmptyScope):
        read_scope(repo, "branch", base)
    assert sorted(path.name for path in repo.iterdir()) == [".git", "a.txt"]


def test_head_moves(repo: Path, tmp_path: Path) -> None:
    first = head_of(repo)
    assert first == git(repo, "rev-parse", "HEAD")
    git(repo, "commit", "-q", "--allow-empty", "-m", "two")
    assert head_of(repo) != first
    (tmp_path / "plain").mkdir()
    assert head_of(tmp_path / "plain") is None


def test_git_is_stopped_and_limited(repo: Path) -> None:
    slow = ["-c", "alias.slow=!sleep 30", "slow"]
    with pytest.raises(GitStopped):
        run_git(repo, slow, stopped=lambda: True)
    with pytest.raises(GitFailed, match=r"longer than 0\.1 s"):
        run_git(repo, slow, seconds=0.1)


def test_an_outer_git_command_does_not_lead_astray(repo: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    assert head_of(repo) is not None
