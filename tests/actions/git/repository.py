"""A real git repository for tests, with none of the machine's own settings."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path


class Repository:
    """One in ``path``, on branch main with one commit; every hook it has writes its name into ``hooks.log``."""

    def __init__(self, path: Path, *, hooks: bool = True) -> None:
        self.path = path
        self.log = path.parent / f"{path.name}-hooks.log"
        path.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main")
        self.git("config", "user.name", "Ada")
        self.git("config", "user.email", "ada@example.org")
        self.write("a.txt", "one\ntwo\nthree\n")
        self.write(".gitignore", "*.ignored\nbuild/\n")
        self.commit("first")
        if hooks:
            self._set_hooks()

    def git(self, *args: str, at: Path | None = None) -> str:
        env = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")} | {"GIT_CONFIG_GLOBAL": os.devnull}
        command = ["git", "-C", str(at or self.path), *args]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (args, done.stderr)
        return done.stdout.strip()

    def write(self, name: str, content: str, *, at: Path | None = None) -> Path:
        file = (at or self.path) / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
        return file

    def commit(self, message: str, *, at: Path | None = None) -> str:
        """Commit everything, without hooks; gives the id."""
        self.git("add", "-A", at=at)
        self.git("-c", f"core.hooksPath={os.devnull}", "commit", "-qm", message, at=at)
        return self.git("rev-parse", "HEAD", at=at)

    def ran_hooks(self) -> str:
        return self.log.read_text() if self.log.exists() else ""

    def _set_hooks(self) -> None:
        names = "post-checkout post-merge pre-merge-commit commit-msg prepare-commit-msg post-commit pre-commit "
        names += "reference-transaction post-index-change"
        for name in names.split():
            hook = self.path / ".git" / "hooks" / name
            hook.parent.mkdir(exist_ok=True)
            hook.write_text(f'#!/bin/sh\necho {name} >> "{self.log}"\n')
            hook.chmod(0o755)
