"""The review of a real repository: what was planted is found where it was planted, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import psutil
import pytest

from actions.agent.scout.cancel import Cancel, ScoutCancelled
from actions.agent.scout.review.findings import Review, Severity
from actions.agent.scout.review.markdown import pieces
from actions.agent.scout.review.review import ReviewRun
from actions.git.scope import EmptyScope
from tests.stopwatch import Stopwatch

# Put together here, so that no scanner finds a key in this file.
AWS_KEY = "AKIA" + "QYLPMN5HFIQR7XYA"
GITHUB_TOKEN = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"


class Repo:
    """A real git repository with a first commit."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.git("init", "-q", "-b", "main")
        self.git("config", "user.email", "t@example.org")
        self.git("config", "user.name", "T")

    def git(self, *args: str) -> str:
        return subprocess.run(["git", *args], cwd=self.folder, check=True, capture_output=True, text=True).stdout

    def write(self, path: str, text: str | bytes) -> None:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())

    def commit(self, message: str = "change") -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def review(self, *args: str, may_run: Callable[[Sequence[str], str], bool] | None = None) -> Review:
        extra = {"may_run": may_run} if may_run else {}
        return ReviewRun(self.folder, Cancel(), **extra).run(*args)  # pyright: ignore[reportArgumentType]


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = Repo(tmp_path / "repo")
    repo.write("src/app.py", "def f():\n    return 1\n")
    repo.write("tests/test_app.py", "def test_f():\n    pass\n")
    repo.commit("one")
    return repo


def found(review: Review) -> list[tuple[str, int | None, str]]:
    return sorted(((f.file, f.line, f.rule) for f in review.findings), key=lambda row: (row[0], row[1] or 0, row[2]))


def is_alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_each_left_over_is_found_at_its_line(repo: Repo) -> None:
    repo.write(
        "src/app.py",
        "import pdb\n\n\ndef f():\n    breakpoint()\n    # TODO: mend this\n    return 1  \n",
    )
    repo.write("web/page.ts", "debugger;\nconsole.log('x')\n// console.log in a comment is none\nit.only('a', f)\n")
    repo.write("tests/test_app.py", "def test_f():\n    print('allowed in a test')\n")
    assert found(repo.review()) == [
        ("src/app.py", 1, "debug-leftover"),
        ("src/app.py", 5, "debug-leftover"),
        ("src/app.py", 6, "todo"),
        ("src/app.py", 7, "trailing-space"),
        ("web/page.ts", 1, "debug-leftover"),
        ("web/page.ts", 2, "debug-leftover"),
        ("web/page.ts", 4, "debug-leftover"),
    ]


def test_conflict_markers_are_errors_and_a_heading_is_not(repo: Repo) -> None:
    repo.write("src/app.py", "<<<<<<< HEAD\na = 1\n=======\na = 2\n>>>>>>> other\n")
    repo.write("README.md", "Title\n=======\n")
    repo.write("tests/test_app.py", "def test_f():\n    assert True\n")
    review = repo.review()
    assert found(review) == [("src/app.py", n, "conflict-marker") for n in (1, 3, 5)]
    assert {f.severity for f in review.findings} == {Severity.ERROR}


def test_secrets_are_found_and_never_quoted(repo: Repo) -> None:
    repo.write("src/app.py", f'print("{AWS_KEY}")\nTOKEN = "{GITHUB_TOKEN}"\nkey = os.environ["API_KEY"]\n')
    repo.write("tests/test_app.py", "def test_f():\n    assert True\n")
    review = repo.review()
    assert [(f.line, f.severity) for f in review.findings if f.rule == "secret"] == [
        (1, Severity.ERROR),
        (2, Severity.ERROR),
    ]
    everything = review.model_dump_json() + "".join(pieces(review))
    assert AWS_KEY not in everything
    assert GITHUB_TOKEN not in everything


def test_what_stood_there_before_is_not_reported(repo: Repo) -> None:
    repo.write("src/app.py", f'breakpoint()\nA = "{AWS_KEY}"\n# TODO old   \n')
    repo.commit()
    repo.write("src/app.py", f'breakpoint()\nA = "{AWS_KEY}"\n# TODO old   \nB = 2\n')
    repo.write("tests/test_app.py", "def test_f():\n    assert True\n")
    assert found(repo.review()) == []


def test_code_without_a_test_large_and_binary_files(repo: Repo) -> None:
    repo.write("src/app.py", "def f():\n    return 2\n")
    repo.write("logo.bin", bytes(range(256)) * 8)
    repo.write("data.txt", "line\n" * 2001)
    review = repo.review()
    assert found(review) == [("data.txt", None, "large"), ("logo.bin", None, "binary"), ("src/app.py", None, "no-test")]
    assert "2.0 kB" in next(f.text for f in review.findings if f.rule == "binary")


@pytest.mark.parametrize(
    ("manifest", "before", "after", "lock"),
    [
        ("pyproject.toml", '[project]\ndependencies = ["a"]\n', '[project]\ndependencies = ["a", "b"]\n', "uv.lock"),
        ("package.json", '{"dependencies": {}}', '{"dependencies": {"x": "1"}}', "package-lock.json"),
        ("Cargo.toml", "[dependencies]\n", '[dependencies]\nserde = "1"\n', "Cargo.lock"),
        ("go.mod", "module x\n", "module x\n\nrequire y v1.0.0\n", "go.sum"),
    ],
)
def test_a_lock_file_that_lags_behind(repo: Repo, manifest: str, before: str, after: str, lock: str) -> None:
    repo.write(f"sub/{manifest}", before)
    repo.write(f"sub/{lock}", "1\n")
    repo.commit()
    repo.write(f"sub/{manifest}", after)
    assert found(repo.review()) == [(f"sub/{manifest}", None, "lock-out-of-step")]
    repo.write(f"sub/{lock}", "2\n")
    assert found(repo.review()) == []


def test_a_version_number_does_not_touch_the_lock_file(repo: Repo) -> None:
    repo.write("package.json", '{"version": "1.0.0", "dependencies": {"x": "1"}}')
    repo.write("package-lock.json", "{}")
    repo.commit()
    repo.write("package.json", '{"version": "1.0.1", "dependencies": {"x": "1"}}')
    assert found(repo.review()) == []


def test_the_receipt_counts_what_git_counts(repo: Repo) -> None:
    repo.write("src/app.py", "def f():\n    return 2\n")
    repo.git("add", "src/app.py")
    repo.write("tests/test_app.py", "def test_f():\n    assert True\n")
    repo.write("new.txt", "a\nb\n")
    scope = repo.review().scope
    head = repo.git("rev-parse", "HEAD").strip()
    assert (scope.change, scope.base, scope.head, scope.branch) == ("uncommitted", head, head, "main")
    assert (scope.staged, scope.unstaged, scope.untracked, scope.files) == (1, 1, 1, 3)
    assert (scope.added, scope.deleted, scope.commits) == (4, 2, 0)


def test_a_branch_is_compared_with_where_it_left(repo: Repo) -> None:
    fork = repo.git("rev-parse", "HEAD").strip()
    repo.git("switch", "-q", "-c", "feature")
    repo.write("src/app.py", "breakpoint()\n")
    repo.commit("two")
    repo.write("notes.txt", "x\n")
    repo.commit("three")
    repo.git("switch", "-q", "main")
    repo.write("main-only.txt", "y\n")
    repo.commit("on main")
    repo.git("switch", "-q", "feature")
    repo.write("src/uncommitted.py", "breakpoint()\n")
    review = repo.review("branch", "main")
    assert (review.scope.base, review.scope.commits, review.scope.files) == (fork, 2, 2)
    assert found(review) == [("src/app.py", None, "no-test"), ("src/app.py", 1, "debug-leftover")]


def test_the_repository_is_left_as_it_was(repo: Repo) -> None:
    repo.write("src/app.py", "def f():\n    return 3\n")
    repo.git("add", "src/app.py")
    repo.write("new.py", "x = 1\n")
    before = (repo.git("status", "--porcelain=v2"), (repo.folder / ".git/index").read_bytes())
    repo.review()
    assert (repo.git("status", "--porcelain=v2"), (repo.folder / ".git/index").read_bytes()) == before


def test_nothing_to_review_says_what_to_do(repo: Repo, tmp_path: Path) -> None:
    with pytest.raises(EmptyScope, match="no uncommitted change"):
        repo.review()
    with pytest.raises(EmptyScope, match="no change against 'main'"):
        repo.review("branch", "main")
    with pytest.raises(EmptyScope, match="no branch or commit 'nope'"):
        repo.review("branch", "nope")
    with pytest.raises(EmptyScope, match="no branch or commit '--output=/etc/x'"):
        repo.review("branch", "--output=/etc/x")
    (tmp_path / "plain").mkdir()
    with pytest.raises(EmptyScope, match="git init"):
        ReviewRun(tmp_path / "plain", Cancel()).run()


def test_before_the_first_commit_everything_is_new(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "fresh")
    repo.write("a.py", "breakpoint()\n")
    review = repo.review()
    assert (review.scope.base, review.scope.head, review.scope.untracked) == (None, None, 1)
    assert ("a.py", 1, "debug-leftover") in found(review)


def test_odd_names_and_bytes(repo: Repo) -> None:
    names = ["na\tme é.py", 'quo"te.py', "数据.py", "sp ace.py", "-dash.py"]
    for name in names:
        repo.write(name, "breakpoint()\n")
    repo.write("latin.py", "x = 'é'\nbreakpoint()\n".encode("latin-1"))
    repo.write("crlf.py", "x = 1\r\nbreakpoint()\r\n")
    repo.write("odd.py", "a = 1\x0cb\u2028c\x85d\n-- x\n+++ b/other.py\n@@ -1 +1 @@\nbreakpoint()\n")
    (repo.folder / "link.py").symlink_to("nowhere")
    os.mkfifo(repo.folder / "pipe")
    places = [(f, line) for f, line, rule in found(repo.review()) if rule == "debug-leftover"]
    expected = [(name, 1) for name in names] + [("latin.py", 2), ("crlf.py", 2), ("odd.py", 5)]
    assert places == sorted(expected)


def test_settings_of_the_repository_run_nothing(repo: Repo, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    tool = tmp_path / "tool"
    tool.write_text(f"#!/bin/sh\ntouch {mark}\n")
    tool.chmod(0o755)
    for key in ("diff.external", "core.fsmonitor", "diff.x.textconv", "core.pager"):
        repo.git("config", key, str(tool))
    repo.write(".gitattributes", "*.py diff=x\n")
    repo.write("src/app.py", "def f():\n    return 2\n")
    repo.review()
    assert not mark.exists()


def test_ruff_speaks_of_added_lines_only(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    repo.write("ruff.toml", 'lint.select = ["F"]\n')
    repo.write("src/app.py", "import os\n\n\ndef f():\n    return 1\n")
    repo.commit()
    repo.write("src/app.py", "import os\nimport sys\n\n\ndef f():\n    return 1\n")
    repo.write("tests/test_app.py", "def test_f():\n    assert True\n")
    review = repo.review()
    assert found(review) == [("src/app.py", 2, "ruff:F401")]
    assert [(c.name, c.findings) for c in review.checks if c.name == "ruff"] == [("ruff", 1)]


def test_a_linter_of_the_workspace_asks_first(repo: Repo) -> None:
    repo.write(".flake8", "[flake8]\n")
    repo.write(".venv/bin/flake8", "#!/bin/sh\necho './src/app.py:1:1: F401 os is not used'\nexit 1\n")
    (repo.folder / ".venv/bin/flake8").chmod(0o755)
    repo.write(".gitignore", ".venv\n")
    repo.commit()
    repo.write("src/app.py", "import os\n")
    repo.write("tests/test_app.py", "def test_f():\n    assert True\n")
    refused = repo.review()
    assert found(refused) == []
    assert "nobody allowed it" in next(c.skipped or "" for c in refused.checks if c.name == "flake8")
    asked: list[tuple[str, ...]] = []

    def yes(argv: Sequence[str], why: str) -> bool:
        asked.append(tuple(argv))
        return True

    assert found(repo.review(may_run=yes)) == [("src/app.py", 1, "flake8:F401")]
    assert asked == [(str(repo.folder / ".venv/bin/flake8"), "--format=default", "./src/app.py", "./tests/test_app.py")]


def test_a_linter_that_breaks_is_said_and_loses_nothing(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    (bin_folder / "shellcheck").write_text("#!/bin/sh\necho 'no such option' >&2\nexit 3\n")
    (bin_folder / "shellcheck").chmod(0o755)
    monkeypatch.setenv("PATH", f"{bin_folder}{os.pathsep}{os.environ['PATH']}")
    repo.write(".shellcheckrc", "")
    repo.write("run.sh", "#!/bin/sh\n# TODO: more\n")
    review = repo.review()
    skipped = {check.name: check.skipped for check in review.checks if check.skipped}
    assert skipped == {"shellcheck": "shellcheck could not check the files: no such option"}
    assert ("run.sh", 2, "todo") in found(review)


def test_cancel_ends_a_linter_and_its_children(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pid_file = tmp_path / "pid"
    (tmp_path / "bin").mkdir()
    slow = tmp_path / "bin/shellcheck"
    slow.write_text(f"#!/bin/sh\nsleep 300 &\necho $! > {pid_file}\nwait\n")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    repo.write(".shellcheckrc", "")
    repo.write("run.sh", "#!/bin/sh\n")
    cancel = Cancel()

    def stop_when_it_runs() -> None:
        while not (pid_file.exists() and pid_file.read_text().strip()):
            time.sleep(0.01)
        cancel.set()

    threading.Thread(target=stop_when_it_runs, daemon=True).start()
    started = time.monotonic()
    with pytest.raises(ScoutCancelled):
        ReviewRun(repo.folder, cancel).run()
    assert time.monotonic() - started < 30
    deadline = time.monotonic() + 30
    while is_alive(int(pid_file.read_text())) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not is_alive(int(pid_file.read_text()))


def test_the_same_change_gives_the_same_review(repo: Repo) -> None:
    repo.write("src/app.py", "breakpoint()\n# TODO x\n")
    assert repo.review().model_dump_json() == repo.review().model_dump_json()


def test_a_large_change_is_reviewed_in_seconds(repo: Repo) -> None:
    repo.write("src/big.py", "".join(f"value_{n} = compute({n}, 'some text')\n" for n in range(20_000)))
    took = Stopwatch()
    review = repo.review()
    assert took.seconds < 30
    assert ("src/big.py", None, "large") in found(review)
