"""Files that a message may mean."""

from __future__ import annotations

import subprocess
from pathlib import Path

from actions.git.files import best_files, files_of


def _write(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x")


def test_in_a_repository_what_git_knows_or_would_add(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    _write(tmp_path, "src/app.py", "new file.txt", "build/out.o", "名字.md")
    (tmp_path / ".gitignore").write_text("build/\n")
    assert files_of(tmp_path) == [".gitignore", "new file.txt", "src/app.py", "名字.md"]


def test_elsewhere_what_is_not_hidden(tmp_path: Path) -> None:
    _write(tmp_path, "b/c.txt", "a.txt", ".secret", "node_modules/x.js", ".git-not/y")
    assert files_of(tmp_path) == ["a.txt", "b/c.txt"]
    assert files_of(tmp_path / "nowhere") == []


def test_the_name_counts_more_than_the_folders() -> None:
    files = ["app/views/main.py", "main/config.yaml", "src/main.py", "src/domain.py", "README.md"]
    assert best_files(files, "main", 3) == ["src/main.py", "app/views/main.py", "src/domain.py"]
    assert best_files(files, "MAIN/C", 3) == ["main/config.yaml"]
    assert best_files(files, "", 2) == ["README.md", "main/config.yaml"]
    assert best_files(files, "readne", 1) == ["README.md"]
    assert best_files(files, "zzzzqq", 5) == []
